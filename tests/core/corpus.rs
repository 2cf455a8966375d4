//! Real mail, where it is there: every message under every profile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use septet::protocol::mbox::{MboxMessage, Splitter};

use crate::{inputs, properties};

/// Cuts a mailbox into its messages, unquoted.
fn messages(mailbox: &[u8]) -> Vec<Vec<u8>> {
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    splitter.feed(mailbox, &mut starts);
    splitter.finish(&mut starts);
    starts.push(mailbox.len() as u64);
    let item = |at: &[u64]| MboxMessage::of(&mailbox[at[0] as usize..at[1] as usize]).message().into_owned();
    starts.windows(2).map(item).collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "eml" || end == "raw" || end == "msg" || end == "txt") {
            found.push(path);
        }
    }
}

/// Gives the messages of the corpus; none where it is not there, or can't be unpacked.
pub fn mailbox() -> Option<Vec<Vec<u8>>> {
    let Some(mailbox) = inputs::data().map(|data| data.join("spamassassin.mbox.xz")).filter(|file| file.is_file())
    else {
        println!("skipped: no corpus beside the project");
        return None;
    };
    let Ok(unpacked) = Command::new("xz").arg("-dc").arg(&mailbox).output() else {
        println!("skipped: no xz to unpack the corpus");
        return None;
    };
    let messages = messages(&unpacked.stdout);
    assert!(messages.len() > 6000, "{} messages", messages.len());
    Some(messages)
}

/// Gives the collected messages; none where they are not there.
pub fn collected() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if let Some(data) = inputs::data() {
        files(&data.join("eml"), &mut found);
    }
    found.sort();
    found.iter().map(|path| fs::read(path).expect("a message")).collect()
}

#[test]
fn every_message_of_the_corpus_keeps_every_promise() {
    if let Some(messages) = mailbox() {
        messages.par_iter().for_each(|raw| properties::check(raw));
    }
}

#[test]
fn every_collected_message_keeps_every_promise() {
    let mut found = Vec::new();
    match inputs::data() {
        Some(data) => files(&data.join("eml"), &mut found),
        None => return println!("skipped: no collected messages beside the project"),
    }
    assert!(found.len() > 200, "{} messages", found.len());
    found.par_iter().for_each(|path| {
        println!("{}", path.display());
        properties::check(&fs::read(path).expect("a message"));
    });
}
