//! What the client is told of a message, whatever the protocol.

use crate::config::Action;
use crate::protocol::milter::Reply;
use crate::rewrite::Reason;
use crate::run::decide::Decision;

use crate::message::LimitReached;

/// The octets of a reply's text.
const LONGEST: usize = 200;

/// What the client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The message is taken.
    Accept,
    /// It is refused for now, with this reply of SMTP (4xx).
    TempFail(String),
    /// It is refused for good, with this reply of SMTP (5xx).
    Reject(String),
}

impl Verdict {
    /// Makes the verdict of what the settings say; without a decision the message is taken.
    pub fn of(decision: Option<&Decision<'_>>) -> Verdict {
        let Some(decision) = decision else { return Verdict::Accept };
        let what = decision.what();
        match (decision.action, decision.reason) {
            (Action::Accept, _) => Verdict::Accept,
            (Action::Tempfail, _) => Verdict::TempFail(reply("451 4.7.1", &what.to_string())),
            (Action::Reject, Reason::Limit(LimitReached::MessageBytes(_))) => {
                Verdict::Reject(reply("552 5.3.4", &what.to_string()))
            }
            (Action::Reject, _) => Verdict::Reject(reply("554 5.6.0", &what.to_string())),
        }
    }

    /// Makes the verdict for a fault of septet's own, or for want of room; these are never refused for good.
    pub fn of_fault(action: Action, what: &str) -> Verdict {
        match action {
            Action::Accept => Verdict::Accept,
            Action::Tempfail | Action::Reject => Verdict::TempFail(reply("451 4.3.0", what)),
        }
    }

    /// Writes it as a milter says it.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Verdict::Accept => Reply::Continue.write(out),
            Verdict::TempFail(reply) | Verdict::Reject(reply) => Reply::ReplyCode(&for_milter(reply)).write(out),
        }
    }
}

/// Writes a reply of SMTP on one line of printable ASCII; nothing of it may come from a message without being made so.
fn reply(code: &str, what: &str) -> String {
    let plain = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    format!("{code} septet: {}", what.chars().take(LONGEST).map(plain).collect::<String>())
}

/// Doubles every `%`: MTAs take a milter's reply for a format, as smfi_setreply(3) says.
fn for_milter(reply: &str) -> Vec<u8> {
    reply.replace('%', "%%").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_the_reason_in_one_line() {
        let (depth, size) = (Reason::Limit(LimitReached::Depth(100)), Reason::Limit(LimitReached::MessageBytes(9)));
        for (action, reason, wanted) in [
            (Action::Accept, &depth, None),
            (Action::Tempfail, &depth, Some("451 4.7.1 septet: message over limit: depth 100")),
            (Action::Reject, &depth, Some("554 5.6.0 septet: message over limit: depth 100")),
            (Action::Reject, &size, Some("552 5.3.4 septet: message over limit: message_bytes 9")),
            (Action::Reject, &Reason::Disputed("parts"), Some("554 5.6.0 septet: message disputed(parts)")),
        ] {
            let said = match Verdict::of(Some(&Decision { action, key: "", reason })) {
                Verdict::Accept => None,
                Verdict::TempFail(said) | Verdict::Reject(said) => Some(said),
            };
            assert_eq!(said.as_deref(), wanted);
        }
    }

    #[test]
    fn a_reply_is_one_line_and_no_format() {
        let said = reply("451 4.3.0", "100%s\r\n250 ok \u{e9}");
        assert_eq!(said, "451 4.3.0 septet: 100%s??250 ok ?");
        assert_eq!(for_milter(&said), b"451 4.3.0 septet: 100%%s??250 ok ?");
        assert!(reply("451", &"x".repeat(9999)).len() < 300);
    }
}
