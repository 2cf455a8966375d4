//! The order of the protocol, as one table.

use super::command::Command;

/// How far a connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Nothing was agreed on.
    Start,
    /// Between messages.
    Idle,
    /// After MAIL.
    Envelope,
    /// Among the fields.
    Header,
    /// After the header.
    Body,
    /// The message is over and waits for its verdict.
    Decision,
    /// The connection is over.
    Closed,
}

impl Stage {
    /// Returns the stage that a command leads to; `None` where the command is out of order.
    ///
    /// The MTA leaves out what the filter did not ask for, so a message may begin with any of its commands.
    /// MAIL after MAIL, and HELO among recipients, begin anew: an MTA that forgets to say ABORT is forgiven.
    /// Values (`D`) may come at any time, even before the terms.
    #[rustfmt::skip]
    pub fn after(self, command: &Command<'_>) -> Option<Stage> {
        use Stage::*;
        Some(match (command, self) {
            //                                   from                                     to
            (_,                                  Closed | Decision)                       => return None,
            (Command::Macros(_),                 stage)                                   => stage,
            (Command::Quit,                      _)                                       => Closed,
            (Command::Negotiate(_),              Start)                                   => Idle,
            (_,                                  Start)                                   => return None,
            (Command::Abort,                     _)                                       => Idle,
            (Command::QuitNewConnection,         _)                                       => Idle,
            (Command::Unknown(_),                stage)                                   => stage,
            (Command::Connect { .. },            Idle)                                    => Idle,
            (Command::Helo(_),                   Idle | Envelope)                         => Idle,
            (Command::Mail(_),                   Idle | Envelope)                         => Envelope,
            (Command::Rcpt(_),                   Idle | Envelope)                         => Envelope,
            (Command::Data,                      Idle | Envelope)                         => Envelope,
            (Command::Header { .. },             Idle | Envelope | Header)                => Header,
            (Command::EndOfHeader,               Idle | Envelope | Header)                => Body,
            (Command::Body(_),                   Idle | Envelope | Header | Body)         => Body,
            (Command::EndOfMessage(_),           Idle | Envelope | Header | Body)         => Decision,
            _                                                                             => return None,
        })
    }

    /// Returns its name, for a log.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Start => "before the terms",
            Stage::Idle => "between messages",
            Stage::Envelope => "in the envelope",
            Stage::Header => "in the header",
            Stage::Body => "in the body",
            Stage::Decision => "before the verdict",
            Stage::Closed => "after the end",
        }
    }
}
