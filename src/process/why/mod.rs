//! `septet why`: what a word of the reports means, and what helps.
//!
//! The answers stand beside the words, in `rewrite/report`: the command prints them, `explain`, `advise` and the report
//! page quote them, and the tables of docs/reasons.md are made of them (`septet why --markdown`). A reason, a change or
//! a note without an answer doesn't compile; the few words that are the daemon's alone are in [`answer`].

pub mod answer;
mod print;

pub use print::plain;

use std::io::Write as _;

use crate::config::near;
use crate::message::irregular::{Form, FormRow};
use crate::process::color::stdout;
use crate::process::exit::{Exit, Failure};
use crate::rewrite::Explanation;
use crate::rewrite::dkim2::Dkim2Refusal;
use answer::CodeKind;

/// Explain a word of the reports, and what helps
///
/// Every word that stands behind `left=` or `note=` in a report or a log, and every kind of change.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet why unlabelled
      says why a text was left, and which setting helps
  septet why 'left=malformed(utf-8, offset 12: a stray octet)'
      takes a piece of a report as it is
  septet why 'irregular(type-conflict)'
      says which programs read such a place differently
  septet why 'dkim2(size)'
      says what a change lacked that DKIM2 could undo
  septet why
      lists every word")]
pub struct Args {
    /// Print one JSON object a line
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the tables of docs/reasons.md
    #[arg(long, hide = true)]
    markdown: bool,
    /// The words, as unlabelled, left=unlabelled or charset=utf-7>utf-8; all without one
    #[arg(value_name = "WORD")]
    words: Vec<String>,
}

/// Lists the words that reports have; one of two kinds stands twice.
pub fn codes() -> impl Iterator<Item = &'static str> {
    answer::all().map(|(_, explanation)| explanation.code)
}

/// Runs the command: prints what is known of each word that is asked for, refusals of DKIM2 and forms behind the
/// others, or a list of all words.
pub fn run(args: Args) -> Result<(), Failure> {
    let is_of_all = args.words.is_empty();
    let forms: Vec<&FormRow> = args.words.iter().filter_map(|word| form(word)).collect();
    let refusals: Vec<Explanation> = args.words.iter().filter_map(|word| refusal(word)).collect();
    let mut asked = if is_of_all { answer::all().collect() } else { asked(&args.words)? };
    asked.extend(refusals.iter().map(|refusal| (CodeKind::Left, refusal)));
    let text = match (args.markdown, args.json) {
        (true, _) => print::as_markdown(&asked),
        (_, true) => print::as_json(&asked) + &print::forms_as_json(&forms),
        _ if is_of_all => print::as_list(&asked),
        _ => [print::as_text(&asked), print::forms_as_text(&forms)].concat(),
    };
    stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Returns what is to be known of a reason's word; none for what is no reason.
pub fn reason(code: &str) -> Option<&'static Explanation> {
    find(CodeKind::Left, code)
}

/// Returns `true` if another charset may help where something is left for a reason, by its word: `septet advise` looks
/// for one. The same ones as `Remedies::are_for`.
pub fn is_curable(code: &str) -> bool {
    matches!(code, "unlabelled" | "unknown-charset" | "malformed" | "ambiguous")
}

/// Returns what is to be known of the word of a kind of change.
pub fn change(code: &str) -> Option<&'static Explanation> {
    find(CodeKind::Change, code)
}

/// Returns what is to be known of the word of a note.
pub fn note(code: &str) -> Option<&'static Explanation> {
    find(CodeKind::Note, code)
}

/// Finds what is known of a word of this kind; none where no word of the kind is written so.
fn find(kind: CodeKind, code: &str) -> Option<&'static Explanation> {
    answer::all().find(|(of, answer)| *of == kind && answer.code == code).map(|(_, answer)| answer)
}

/// Finds what is known of these words, without those that name a form or a refusal: [`run`] looks these up by [`form`]
/// and [`refusal`]. The first one that is in no report is a usage error, which names the word that took its place or
/// one like it.
fn asked(words: &[String]) -> Result<Vec<(CodeKind, &'static Explanation)>, Failure> {
    let mut found = Vec::new();
    for word in words.iter().filter(|word| form(word).is_none() && refusal(word).is_none()) {
        let (kind, code) = split(word);
        let before = found.len();
        found.extend(answer::all().filter(|(of, it)| it.code == code && kind.is_none_or(|kind| kind == *of)));
        if found.len() == before {
            let near = near::nearest(&code, answer::all().map(|(_, it)| it.code));
            let hint =
                near.map_or("`septet why` lists every word".to_owned(), |near| format!("did you mean {near:?}?"));
            return Err(Failure::new(Exit::Usage, format!("no report says {code:?}; {hint}")));
        }
    }
    Ok(found)
}

/// Finds the irregular form that a word or a piece of a report names: `word-split`, `left=irregular(word-split)`; none
/// for any other word, even for `irregular` alone, which is a reason and no form.
fn form(word: &str) -> Option<&'static FormRow> {
    let code = word.trim().trim_start_matches("left=").trim_start_matches("irregular(").trim_end_matches(')');
    Form::all().map(Form::row).find(|row| row.code.eq_ignore_ascii_case(code))
}

/// Finds the refusal of DKIM2 that a piece of a report names, `left=dkim2(from)`, under the word that reports have for
/// it.
fn refusal(word: &str) -> Option<Explanation> {
    let why = word.trim().trim_start_matches("left=").strip_prefix("dkim2(")?.strip_suffix(')')?;
    Dkim2Refusal::ALL
        .into_iter()
        .find(|refusal| refusal.word().eq_ignore_ascii_case(why))
        .map(Dkim2Refusal::explanation)
}

/// Splits a piece of a report, such as `left=malformed(utf-8, …)` or `charset=utf-7>utf-8`, into the kind and the word
/// in lower case; the kind is none for a word that stands alone, and a change for whatever else stands before a `=`.
fn split(word: &str) -> (Option<CodeKind>, String) {
    let (kind, rest) = match word.trim().split_once('=') {
        Some(("left", rest)) => (Some(CodeKind::Left), rest),
        Some(("note", rest)) => (Some(CodeKind::Note), rest),
        Some((change, _)) => (Some(CodeKind::Change), change),
        None => (None, word.trim()),
    };
    let code = rest.split('(').next().unwrap_or(rest);
    (kind, code.to_ascii_lowercase())
}
