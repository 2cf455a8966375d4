//! Output that is longer than the screen is shown by a pager, as git's is.
//!
//! `SEPTET_PAGER`, else `PAGER`, names it; without them it is `less`. What fits on the screen, what goes to no terminal
//! or to TERM=dumb, and everything where the name is empty or `cat` is written as it is; so is what no pager can be
//! started for. Words of a shell are left to `sh`; that it finds no pager by them is an error, known at the end alone.

use std::env;
use std::io::{self, ErrorKind, Write as _};
use std::ops::ControlFlow;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::adapter::strip_str;
use signal_hook::consts::SIGINT;

use crate::process::color::{self, Color};
use crate::process::screen_size::{ScreenSize, columns_of};

/// What `sh` exits with for a program that it can't run, or does not find (POSIX, Shell Command Language §2.8.2).
const NOT_EXECUTABLE: i32 = 126;
const NOT_FOUND: i32 = 127;

/// Standard output, or a pager before it, for painted text in whole lines.
pub struct PagedOutput {
    stage: Stage,
}

enum Stage {
    /// It is written as it comes.
    Direct,
    /// It fits on the screen so far.
    Held { text: String, pager: Command },
    /// It is too long for the screen.
    Paged(RunningPager),
}

impl PagedOutput {
    /// Opens it; with a pager if that `is_wanted`, and standard output is a terminal.
    pub fn open(is_wanted: bool) -> PagedOutput {
        let pager = if is_wanted && color::is_terminal() { pager() } else { None };
        let stage = pager.map_or(Stage::Direct, |pager| Stage::Held { text: String::new(), pager });
        PagedOutput { stage }
    }

    /// Writes some lines; `Break` where nobody wants more: the pager was quit, or Ctrl-C was pressed in it.
    pub fn write(&mut self, lines: &str) -> io::Result<ControlFlow<()>> {
        match &mut self.stage {
            Stage::Direct => color::stdout().write_all(lines.as_bytes())?,
            Stage::Held { text, .. } => {
                text.push_str(lines);
                if is_longer_than(ScreenSize::now(), text) {
                    return self.start();
                }
            }
            Stage::Paged(pager) => return pager.write(lines),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Starts the pager with what was held for it; where it can't be started, that is written as it is.
    fn start(&mut self) -> io::Result<ControlFlow<()>> {
        if let Stage::Held { text, pager } = std::mem::replace(&mut self.stage, Stage::Direct) {
            if let Ok(started) = RunningPager::start(pager) {
                self.stage = Stage::Paged(started);
            }
            return self.write(&text);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Writes what is still held, or waits until the pager is quit. Nothing else may be said on a terminal before.
    pub fn finish(self) -> io::Result<()> {
        match self.stage {
            Stage::Direct => Ok(()),
            Stage::Held { text, .. } => color::stdout().write_all(text.as_bytes()),
            Stage::Paged(mut pager) => match pager.child.wait()?.code() {
                Some(NOT_EXECUTABLE | NOT_FOUND) => Err(io::Error::other("sh can't run the pager; see SEPTET_PAGER")),
                _ => Ok(()),
            },
        }
    }
}

/// A pager at work.
struct RunningPager {
    child: Child,
    /// Ctrl-C goes to everything in the terminal. The pager may go on after it, and so this process waits for it.
    interrupted: Arc<AtomicBool>,
}

impl RunningPager {
    /// Starts the pager, which reads until it is waited for; from now on Ctrl-C does not end this process.
    fn start(mut pager: Command) -> io::Result<RunningPager> {
        let child = pager.stdin(Stdio::piped()).spawn()?;
        let interrupted = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGINT, Arc::clone(&interrupted))?;
        Ok(RunningPager { child, interrupted })
    }

    /// Hands lines on, without paint where there are no colours; `Break` where the pager was quit, or Ctrl-C was
    /// pressed.
    fn write(&mut self, lines: &str) -> io::Result<ControlFlow<()>> {
        let is_over = self.interrupted.load(Ordering::Relaxed) || self.child.try_wait()?.is_some();
        let Some(pipe) = self.child.stdin.as_mut().filter(|_| !is_over) else { return Ok(ControlFlow::Break(())) };
        let written = match Color::is_on(&io::stdout()) {
            true => pipe.write_all(lines.as_bytes()),
            false => pipe.write_all(strip_str(lines).to_string().as_bytes()),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            written => written.map(ControlFlow::Continue),
        }
    }
}

/// Returns the pager that is asked for; `None` where none is.
fn pager() -> Option<Command> {
    let named = env::var("SEPTET_PAGER").or_else(|_| env::var("PAGER"));
    let named = named.unwrap_or_else(|_| "less".to_owned());
    if env::var_os("TERM").is_some_and(|term| term == "dumb") || matches!(named.trim(), "" | "cat") {
        return None;
    }
    let mut pager = command(&named)?;
    if env::var_os("LESS").is_none() {
        // Quit where it fits after all, show colours, and leave on the screen what was shown.
        pager.env("LESS", "FRX");
    }
    Some(pager)
}

/// Makes the command of a line: of its words where no shell is needed, so that it is known whether there is such a
/// program; none where it has no word.
fn command(line: &str) -> Option<Command> {
    if line.contains(|sign| r#"|&;<>()$`\"'*?[]#~=%"#.contains(sign)) {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]);
        return Some(shell);
    }
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    Some(command)
}

/// Returns `true` if lines take all of the screen or more; the last line of it is the shell's.
fn is_longer_than(screen: ScreenSize, lines: &str) -> bool {
    let widths = lines.lines().map(|line| columns_of(&strip_str(line).to_string()));
    let mut rows = widths.map(|width| width.div_ceil(screen.columns).max(1));
    // Looks no further than the screen goes.
    rows.try_fold(screen.rows, |left, rows| left.checked_sub(rows).filter(|left| *left > 0)).is_none()
}
