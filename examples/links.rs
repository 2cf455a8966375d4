//! Counts the links of mail: how many there are, how many the built-in profile rewrites, why the others stay.
//!
//! `cargo run --release --example links -- [--pairs] [--unlabelled CHARSET] FILE…`; a file is a message or a mailbox,
//! `-` is stdin. `--pairs` shows each rewritten link before and after, `--unlabelled` reads 8-bit text without a label.
//! It asks rooms of septet that are not promised to stay.

use std::collections::BTreeMap;
use std::io::Read;

use septet::coding::html::{HtmlValue, links};
use septet::coding::iri::find::FindOptions;
use septet::coding::iri::{apply, find};
use septet::protocol::mbox::{MboxMessage, Splitter};
use septet::rewrite::links::{LinkText, TextKind, survey_text_links};
use septet::rewrite::{Profile, Unlabelled, link_texts};

#[derive(Default)]
struct Survey {
    messages: usize,
    counts: BTreeMap<String, usize>,
    pairs: Vec<(String, String)>,
}

impl Survey {
    fn add(&mut self, raw: &[u8], profile: &Profile) {
        self.messages += 1;
        for text in link_texts(raw, profile) {
            match text {
                Ok(text) => self.text(&text),
                Err(reason) => self.count(format!("texts left: {}", reason.code()), 1),
            }
        }
    }

    fn text(&mut self, text: &LinkText) {
        let kind = if text.kind == TextKind::Html { "html" } else { "text" };
        let plan = survey_text_links(&text.text, text.kind, text.settings);
        let stay: usize = plan.stay.values().sum();
        self.count(format!("{kind}: texts"), 1);
        self.count(format!("{kind}: links found"), plan.rewritten + stay);
        self.count(format!("{kind}: links rewritten"), plan.rewritten);
        for (why, count) in plan.stay {
            self.count(format!("{kind}: links left: {why}"), count);
        }
        if plan.rewritten > 0 {
            let after = apply(&text.text, &plan.edits);
            let pairs = references(&text.text, text.kind).into_iter().zip(references(&after, text.kind));
            self.pairs.extend(pairs.filter(|(before, after)| before != after));
        }
    }

    fn count(&mut self, name: String, count: usize) {
        *self.counts.entry(name).or_default() += count;
    }
}

fn references(text: &str, kind: TextKind) -> Vec<String> {
    match kind {
        TextKind::Plain { flowed, delsp } => {
            let found = find(text, FindOptions { flowed, delsp, bounded: true, ..FindOptions::default() });
            found.map(|found| found.iri(text).into_owned()).collect()
        }
        TextKind::Html => {
            let places = links(text).map(|found| found.attributes).unwrap_or_default();
            let of = |value: HtmlValue<'_>| value.references().map(|(_, link)| link.to_owned()).collect::<Vec<_>>();
            places.iter().flat_map(|place| of(HtmlValue::read(text, place))).collect()
        }
        TextKind::Calendar => Vec::new(),
    }
}

fn main() -> std::io::Result<()> {
    let (mut survey, mut pairs) = (Survey::default(), false);
    let mut profile = Profile::built_in("utf8").expect("a built-in profile");
    let mut names = std::env::args().skip(1);
    while let Some(name) = names.next() {
        let mut octets = Vec::new();
        match name.as_str() {
            "--pairs" => pairs = true,
            "--unlabelled" => {
                let entry = names.next().and_then(|label| Unlabelled::of(&label, &profile.labels));
                profile.unlabelled.push(entry.expect("a charset"));
            }
            "-" => drop(std::io::stdin().read_to_end(&mut octets)?),
            file => octets = std::fs::read(file)?,
        }
        if !octets.starts_with(b"From ") {
            if !octets.is_empty() {
                survey.add(&octets, &profile);
            }
            continue;
        }
        let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
        splitter.feed(&octets, &mut starts);
        splitter.finish(&mut starts);
        let mut starts: Vec<usize> = starts.into_iter().filter_map(|start| usize::try_from(start).ok()).collect();
        starts.push(octets.len());
        for ends in starts.windows(2) {
            survey.add(&MboxMessage::of(&octets[ends[0]..ends[1]]).message(), &profile);
        }
    }
    println!("{:8} messages", survey.messages);
    for (name, count) in &survey.counts {
        println!("{count:8} {name}");
    }
    if pairs {
        survey.pairs.iter().for_each(|(before, after)| println!("{before}\n  {after}"));
    }
    Ok(())
}
