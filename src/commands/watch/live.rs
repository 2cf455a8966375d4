//! The picture in a terminal, drawn anew when there is news: an answer of the daemon, another size, a key.
//!
//! Three threads wait for these, so that `q` works while the daemon is silent; one draws. Whatever ends it, the
//! terminal is given back before a word is said or the process dies.

use std::io::{self, IsTerminal as _, Read as _, stdin};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, sleep};
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::ask::{WatchError, status};
use super::picture::picture;
use super::screen::Screen;
use crate::config::SocketAddress;
use crate::process::exit::{Exit, Failure};
use crate::process::screen_size::ScreenSize;

/// What there is to see that it ends by.
const HINT: &str = "q quits";

/// What is waited for.
enum News {
    /// The daemon's answer.
    Status(Result<String, WatchError>),
    Key(u8),
    Signal(i32),
}

/// Shows a septet until somebody has seen enough, or it does not answer, which is a failure; it is asked again `every`
/// so long after an answer.
pub fn show(socket: SocketAddress, every: Duration) -> Result<(), Failure> {
    let news = listen(socket, every).map_err(|error| Failure::new(Exit::Software, error))?;
    let mut screen = Screen::take().map_err(Failure::of_output)?;
    let mut shown = String::new();
    for event in news {
        match event {
            News::Status(answer) => shown = answer?,
            News::Key(b'q' | b'Q') => break,
            News::Key(_) | News::Signal(SIGWINCH) => {}
            News::Signal(signal) => screen = obey(signal, screen)?,
        }
        screen.draw(&picture(&shown, HINT, ScreenSize::now())).map_err(Failure::of_output)?;
    }
    Ok(())
}

/// Lets a signal do what it does to programs that don't care, with the terminal as it was before; from a stop we come
/// back.
fn obey(signal: i32, screen: Screen) -> Result<Screen, Failure> {
    drop(screen);
    // A failure would be that of a signal which nobody can send; then we go on.
    let _ = emulate_default_handler(signal);
    Screen::take().map_err(Failure::of_output)
}

/// Has threads wait for news: keys only where stdin is a terminal, since elsewhere nobody presses any.
fn listen(socket: SocketAddress, every: Duration) -> io::Result<Receiver<News>> {
    let (news, heard) = channel();
    let mut signals = Signals::new([SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH])?;
    spawn_waiting("signals", &news, move |tell| signals.forever().all(|signal| tell(News::Signal(signal))))?;
    if stdin().is_terminal() {
        spawn_waiting("keys", &news, |tell| {
            stdin().lock().bytes().map_while(Result::ok).all(|key| tell(News::Key(key)))
        })?;
    }
    spawn_waiting("status", &news, move |tell| {
        while tell(News::Status(status(&socket))) {
            sleep(every);
        }
        false
    })?;
    Ok(heard)
}

/// Starts a thread that runs `waiting`. It gets a function that tells news, and is to end once that returns `false`:
/// nobody hears them any more.
fn spawn_waiting<W>(name: &str, news: &Sender<News>, mut waiting: W) -> io::Result<()>
where
    W: FnMut(&dyn Fn(News) -> bool) -> bool + Send + 'static,
{
    let news = news.clone();
    thread::Builder::new().name(name.to_owned()).spawn(move || waiting(&|event| news.send(event).is_ok())).map(drop)
}
