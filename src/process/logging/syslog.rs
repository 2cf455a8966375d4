//! Lines as the system's log takes them over `/dev/log`: RFC 5424, facility mail, where mail's own log is.

use tracing::Level;

use super::priority;
use super::said::{LogEvent, write_now};
use crate::process::arrival;

/// The facility `mail` (RFC 5424 §6.2.1), as it stands in a priority.
const MAIL: u8 = 2 << 3;

/// Writes `<22>1 TIME HOST septet PID - - text`.
pub fn write(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str(&format!("<{}>1 ", MAIL + priority(level)));
    write_now(out);
    out.push_str(&format!(" {} septet {} - - ", arrival::hostname(), std::process::id()));
    said.write(out);
    out.push('\n');
}
