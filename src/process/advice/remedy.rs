//! What helps with texts that were left: what is advised for them, and where that is nothing what else can be set
//! there. All of it is tried before it is said.

use std::io;

use super::{AdviceBasis, Best, Candidate, SpooledMessages, Whose, advise};
use crate::coding::encoded_word::words;
use crate::message::Message;
use crate::process::sample::octets_of;
use crate::process::shown::is_hidden;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{
    Arrival, Entry, Labels, OnLoss, Outcome, Place, Profile, Reason, Report, Unlabelled, plan_arrived,
};

/// How many advised rules are named.
const RULES: usize = 4;

/// How many labels of one text are tried.
const LABELS: usize = 2;

/// A charset that reads nearly everything: where it does, another one would too.
const ANY: &str = "windows-1252";

/// What helps with the texts of some messages.
#[derive(Debug)]
pub struct Remedies<'b> {
    basis: &'b AdviceBasis,
    best: Option<Best>,
    messages: Vec<TriedMessage<'b>>,
}

/// A text that was left.
#[derive(Debug, Clone, Copy)]
pub struct LeftText<'t> {
    /// Which of the messages it stands in, from 0.
    pub message: usize,
    /// Its entry in the report.
    pub entry: &'t Entry,
}

/// A message, and the reports of it by what may be set.
#[derive(Debug)]
struct TriedMessage<'m> {
    from_line: &'m [u8],
    content: &'m [u8],
    /// By what is advised, if anything is.
    advised: Option<Report>,
    /// With the name of a charset in `unlabelled`.
    named: Report,
    /// With statistics in `unlabelled`.
    detected: Report,
    /// With U+FFFD for each fault.
    replaced: Report,
}

impl<'m> TriedMessage<'m> {
    /// Tries on a message, which may have its From_ line before it, what may be set.
    fn of(message: &'m [u8], basis: &AdviceBasis, best: Option<&Best>) -> TriedMessage<'m> {
        let (from_line, content) = MboxMessage::split_from_line(message);
        let arrival = Arrival::archived(from_line);
        let replacing = Profile { on_loss: OnLoss::Replace, ..Profile::clone(basis.profiles.usual()) };
        TriedMessage {
            from_line,
            content,
            advised: best.map(|best| plan_arrived(content, best.profiles.of(content, from_line), &arrival).report),
            named: plan_arrived(content, &basis.with_list(ANY), &arrival).report,
            detected: plan_arrived(content, &basis.with_list("detect"), &arrival).report,
            replaced: plan_arrived(content, &replacing, &arrival).report,
        }
    }

    /// Returns `true` if nothing is left at an entry's place with an alias; `false` for one that settings can't have.
    fn reads_with(&self, label: &str, charset: &str, entry: &Entry, basis: &AdviceBasis) -> bool {
        let arrival = Arrival::archived(self.from_line);
        let report =
            basis.with_alias(label, charset).map(|profile| plan_arrived(self.content, &profile, &arrival).report);
        report.is_some_and(|report| reads(&report, entry))
    }
}

/// What is said where faults can be replaced.
const REPLACE: &str = "`on_loss = \"replace\"`, if U+FFFD is better than nothing; `septet advise` proposes no charset";

/// What is said where nothing helps.
const NOTHING: &str = "nothing that can be set reads it, and it stays as it came; ask the sender";

impl AdviceBasis {
    /// Finds the entry of a report's line in a message, which may have its From_ line before it; none where the message
    /// has another profile by a rule, or planning it does not give that line.
    pub fn entry_of(&self, message: &[u8], line: &str) -> Option<Entry> {
        let (from_line, content) = MboxMessage::split_from_line(message);
        let usual = self.profiles.usual();
        let is_usual = self.profiles.of(content, from_line).name == usual.name;
        let report = is_usual.then(|| plan_arrived(content, usual, &Arrival::archived(from_line)).report)?;
        let mut left = report.entries.into_iter().filter(|entry| matches!(entry.outcome, Outcome::Left(_)));
        left.find(|entry| entry.to_string() == line)
    }

    /// Returns the usual profile with an entry at the end of its list; one that means nothing is left out.
    fn with_list(&self, entry: &str) -> Profile {
        let usual = self.profiles.usual();
        let mut unlabelled = usual.unlabelled.clone();
        unlabelled.extend(Unlabelled::of(entry, &usual.labels));
        Profile { unlabelled, ..Profile::clone(usual) }
    }

