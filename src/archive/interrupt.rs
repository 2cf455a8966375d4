//! Ctrl-C, TERM and a closed terminal: what was begun is cleaned up, and one line says what stands where.
//!
//! A command lists the files that it has begun and not finished; when a signal comes, a thread of its own removes them,
//! says the line, and the process dies of the signal as if nobody had caught it, so that a shell's loop stops too.
//! Nothing waits for the work to notice: a read that hangs must not keep Ctrl-C from working.
//!
//! A file takes its place in steps that belong together ([`uninterrupted`]); the thread waits for the end of them.
//!
//! What a run can go on from ([`UnfinishedKind::Resumable`]) stays where going on is worth it: when `--resume` was
//! asked for, or after [`WORTH`] of work. A signal that was ignored when the program started (`nohup`, `&` in a script)
//! stays so.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::process::shown::Shown;

/// The work after which what is done is kept, to be resumed, without having been asked for.
const WORTH: Duration = Duration::from_secs(10);

/// What is done with a file that was begun when the work ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnfinishedKind {
    /// It is removed; a folder with all that is in it.
    Passing,
    /// It is kept where going on from it is worth it.
    Resumable,
    /// It is kept as a resumable one is, but not named to the user: a journal, which is, says where it goes.
    Waiting,
}

/// What was begun, and what to tell the user of it.
struct Standing {
    files: BTreeMap<PathBuf, UnfinishedKind>,
    /// From when on it is worth to go on from here; none where a run can't be resumed.
    worth: Option<Instant>,
    /// Whether anything was done that a run could go on from.
    progressed: bool,
    /// What stands where, in words.
    words: String,
}

static STANDING: Mutex<Standing> =
    Mutex::new(Standing { files: BTreeMap::new(), worth: None, progressed: false, words: String::new() });

/// Locked while files take their places.
static STEPS: Mutex<()> = Mutex::new(());

/// Takes what was begun, for this thread alone. It must be given back before any other function here is called, which
/// would wait for ever.
fn standing() -> MutexGuard<'static, Standing> {
    STANDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lists a file or a folder that was begun; one that is listed already is of this kind from now on.
pub fn begun(path: &Path, kind: UnfinishedKind) {
    standing().files.insert(path.to_owned(), kind);
}

/// Says of a file that was begun that a journal has it wait for its place. One that is not listed, or can be resumed,
/// stays what it is.
pub fn waits(path: &Path) {
    standing().files.entry(path.to_owned()).and_modify(|kind| {
        if *kind == UnfinishedKind::Passing {
            *kind = UnfinishedKind::Waiting;
        }
    });
}

/// Takes a file off the list: it has its place, or is gone.
pub fn ended(path: &Path) {
    standing().files.remove(path);
}

/// Says what stands where, should a signal come now: `out.mbox is as it was`. It takes the place of what was said
/// before.
pub fn stands(words: String) {
    standing().words = words;
}

/// Says that this run can be resumed: what is done is worth keeping at once if that was asked for, else after
/// [`WORTH`].
pub fn resumable(asked: bool) {
    let now = Instant::now();
    standing().worth = Some(if asked { now } else { now + WORTH });
}

/// Says that something was done that a run could go on from.
pub fn progressed() {
    standing().progressed = true;
}

/// Has what can be resumed kept from now on, however short the work was, even if nothing was done in it.
pub fn keep() {
    let mut standing = standing();
    (standing.worth, standing.progressed) = (Some(Instant::now()), true);
}

/// Returns `true` if what was begun and can be resumed is worth keeping now; `false` until something was done in it.
pub fn is_worth_keeping() -> bool {
    standing().is_worth_keeping()
}

/// Removes what was begun, but for what can be resumed where that is worth it; all of it stays listed. Returns whether
/// anything is kept, and what stands where, in words.
pub fn clean_up() -> (bool, String) {
    let standing = standing();
    let kept = standing.clean_up();
    (kept, standing.words(kept))
}

/// Runs steps that a signal must not come between; they must be short, and must not call this again, which would wait
/// for ever.
pub fn uninterrupted<T>(steps: impl FnOnce() -> T) -> T {
    let _guard = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    steps()
}

/// Starts the thread that waits for INT, TERM and HUP, cleans up at the first of them and ends the process by it; one
/// that was ignored when the program started stays ignored. From now on a file that may not grow any more
/// (`ulimit -f`) is an error of the write, like a full disk, and no signal that kills.
pub fn watch() -> io::Result<()> {
    // Once is enough for the process; a second call adds nothing but a thread.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(heard)?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    })?;
    Ok(())
}

/// Returns `true` if whoever started this process had it ignore a signal; `false` where /proc does not say it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}

/// Cleans up after a signal, says what stands where, and dies of it: it does not return.
fn end(signal: i32) {
    // Neither is given back: from here on nothing may begin and nothing may take a place.
    let _steps = STEPS.lock().unwrap_or_else(PoisonError::into_inner);
    let standing = standing();
    let kept = standing.clean_up();
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
    let line = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    // That stderr can't be written is nothing that could be said anywhere.
    let _ = writeln!(io::stderr(), "{line}septet: ended by {name}: {}", Shown(&standing.words(kept)));
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Removes a folder with all that is in it. Another thread may still write files there, so that removing fails; then
/// it is tried again until the folder is gone, at most 1000 times.
fn remove_folder(path: &Path) {
    let is_gone = |_: &usize| fs::remove_dir_all(path).is_ok() || fs::symlink_metadata(path).is_err();
    // That it can't be removed could be told to nobody.
    let _ = (0..1000).find(is_gone);
}

impl Standing {
    /// Returns `true` if something was done that a run can go on from, and the time is over that makes it worth it.
    fn is_worth_keeping(&self) -> bool {
        self.progressed && self.worth.is_some_and(|from| Instant::now() >= from)
    }

    /// Removes the files that are listed, but for those that can be resumed where that is worth it; returns `true` if
    /// any of these stays. The list itself stays as it is, for the words that name what stays.
    fn clean_up(&self) -> bool {
        let keep = self.is_worth_keeping();
        let mut kept = false;
        for (path, kind) in &self.files {
            match kind {
                UnfinishedKind::Resumable | UnfinishedKind::Waiting if keep => kept = true,
                _ if path.is_dir() => remove_folder(path),
                // That it can't be removed could be told to nobody.
                _ => _ = fs::remove_file(path),
            }
        }
        kept
    }

    /// Returns what stands where, in words, and from what `--resume` goes on if something is `kept`, as
    /// [`Standing::clean_up`] tells.
    fn words(&self, kept: bool) -> String {
        let words = if self.words.is_empty() { "nothing was written" } else { &self.words };
        let mut files = self.files.iter().filter(|(_, kind)| kept && **kind == UnfinishedKind::Resumable);
        let Some((first, _)) = files.next() else { return format!("{words}; nothing half done is left") };
        let more = files.map(|(path, _)| format!(", {}", path.display())).collect::<String>();
        format!("{words}; the same command with --resume goes on from {}{more}", first.display())
    }
}
