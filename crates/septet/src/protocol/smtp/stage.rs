//! The order of the protocol, as one table.

use super::command::Command;

/// How far a client's connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Stage {
    /// Nobody said hello.
    #[default]
    Start,
    /// Between messages.
    Idle,
    /// After MAIL.
    Mail,
    /// After a RCPT that was accepted.
    Rcpt,
    /// In the content that DATA announced.
    Data,
    /// After the first chunk's command, up to the last chunk.
    Chunks,
    /// After a chunk that was refused: the transaction can only be given up.
    ChunkRefused,
    /// The connection is over.
    Closed,
}

impl Stage {
    /// Returns what is wrong with a command at this stage, as its refusal says it; none where it is in order. The first
    /// row that fits counts. What stands in no row is never out of order: NOOP, QUIT, all that is refused anyway, and a
    /// hello and RSET, which give the transaction up (RFC 5321 §4.1.4).
    ///
    /// After a BDAT the next one is in order, and DATA is not (RFC 3030 §3).
    #[rustfmt::skip]
    pub(super) fn fault(self, command: &Command) -> Option<&'static str> {
        use Command::{Bdat, Data, Mail, Rcpt, XClient, XForward};
        match (command, self) {
            (_,                                  Stage::Closed)               => Some("the connection is over"),
            (_,                                  Stage::Data)                 => Some("a message is coming in"),
            (XClient(_) | XForward(_),           Stage::Start | Stage::Idle)  => None,
            (Mail(_),                            Stage::Idle)                 => None,
            (Rcpt(_),                            Stage::Mail | Stage::Rcpt)   => None,
            (Data,                               Stage::Rcpt)                 => None,
            (Bdat(_),                            Stage::Rcpt | Stage::Chunks) => None,
            (Mail(_) | Rcpt(_) | Data | Bdat(_), Stage::Start)                => Some("say hello first"),
            (XClient(_) | XForward(_),           _)                           => Some("a transaction is open"),
            (Mail(_),                            _)                           => Some("nested MAIL command"),
            (Rcpt(_) | Data | Bdat(_),           Stage::Idle)                 => Some("need MAIL command"),
            (Data | Bdat(_),                     Stage::Mail)                 => Some("need RCPT command"),
            (Rcpt(_) | Data,                     Stage::Chunks)               => Some("the message comes in chunks"),
            (Rcpt(_) | Data | Bdat(_), Stage::ChunkRefused) => Some("a chunk was refused, need RSET command"),
            _                                                                 => None,
        }
    }
}