    /// Returns the usual profile in which a label means a charset; none for a label that can't stand in the settings,
    /// or not be seen there.
    fn with_alias(&self, label: &str, charset: &str) -> Option<Profile> {
        let mut aliases = self.table.charset_alias.clone();
        aliases.insert(label.to_owned(), charset.to_owned());
        let labels = Labels::new(&aliases).ok().filter(|_| !label.contains(is_hidden))?;
        Some(Profile { labels, ..Profile::clone(self.profiles.usual()) })
    }
}

impl<'b> Remedies<'b> {
    /// Returns `true` if something may be advised for what was left for this reason, or tried.
    pub fn are_for(reason: &Reason) -> bool {
        use Reason::{Ambiguous, Malformed, UnknownCharset, Unlabelled};
        matches!(reason, Unlabelled | UnknownCharset(_) | Malformed { .. } | Ambiguous(..))
    }

    /// Asks what is advised for some messages, which may have their From_ lines before them, and tries what else may be
    /// set. The error is that of a file that passes.
    pub fn ask(messages: &[&'b [u8]], basis: &'b AdviceBasis) -> io::Result<Remedies<'b>> {
        let mut spool = SpooledMessages::new()?;
        messages.iter().try_for_each(|message| spool.add(message))?;
        let best = advise(&mut spool, basis)?.best;
        let messages = messages.iter().map(|message| TriedMessage::of(message, basis, best.as_ref())).collect();
        Ok(Remedies { basis, best, messages })
    }

    /// Says what helps with texts: what is advised for all of them, or for how many of them; then what helps with the
    /// others. Code stands in backticks. It is empty for no text.
    pub fn say(&self, texts: &[LeftText]) -> String {
        let remedies: Vec<Option<String>> = texts.iter().map(|text| self.of(*text)).collect();
        let advised = remedies.iter().filter(|remedy| remedy.is_none()).count();
        let mut said: Vec<String> = Vec::new();
        if let Some(best) = self.best.as_ref().filter(|_| advised > 0) {
            let which = match (advised, remedies.len()) {
                (_, 1) => "it".to_owned(),
                (all, of) if all == of => "these texts".to_owned(),
                (some, of) => format!("{some} of these {of} texts"),
            };
            said.push(format!(
                "{}, which `septet advise` proposes for {which}: read the result before you believe it",
                self.settings(best)
            ));
        }
        for sentence in remedies.into_iter().flatten() {
            if !said.contains(&sentence) && said.len() <= RULES {
                said.push(sentence);
            }
        }
        said.join("; for others ")
    }

    /// Says what helps with a text; none where what is advised does.
    fn of(&self, text: LeftText) -> Option<String> {
        let (Outcome::Left(reason), Some(tried)) = (&text.entry.outcome, self.messages.get(text.message)) else {
            return Some(NOTHING.to_owned());
        };
        if tried.advised.as_ref().is_some_and(|report| reads(report, text.entry)) {
            return None;
        }
        Some(match reason {
            Reason::UnknownCharset(label) if self.basis.with_alias(label, ANY).is_some() => format!(
                "`septet advise` proposes no charset; once you know what the label means: {}",
                alias(label, "\"CHARSET\"")
            ),
            Reason::Ambiguous(_, other) => self.of_ambiguous(tried, text.entry, other),
            Reason::Unlabelled if reads(&tried.named, text.entry) => self.named(),
            _ if reads(&tried.replaced, text.entry) => REPLACE.to_owned(),
            _ => NOTHING.to_owned(),
        })
    }

    /// Says what helps with a text that may be in one of two charsets, of which no label of it means the `other`.
    fn of_ambiguous(&self, tried: &TriedMessage, entry: &Entry, other: &str) -> String {
        let labels = labels_of(tried.content, self.basis.profiles.usual(), entry);
        match labels.into_iter().find(|label| tried.reads_with(label, other, entry, self.basis)) {
            Some(label) => format!(
                "{}, if it is {other}, by `[[rule]]` for senders who have one label for everything",
                alias(&label, &quoted(other))
            ),
            None if reads(&tried.detected, entry) => format!("{}, if you trust statistics", self.list("\"detect\"")),
            None if reads(&tried.named, entry) => self.named(),
            None => NOTHING.to_owned(),
        }
    }

    /// Says that a charset in `unlabelled` helps, which only a person can know.
    fn named(&self) -> String {
        format!(
            "`septet advise` proposes no charset; once you know it: {}, by `[[rule]]` for the sender",
            self.list("\"CHARSET\"")
        )
    }

    /// Writes what is advised: the keys that differ from those in force, and the lists and senders that have others.
    fn settings(&self, best: &Best) -> String {
        let mut said: Vec<String> = Some(self.keys(&best.usual)).filter(|keys| !keys.is_empty()).into_iter().collect();
        for (whose, candidate) in best.rules.iter().take(RULES) {
            let whose = match whose {
                Whose::List(list) => format!("for the list {list}"),
                Whose::Sender(sender) => format!("for mail from {sender}"),
            };
            said.push(format!("{} {whose}", self.keys(candidate)));
        }
        if let more @ 1.. = best.rules.len().saturating_sub(RULES) {
            said.push(format!("others by {more} more `[[rule]]`"));
        }
        said.join(", ")
    }

