//! The MTA's side of a milter connection, over a blocking socket.

use std::io::{BufReader, Read, Write};

use super::error::{ProbeError, REPLY_TIME};
use super::socket::{Stream, connect};
use crate::config::socket::SocketAddress;
use crate::process::exit::Exit;
use crate::protocol::milter::{
    ClientAddress, Frame, Macros, MilterCommand, MilterReply, MtaEnvelope, MtaMessage, Negotiated, Offer, PACKET_LIMIT,
    WireError,
};

/// What Postfix and Sendmail offer.
const OFFER: Offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };

/// What a milter or a server made of one message.
#[derive(Debug)]
pub struct ProbeResult {
    /// Its last word.
    pub verdict: String,
    /// The exit code of a message that was not accepted.
    pub exit: Option<Exit>,
    /// What it asked for, or said, a line each.
    pub requests: Vec<String>,
    /// The message, with all of that carried out.
    pub message: Vec<u8>,
}

/// A connection to a milter.
pub struct Milter {
    stream: BufReader<Box<dyn Stream>>,
    negotiated: Negotiated,
}

impl Milter {
    /// Connects, agrees on terms, and announces a client. What the milter answers to the client is not looked at.
    pub fn start(socket: &SocketAddress, version: u32) -> Result<Milter, ProbeError> {
        let stream = connect(socket, REPLY_TIME)?;
        let mut milter = Milter { stream: BufReader::new(stream), negotiated: Negotiated::given(Offer::default()) };
        // What a version knows of actions and steps.
        let offer = match version {
            2 => Offer { version: 2, actions: 0x3f, protocol: 0x7f },
            3..=5 => Offer { version, actions: 0xff, protocol: 0x3ff },
            version => Offer { version, ..OFFER },
        };
        milter.send(&MilterCommand::Negotiate(offer))?;
        let mut packet = Vec::new();
        milter.negotiated = match milter.reply(&mut packet)? {
            MilterReply::Negotiate(answer, _) => Negotiated::given(answer),
            other => return Err(ProbeError::Unexpected { sent: other.code(), wanted: "the answer to its offer" }),
        };
        let address = ClientAddress::Inet { ip: [127, 0, 0, 1].into(), port: 25 };
        let mut out = Vec::new();
        let client = MilterCommand::Connect { host: b"localhost", address };
        milter.exchange(client, "v\0septet try\0{daemon_name}\0try\0", &mut out)?;
        milter.exchange(MilterCommand::Helo(b"localhost"), "", &mut out)?;
        milter.flush(&mut out)?;
        Ok(milter)
    }

    /// Shows one message, whose queue id has this number, and carries out what the milter asks for. It ends with the
    /// first verdict, be it one on a recipient; the next message goes over the same connection.
    pub fn message(
        &mut self,
        mut message: MtaMessage,
        envelope: &MtaEnvelope,
        number: usize,
    ) -> Result<ProbeResult, ProbeError> {
        let macros = format!("i\0TRY{number}\0");
        let (negotiated, mut out, mut refusal) = (self.negotiated, Vec::new(), None);
        let mut shown = Ok(());
        message.show(envelope, &negotiated, |command| {
            if shown.is_ok() && refusal.is_none() {
                match self.exchange(command, &macros, &mut out) {
                    Ok(reply) => refusal = reply,
                    Err(error) => shown = Err(error),
                }
            }
        });
        shown?;
        self.flush(&mut out)?;
        let mut tried = match refusal {
            Some(refused) => refused,
            None => self.carry_out_requests(&mut message)?,
        };
        tried.requests.extend_from_slice(message.notes());
        self.send(&MilterCommand::Abort)?;
        Ok(ProbeResult { message: message.octets(), ..tried })
    }

    /// Reads the requests that a milter makes at the end of a message, up to its verdict, and carries them out.
    fn carry_out_requests(&mut self, message: &mut MtaMessage) -> Result<ProbeResult, ProbeError> {
        let (mut packet, mut requests) = (Vec::new(), Vec::new());
        let negotiated = self.negotiated;
        loop {
            let reply = self.reply(&mut packet)?;
            if reply.is_verdict() {
                return Ok(ProbeResult { requests, ..ProbeResult::of(&reply) });
            }
            message.apply(&reply, &negotiated)?;
            requests.push(describe(&reply));
        }
    }

