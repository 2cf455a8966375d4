//! The profiles of messages that no listener brings: archives, files and pipes have them by `[[rule]]`, as listeners
//! do.
//!
//! There is no envelope. The sender is what the message and its file say of it ([`sender_of`]); client and recipients
//! are known to nobody, so a rule that asks for either never holds here, and [`RuledProfiles::passed_over`] says so.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::sender::sender_of;
use crate::config::settings::Origins;
use crate::config::{MessageContext, Rule, Settings};
use crate::message::{Limits, Message};
use crate::rewrite::{Dkim2, Profile};

/// Why archives have no instances.
const NOT_IN_ARCHIVES: &str = "an archive gets no Message-Instance, since nobody signs it";

/// The profiles of messages: the first rule that matches decides, else all have the same.
#[derive(Debug, Clone)]
pub struct RuledProfiles {
    usual: Arc<Profile>,
    /// The settings whose rules hold; they have none where all messages have one profile.
    settings: Settings,
    passed_over: Vec<String>,
}

impl RuledProfiles {
    /// Makes those of settings: by their rules, and else the default one; `origins` says where the rules were made.
    pub fn by_rule(settings: &Settings, origins: &Origins) -> RuledProfiles {
        let passed_over =
            settings.rules.iter().enumerate().flat_map(|(at, rule)| listener_only_conditions(at, rule, origins));
        RuledProfiles {
            usual: settings.default_profile(),
            settings: settings.clone(),
            passed_over: passed_over.collect(),
        }
    }

    /// Makes those of messages that all have one profile, whatever rules say.
    pub fn one(profile: impl Into<Arc<Profile>>) -> RuledProfiles {
        RuledProfiles { usual: profile.into(), settings: Settings::default(), passed_over: Vec::new() }
    }

    /// Makes them those of an archive, to which nobody will ever send mail again that a signer could sign: no
    /// Message-Instance is written, and [`passed_over`](Self::passed_over) says so.
    pub fn of_archive(mut self) -> RuledProfiles {
        let profiles = std::iter::once(&self.usual).chain(self.others());
        let asking = profiles.filter(|profile| profile.dkim2 != Dkim2::Off);
        let said = asking.map(|profile| format!("profile.{}.dkim2: {NOT_IN_ARCHIVES}", profile.name));
        let said: Vec<String> = said.collect();
        self.passed_over.extend(said);
        Arc::make_mut(&mut self.usual).dkim2 = Dkim2::Off;
        self.settings.set_dkim2(Dkim2::Off);
        self
    }

    /// Returns the profile where no rule matches.
    pub fn usual(&self) -> &Arc<Profile> {
        &self.usual
    }

    /// Returns the limits, which all profiles share.
    pub fn limits(&self) -> &Limits {
        &self.usual.limits
    }

    /// Returns the profile of a message by the first rule that matches, or else the usual one. `from_line` is the one
    /// before it in its file, empty where there is none.
    pub fn of(&self, message: &[u8], from_line: &[u8]) -> &Arc<Profile> {
        if self.settings.rules.is_empty() {
            return &self.usual;
        }
        let rule = with_context(message, from_line, self.limits(), |context| self.settings.rule_for(context));
        rule.and_then(|rule| self.settings.profile(&rule.profile)).unwrap_or(&self.usual)
    }

    /// Returns `true` if no message is changed, so that none has to be read; `false` wherever there are rules, for
    /// which each has to be.
    pub fn is_identity(&self) -> bool {
        self.settings.rules.is_empty() && self.usual.is_identity()
    }

    /// Names the profiles for people: the usual one, and in parentheses those of rules. A file of decisions keeps this,
    /// and another version of septet compares it: other words for the same profiles would refuse that file.
    pub fn names(&self) -> String {
        let others: Vec<&str> = self.others().iter().map(|profile| &*profile.name).collect();
        match others.is_empty() {
            true => self.usual.name.clone(),
            false => format!("{} (by rule: {})", self.usual.name, others.join(", ")),
        }
    }

    /// Returns the profiles of rules that are not the usual one, each once.
    pub fn others(&self) -> Vec<&Arc<Profile>> {
        let mut known = BTreeSet::from([self.usual.name.as_str()]);
        let profiles = self.rules().iter().filter_map(|rule| self.settings.profile(&rule.profile));
        profiles.filter(|profile| known.insert(&profile.name)).collect()
    }