    /// Writes the keys of a candidate that differ from those in force; empty where none does.
    fn keys(&self, candidate: &Candidate) -> String {
        let table = &self.basis.table;
        let list = (candidate.unlabelled != table.unlabelled)
            .then(|| format!("`unlabelled = {}`", toml::Value::from(candidate.unlabelled.clone())));
        let new = candidate.aliases.iter().filter(|(label, charset)| table.charset_alias.get(*label) != Some(*charset));
        let aliases = new.map(|(label, charset)| alias(label, &quoted(charset)));
        list.into_iter().chain(aliases).collect::<Vec<_>>().join(" and ")
    }

    /// Writes the list of the settings, with one more entry, which is written as it is.
    fn list(&self, last: &str) -> String {
        let known = self.basis.table.unlabelled.iter().map(|entry| quoted(entry));
        format!("`unlabelled = [{}]`", known.chain([last.to_owned()]).collect::<Vec<_>>().join(", "))
    }
}

/// Writes an alias as TOML does; `charset` is written as it is.
fn alias(label: &str, charset: &str) -> String {
    format!("`charset_alias = {{ {} = {charset} }}`", quoted(label))
}

/// Writes a text as a string of TOML, in quotes.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Returns `true` if a report leaves nothing at the place of an entry, be it in another field of the name, and does not
/// leave the message as a whole.
fn reads(report: &Report, entry: &Entry) -> bool {
    let mut left = report.entries.iter().filter(|other| matches!(other.outcome, Outcome::Left(_)));
    !left.any(|other| other.part == entry.part && other.place == entry.place || other.place == Place::Message)
}

/// Returns a label in lower case; none of one that is no UTF-8.
fn lower_case(label: &[u8]) -> Option<String> {
    str::from_utf8(label).ok().map(str::to_ascii_lowercase)
}

/// Returns the labels of a text in lower case: that of the part for a body, those of the encoded-words for a field, of
/// which [`LABELS`] are enough.
fn labels_of(message: &[u8], profile: &Profile, entry: &Entry) -> Vec<String> {
    let view = Message::read(message, &profile.limits);
    match &entry.place {
        Place::Body => {
            let part = view.numbered(&entry.part);
            let label = part.and_then(|part| part.content_type.parameter(view.raw(), "charset"));
            label.and_then(|label| lower_case(&label)).into_iter().collect()
        }
        _ => {
            // A field that is not there has no labels.
            let value = octets_of(&view, entry, 0).unwrap_or_default();
            words(&value).filter_map(|word| lower_case(value.get(word.label)?)).take(LABELS).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::charset::Charset;
    use crate::config::Settings;
    use crate::process::ruled_profiles::RuledProfiles;
    use crate::rewrite::plan;

    fn said(messages: &[&[u8]]) -> String {
        let basis = AdviceBasis::new(&Settings::default(), &RuledProfiles::one(Profile::default()));
        let remedies = Remedies::ask(messages, &basis).expect("a file");
        let entries: Vec<Entry> = messages
            .iter()
            .map(|message| plan(message, &Profile::default()).report.entries.into_iter().next().expect("an entry"))
            .collect();
        let texts = entries.iter().enumerate().map(|(message, entry)| LeftText { message, entry });
        remedies.say(&texts.collect::<Vec<_>>())
    }

    #[test]
    fn what_helps_is_tried_on_the_text_itself() {
        let russian = Charset::WINDOWS_1251.encode("\nПривет, как дела? Всё хорошо, спасибо.\n").expect("Cyrillic");
        let greek = Charset::WINDOWS_1253.encode("\nΚαλημέρα σας, πώς είστε σήμερα;\n").expect("Greek");
        for (messages, wanted) in [
            (&[&*russian][..], "`unlabelled = [\"utf-8\", \"windows-1251\"]`, which `septet advise` proposes for it: "),
            (
                &[&*russian, &*greek],
                "`unlabelled = [\"utf-8\", \"detect\"]`, which `septet advise` proposes for these texts: ",
            ),
            (
                &[b"Subject: Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xf0\x9f\x98\n\n"],
                "nothing that can be set reads it, and it stays as it came",
            ),
            (
                &[b"Content-Type: text/plain; charset=utf-8\n\nGr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln \xf0\x9f\x98\n"],
                "`on_loss = \"replace\"`, if U+FFFD is better than nothing",
            ),
            (
                &[b"Content-Type: text/plain; charset=iso-8859-2\n\nP\xc5\x85\n"],
                "`charset_alias = { \"iso-8859-2\" = \"utf-8\" }`, if it is utf-8",
            ),
            (
                &[b"Subject: =?x-unheard?Q?a+AOk-?=\n\n"],
                "`septet advise` proposes no charset; once you know what the label means: ",
            ),
        ] {
            let said = said(messages);
            assert!(said.starts_with(wanted), "{said}, not {wanted}");
        }
    }
}
