//! Links of real mail: nothing but values changes, and only once. Where the mail is not there, the tests say so.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use mail_parser::{MessageParser, MimeHeaders, PartType};
use septet::coding::charset::Charset;
use septet::coding::html::{HtmlValue, links};
use septet::coding::iri::find::FindOptions;
use septet::coding::iri::{apply, find, is_uri};
use septet::rewrite::links::{LinkScope, LinkSettings, TextKind, plan_text_links};
use septet::rewrite::{HostForm, InText, Iris, Schemeless};

use super::inputs::data;

/// Gives the messages of the data folder: the files of eml/, and the mailbox if `xz` can unpack it.
fn messages() -> Vec<Vec<u8>> {
    let Some(folder) = data() else {
        println!("skipped: the data folder is not here");
        return Vec::new();
    };
    let mut messages = Vec::new();
    collect(&folder.join("eml"), &mut messages);
    let unpacked = Command::new("xz").arg("-dc").arg(folder.join("spamassassin.mbox.xz")).output();
    match unpacked {
        Ok(output) if output.status.success() => {
            let starts = memchr::memmem::find_iter(&output.stdout, b"\nFrom ").map(|at| at + 1);
            let mut starts: Vec<usize> = [0].into_iter().chain(starts).collect();
            starts.push(output.stdout.len());
            messages.extend(starts.windows(2).map(|ends| output.stdout[ends[0]..ends[1]].to_vec()));
        }
        _ => println!("skipped: the mailbox can't be unpacked"),
    }
    messages
}

fn collect(folder: &Path, messages: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        match path.is_dir() {
            true => collect(&path, messages),
            false => messages.extend(std::fs::read(&path)),
        }
    }
}

/// Gives the texts of the messages: whether each is HTML, and its charset's label.
fn texts() -> Vec<(bool, String, String)> {
    let mut texts = Vec::new();
    for message in messages() {
        let Some(message) = MessageParser::default().parse(&message) else { continue };
        for part in &message.parts {
            let label = part.content_type().and_then(|kind| kind.attribute("charset")).unwrap_or("us-ascii").to_owned();
            match &part.body {
                PartType::Html(text) => texts.push((true, label, text.to_string())),
                PartType::Text(text) => texts.push((false, label, text.to_string())),
                _ => {}
            }
        }
    }
    texts
}

/// Blanks what may change.
fn skeleton(html: &str) -> String {
    let places = links(html).expect("readable").attributes;
    apply(html, &places.into_iter().map(|place| (place.at, String::new())).collect()).into_owned()
}

/// Gives the references of an HTML document, decoded.
fn references(html: &str) -> Vec<String> {
    let found = links(html).expect("readable").attributes;
    let of = |value: HtmlValue<'_>| value.references().map(|(_, text)| text.to_owned()).collect::<Vec<_>>();
    found.iter().flat_map(|place| of(HtmlValue::read(html, place))).collect()
}

fn running(text: &str) -> Vec<String> {
    let options = FindOptions { bounded: true, ..FindOptions::default() };
    find(text, options).map(|found| found.iri(text).into_owned()).collect()
}

#[test]
fn only_values_of_real_mail_change_and_only_once() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (html, label, text) in texts() {
        let document = septet::coding::charset::Labels::default().find(label.as_bytes()).unwrap_or(Charset::UTF_8);
        let kind = if html { TextKind::Html } else { TextKind::Plain { flowed: false, delsp: false } };
        for iris in [Iris::ToUri, Iris::ToIri] {
            let settings = LinkSettings {
                iris,
                in_text: InText::Bounded,
                schemeless: Schemeless::Hosts,
                host: HostForm::Punycode,
                document,
                target: document,
            };
            let plan = plan_text_links(&text, kind, settings, LinkScope::Odd);
            let output = apply(&text, &plan.edits);
            let all = plan_text_links(&text, kind, settings, LinkScope::All);
            assert_eq!((&all.edits, &all.notes), (&plan.edits, &plan.notes), "passed over: {text}");
            assert!(
                plan_text_links(&output, kind, settings, LinkScope::Odd).edits.is_empty(),
                "a second run changes: {text}"
            );
            let list = |text: &str| if html { references(text) } else { running(text) };
            let (before, after) = (list(&text), list(&output));
            assert_eq!(before.len(), after.len(), "{text}");
            if html {
                assert_eq!(skeleton(&text), skeleton(&output));
            }
            let changed: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
            assert!(iris == Iris::ToIri || changed.iter().all(|(_, after)| is_uri(after)), "{changed:?}");
            assert_eq!(plan.rewritten, changed.len(), "{changed:?}");
            let name = |what: &str| {
                format!(
                    "{} {} {what}",
                    if html { "html" } else { "plain" },
                    if iris == Iris::ToUri { "to-uri" } else { "to-iri" }
                )
            };
            *counts.entry(name("found")).or_default() += before.len();
            *counts.entry(name("rewritten")).or_default() += changed.len();
            for note in &plan.notes {
                *counts.entry(name(&format!("texts with {note}"))).or_default() += 1;
            }
            if iris == Iris::ToUri {
                pairs.extend(changed.into_iter().map(|(before, after)| (before.clone(), after.clone())));
            }
        }
    }
    for (name, count) in counts {
        println!("{count:8} {name}");
    }
    pairs.sort();
    pairs.dedup();
    for (before, after) in pairs.iter().filter(|(before, _)| before.len() < 120) {
        println!("{before:?}\n  {after:?}");
    }
}
