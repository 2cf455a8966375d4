//! A terminal that is borrowed: its other screen, without a cursor, and keys as they are pressed. It is given back,
//! with the mode that it had, when this is dropped.

use std::io::{self, IsTerminal as _, Write as _, stdin, stdout};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Goes to the other screen, hides the cursor, and has lines cut that are too long.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// Puts the cursor into the corner, and takes away what stands behind it.
const HOME: &str = "\x1b[H";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_REST: &str = "\x1b[J";

/// The terminal of stdout, and of stdin where that is one.
pub struct Screen {
    /// The mode of before; none where stdin is no terminal.
    mode: Option<Termios>,
}

impl Screen {
    /// Borrows the terminal; after an error it is as it was.
    pub fn take() -> io::Result<Screen> {
        // Made first, so that the mode is given back if the next fails.
        let screen = Screen { mode: keys_as_they_come()? };
        write(ENTER)?;
        Ok(screen)
    }

    /// Draws lines over those of before; there may be no more than rows.
    pub fn draw(&self, lines: &[String]) -> io::Result<()> {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}{CLEAR_LINE}")).collect();
        write(&format!("{HOME}{}{CLEAR_REST}", lines.join("\n")))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone has nothing to be given back.
        let _ = write(LEAVE);
        if let Some(mode) = &self.mode {
            let _ = tcsetattr(stdin(), OptionalActions::Flush, mode);
        }
    }
}

/// Has keys come one by one and unseen; signals are still sent by them. Returns the mode of before; none where stdin is
/// no terminal, which has no mode.
fn keys_as_they_come() -> io::Result<Option<Termios>> {
    if !stdin().is_terminal() {
        return Ok(None);
    }
    let before = tcgetattr(stdin())?;
    let mut mode = before.clone();
    mode.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
    tcsetattr(stdin(), OptionalActions::Now, &mode)?;
    Ok(Some(before))
}

fn write(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
