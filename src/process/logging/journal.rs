//! The journal's own protocol: a datagram of fields for each event, so that each can be looked for.
//!
//! `NAME=value LF`; a value with a line end of its own would come as `NAME LF`, its length and the value, but no value of
//! ours has one: they are made printable before. See systemd's "Native Journal Protocol".

use std::fmt::Write as _;

use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::lines::Lines;
use super::priority;
use super::said::Said;

/// The journal's socket.
pub const SOCKET: &str = "/run/systemd/journal/socket";

/// A layer that sends events there.
#[derive(Debug)]
pub struct Journal(pub Lines);

impl<S: Subscriber> Layer<S> for Journal {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        self.0.leave(datagram(priority(*event.metadata().level()), &said).as_bytes());
    }
}

fn datagram(priority: u8, said: &Said) -> String {
    let mut text = String::new();
    // Writing into a string does not fail.
    let _ = said.write_text(&mut text);
    let mut out = format!("PRIORITY={priority}\nSYSLOG_IDENTIFIER=septet\nMESSAGE={}\n", one_line(&text));
    let queue_id = (!said.queue_id.is_empty()).then_some(("queue_id", &said.queue_id));
    for (name, value) in queue_id.into_iter().chain(said.fields.iter().map(|(name, value)| (*name, value))) {
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        let _ = writeln!(out, "SEPTET_{}={}", name.to_ascii_uppercase(), one_line(value));
    }
    out
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_can_be_looked_for() {
        let said = Said {
            queue_id: "4bXyZ".to_owned(),
            message: "message\nleft=memory".to_owned(),
            fields: vec![("result", "\"left\"".to_owned()), ("bytes", "12".to_owned())],
        };
        assert_eq!(
            datagram(6, &said),
            "PRIORITY=6\nSYSLOG_IDENTIFIER=septet\nMESSAGE=4bXyZ: message left=memory\nSEPTET_QUEUE_ID=4bXyZ\n\
             SEPTET_RESULT=left\nSEPTET_BYTES=12\n"
        );
    }
}
