//! What was written in another form and is not what was planned is found, and the message is named.

use std::path::PathBuf;

use super::*;
use crate::archive::convert::job::Rules;
use crate::archive::convert::maildir::{Destination, all_tasks};
use crate::process::ruled_profiles::RuledProfiles;
use crate::rewrite::Profile;

const ADDRESSED: &[u8] = b"To: a@b.example, c@d.example\nContent-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n";

/// Lists the files below a folder.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Replaces text in the only file below a folder that holds it.
fn tamper(folder: &std::path::Path, from: &str, to: &str) {
    let holding = files(folder).into_iter().map(|path| (fs::read_to_string(&path).expect("a file"), path));
    let holding: Vec<_> = holding.filter(|(text, _)| text.contains(from)).collect();
    assert_eq!(holding.len(), 1, "{from}");
    holding.iter().for_each(|(text, path)| fs::write(path, text.replace(from, to)).expect("a file"));
}

#[test]
fn a_message_that_was_not_written_as_planned_is_named() {
    for form in [OutputFormat::Mboxrd, OutputFormat::Mboxcl2, OutputFormat::Maildir, OutputFormat::Eml] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [input, to] = ["in", "to"].map(|name| folder.path().join(name));
        ["cur", "new", "tmp"].iter().for_each(|name| fs::create_dir_all(input.join(name)).expect("a folder"));
        for (number, octets) in [(1, &b"To: a@b.example\n\nno end"[..]), (2, ADDRESSED), (3, b"To: e@f.example\n\nx\n")]
        {
            fs::write(input.join(format!("cur/{number}.host:2,FS")), octets).expect("a file");
        }
        let mut tasks = all_tasks(&input, &Destination::Nowhere).expect("a Maildir").tasks;
        let rules = Rules { verify: true, ..Rules::default() };
        let job = Job::new(RuledProfiles::one(Profile::default()), Some(1), rules);
        let target = OutputTarget::file(to.join("out"), None);
        let migration =
            Migration { tasks: Vec::new(), left: Vec::new(), form, to: target, compression: None, split: None };
        let mut source = MessageSource::open(&mut tasks, job.most(), form, None).expect("a source");
        let way = Way::new(&job, form, source.head());
        let found = source.next(job.most()).expect("messages");
        let mut out = Out::begin(&job, &migration, &way, None).expect("an output");
        for letter in plan_all(&job, &way, found).expect("threads") {
            out.write(&job, &letter.expect("a message")).expect("octets written");
        }
        out.flush().expect("octets written");
        let mut named = |out: &Out| name_other(&job, &mut tasks, &way, out).err().map(|error| error.to_string());
        assert_eq!((out.difference().expect("it can be read"), named(&out)), (None, None));
        tamper(&to, "a@b.example, c@", "a@b.example; c@");
        assert_eq!(out.difference().expect("it can be read").as_deref(), Some("other octets were written"));
        let said = named(&out).expect("a message");
        assert!(said.contains("in/cur/2.host:2,FS, message 1 is not what was planned"), "{said}");
    }
}
