//! Every message of fixtures/rewrite, through the milter: what an MTA then holds is the plan applied.

use std::fs;
use std::path::{Path, PathBuf};

use septet::protocol::milter::{Modifications, MtaMessage};
use septet::rewrite::{BUILT_IN, Profile, plan};

use super::modifications::{WHOLE, carried_out, shown};

fn inputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            inputs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "eml") {
            found.push(path);
        }
    }
}

#[test]
fn every_message_comes_out_as_planned() {
    let mut files = Vec::new();
    inputs(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/rewrite"), &mut files);
    assert!(files.len() > 50, "{} messages", files.len());
    for file in files {
        let given = fs::read(&file).expect("a message");
        // An octet 0 in a header can't be said in this protocol.
        if given.contains(&0) {
            continue;
        }
        // What the MTA shows is the message in CRLF, and with an empty line after the header.
        let raw = shown(&MtaMessage::read(given), WHOLE).0.raw().to_vec();
        let (content, negotiated) = shown(&MtaMessage::read(raw.clone()), WHOLE);
        assert_eq!(content.raw(), raw, "{file:?} is shown as it is");
        for name in BUILT_IN {
            let edits = plan(&raw, &Profile::built_in(name).expect("built in")).edits;
            let requests =
                Modifications::of(&content, &edits, &negotiated).unwrap_or_else(|why| panic!("{file:?} {name}: {why}"));
            assert_eq!(requests.prove(), Ok(()), "{file:?} {name}");
            let made = carried_out(MtaMessage::read(raw.clone()), &requests, &negotiated);
            let expected = edits.apply(&raw);
            assert_eq!(made.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{file:?} {name}");
        }
    }
}
