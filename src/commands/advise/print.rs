//! The advice: a settings file with comments, and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{ArchiveAdvice, Collected};
use crate::archive::report::said::messages;
use crate::process::advice::{Best, ComparisonCount, Trial, TrialSample};
use crate::process::color::{BEFORE, BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::sample::mark;
use crate::process::shown::Shown;
use crate::process::table::table;
use crate::process::why::{self, is_curable};

/// How many of the charsets that texts look like are shown.
const VOTES: usize = 6;

/// Writes it for people: a settings file, with all that is no setting in comments.
pub fn as_text(advice: &ArchiveAdvice) -> String {
    let mut text = head(advice);
    if advice.found.left.curable > 0 {
        text += &looks(advice);
        text += &tried(advice);
        text += &samples(advice);
        text += &advised(advice);
    }
    text += &others(advice);
    let comments: String = text.lines().map(|line| format!("{}\n", format!("# {line}").trim_end())).collect();
    comments + advice.advice.best.as_ref().map_or("", |best| &best.toml)
}

/// Says how many messages there were, and in how many of them text is left for want of a charset.
fn head(advice: &ArchiveAdvice) -> String {
    let ArchiveAdvice { profile, found: Collected { count, by_rule, left, .. }, .. } = advice;
    let mut text = format!("septet advise: {} read with profile {profile}\n", messages(*count));
    if *by_rule > 0 {
        let is = if *by_rule == 1 { "is" } else { "are" };
        let _ = writeln!(text, "{} another profile by a rule of the settings and {is} not looked at", have(*by_rule));
    }
    let _ = writeln!(text, "{} text left for want of a charset", have(left.messages));
    text
}

/// Begins a sentence on so many messages: `1 message has`.
fn have(of: u64) -> String {
    format!("{} {}", messages(of), if of == 1 { "has" } else { "have" })
}

/// Says what the texts look like; nothing where statistics can't tell of any.
fn looks(advice: &ArchiveAdvice) -> String {
    let votes = advice.advice.evidence.sorted();
    if votes.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> =
        votes.iter().take(VOTES).map(|(name, count)| vec![format!("  {name}"), count.to_string()]).collect();
    format!("\n{}\n{}", paint(BOLD, "what these texts look like, by statistics"), table(&rows))
}

/// Lists what was tried for all messages; nothing where nothing was.
fn tried(advice: &ArchiveAdvice) -> String {
    let rows = advice.advice.trials.iter().map(|(trial, ComparisonCount { better, worse })| {
        vec![format!("  {}", list(&trial.unlabelled)), format!("{better} better, {worse} worse")]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("\n{}\n{}", paint(BOLD, "tried for all, by messages that would read better or worse"), table(&rows))
}

/// Shows texts as what is advised reads them; without advice, those that the best list would read wrong too.
fn samples(advice: &ArchiveAdvice) -> String {
    let mut text = String::new();
    for (at, (trial, _)) in advice.advice.trials.iter().enumerate() {
        let is_shown = advice.advice.best.as_ref().map_or(at == 0, |best| best.has_list(&trial.unlabelled));
        if !is_shown {
            continue;
        }
        let _ = writeln!(text, "\n{}", paint(BOLD, format!("as {} reads them", list(&trial.unlabelled))));
        trial.samples.iter().for_each(|sample| text += &sampled(sample));
        if advice.advice.best.is_none() && !trial.doubts.is_empty() {
            let _ = writeln!(text, "  {}", paint(LEFT, "and these it would read wrong:"));
            trial.doubts.iter().for_each(|sample| text += &sampled(sample));
        }
    }
    text
}

/// Shows one text: its octets, what the list reads, and what it reads as what it looks like, if that is something else.
fn sampled(sample: &TrialSample) -> String {
    let octets = mark::painted(&sample.octets, BEFORE);
    let mut text = format!("    {}  {octets}\n", paint(FAINT, Shown(&sample.place)));
    let read = (sample.charset, sample.reads.as_str());
    let other = sample.looks_like.as_ref().map(|(charset, reads)| (*charset, reads.as_str()));
    for (charset, reads) in [read].into_iter().chain(other) {
        let _ = writeln!(text, "      {} {}", paint(FAINT, format!("{charset}:")), paint(CHANGED, Shown(reads)));
    }
    text
}

/// Says what is gained by the settings below, or that nothing helps.
fn advised(advice: &ArchiveAdvice) -> String {
    let Some(Best { count: ComparisonCount { better, .. }, .. }) = &advice.advice.best else {
        return "\nnothing that was tried makes a message better and none worse; look at them with `septet explain`\n"
            .to_owned();
    };
    let of = messages(advice.found.left.messages);
    let gain = format!("with the settings below {better} of {of} read better, none worse");
    format!("\n{}\nread the samples before you believe it: you know the senders\n", paint(CHANGED, gain))
}

/// Says what else is left, which no charset helps.
fn others(advice: &ArchiveAdvice) -> String {
    let rest = advice.found.left.reasons.iter().filter(|(code, _)| !is_curable(code));
    let rows: Vec<Vec<String>> = rest
        .map(|(code, count)| {
            let helps = why::reason(code).map_or_else(String::new, |answer| why::plain(answer.helps));
            vec![format!("  {code}"), count.to_string(), helps]
        })
        .collect();
    if rows.is_empty() {
        String::new()
    } else {
        let named: String = advice.found.left.separators.iter().map(|line| format!("  {}\n", Shown(line))).collect();
        format!("\n{}\n{}{named}", paint(BOLD, "left for other reasons, and what helps"), table(&rows))
    }
}

/// Writes a list as TOML does.
fn list(unlabelled: &[String]) -> String {
    let value = toml::Value::from(unlabelled.to_vec());
    format!("unlabelled = {value}")
}

/// Writes it for a script.
pub fn as_json(advice: &ArchiveAdvice) -> String {
    let tried = advice.advice.trials.iter().map(|(trial, count)| trial_json(trial, *count));
    let Collected { count, by_rule, left, .. } = &advice.found;
    let object = json!({
        "profile": advice.profile,
        "messages": count,
        "by_rule": by_rule,
        "left": {"places": left.curable, "messages": left.messages, "reasons": left.reasons},
        "looks_like": advice.advice.evidence.votes,
        "tried": tried.collect::<Vec<_>>(),
        "toml": advice.advice.best.as_ref().map(|best| &best.toml),
        "better": advice.advice.best.as_ref().map(|best| best.count.better),
        "worse": advice.advice.best.as_ref().map(|best| best.count.worse),
    });
    format!("{object:#}\n")
}

/// Makes the object of a list that was tried, with the texts that it reads as they look and those that it does not.
fn trial_json(trial: &Trial, count: ComparisonCount) -> Value {
    json!({
        "unlabelled": trial.unlabelled,
        "better": count.better,
        "worse": count.worse,
        "reads": trial.reads,
        "as_they_look": trial.agrees,
        "samples": trial.samples.iter().map(sample_json).collect::<Vec<_>>(),
        "doubts": trial.doubts.iter().map(sample_json).collect::<Vec<_>>(),
    })
}

fn sample_json(sample: &TrialSample) -> Value {
    json!({
        "place": sample.place,
        "octets": mark::text(&sample.octets),
        "charset": sample.charset,
        "reads": sample.reads,
        "looks_like": sample.looks_like.as_ref().map(|(charset, reads)| json!({"charset": charset, "reads": reads})),
    })
}
