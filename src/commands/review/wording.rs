//! Places and changes in plain words.

use crate::archive::decisions::{YesNo, changes};
use crate::archive::report::said::counted;
use crate::process::shown::Shown;
use crate::rewrite::{Change, DecidedPlace, Decision, Outcome, Place, label_and_charset};

/// Names a place: the field or the text, and the part where that is not the message. Names of fields are the mail's.
pub fn place(at: &DecidedPlace) -> String {
    let place = match &at.place {
        Place::Message => "the message".to_owned(),
        Place::Field(name) if at.ordinal > 1 => format!("{} (number {})", Shown(name), at.ordinal),
        Place::Field(name) => Shown(name).to_string(),
        Place::Body => "text".to_owned(),
    };
    if at.part.is_root() { place } else { format!("{place} of part {}", at.part) }
}

/// Says what is done in a place, and what else is known of it.
pub fn what(decision: &Decision) -> String {
    let mut words: Vec<String> = changes(decision).map(change).collect();
    words.extend(decision.outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Noted(note) => Some(format!("note: {note}")),
        Outcome::Left(reason) => Some(format!("the rest is left ({reason})")),
        Outcome::Done(_) => None,
    }));
    words.join("; ")
}

/// Says place and change of a kind, without the part.
pub fn kind(decision: &Decision) -> String {
    let place = match &decision.at.place {
        Place::Message => "message".to_owned(),
        Place::Field(name) => Shown(name).to_string(),
        Place::Body => "text".to_owned(),
    };
    format!("{place}, {}", changes(decision).map(change).collect::<Vec<_>>().join("; "))
}

/// Says what is done to what an answer was given to.
pub fn done(answer: YesNo) -> &'static str {
    match answer {
        YesNo::Yes => "changed",
        YesNo::No => "left as it is",
    }
}

/// Says one change in a few words.
fn change(change: &Change) -> String {
    match change {
        Change::Charset { from, to } => format!("from {} to {to}", origin(&from.name)) + &because(from.because),
        Change::Word { from, to } => format!("from {} to {}", origin(&from.name), form(to)) + &because(from.because),
        Change::Parameter { name, from, to } => {
            format!("{} from {} to {}", Shown(name), origin(&from.name), form(to)) + &because(from.because)
        }
        Change::Label { what, from, to } => {
            format!("its label ({what}) from {} to {to}", origin(&from.name)) + &because(from.because)
        }
        Change::Transfer { from, to } => format!("sent as {} instead of {}", to.name(), Shown(from.name())),
        Change::Meta { from, to } => format!("what it declares of itself from {} to {to}", Shown(from)),
        Change::Address { from, to } => format!("addresses from {from} to {to}"),
        Change::Domain => "domains in their ASCII form (xn--)".to_owned(),
        Change::Iris { count } => format!("{} so that every program can follow", counted(*count as u64, "link")),
        Change::Unescaped { count } => format!("{} written as what they mean", counted(*count as u64, "escape")),
        Change::Replaced { count } => format!("{} replaced, which is a loss", counted(*count as u64, "fault")),
        Change::Transliterated { count } => {
            format!("{} written in ASCII, which is a loss", counted(*count as u64, "character"))
        }
        Change::Added { field } => format!("adds {}", Shown(field)),
        Change::Removed { field } => format!("takes {} out", Shown(field)),
        Change::Repaired { what } => format!("repairs {}", what.replace('-', " ")),
        Change::Untagged { language } => format!("without the language tag {}", Shown(language)),
        Change::Fixed { defect } => format!("fixes the defect {}", defect.name()),
        Change::Instance { number, .. } => format!("adds a record by which it can be undone, number {number}"),
    }
}

/// Says what a text was read from: `none(windows-1252)` is no label.
fn origin(name: &str) -> String {
    let (label, charset) = label_and_charset(name);
    let label = match label {
        "8bit" => "raw 8-bit octets".to_owned(),
        "none" => "8-bit text without a label".to_owned(),
        label => Shown(label).to_string(),
    };
    charset.map_or(label.clone(), |charset| format!("{label} (read as {charset})"))
}

/// Says a form of words.
fn form(to: &str) -> &str {
    match to {
        "raw" => "raw UTF-8",
        other => other,
    }
}

/// Says who overruled a label; empty where nobody did.
fn because(because: Option<impl std::fmt::Display>) -> String {
    because.map_or(String::new(), |because| format!(", by the evidence of its {because}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Profile, plan};

    #[test]
    fn a_change_is_said_in_plain_words() {
        for (raw, wanted) in [
            (&b"Subject: =?koi8-r?B?8NLJ?=\n\n"[..], "Subject, from koi8-r to utf-8"),
            (
                b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\xe9\n",
                "text, from iso-8859-1 to utf-8",
            ),
            ("Subject: Grüße\n\n".as_bytes(), "Subject, from raw 8-bit octets to utf-8"),
            (
                "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nhttp://bücher.example/\n".as_bytes(),
                "text, 1 link so that every program can follow",
            ),
        ] {
            let decisions = plan(raw, &Profile::default()).decisions();
            let said: Vec<String> = decisions.iter().map(kind).collect();
            assert!(said.iter().any(|said| said.starts_with(wanted)), "{said:?}");
        }
    }
}
