//! A mailbox file becomes what its messages become, each planned alone, one after the other.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;
use std::{fs, thread};

use proptest::prelude::*;

use super::in_order::{MailboxWriter, ReadSoFar};
use super::plan::BatchPlanner;
use super::planning::Planning;
use super::run::with_checkpoints;
use super::sink::Sink;
use super::written::Model;
use super::*;
use crate::archive::convert::batch::BATCH;
use crate::archive::convert::compression::Compression;
use crate::archive::convert::input::{Format, Input};
use crate::archive::convert::job::Rules;
use crate::archive::convert::journal::{Journal, JournalOf};
use crate::archive::convert::migrate::letter::Way;
use crate::archive::convert::target::OutputTarget;
use crate::archive::convert::work::{Dialects, convert_item};
use crate::archive::replace::Existing;
use crate::archive::report::{ReportFormat, Reports};
use crate::archive::sums::RunningSum;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::{MboxMessage, Splitter};
use crate::rewrite::Profile;

const FROM: &str = "From a Mon Jan  1 00:00:00 2007\n";

/// A message that changes, one that stays, or one that quotes, of about so many octets.
fn message(kind: usize, size: usize) -> Vec<u8> {
    let charset = ["iso-8859-1", "us-ascii", "windows-1251"][kind % 3];
    let line: &[u8] = [b"caf\xe9 \n".as_slice(), b"plain text\n", b">From \xcf\xf0\xe8\n"][kind % 3];
    let head = format!("{FROM}Message-ID: <{size}>\nContent-Type: text/plain; charset={charset}\n\n");
    [head.as_bytes(), &line.repeat(size / line.len()), b"\n"].concat()
}

/// Plans each message alone, in order; returns what is written, and where each starts and how many octets it has.
fn one_by_one(file: &[u8], profile: &Profile) -> (Vec<u8>, Vec<(u64, u64)>) {
    let profiles = RuledProfiles::one(profile.clone()).into();
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    splitter.feed(file, &mut starts);
    splitter.finish(&mut starts);
    let ends = starts.iter().skip(1).copied().chain([file.len() as u64]);
    let places: Vec<(u64, u64)> = starts.iter().copied().zip(ends).collect();
    let mut written = file[..starts.first().map_or(file.len(), |&start| start as usize)].to_vec();
    for &(start, end) in &places {
        let raw = &file[start as usize..end as usize];
        let done = convert_item(&MboxMessage::of(raw), &profiles, Dialects { from: Default::default(), to: None });
        written.extend_from_slice(done.new.as_deref().unwrap_or(raw));
    }
    (written, places.into_iter().map(|(start, end)| (start, end - start)).collect())
}

/// Converts a file with so many jobs; returns what is written, and where the report's messages start and how many
/// octets they have.
fn by_workers(file: &[u8], profile: &Profile, jobs: usize) -> (Vec<u8>, Vec<(u64, u64)>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to, report) = (folder.path().join("in"), folder.path().join("out"), folder.path().join("report"));
    fs::write(&from, file).expect("a file");
    let rules = Rules { existing: Existing::Replace, quiet: true, ..Rules::default() };
    let mut job = Job::new(RuledProfiles::one(profile.clone()), Some(jobs), rules);
    job.reports = Some(Reports::begin(vec![(report.clone(), ReportFormat::Lines)]).expect("a report"));
    let input = Input::look(&from, Format::Mbox).expect("a mailbox file");
    let mut task = MailboxTask::of_file(input, OutputTarget::file(to.clone(), None));
    convert(&mut job, &mut task, ByteRange::default()).expect("it is converted");
    job.finish().expect("the report is written");
    let lines = fs::read_to_string(&report).expect("a report");
    let lines: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().map(|line| line["message"].as_u64()).eq((1..=lines.len() as u64).map(Some)));
    let place = |line: &serde_json::Value| (line["offset"].as_u64(), line["bytes"].as_u64());
    let places = lines.iter().map(|line| place(line).0.zip(place(line).1).expect("numbers")).collect();
    (fs::read(&to).expect("an output"), places)
}