    /// Sends a command if the milter wants it, with `macros` before it (names and values, each ended by NUL), and reads
    /// the reply if there is one. Returns a verdict other than "go on", "accept" too. What needs no reply waits in
    /// `out`.
    fn exchange(
        &mut self,
        command: MilterCommand<'_>,
        macros: &str,
        out: &mut Vec<u8>,
    ) -> Result<Option<ProbeResult>, ProbeError> {
        let code = command.code();
        if !self.negotiated.shows(code) {
            return Ok(None);
        }
        MilterCommand::Macros(Macros { stage: code, pairs: macros.as_bytes() }).write(out);
        command.write(out);
        if !self.negotiated.expects_reply(code) {
            return Ok(None);
        }
        self.flush(out)?;
        let mut packet = Vec::new();
        loop {
            match self.reply(&mut packet)? {
                MilterReply::Continue | MilterReply::Skip => return Ok(None),
                MilterReply::Progress => {}
                reply if reply.is_verdict() => return Ok(Some(ProbeResult::of(&reply))),
                reply => return Err(ProbeError::Unexpected { sent: reply.code(), wanted: "a verdict" }),
            }
        }
    }

    /// Sends a command at once.
    fn send(&mut self, command: &MilterCommand<'_>) -> Result<(), ProbeError> {
        let mut out = Vec::new();
        command.write(&mut out);
        self.flush(&mut out)
    }

    /// Sends what waits in `out`, and empties it.
    fn flush(&mut self, out: &mut Vec<u8>) -> Result<(), ProbeError> {
        self.stream.get_mut().write_all(out)?;
        out.clear();
        Ok(())
    }

    /// Reads one reply into `packet`; one that ends early is [`ProbeError::Closed`].
    fn reply<'a>(&mut self, packet: &'a mut Vec<u8>) -> Result<MilterReply<'a>, ProbeError> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        packet.clear();
        packet.extend_from_slice(&length);
        let octets = u32::from_be_bytes(length);
        if octets as usize > PACKET_LIMIT {
            return Err(WireError::Long(octets).into());
        }
        self.stream.by_ref().take(octets.into()).read_to_end(packet)?;
        let frame = Frame::read(packet)?.ok_or(ProbeError::Closed)?;
        Ok(MilterReply::read(frame)?)
    }

    /// Says good-bye. The messages are through: nothing is lost when that fails.
    pub fn quit(mut self) {
        let _ = self.send(&MilterCommand::Quit);
    }
}

impl ProbeResult {
    /// Takes the verdict of a reply for which [`MilterReply::is_verdict`] is `true`, without a message; any that is not
    /// named here accepts.
    fn of(reply: &MilterReply<'_>) -> ProbeResult {
        let (verdict, exit) = match reply {
            MilterReply::TempFail => ("temporary failure".to_owned(), Some(Exit::TempFail)),
            MilterReply::Shutdown | MilterReply::ConnectionFail => {
                ("connection ended".to_owned(), Some(Exit::TempFail))
            }
            MilterReply::ReplyCode(text) => {
                let exit = if text.starts_with(b"4") { Exit::TempFail } else { Exit::BadData };
                (format!("refused: {}", text.escape_ascii()), Some(exit))
            }
            MilterReply::Reject => ("rejected".to_owned(), Some(Exit::BadData)),
            MilterReply::Discard => ("discarded".to_owned(), Some(Exit::BadData)),
            _ => ("accepted".to_owned(), None),
        };
        ProbeResult { verdict, exit, requests: Vec::new(), message: Vec::new() }
    }
}

/// Says in one line what a request asks for.
fn describe(request: &MilterReply<'_>) -> String {
    match request {
        MilterReply::ChangeHeader { index, name, value: b"" } => {
            format!("delete field {}[{index}]", name.escape_ascii())
        }
        MilterReply::ChangeHeader { index, name, value } => {
            format!("change field {}[{index}] to \"{}\"", name.escape_ascii(), value.escape_ascii())
        }
        MilterReply::InsertHeader { index, name, value } => {
            format!("put in at {index} {}:\"{}\"", name.escape_ascii(), value.escape_ascii())
        }
        MilterReply::AddHeader { name, value } => format!("add {}:\"{}\"", name.escape_ascii(), value.escape_ascii()),
        MilterReply::ReplaceBody(piece) => format!("new body, {} octets", piece.len()),
        MilterReply::Progress => "wait".to_owned(),
        other => format!("request `{}`", char::from(other.code())),
    }
}
