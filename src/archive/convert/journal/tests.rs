use tempfile::TempDir;

use super::*;

/// The journal of `in.mbox` in a folder of its own.
fn journal_of(folder: &TempDir) -> JournalOf {
    let path = |name: &str| folder.path().join(name);
    JournalOf {
        path: path("in.mbox.resume"),
        command: "convert".to_owned(),
        folders: [folder.path().to_owned()].into(),
        partials: vec![path("in.mbox.partial")],
        anew: Vec::new(),
        locked: vec![path("in.mbox")],
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Whoever wrote a journal under its own name could be killed before it said anything.
#[test]
fn one_that_is_empty_or_cut_is_begun_anew_and_a_strangers_stays() {
    for (said, is_ours) in [
        ("", true),
        (r#"{"septet":""#, true),
        (r#"{"septet":"0.1.0","comm"#, true),
        ("precious", false),
        ("{", false),
        (r#"{"septet":"0.1.0"}"#, false),
        (r#"{"septet":"0.1.0",precious"#, false),
    ] {
        let folder = folder();
        let of = journal_of(&folder);
        for resume in [false, true] {
            fs::write(&of.path, said).expect("a file");
            let opened = Journal::open(of.clone(), resume, |_| Ok(()));
            assert_eq!(opened.is_ok_and(|(_, mark)| mark.is_none()), is_ours, "{said}");
            assert_eq!(fs::read_to_string(&of.path).expect("a file") == said, !is_ours, "{said}");
        }
    }
}

/// Were it left, nobody would know whose it is once the journal is gone, and nobody could deliver any more.
#[test]
fn whoever_starts_anew_removes_the_dot_lock_of_the_killed_run() {
    let folder = folder();
    let (of, lock) = (journal_of(&folder), folder.path().join("in.mbox.lock"));
    let (killed, _) = Journal::open(of.clone(), false, |_| Ok(())).expect("a journal");
    let run = killed.names.run().to_owned();
    assert!(matches!(Journal::open(of.clone(), false, |_| Ok(())), Err(ConvertError::Busy { .. })));
    drop(killed);
    for (of_run, is_left) in [("another", true), (run.as_str(), false)] {
        fs::write(&lock, format!("1\nseptet {of_run}\n")).expect("a lock");
        let (anew, mark) = Journal::open(of.clone(), false, |_| Ok(())).expect("a journal");
        assert!(mark.is_none() && anew.names.run() != run);
        assert_eq!(lock.exists(), is_left, "{of_run}");
        // It is killed as well, and had written down that the first was its own.
        let state = JournalState { run: run.clone(), ..anew.state.clone() };
        drop(anew);
        fs::write(&of.path, serde_json::to_vec(&state).expect("a state")).expect("a journal");
    }
}

/// A state that was written and not renamed when a run was killed.
#[test]
fn a_run_that_is_gone_on_with_leaves_no_passing_files() {
    let folder = folder();
    let of = journal_of(&folder);
    let (mut killed, _) = Journal::open(of.clone(), false, |_| Ok(())).expect("a journal");
    let within = Within::Commit { steps: Vec::new(), undo: None };
    killed.write(&Mark { within, ..Mark::default() }, false).expect("a state");
    let left = killed.names.create(folder.path(), 0o600).expect("a file").release();
    drop(killed);
    let (gone_on, mark) = Journal::open(of, true, |_| Ok(())).expect("a journal");
    assert!(mark.is_some() && left.exists(), "it may be one that is to get its place");
    gone_on.remove();
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
