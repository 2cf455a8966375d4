//! How answers are printed: for a person, for a script, for docs/reasons.md.

use serde_json::json;

use super::answer::{Answer, Kind};
use crate::process::color::{BOLD, FAINT, LEFT, paint};
use crate::process::table::table;

impl Kind {
    /// Says where the word stands.
    fn title(self) -> &'static str {
        match self {
            Kind::Left => "why something is left",
            Kind::Change => "what was changed",
            Kind::Note => "what is noted",
        }
    }

    /// Writes the word as a report has it.
    fn in_report(self, code: &str) -> String {
        match self {
            Kind::Left => format!("left={code}"),
            Kind::Change => format!("{code}=…"),
            Kind::Note => format!("note={code}"),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Kind::Left => "left",
            Kind::Change => "change",
            Kind::Note => "note",
        }
    }
}

const KINDS: [Kind; 3] = [Kind::Left, Kind::Change, Kind::Note];

/// Writes all that is known of each.
pub fn as_text(answers: &[(Kind, &Answer)]) -> String {
    let one = |(kind, answer): &(Kind, &Answer)| {
        let head = paint(if *kind == Kind::Left { LEFT } else { BOLD }, kind.in_report(answer.code));
        let helps = if *kind == Kind::Change { "depends on" } else { "what helps" };
        format!("{head}\n  {}\n  {} {}\n", plain(answer.says), paint(FAINT, format!("{helps}:")), plain(answer.helps))
    };
    answers.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Writes a line for each, under the titles of their kinds.
pub fn as_list(answers: &[(Kind, &Answer)]) -> String {
    let mut text = String::new();
    for kind in KINDS {
        let rows: Vec<Vec<String>> = answers
            .iter()
            .filter(|(of, _)| *of == kind)
            .map(|(_, answer)| vec![format!("  {}", answer.code), plain(answer.says)])
            .collect();
        text += &format!("{}\n{}\n", paint(BOLD, kind.title()), table(&rows));
    }
    text + "`septet why WORD` says what helps.\n"
}

/// Writes an object a line.
pub fn as_json(answers: &[(Kind, &Answer)]) -> String {
    let one = |(kind, answer): &(Kind, &Answer)| {
        let Answer { code, says, helps } = answer;
        format!("{}\n", json!({"kind": kind.word(), "word": code, "says": says, "helps": helps}))
    };
    answers.iter().map(one).collect()
}

/// Writes the tables of docs/reasons.md.
pub fn as_markdown(answers: &[(Kind, &Answer)]) -> String {
    let mut tables = Vec::new();
    for (kind, head) in KINDS.into_iter().zip([
        "| reason | what it means | what helps |",
        "| change | what it means | what it depends on |",
        "| note | what it means | what can be done |",
    ]) {
        let rows = answers.iter().filter(|(of, _)| *of == kind).map(|(_, answer)| {
            let Answer { code, says, helps } = answer;
            format!("| `{code}` | {says} | {helps} |\n")
        });
        tables.push(format!("{head}\n|---|---|---|\n{}", rows.collect::<String>()));
    }
    tables.join("\n")
}

/// Takes out the marks that only a page shows.
pub fn plain(text: &str) -> String {
    text.replace(['`'], "").replace("**", "")
}
