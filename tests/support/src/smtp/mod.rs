//! The bodies of the fuzz targets `smtp` and `smtp_client`, which ordinary tests run over their seeds too.
//!
//! | promise | held by |
//! |---|---|
//! | However the octets are cut, events and replies are the same | `session`, `next_hop` |
//! | A reply holds no CR or LF alone, no control character, no line over 512 octets | `session`, `next_hop` |
//! | What is handed on of an envelope is one line, and means to a reader what it means here | `session` |
//! | A message ends where an octet-by-octet search finds `CRLF . CRLF`, and nowhere else | `session` |
//! | What is handed on of a message holds `CRLF . CRLF` at its end alone, and reads as the same content | `session`, `content` |
//! | A next hop that says more than it was asked is an error | `next_hop` |

mod content;
mod next_hop;
mod session;

pub use content::fuzz_smtp_content;
pub use next_hop::fuzz_smtp_client;
pub use session::fuzz_smtp;

/// Checks that octets are whole lines, each ended by CRLF, with nothing in them that could end another.
fn assert_lines(octets: &[u8]) {
    let shown = || octets.escape_ascii().to_string();
    let Some(lines) = octets.strip_suffix(b"\r\n") else {
        assert!(octets.is_empty(), "no line end: {}", shown());
        return;
    };
    for line in String::from_utf8(lines.to_vec()).unwrap_or_else(|_| panic!("UTF-8: {}", shown())).split("\r\n") {
        assert!(!line.contains(|c: char| c.is_control() && c != '\t'), "a control character: {}", shown());
    }
}

/// Checks that octets are replies.
fn assert_replies(octets: &[u8]) {
    assert_lines(octets);
    for line in octets.split_inclusive(|&octet| octet == b'\n') {
        assert!(line.len() <= 512, "a long line: {}", line.escape_ascii());
        let code = line.len() >= 6 && line[..3].iter().all(u8::is_ascii_digit) && matches!(line[3], b' ' | b'-');
        assert!(code, "no reply: {}", line.escape_ascii());
    }
}
