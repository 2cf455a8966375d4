//! The order of the protocol, as one table.

use super::command::Command;

/// How far a client's connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Nobody said hello.
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

/// A kind of command, as far as the order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// HELO, EHLO or LHLO.
    Hello,
    /// XFORWARD
    XForward,
    /// XCLIENT
    XClient,
    /// MAIL
    Mail,
    /// RCPT
    Rcpt,
    /// DATA
    Data,
    /// BDAT
    Bdat,
    /// The end of the content.
    End,
    /// RSET
    Rset,
    /// QUIT
    Quit,
    /// What stands outside of any order: NOOP, HELP and all that is refused anyway.
    Other,
}

impl Stage {
    /// Returns the stage that a command leads to if it is accepted; what is wrong, where it is out of order.
    ///
    /// A hello among recipients gives the transaction up (RFC 5321 §4.1.4), as RSET does. After a BDAT the next one is
    /// in order, and DATA is not (RFC 3030 §3).
    #[rustfmt::skip]
    pub fn after(self, verb: Verb) -> Result<Stage, &'static str> {
        use Stage::*;
        match (verb, self) {
            //                 from                                 to
            (_,                Closed)                           => Err("the connection is over"),
            (Verb::End,        Data | Chunks)                    => Ok(Idle),
            (Verb::End,        _)                                => Err("no message"),
            (_,                Data)                             => Err("a message is coming in"),
            (Verb::Quit,       _)                                => Ok(Closed),
            (Verb::Other,      stage)                            => Ok(stage),
            (Verb::Hello,      _)                                => Ok(Idle),
            (Verb::Rset,       Start)                            => Ok(Start),
            (Verb::Rset,       _)                                => Ok(Idle),
            (Verb::XClient,    Start | Idle)                     => Ok(Start),
            (Verb::XForward,   Start | Idle)                     => Ok(self),
            (_,                Start)                            => Err("say hello first"),
            (Verb::XClient | Verb::XForward, _)                  => Err("a transaction is open"),
            (Verb::Mail,       Idle)                             => Ok(Mail),
            (Verb::Mail,       _)                                => Err("nested MAIL command"),
            (_,                Idle)                             => Err("need MAIL command"),
            (_,                ChunkRefused)                     => Err("a chunk was refused, need RSET command"),
            (Verb::Rcpt,       Mail | Rcpt)                      => Ok(Rcpt),
            (Verb::Data,       Rcpt)                             => Ok(Data),
            (Verb::Bdat,       Rcpt | Chunks)                    => Ok(Chunks),
            (Verb::Data | Verb::Bdat, Mail)                      => Err("need RCPT command"),
            (Verb::Rcpt | Verb::Data, Chunks)                    => Err("the message comes in chunks"),
        }
    }
}

impl Command {
    /// Returns its kind.
    pub fn verb(&self) -> Verb {
        match self {
            Command::Hello(..) => Verb::Hello,
            Command::XForward(_) => Verb::XForward,
            Command::XClient(_) => Verb::XClient,
            Command::Mail(_) => Verb::Mail,
            Command::Rcpt(_) => Verb::Rcpt,
            Command::Data => Verb::Data,
            Command::Bdat(_) => Verb::Bdat,
            Command::Rset => Verb::Rset,
            Command::Quit => Verb::Quit,
            _ => Verb::Other,
        }
    }
}