    /// Returns the rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.settings.rules
    }

    /// Says of each condition that only a listener can know that its rule never holds here.
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }

    /// Writes all of the settings that a result depends on: equal ones write the same. Runs that are resumed and shards
    /// that are joined tell by it whether they had the same settings.
    pub fn fingerprint(&self) -> String {
        let profiles = [&self.usual].into_iter().chain(self.others()).map(|profile| format!("{profile:?}"));
        let rules = self.rules().iter().map(|rule| format!("{rule:?}"));
        profiles.chain(rules).collect::<Vec<_>>().join("\n")
    }
}

/// Returns a sentence for each condition of a rule that only a listener can check: where it was set, and that the rule
/// never holds here. `at` is the rule's index.
fn listener_only_conditions(at: usize, rule: &Rule, origins: &Origins) -> Vec<String> {
    let asked = [(!rule.client.is_empty(), "client"), (!rule.recipient.is_empty(), "recipient")];
    asked.iter().filter(|(asked, _)| *asked).map(|(_, key)| never_holds(at, key, origins)).collect()
}

/// Returns the sentence for one condition.
fn never_holds(at: usize, key: &str, origins: &Origins) -> String {
    let path = format!("rule[{at}].{key}");
    // What has no origin was set nowhere that could be named.
    let origin = origins.get(&path).map_or_else(String::new, |origin| format!("{origin}: "));
    format!("{origin}{path}: only a listener knows the {key}, so this rule never holds here")
}

