//! How answers are printed: for a person, for a script, for docs/reasons.md.

use serde_json::{Value, json};

use super::answer::CodeKind;
use crate::message::irregular::FormRow;
use crate::process::color::{BOLD, FAINT, LEFT, paint};
use crate::process::table::table;
use crate::rewrite::{Explanation, Reason};

impl CodeKind {
    /// Writes the word as a report has it.
    fn in_report(self, code: &str) -> String {
        match self {
            CodeKind::Left => format!("left={code}"),
            CodeKind::Change => format!("{code}=…"),
            CodeKind::Note => format!("note={code}"),
        }
    }
}

/// The kinds in the order in which they are listed, each with its heading in the list and the head of its table.
const KINDS: [(CodeKind, &str, &str); 3] = [
    (CodeKind::Left, "why something is left", "| reason | what it means | what helps |"),
    (CodeKind::Change, "what was changed", "| change | what it means | what it depends on |"),
    (CodeKind::Note, "what is noted", "| note | what it means | what can be done |"),
];

/// Writes all that is known of each word, for a terminal.
pub fn as_text(answers: &[(CodeKind, &Explanation)]) -> String {
    answers.iter().map(|(kind, answer)| word_as_text(*kind, answer)).collect::<Vec<_>>().join("\n")
}

fn word_as_text(kind: CodeKind, answer: &Explanation) -> String {
    let head = paint(if kind == CodeKind::Left { LEFT } else { BOLD }, kind.in_report(answer.code));
    let helps = if kind == CodeKind::Change { "depends on" } else { "what helps" };
    format!("{head}\n  {}\n  {} {}\n", plain(answer.says), paint(FAINT, format!("{helps}:")), plain(answer.helps))
}

/// Writes all that is known of each form, for a terminal. A form that is admitted is converted, and so needs no help.
pub fn forms_as_text(forms: &[&FormRow]) -> String {
    forms.iter().map(|row| form_as_text(row)).collect::<Vec<_>>().join("\n")
}

fn form_as_text(row: &FormRow) -> String {
    let head = paint(LEFT, format!("left=irregular({})", row.code));
    let FormRow { site, rfc, readers, .. } = row;
    let (says, then) = match row.form.is_admitted() {
        true => (
            "a form that real mail has, and that is converted",
            "nothing is needed; `repair = \"keep\"` leaves it as it is",
        ),
        false => (
            "a form that programs read differently: the place stays as it came",
            Reason::Irregular(row.form).explanation().helps,
        ),
    };
    let example = row.example.escape_ascii();
    format!(
        "{head}\n  {says} ({}, {rfc})\n  {} {readers}\n  {} {example}\n  {} {}\n",
        site.name(),
        paint(FAINT, "who differs:"),
        paint(FAINT, "example:"),
        paint(FAINT, "what helps:"),
        plain(then),
    )
}

/// Writes an object of JSON on a line for each form.
pub fn forms_as_json(forms: &[&FormRow]) -> String {
    forms.iter().map(|row| format!("{}\n", form_as_json(row))).collect()
}

fn form_as_json(row: &FormRow) -> Value {
    let FormRow { code, site, rfc, readers, .. } = row;
    let (site, admitted, example) = (site.name(), row.form.is_admitted(), row.example.escape_ascii().to_string());
    json!({"kind": "form", "word": code, "place": site, "rule": rfc, "admitted": admitted, "readers": readers, "example": example})
}

/// Writes a line for each word, under the heading of its kind.
pub fn as_list(answers: &[(CodeKind, &Explanation)]) -> String {
    let mut text = String::new();
    for (kind, title, _) in KINDS {
        let rows: Vec<Vec<String>> = answers
            .iter()
            .filter(|(of, _)| *of == kind)
            .map(|(_, answer)| vec![format!("  {}", answer.code), plain(answer.says)])
            .collect();
        text += &format!("{}\n{}\n", paint(BOLD, title), table(&rows));
    }
    text + "`septet why WORD` says what helps.\n"
}

/// Writes an object of JSON on a line for each word.
pub fn as_json(answers: &[(CodeKind, &Explanation)]) -> String {
    let objects = answers.iter().map(
        |(kind, Explanation { code, says, helps })| json!({"kind": kind, "word": code, "says": says, "helps": helps}),
    );
    objects.map(|object| format!("{object}\n")).collect()
}

/// Writes the tables of docs/reasons.md.
pub fn as_markdown(answers: &[(CodeKind, &Explanation)]) -> String {
    let mut tables = Vec::new();
    for (kind, _, head) in KINDS {
        let rows = answers.iter().filter(|(of, _)| *of == kind).map(|(_, answer)| {
            let Explanation { code, says, helps } = answer;
            format!("| `{code}` | {says} | {helps} |\n")
        });
        tables.push(format!("{head}\n|---|---|---|\n{}", rows.collect::<String>()));
    }
    tables.join("\n")
}

/// Returns a text without the marks of Markdown that explanations have: backticks and `**`.
pub fn plain(text: &str) -> String {
    text.replace('`', "").replace("**", "")
}
