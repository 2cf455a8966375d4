//! The order of the protocol, as one table.

use super::command::MilterCommand;

/// How far a connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MilterStage {
    /// Nothing was agreed on.
    #[default]
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

impl MilterStage {
    /// Returns the stage that a command leads to; `None` where the command is out of order. The first row that fits
    /// counts.
    ///
    /// The MTA leaves out what the filter did not ask for, so a message may begin with any of its commands.
    /// MAIL after MAIL, and HELO among recipients, begin anew: an MTA that forgets to say ABORT is forgiven.
    /// Values (`D`) may come at any time, even before the terms.
    #[rustfmt::skip]
    pub fn after(self, command: &MilterCommand<'_>) -> Option<MilterStage> {
        use MilterStage::*;
        Some(match (command, self) {
            //                                   from                                     to
            (_,                                  Closed | Decision)                       => return None,
            (MilterCommand::Macros(_),                 stage)                                   => stage,
            (MilterCommand::Quit,                      _)                                       => Closed,
            (MilterCommand::Negotiate(_),              Start)                                   => Idle,
            (_,                                  Start)                                   => return None,
            (MilterCommand::Abort,                     _)                                       => Idle,
            (MilterCommand::QuitNewConnection,         _)                                       => Idle,
            (MilterCommand::Unknown(_),                stage)                                   => stage,
            (MilterCommand::Connect { .. },            Idle)                                    => Idle,
            (MilterCommand::Helo(_),                   Idle | Envelope)                         => Idle,
            (MilterCommand::Mail(_),                   Idle | Envelope)                         => Envelope,
            (MilterCommand::Rcpt(_),                   Idle | Envelope)                         => Envelope,
            (MilterCommand::Data,                      Idle | Envelope)                         => Envelope,
            (MilterCommand::Header { .. },             Idle | Envelope | Header)                => Header,
            (MilterCommand::EndOfHeader,               Idle | Envelope | Header)                => Body,
            (MilterCommand::Body(_),                   Idle | Envelope | Header | Body)         => Body,
            (MilterCommand::EndOfMessage(_),           Idle | Envelope | Header | Body)         => Decision,
            _                                                                             => return None,
        })
    }

    /// Returns its name, for a log.
    pub fn name(self) -> &'static str {
        match self {
            MilterStage::Start => "before the terms",
            MilterStage::Idle => "between messages",
            MilterStage::Envelope => "in the envelope",
            MilterStage::Header => "in the header",
            MilterStage::Body => "in the body",
            MilterStage::Decision => "before the verdict",
            MilterStage::Closed => "after the end",
        }
    }
}
