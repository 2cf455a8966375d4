//! The journal's own protocol: a datagram of fields for each event, so that each can be looked for:
//! `journalctl SEPTET_RESULT=left`.
//!
//! `NAME=value LF`; a value with a line end of its own would come as `NAME LF`, its length and the value, but no value
//! of ours has one ([`LogEvent`]), and no datagram is larger than the socket takes. See systemd's "Native Journal
//! Protocol".

use tracing::Level;

use super::priority;
use super::said::LogEvent;

/// The journal's socket.
pub const SOCKET: &str = "/run/systemd/journal/socket";

/// Writes a datagram: the text, and every field as `SEPTET_…`.
pub fn write(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str(&format!("PRIORITY={}\nSYSLOG_IDENTIFIER=septet\nMESSAGE=", priority(level)));
    said.write_text(out);
    out.push('\n');
    for (name, value) in said.values() {
        out.push_str(&format!("SEPTET_{}={value}\n", name.to_ascii_uppercase()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::logging::said::LogValue;

    #[test]
    fn each_field_can_be_looked_for() {
        let mut said = LogEvent::default();
        said.queue_id = "4bXyZ".to_owned();
        said.message = "message left=memory".to_owned();
        said.fields = vec![
            ("result", LogValue::Quoted("left".to_owned())),
            ("bytes", LogValue::Number("12".to_owned())),
            ("reply", LogValue::Quoted("250 \"x\"".to_owned())),
        ];
        let mut out = String::new();
        write(Level::INFO, &said, &mut out);
        assert_eq!(
            out,
            "PRIORITY=6\nSYSLOG_IDENTIFIER=septet\nMESSAGE=4bXyZ: message left=memory\nSEPTET_QUEUE_ID=4bXyZ\n\
             SEPTET_RESULT=left\nSEPTET_BYTES=12\nSEPTET_REPLY=250 \"x\"\n"
        );
    }
}
