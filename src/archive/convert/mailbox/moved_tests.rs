//! What was written in another form and is not what was planned is found, and the message is named.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::made::MadeMailbox;
use super::plan::{BatchPlanner, PlannedBatch};
use super::planning::Planning;
use super::sink::Sink;
use super::written::Model;
use super::*;
use crate::archive::convert::WrittenSum;
use crate::archive::convert::job::Rules;
use crate::archive::convert::maildir::all_tasks;
use crate::archive::convert::migrate::letter::Way;
use crate::archive::convert::migrate::origin::ORIGIN;
use crate::archive::convert::packing::{LabelChoice, OutputFormat};
use crate::archive::convert::target::OutputTarget;
use crate::archive::sums::RunningSum;
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
    let forms = [OutputFormat::Mboxrd, OutputFormat::Mboxcl2, OutputFormat::Maildir, OutputFormat::Eml];
    for (form, labels) in forms.into_iter().flat_map(|form| [(form, None), (form, Some(LabelChoice::First))]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [input, to] = ["in", "to"].map(|name| folder.path().join(name));
        ["cur", "new", "tmp"].iter().for_each(|name| fs::create_dir_all(input.join(name)).expect("a folder"));
        for (number, octets) in [(1, &b"To: a@b.example\n\nno end"[..]), (2, ADDRESSED), (3, b"To: e@f.example\n\nx\n")]
        {
            fs::write(input.join(format!("cur/{number}.host:2,FS")), octets).expect("a file");
        }
        let tasks = all_tasks(&input, None, false).expect("a Maildir").tasks;
        let rules = Rules { verify: true, ..Rules::default() };
        let mut job = Job::new(RuledProfiles::one(Profile::default()), Some(1), rules);
        let target = OutputTarget::file(to.join("out"), None);
        let (compression, split, stays, lock) = (None, None, false, Duration::ZERO);
        let new = NewMailbox { form, to: target, compression, split, labels, stays, lock };
        check(&mut job, MailboxTask { tasks, left: Vec::new(), new }, &to);
    }
}

/// Writes what a mailbox becomes, and says what is found wrong where one message is not as planned; nothing is where
/// all are.
fn check(job: &mut Job, mut task: MailboxTask, to: &std::path::Path) {
    let MailboxTask { tasks, new, .. } = &mut task;
    let planning = Planning::new(job, tasks, new, ByteRange::default());
    let source = planning.open(tasks, None).expect("a source");
    let way = Way::new(new.form, source.head());
    let model = Model { name: "in".to_owned(), permissions: None, original: None, sum: RunningSum::default() };
    let mut sink = Sink::open(job, (new, &way), model, None).expect("an output");
    let mut made = MadeMailbox::new(&way, false);
    let take = |planned: PlannedBatch| {
        made.add(&planned, |_| Ok::<_, ConvertError>(true))?;
        sink.take(&planned, job.names()).map(drop)
    };
    planning.run(source, &BatchPlanner::new(job, &way, new.labels), take).expect("octets written");
    let at = sink.cursor().expect("octets written");
    if let Sink::Tree(tree) = &mut sink {
        tree.flush().expect("octets written");
    }
    let written = fs::read(&files(to)[0]).expect("a file");
    let sum = || WrittenSum::of(&written[..]).expect("memory can be read");
    assert!(sink.is_folder() || made.sum.difference(&sum()).is_none());
    let mut found = |is_summed: bool| {
        let mut run = MailboxRun { job, tasks, new, stretch: ByteRange::default() };
        let found = match &sink {
            Sink::Tree(tree) => run.read_tree_again(tree, is_summed, &way),
            Sink::Mailbox(_) => {
                let made = is_summed.then(|| MadeMailbox::of_copy(sum(), &way));
                run.read_again(&[&files(to)[0]], made, &way)
            }
        };
        found.err().map(|error| error.to_string())
    };
    assert_eq!([found(true), found(false)], [None, None]);
    tamper(to, "a@b.example, c@", "a@b.example; c@");
    for is_summed in [true, false] {
        let said = found(is_summed).expect("a message");
        assert!(
            said.contains("in/cur/2.host:2,FS is not what was planned: other octets were written"),
            "{is_summed}: {said}"
        );
    }
    let is_sorted = new.labels.is_some();
    if let (Some((SinkCursor::Tree(at), _)), Sink::Tree(tree), true) = (at, sink, is_sorted) {
        // Whoever is killed there leaves what is no part of the tree, and the next run removes it.
        tree.place().expect("it gets its place");
        let marker = to.join("out").join(ORIGIN);
        assert!(!marker.exists());
        fs::write(&marker, "").expect("a file");
        let is_placed = |to| MailboxTree::is_placed(to, at.ino, is_sorted);
        assert!(!is_placed(to) && is_placed(&to.join("out")));
        assert!(!marker.exists());
    }
}