/// Shows `look` a message as rules see it: what a listener shows them, but for client and recipients, and with the
/// sender that the message states. Only its header is read, so that rules also hold for a message over the limit of
/// octets.
pub fn with_context<T>(
    message: &[u8],
    from_line: &[u8],
    limits: &Limits,
    look: impl FnOnce(&MessageContext<'_>) -> T,
) -> T {
    let header = header_of(message);
    let view = Message::read(header, &Limits { message_bytes: usize::MAX, ..*limits });
    // A message without a part has no fields.
    let fields = view.parts().first().map(|root| view.fields(root)).unwrap_or_default();
    let fields: Vec<(&[u8], &[u8])> =
        fields.iter().map(|field| (view.slice(field.name), view.slice(field.value))).collect();
    let sender = sender_of(&fields, from_line);
    look(&MessageContext { sender: sender.as_deref(), header: &fields, size: sent_size(message), ..Default::default() })
}

/// Returns the fields of the header, up to the empty line behind them, which is not among them; everything where there
/// is no such line.
fn header_of(message: &[u8]) -> &[u8] {
    let ends = memchr::memchr_iter(b'\n', message).map(|at| at + 1);
    let mut starts = std::iter::once(0).chain(ends);
    let end = starts.find(|at| matches!(message.get(*at..), Some([b'\n', ..] | [b'\r', b'\n', ..])));
    end.and_then(|end| message.get(..end)).unwrap_or(message)
}

/// Returns how many octets a message has when it is sent, where every line ends in CR LF: the size that a listener
/// would see.
fn sent_size(message: &[u8]) -> usize {
    let line_ends = memchr::memchr_iter(b'\n', message);
    message.len() + line_ends.filter(|&at| at == 0 || message[at - 1] != b'\r').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SettingsFile;

    const RULES: &[u8] = b"[[rule]]\nprofile = \"keep\"\nclient = \"192.0.2.1\"\n\
        [[rule]]\nprofile = \"keep\"\nrecipient = [\"*@example.org\"]\nsender = \"a@example.org\"\n\
        [[rule]]\nprofile = \"ascii\"\nlist_id = \"*.lists.example.org\"\n\
        [[rule]]\nprofile = \"eai\"\nsender = [\"a@example.org\", \"<>\"]\n\
        [[rule]]\nprofile = \"utf7\"\nheader = \"X-Mailer: *old*\"\n\
        [[rule]]\nprofile = \"seven-bit\"\nlarger_than = 99\n";

    fn profiles(rules: &[u8]) -> RuledProfiles {
        let source = SettingsFile { path: "septet.toml".to_owned(), bytes: rules.to_vec() };
        let (settings, origins) = Settings::read(&[source], [], &[]).expect("settings");
        RuledProfiles::by_rule(&settings, &origins)
    }

    #[test]
    fn the_first_rule_that_matches_decides() {
        let profiles = profiles(RULES);
        for (message, from_line, profile) in [
            ("Subject: x\n\nx\n", "", "utf8"),
            ("Return-Path: <a@example.org>\n\nx\n", "", "eai"),
            ("Return-Path: <>\nFrom: a@example.net\n\nx\n", "", "eai"),
            ("Subject: x\n\nx\n", "From a@example.org Sat Nov 21 10:00:00 2026\n", "eai"),
            ("From: A <A@Example.org>\r\n\r\nx\r\n", "", "eai"),
            ("From: a@example.org\nList-Id: L <l.lists.example.org>\n\nx\n", "", "ascii"),
            ("x-mailer: very\n old one\n\nx\n", "", "utf7"),
            ("Subject: x\n\nX-Mailer: old\n", "", "utf8"),
            ("\nX-Mailer: old\n", "", "utf8"),
            ("", "", "utf8"),
        ] {
            assert_eq!(profiles.of(message.as_bytes(), from_line.as_bytes()).name, profile, "{message}");
        }
    }

    #[test]
    fn a_message_has_the_size_that_it_had_on_its_way() {
        let profiles = profiles(RULES);
        for (line, lines, profile) in [("x\n", 32, "utf8"), ("x\n", 33, "seven-bit"), ("x\r\n", 32, "utf8")] {
            let message = format!("\n{}", line.repeat(lines));
            assert_eq!(profiles.of(message.as_bytes(), b"").name, profile, "{lines} of {line:?}");
        }
    }

    #[test]
    fn what_only_a_listener_knows_is_said() {
        assert_eq!(
            profiles(RULES).passed_over(),
            [
                "septet.toml:3: rule[0].client: only a listener knows the client, so this rule never holds here",
                "septet.toml:6: rule[1].recipient: only a listener knows the recipient, so this rule never holds here",
            ]
        );
    }

    #[test]
    fn the_order_of_rules_counts_and_that_of_tables_does_not() {
        let rule = |profile: &str| format!("[[rule]]\nprofile = \"{profile}\"\nlarger_than = 1\n");
        let (one, other) = (rule("keep"), rule("ascii"));
        let of = |text: &str| profiles(text.as_bytes()).fingerprint();
        assert_eq!(of(&format!("{one}{other}")), of(&format!("{one}{other}")));
        assert_ne!(of(&format!("{one}{other}")), of(&format!("{other}{one}")));
        assert_ne!(of(&one), of(""));
    }

    /// Shards were joined, and runs resumed, whose settings had another order of charsets, or aliases that changed
    /// places.
    #[test]
    fn a_fingerprint_tells_lists_and_aliases_apart() {
        let of = |keys: &str| profiles(format!("[profile.utf8]\n{keys}\n").as_bytes()).fingerprint();
        let aliases = |one: &str, other: &str| of(&format!("charset_alias = {{ x-a = \"{one}\", x-b = \"{other}\" }}"));
        assert_ne!(of("unlabelled = [\"koi8-r\", \"big5\"]"), of("unlabelled = [\"big5\", \"koi8-r\"]"));
        assert_ne!(aliases("koi8-r", "big5"), aliases("big5", "koi8-r"));
        let (many, backwards): (Vec<String>, Vec<String>) =
            (numbered(0..40).collect(), numbered(0..40).rev().collect());
        let [many, backwards] = [many, backwards].map(|all| of(&format!("charset_alias = {{ {} }}", all.join(", "))));
        assert_eq!(many, backwards);
    }

    fn numbered(numbers: std::ops::Range<u32>) -> impl DoubleEndedIterator<Item = String> {
        numbers.map(|number| format!("x-{number} = \"koi8-r\""))
    }

    #[test]
    fn names_say_what_rules_add() {
        assert_eq!(profiles(b"").names(), "utf8");
        assert_eq!(profiles(RULES).names(), "utf8 (by rule: keep, ascii, eai, utf7, seven-bit)");
        assert!(!profiles(b"default_profile = \"keep\"\n[[rule]]\nprofile = \"utf8\"\n").is_identity());
        assert!(RuledProfiles::one(Profile::keep()).is_identity());
    }
}
