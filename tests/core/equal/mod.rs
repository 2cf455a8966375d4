//! Decoded text before and after, one by one: every message that a profile changes is read by Python's email package
//! as it was and as it is, field by field and text by text.
//!
//! compare.py holds the classes of equality and tries them from the strictest on; what none of them explains must be
//! a row of explained.tsv. Links are left alone here (`iris = "keep"`): the text of a link that was mapped is another
//! one, and links have tests of their own. To see the counts:
//!
//! ```text
//! cargo test --test core equal -- --nocapture
//! ```

use std::collections::BTreeMap;
use std::process::Command;

use rayon::prelude::*;
use septet::rewrite::{Iris, Outcome, Plan, Profile, plan};
use serde_json::Value;

use crate::{corpus, inputs, outside};

type Pair = (Vec<u8>, Vec<u8>);

/// Reads pairs with Python; none where there is no Python.
fn compared(pairs: &[Pair]) -> Option<Vec<Value>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/equal/compare.py");
    let messages: Vec<&[u8]> = pairs.iter().flat_map(|(before, after)| [&before[..], after]).collect();
    let answers = outside::answers(Command::new("python3").arg(script), &messages)?;
    assert_eq!(answers.len(), pairs.len(), "one answer for each pair");
    Some(answers)
}

/// What is known to differ: a piece of what compare.py says, and why.
fn explained() -> Vec<(String, String)> {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/equal/explained.tsv");
    let table = std::fs::read_to_string(table).expect("a table");
    let row = |line: &str| line.split_once('\t').map(|(piece, why)| (piece.to_owned(), why.to_owned()));
    table.lines().filter(|line| !line.starts_with('#')).map(|line| row(line).expect("two columns")).collect()
}

/// Counts what became of the messages, and why those were left that were.
fn count(plans: &[Plan], counts: &mut BTreeMap<String, usize>) {
    let mut add = |name: String| *counts.entry(name).or_default() += 1;
    for plan in plans {
        add(format!("messages {}", plan.report.result()));
        let reason = |outcome: &Outcome| match outcome {
            Outcome::Left(reason) => Some(reason.code()),
            _ => None,
        };
        let mut reasons: Vec<_> = plan.report.entries.iter().filter_map(|entry| reason(&entry.outcome)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons.into_iter().for_each(|reason| add(format!("messages with left={reason}")));
    }
}

fn check(what: &str, messages: &[Vec<u8>]) {
    let explained = explained();
    let mut unexplained = Vec::new();
    for name in Profile::BUILT_IN {
        let mut profile = Profile::built_in(name).expect("a profile");
        profile.iris = Iris::Keep;
        let plans: Vec<Plan> = messages.par_iter().map(|raw| plan(raw, &profile)).collect();
        let changed = messages.iter().zip(&plans).filter(|(_, plan)| !plan.edits.is_empty());
        let pairs: Vec<Pair> = changed.map(|(raw, plan)| (raw.clone(), plan.edits.apply(raw))).collect();
        let mut counts = BTreeMap::new();
        count(&plans, &mut counts);
        let Some(answers) = compared(&pairs) else { return };
        for answer in &answers {
            for (class, number) in answer["counts"].as_object().expect("counts") {
                *counts.entry(class.clone()).or_default() += number.as_u64().expect("a number") as usize;
            }
            for found in answer["unexplained"].as_array().expect("a list") {
                let found = found.as_str().expect("a text");
                match explained.iter().find(|(piece, _)| found.contains(piece)) {
                    Some((_, why)) => *counts.entry(format!("x: {why}")).or_default() += 1,
                    None => unexplained.push(format!("{what}, {name}: {found}")),
                }
            }
        }
        println!("{what}, {name}: {} messages", messages.len());
        counts.iter().for_each(|(class, number)| println!("{number:8} {class}"));
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

#[test]
fn the_corpus_reads_the_same_before_and_after() {
    if let Some(messages) = corpus::mailbox() {
        check("corpus", &messages);
    }
}

#[test]
fn collected_messages_and_cases_read_the_same_before_and_after() {
    check("collected", &corpus::collected());
    let cases: Vec<Vec<u8>> = inputs::fixtures().into_iter().map(|(_, raw)| raw).collect();
    check("cases", &cases);
}