/// Sizes of messages: many are small, some are about a batch, some are larger than one.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 10..5000usize, 1 => BATCH - 300..BATCH + 300, 1 => BATCH..3 * BATCH]
}

#[test]
fn what_is_over_a_limit_only_by_its_quoting_is_converted() {
    let file =
        [FROM.as_bytes(), b"Content-Type: text/plain; charset=iso-8859-1\n\n\xe9\n", &b">From \n".repeat(200_000)]
            .concat();
    let mut profile = Profile::default();
    profile.limits.message_bytes = file.len() - 200_000;
    let (written, _) = by_workers(&file, &profile, 2);
    assert!(written == one_by_one(&file, &profile).0 && written != file);
}

/// What is compressed is begun anew by a run that goes on: its octets so far are of no use.
#[test]
fn only_an_output_that_can_be_gone_on_with_has_marks_in_the_journal() {
    for (compression, is_written) in [(None, true), (Some(Compression::Gzip), false)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to, path] = ["in", "out", "out.resume"].map(|name| folder.path().join(name));
        // A mark is due 50 ms after the start, and every batch takes longer.
        let message = message(0, 5000);
        let pipe = std::process::Command::new("mkfifo").arg(&from).status().expect("mkfifo").success();
        assert!(pipe, "a pipe");
        let writer = thread::spawn({
            let from = from.clone();
            move || {
                let mut pipe = fs::OpenOptions::new().write(true).open(from).expect("a pipe");
                for _ in 0..3 {
                    thread::sleep(Duration::from_millis(60));
                    pipe.write_all(&message.repeat(BATCH / message.len() + 1)).expect("a reader");
                }
            }
        });
        let (command, partials) = ("convert".to_owned(), Vec::new());
        let of = JournalOf {
            path: path.clone(),
            command,
            folders: BTreeSet::new(),
            partials,
            anew: Vec::new(),
            locked: Vec::new(),
        };
        let mut job = Job::new(RuledProfiles::one(Profile::default()), Some(1), Rules::default());
        job.journal = Some(Journal::open(of, false, |_| Ok(())).expect("a journal").0);
        let input = Input::look(&from, Format::Mbox).expect("a mailbox file");
        let mut task = MailboxTask::of_file(input, OutputTarget::file(to, None));
        task.new.compression = compression;
        let (model, at) = (
            Model { name: "in".to_owned(), permissions: None, original: None, sum: RunningSum::default() },
            ReadSoFar::default(),
        );
        let planning = Planning::new(&job, &task.tasks, &task.new, ByteRange::default());
        let source = planning.open(&mut task.tasks, None).expect("a source");
        let way = Way::new(task.new.form, source.head());
        let planner = BatchPlanner::new(&job, &way, None);
        let sink = Sink::open(&job, (&task.new, &way), model, None).expect("an output");
        let (job, planning, made) = (&mut job, &planning, None);
        let mut written = MailboxWriter { job, planning, sink, at, files: None, made, pending: None, marks: None };
        let converted = with_checkpoints(&mut written, true, &task.new, |written| {
            planning.run(source, &planner, |planned| written.take(planned))
        });
        assert!(converted.is_ok() && written.job.journal.is_some());
        writer.join().expect("all is written");
        let said = fs::read_to_string(&path).expect("a journal");
        assert_eq!(said.contains("Mailbox"), is_written, "{compression:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn workers_write_what_one_message_after_the_other_becomes(
        messages in prop::collection::vec((0..3usize, sizes()), 1..40),
        before in 0..3usize,
        jobs in 1..9usize,
        limit in prop_oneof![Just(64 << 20), 1000..3 * BATCH],
    ) {
        let mut profile = Profile::default();
        profile.limits.message_bytes = limit;
        let file: Vec<u8> = messages.iter().map(|&(kind, size)| message(kind, size)).collect::<Vec<_>>().concat();
        let file = [b"\n".repeat(before), file].concat();
        let (alone, places) = one_by_one(&file, &profile);
        let (written, reported) = by_workers(&file, &profile, jobs);
        prop_assert!(written == alone, "{} octets, and {}", written.len(), alone.len());
        prop_assert_eq!(reported, places);
    }
}
