//! The advice, in words and in JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::measure::Left;
use super::trial::{Trial, TrialSample};
use super::{Advice, Setting, is_curable};
use crate::process::color::{BEFORE, BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::sample::Run;
use crate::process::shown::Shown;
use crate::process::table::table;
use crate::process::why;

/// The lists that are shown.
pub const TRIALS: usize = 4;

/// The charsets that texts look like that are shown.
const VOTES: usize = 6;

/// Writes it for people.
pub fn as_text(advice: &Advice) -> String {
    let Advice { profile, messages, left, .. } = advice;
    let mut text = format!(
        "{} read with profile {profile}: {} in {} left for want of a charset\n",
        count(*messages, "message"),
        count(left.curable, "place"),
        count(left.messages, "message"),
    );
    if left.curable > 0 {
        text += &looks(advice);
        text += &tried(advice);
        text += &advised(advice);
    }
    text + &others(advice)
}

fn count(of: u64, what: &str) -> String {
    format!("{of} {what}{}", if of == 1 { "" } else { "s" })
}

fn looks(advice: &Advice) -> String {
    let votes = advice.evidence.sorted();
    if votes.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> =
        votes.iter().take(VOTES).map(|(name, count)| vec![format!("  {name}"), count.to_string()]).collect();
    format!("\n{}\n{}", paint(BOLD, "what they look like, by statistics"), table(&rows))
}

fn tried(advice: &Advice) -> String {
    let mut text = String::new();
    for (at, (trial, after)) in advice.trials.iter().enumerate() {
        let gain = gain(&advice.left, after);
        let agrees = format!("reads {}, {} of them as they look", count(trial.reads, "text"), trial.agrees);
        let _ = writeln!(text, "\n{}: {gain}", paint(BOLD, list(&trial.unlabelled)));
        let _ = writeln!(text, "  {}", paint(FAINT, agrees));
        if at == 0 {
            trial.samples.iter().for_each(|sample| text += &sampled(sample));
        }
        if at == 0 && !trial.doubts.is_empty() {
            let _ = writeln!(text, "  {}", paint(LEFT, "and these may read wrong:"));
            trial.doubts.iter().for_each(|sample| text += &sampled(sample));
        }
    }
    text
}

fn gain(before: &Left, after: &Left) -> String {
    format!("{} -> {} left", before.curable, after.curable)
}

fn sampled(sample: &TrialSample) -> String {
    let octets: String = sample.octets.iter().map(painted).collect();
    let mut text = format!("    {}  {octets}\n", paint(FAINT, &sample.place));
    let mut reads = |charset: &str, reads: &str| {
        let _ = writeln!(text, "      {} {}", paint(FAINT, format!("{charset}:")), paint(CHANGED, Shown(reads)));
    };
    reads(sample.charset, &sample.reads);
    if let Some((charset, other)) = &sample.looks_like {
        reads(charset, other);
    }
    text
}

fn painted(run: &Run) -> String {
    if run.marked { paint(BEFORE, &run.text) } else { run.text.clone() }
}

fn advised(advice: &Advice) -> String {
    let Some((setting, after)) = &advice.best else {
        return "\nno charset that was tried reads them as they look; look at them with `septet explain`\n".to_owned();
    };
    let head = "if the texts above read right, put this into septet.toml:";
    let toml: String = toml(&advice.profile, setting).lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "\n{head}\n\n{}\n{}\n",
        paint(BOLD, toml.trim_end()),
        paint(CHANGED, format!("  # {}", gain(&advice.left, after)))
    )
}

/// Says what else is left, which no charset helps.
fn others(advice: &Advice) -> String {
    let rest = advice.left.reasons.iter().filter(|(code, _)| !is_curable(code));
    let rows: Vec<Vec<String>> = rest
        .map(|(code, count)| {
            let helps = why::reason(code).map_or_else(String::new, |answer| why::plain(answer.helps));
            vec![format!("  {code}"), count.to_string(), helps]
        })
        .collect();
    if rows.is_empty() {
        String::new()
    } else {
        format!("\n{}\n{}", paint(BOLD, "left for other reasons, and what helps"), table(&rows))
    }
}

/// Writes a list as TOML does.
fn list(unlabelled: &[String]) -> String {
    let value = toml::Value::from(unlabelled.to_vec());
    format!("unlabelled = {value}")
}

/// Writes the settings.
fn toml(profile: &str, setting: &Setting) -> String {
    let mut text = format!("[profile.{}]\n{}\n", key(profile), list(&setting.unlabelled));
    if !setting.aliases.is_empty() {
        let pairs = setting.aliases.iter().map(|(label, charset)| {
            format!("{} = {}", toml::Value::from(label.as_str()), toml::Value::from(charset.as_str()))
        });
        let _ = writeln!(text, "charset_alias = {{ {} }}", pairs.collect::<Vec<_>>().join(", "));
    }
    text
}

/// Writes a key as TOML takes it.
fn key(name: &str) -> String {
    let bare = name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"_-".contains(&octet));
    if bare { name.to_owned() } else { toml::Value::from(name).to_string() }
}

/// Writes it for a script.
pub fn as_json(advice: &Advice) -> String {
    let tried = advice.trials.iter().map(|(trial, after)| trial_json(trial, after));
    let object = json!({
        "profile": advice.profile,
        "messages": advice.messages,
        "left": {"places": advice.left.curable, "messages": advice.left.messages, "reasons": advice.left.reasons},
        "looks_like": advice.evidence.votes,
        "tried": tried.collect::<Vec<_>>(),
        "toml": advice.best.as_ref().map(|(setting, _)| toml(&advice.profile, setting)),
        "left_with_it": advice.best.as_ref().map(|(_, after)| after.curable),
    });
    format!("{object:#}\n")
}

fn trial_json(trial: &Trial, after: &Left) -> Value {
    let sample = |sample: &TrialSample| {
        let octets: String = sample.octets.iter().map(|run| run.text.as_str()).collect();
        json!({
            "place": sample.place,
            "octets": octets,
            "charset": sample.charset,
            "reads": sample.reads,
            "looks_like": sample.looks_like.as_ref().map(|(charset, reads)| json!({"charset": charset, "reads": reads})),
        })
    };
    json!({
        "unlabelled": trial.unlabelled,
        "left": after.curable,
        "reads": trial.reads,
        "as_they_look": trial.agrees,
        "samples": trial.samples.iter().map(sample).collect::<Vec<_>>(),
        "doubts": trial.doubts.iter().map(sample).collect::<Vec<_>>(),
    })
}
