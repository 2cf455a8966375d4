//! What a session does with a command: answers it, gives it to the caller, or refuses it.

use super::SmtpDialect;
use super::admission::{admit_mail, admit_rcpt};
use super::command::{Bdat, Command, HelloVerb, MailCommand, RcptCommand};
use super::event::{Due, Event};
use super::incoming::Incoming;
use super::reply::Reply;
use super::server::Session;
use super::stage::Stage;

impl Session {
    /// Obeys a command, or refuses it. What nobody may do here, and what is out of order, counts as a fault of the
    /// client's.
    pub(super) fn command(&mut self, command: Command, out: &mut Vec<u8>) -> Option<Event> {
        if let Some(refusal) = self.refusal(&command) {
            return self.error(&refusal, out);
        }
        match (self.stage.fault(&command), command) {
            (None, command) => self.obey(command, out),
            (Some(what), Command::Bdat(bdat)) => self.unwanted_chunk(bdat, what, out),
            (Some(what), command) => self.error(&self.out_of_order(&command, what), out),
        }
    }

    /// Returns the reply to what nobody may do here, whatever the order; none to any other command.
    fn refusal(&self, command: &Command) -> Option<Reply> {
        let lmtp = self.dialect == SmtpDialect::Lmtp;
        match command {
            Command::Unknown => Some(Reply::with_status(500, "5.5.2", "command not recognized")),
            Command::Hello(verb, _) if (*verb == HelloVerb::Lhlo) != lmtp => {
                let hello = if lmtp { "this is LMTP, say LHLO" } else { "this is SMTP, say EHLO" };
                Some(Reply::with_status(500, "5.5.1", hello))
            }
            Command::StartTls | Command::Auth | Command::NotImplemented => {
                Some(Reply::with_status(502, "5.5.1", "command not implemented"))
            }
            Command::XForward(_) | Command::XClient(_) if !self.options.trusted => {
                Some(Reply::with_status(550, "5.7.0", "insufficient authorization"))
            }
            _ => None,
        }
    }

    /// Returns the reply to a command out of order. Where a client sent DATA along with recipients that were then all
    /// refused, it did no wrong; but LMTP knows one code only (RFC 2033 §4.2).
    fn out_of_order(&self, command: &Command, what: &str) -> Reply {
        let no_recipient = self.stage == Stage::Mail && self.refused_recipient && *command == Command::Data;
        match self.dialect {
            SmtpDialect::Smtp if no_recipient => Reply::with_status(554, "5.5.1", "no valid recipients"),
            _ => Reply::with_status(503, "5.5.1", what),
        }
    }

    /// Does what a command in order wants: gives it to the caller, or answers it.
    fn obey(&mut self, command: Command, out: &mut Vec<u8>) -> Option<Event> {
        match command {
            Command::Hello(verb, name) => {
                self.forget_message();
                // The transaction is given up even if this hello is refused; the first hello must be accepted to count.
                self.stage = if self.stage == Stage::Start { Stage::Start } else { Stage::Idle };
                self.ask_next_hop(Event::Hello { verb, name })
            }
            Command::Mail(mail) => self.mail(mail, out),
            Command::Rcpt(rcpt) => self.rcpt(rcpt, out),
            Command::Data => self.ask(Due::Data { early: false }, Event::Data),
            Command::Bdat(bdat) => self.chunk(bdat),
            // Before a hello there is nothing to give up: it is answered below.
            Command::Rset if self.stage != Stage::Start => {
                self.forget_message();
                self.stage = Stage::Idle;
                self.ask_next_hop(Event::Reset)
            }
            Command::Quit => {
                self.close(&Reply::with_status(221, "2.0.0", "bye"), out);
                Some(Event::Quit)
            }
            Command::XForward(attributes) => self.ask_next_hop(Event::XForward(attributes)),
            Command::XClient(attributes) => self.ask_next_hop(Event::XClient(attributes)),
            Command::Http => self.close(&Reply::with_status(421, "4.7.0", "this is not HTTP"), out),
            other => self.say(&fixed_reply(&other), out),
        }
    }

    /// Gives a sender to the caller, unless it is refused here, which counts as no fault of the client's.
    fn mail(&mut self, mail: MailCommand, out: &mut Vec<u8>) -> Option<Event> {
        match admit_mail(&mail, &self.offered, self.max_size()) {
            Err(refusal) => self.say(&refusal, out),
            Ok(()) => self.ask_next_hop(Event::Mail(mail)),
        }
    }

    /// Gives a recipient to the caller, unless it is refused here, which is kept for the reply to DATA and counts as no
    /// fault of the client's.
    fn rcpt(&mut self, rcpt: RcptCommand, out: &mut Vec<u8>) -> Option<Event> {
        let smtputf8 = self.envelope.mail.as_ref().is_some_and(|mail| mail.parameters.smtputf8());
        let refusal = match admit_rcpt(&rcpt, &self.offered, smtputf8) {
            Err(refusal) => refusal,
            Ok(()) if self.envelope.recipients.len() >= self.options.max_recipients => {
                Reply::with_status(452, "4.5.3", "too many recipients")
            }
            Ok(()) => return self.ask_next_hop(Event::Rcpt(rcpt)),
        };
        self.refused_recipient = true;
        self.say(&refusal, out)
    }

    /// Takes a chunk in order; before the first one the caller is asked whether the content may come.
    fn chunk(&mut self, bdat: Bdat) -> Option<Event> {
        let Some(incoming) = &mut self.incoming else { return self.ask(Due::Chunk(bdat), Event::Data) };
        incoming.next_chunk(bdat);
        None
    }

    /// Throws away a chunk that is out of order, since its octets are no commands; the refusal is written behind it.
    /// There is an event only where this was one fault of the client's too many, which closes the connection.
    fn unwanted_chunk(&mut self, bdat: Bdat, what: &str, out: &mut Vec<u8>) -> Option<Event> {
        // Whoever pipelines the chunks of a message that was refused did no wrong.
        if self.stage != Stage::ChunkRefused && self.count_error(out) {
            return Some(Event::Closed);
        }
        let reply = Reply::with_status(503, "5.5.1", what);
        // It is written behind the chunk, but the command is refused here.
        self.note_refusal(&reply);
        self.incoming = Some(Incoming::unwanted(bdat, reply));
        None
    }
}

/// Returns the reply to a command that changes nothing: VRFY, HELP, NOOP, and RSET before a hello.
fn fixed_reply(command: &Command) -> Reply {
    match command {
        Command::Vrfy => Reply::with_status(252, "2.0.0", "send some mail, and the next hop will tell"),
        Command::Help => Reply::with_status(214, "2.0.0", "see RFC 5321"),
        _ => Reply::with_status(250, "2.0.0", "OK"),
    }
}
