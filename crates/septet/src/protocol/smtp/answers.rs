//! What the caller's answers do to a session.
//!
//! A reply comes from a next hop, which may be out of its mind. It never makes the client believe what isn't so: a
//! reply that accepts where nothing can be accepted becomes a refusal.

use super::SmtpDialect;
use super::command::{Bdat, HelloVerb};
use super::data_reader::DataReader;
use super::event::{AcceptedEnvelope, Due, Event};
use super::incoming::Incoming;
use super::keywords::Keywords;
use super::reply::Reply;
use super::server::{Session, pipelining};
use super::stage::Stage;

impl Session {
    /// Answers the last event, and goes on as the reply says.
    ///
    /// At the end of a message in LMTP the reply is written once for each recipient, a 421 as 451. Elsewhere a 421
    /// closes the connection, and may be given at any time; any other reply is ignored where nothing is due. A reply
    /// that accepts what can't be accepted (a faulty message, content by 2xx, a command by 3xx) becomes a refusal.
    /// Where octets came behind DATA before its answer, the connection is closed, whatever the answer is.
    pub fn answer(&mut self, reply: &Reply, out: &mut Vec<u8>) {
        self.answer_each(std::slice::from_ref(reply), out);
    }

    /// Answers the end of a message for each of its recipients, in their order; elsewhere the first reply counts.
    ///
    /// A recipient without a reply gets the last one; without any reply the answer is 451.
    pub fn answer_each(&mut self, replies: &[Reply], out: &mut Vec<u8>) {
        let none = [Reply::with_status(451, "4.3.0", "no answer")];
        let replies = if replies.is_empty() { &none } else { replies };
        let first = &replies[0];
        match self.due.take() {
            None if first.closes() && self.stage != Stage::Closed => drop(self.close(first, out)),
            None => {}
            Some(Due::End { fault }) => self.answer_end(replies, fault.as_ref(), out),
            // Whatever the answer is: nobody knows whether what came before it is content or commands.
            Some(Due::Data { early: true }) => drop(self.close(&pipelining(), out)),
            Some(Due::Data { .. }) => self.answer_data(first, out),
            Some(Due::Chunk(bdat)) => self.answer_chunk(bdat, first, out),
            Some(Due::Command(asked)) => self.answer_command(asked, &command_reply(first), out),
        }
    }

    /// Writes the reply to a command, and goes on as one that accepts it says; after a refusal the session stays where
    /// it was, and a 421 closes the connection.
    fn answer_command(&mut self, asked: Event, reply: &Reply, out: &mut Vec<u8>) {
        if reply.closes() {
            self.close(reply, out);
            return;
        }
        self.write_reply(reply, out);
        match asked {
            Event::Hello { verb, name } if reply.is_positive() => {
                self.stage = Stage::Idle;
                self.envelope.hello = Some((verb, name));
                // HELO is without extensions.
                self.offered = if verb == HelloVerb::Helo { Keywords::default() } else { Keywords::of(reply) };
            }
            Event::Mail(mail) if reply.is_positive() => {
                self.stage = Stage::Mail;
                self.envelope.mail = Some(mail);
            }
            Event::Rcpt(rcpt) if reply.is_positive() => {
                self.stage = Stage::Rcpt;
                self.envelope.recipients.push(rcpt);
            }
            Event::Rcpt(_) => self.refused_recipient = true,
            // The client says hello again.
            Event::XClient(_) if reply.is_positive() => {
                self.stage = Stage::Start;
                self.envelope = AcceptedEnvelope::default();
                self.offered = Keywords::default();
            }
            // A refusal changes nothing, and neither does XFORWARD; RSET was obeyed when it came.
            _ => {}
        }
    }

    /// Writes the reply to DATA. Content is taken if it is 354; 421 closes the connection, and after any other reply
    /// the envelope stays.
    fn answer_data(&mut self, reply: &Reply, out: &mut Vec<u8>) {
        let reply = content_reply(reply);
        if reply.closes() {
            self.close(&reply, out);
            return;
        }
        self.write_reply(&reply, out);
        if reply.is_intermediate() {
            self.stage = Stage::Data;
            self.incoming = Some(Incoming::Data(DataReader::data(self.options.line_ends, self.max_size())));
        }
    }

    /// Takes the first chunk if the reply is 3xx; the client is told when the chunk is over, so nothing is written
    /// here. After a refusal the chunk is thrown away, and the reply written behind it; 421 closes the connection.
    fn answer_chunk(&mut self, bdat: Bdat, reply: &Reply, out: &mut Vec<u8>) {
        let reply = content_reply(reply);
        if reply.closes() {
            self.close(&reply, out);
        } else if reply.is_intermediate() {
            let reader = DataReader::chunks(self.options.line_ends, self.max_size());
            self.stage = Stage::Chunks;
            self.incoming = Some(Incoming::first_chunk(reader, bdat));
        } else {
            self.note_refusal(&reply);
            self.stage = Stage::ChunkRefused;
            self.incoming = Some(Incoming::unwanted(bdat, reply));
        }
    }

    /// Writes the replies to a message, of which there must be one at least, each a refusal if the message has a fault,
    /// and forgets it. A 421 closes the connection of SMTP, and is written as 451 in LMTP.
    fn answer_end(&mut self, replies: &[Reply], fault: Option<&Reply>, out: &mut Vec<u8>) {
        let last = replies.last();
        for reply in (0..self.reply_count()).filter_map(|at| replies.get(at).or(last)) {
            let reply = end_reply(reply, fault);
            match reply.closes() {
                // Each recipient is owed an answer (RFC 2033 §4.3), also behind a 421 that was meant for us.
                true if self.dialect == SmtpDialect::Lmtp => Reply { code: 451, ..reply }.write(out),
                true => {
                    self.close(&reply, out);
                    // What becomes of a whole message is no refused command.
                    self.refusals.clear();
                    return;
                }
                false => reply.write(out),
            }
        }
        self.forget_message();
        self.stage = Stage::Idle;
    }
}

/// Returns the reply to a command; one that waits for more (3xx) becomes a refusal, for nothing more will come.
fn command_reply(reply: &Reply) -> Reply {
    if reply.is_intermediate() { out_of_turn() } else { reply.clone() }
}

/// Returns the reply to DATA or a first chunk; one that accepts it already (2xx) becomes a refusal.
fn content_reply(reply: &Reply) -> Reply {
    if reply.is_positive() { out_of_turn() } else { reply.clone() }
}

/// Returns the reply to a message; a faulty one is not accepted, whatever the next hop made of it.
fn end_reply(reply: &Reply, fault: Option<&Reply>) -> Reply {
    match fault {
        Some(fault) if reply.is_positive() => fault.clone(),
        _ => command_reply(reply),
    }
}

/// Returns the reply that stands for one that does not fit what was asked.
fn out_of_turn() -> Reply {
    Reply::with_status(451, "4.3.0", "the next hop answered out of turn")
}
