//! Sends messages by SMTP, as a client of a listener that forwards, by lettre.

use std::error::Error as _;
use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::SmtpConnection;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;
use thiserror::Error;

use super::error::REPLY_TIME;
use super::mta::ProbeResult;
use crate::config::HostPort;
use crate::process::exit::Exit;

/// How long a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(30);

/// Why a server can't be tried.
#[derive(Debug, Error)]
#[error("the server at {at} can't be tried: {what}")]
pub struct ProbeServerError {
    at: String,
    what: String,
}

/// A message on its way, and the envelope.
#[derive(Debug)]
pub struct ProbeMessage<'a> {
    /// The sender.
    pub from: &'a str,
    /// What MAIL says behind it.
    pub parameters: &'a [String],
    /// The recipients.
    pub to: &'a [String],
    /// The octets.
    pub raw: &'a [u8],
}

/// A connection that has said EHLO.
pub struct Server {
    connection: SmtpConnection,
    at: String,
}

impl Server {
    /// Connects, and says EHLO.
    pub fn start(at: &HostPort) -> Result<Server, ProbeServerError> {
        let hello = ClientId::Domain("septet.invalid".to_owned());
        let connected = SmtpConnection::connect((at.host.as_str(), at.port), Some(CONNECT_TIME), &hello, None, None);
        let mut connection =
            connected.map_err(|error| ProbeServerError { at: at.to_string(), what: error.to_string() })?;
        // A server that is gone is found out at the next command.
        let _ = connection.set_timeout(Some(REPLY_TIME));
        Ok(Server { connection, at: at.to_string() })
    }

    /// Sends a message; the first refusal ends it, but for recipients of whom another is accepted: the verdict, which
    /// is the last reply, names those. The requests are each command with its reply; no message comes back.
    pub fn message(&mut self, sent: &ProbeMessage<'_>) -> Result<ProbeResult, ProbeServerError> {
        let mut dialogue = Vec::new();
        let parameters: String = sent.parameters.iter().map(|parameter| format!(" {parameter}")).collect();
        let mail = self.say(&format!("MAIL FROM:<{}>{parameters}", sent.from), &mut dialogue)?;
        if !mail.is_positive() {
            return Ok(mail.into_answer(dialogue));
        }
        let mut said = Vec::new();
        for to in sent.to {
            said.push(self.say(&format!("RCPT TO:<{to}>"), &mut dialogue)?);
        }
        if !said.iter().any(ServerReply::is_positive) {
            self.reset(&mut dialogue);
            return Ok(said.pop().unwrap_or_else(ServerReply::none).into_answer(dialogue));
        }
        let data = self.say("DATA", &mut dialogue)?;
        if data.code != 354 {
            self.reset(&mut dialogue);
            return Ok(data.into_answer(dialogue));
        }
        // lettre puts CR LF before the full stop that ends the message.
        let answered = self.connection.message(sent.raw.strip_suffix(b"\r\n").unwrap_or(sent.raw));
        let reply = self.reply(answered)?;
        dialogue.push(format!("({} octets): {}", sent.raw.len(), reply.text));
        let refused: Vec<_> = sent.to.iter().zip(said).filter(|(_, said)| !said.is_positive()).collect();
        let mut answered = reply.into_answer(dialogue);
        for (to, said) in refused {
            answered.verdict += &format!("; not to <{to}>: {}", said.text);
            answered.exit = answered.exit.or(said.into_answer(Vec::new()).exit);
        }
        Ok(answered)
    }

    /// Says goodbye.
    pub fn quit(mut self) {
        // What the server says to that is of no use any more.
        let _ = self.connection.quit();
    }

    /// Ends a transaction that went no further, since the next message needs a new one.
    fn reset(&mut self, dialogue: &mut Vec<String>) {
        // A server that is gone has said why with the refusal, and is found out at the next command.
        let _ = self.say("RSET", dialogue);
    }

    /// Sends a command, and adds it and its reply to the dialogue.
    fn say(&mut self, command: &str, dialogue: &mut Vec<String>) -> Result<ServerReply, ProbeServerError> {
        let answered = self.connection.command(format!("{command}\r\n"));
        let reply = self.reply(answered)?;
        dialogue.push(format!("{command}: {}", reply.text));
        Ok(reply)
    }

    /// Returns the reply, be it a refusal; the error is that there is none.
    fn reply(&self, answered: Result<Response, Error>) -> Result<ServerReply, ProbeServerError> {
        match answered {
            Ok(response) => {
                let text = response.message().collect::<Vec<_>>().join(" / ");
                Ok(ServerReply { code: u16::from(response.code()), text: format!("{} {text}", response.code()) })
            }
            Err(error) => match error.status() {
                Some(code) => {
                    let text = error.source().map_or_else(String::new, ToString::to_string);
                    Ok(ServerReply { code: u16::from(code), text: format!("{code} {text}") })
                }
                None => Err(ProbeServerError { at: self.at.clone(), what: error.to_string() }),
            },
        }
    }
}

/// A reply: its code, and all of it in one line, the code first.
struct ServerReply {
    code: u16,
    text: String,
}

impl ServerReply {
    /// Makes what stands for the reply where there is no recipient to ask about.
    fn none() -> ServerReply {
        ServerReply { code: 554, text: "554 no recipient".to_owned() }
    }

    /// Returns `true` if the code is 2xx.
    fn is_positive(&self) -> bool {
        self.code / 100 == 2
    }

    /// Makes the answer to a message that this reply has ended: 75 for a code 4xx, 65 for any other that is no 2xx.
    fn into_answer(self, dialogue: Vec<String>) -> ProbeResult {
        let exit = match self.code / 100 {
            2 => None,
            4 => Some(Exit::TempFail),
            _ => Some(Exit::BadData),
        };
        ProbeResult { verdict: self.text, exit, requests: dialogue, message: Vec::new() }
    }
}
