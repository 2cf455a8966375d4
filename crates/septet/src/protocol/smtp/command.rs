//! One command line, read.

use thiserror::Error;

use super::attributes::{Attributes, OF_XCLIENT, OF_XFORWARD};
use super::parameters::{EsmtpParameters, number};
use super::path::{Path, is_graphic};
use super::reply::Reply;

/// The octets of a command line, its line end included. RFC 5321 wants 512 at least, and more for each extension.
pub const COMMAND_LIMIT: usize = 4096;

/// The octets of the name in EHLO: those that a domain may have (RFC 5321 §4.5.3.1.2).
const NAME_LIMIT: usize = 255;

/// A command of SMTP or LMTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `HELO`, `EHLO` or `LHLO`, and what the client calls itself.
    Hello(HelloVerb, Vec<u8>),
    /// `MAIL FROM:`
    Mail(MailCommand),
    /// `RCPT TO:`
    Rcpt(RcptCommand),
    /// `DATA`
    Data,
    /// `BDAT` (RFC 3030)
    Bdat(Bdat),
    /// `RSET`
    Rset,
    /// `NOOP`
    Noop,
    /// `QUIT`
    Quit,
    /// `VRFY`
    Vrfy,
    /// `HELP`
    Help,
    /// `STARTTLS` (RFC 3207)
    StartTls,
    /// `AUTH` (RFC 4954)
    Auth,
    /// `XFORWARD` (Postfix)
    XForward(Attributes),
    /// `XCLIENT` (Postfix)
    XClient(Attributes),
    /// A command that SMTP has or had, and that nobody needs here.
    NotImplemented,
    /// A request of HTTP: somebody has a browser talk to us.
    Http,
    /// Anything else.
    Unknown,
}

/// How a client says hello.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HelloVerb {
    /// `HELO`: without extensions.
    Helo,
    /// `EHLO`
    Ehlo,
    /// `LHLO`: LMTP's.
    Lhlo,
}

/// `MAIL FROM:<path> parameters`
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailCommand {
    /// The sender.
    pub path: Path,
    /// What is said of the message.
    pub parameters: EsmtpParameters,
}

/// `RCPT TO:<path> parameters`
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RcptCommand {
    /// The recipient.
    pub path: Path,
    /// What is said of the delivery.
    pub parameters: EsmtpParameters,
}

impl RcptCommand {
    /// Returns the octets of memory that it holds.
    pub fn memory(&self) -> usize {
        size_of::<RcptCommand>() + self.path.raw().len() + self.parameters.memory()
    }
}

/// `BDAT size [LAST]`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bdat {
    /// The octets that follow the command.
    pub size: u64,
    /// Whether the message ends with them.
    pub last: bool,
}

/// Why a command line can't be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The arguments are malformed.
    #[error("syntax: {0}")]
    Syntax(&'static str),
    /// The sender's address is malformed.
    #[error("bad sender address syntax")]
    Sender,
    /// The recipient's address is malformed.
    #[error("bad recipient address syntax")]
    Recipient,
    /// A parameter is malformed, or stands twice.
    #[error("bad parameter")]
    Parameter,
    /// How much content follows can't be told.
    #[error("syntax: BDAT count [LAST]")]
    Chunk,
    /// The line holds a control character.
    #[error("a control character")]
    Control,
}

impl Command {
    /// Reads a line, without its line end. Spaces and tabs at its end are dropped; any other control character is an
    /// error.
    ///
    /// ```
    /// use septet::protocol::smtp::Command;
    ///
    /// let Ok(Command::Mail(mail)) = Command::read(b"mail from: a@b.example SIZE=12 BODY=8BITMIME") else { panic!() };
    /// assert_eq!(mail.path.raw(), b"a@b.example");
    /// assert_eq!(mail.parameters.size(), Some(12));
    /// assert!(Command::read(b"RCPT TO:<a@b.example>\rRCPT TO:<c@b.example>").is_err());
    /// ```
    pub fn read(line: &[u8]) -> Result<Command, CommandError> {
        let end = line.iter().rposition(|octet| !matches!(octet, b' ' | b'\t')).map_or(0, |last| last + 1);
        let line = &line[..end];
        if line.iter().any(u8::is_ascii_control) {
            return Err(CommandError::Control);
        }
        let end = memchr::memchr(b' ', line).unwrap_or(line.len());
        let (verb, rest) = line.split_at(end);
        read_arguments(&verb.to_ascii_uppercase(), rest.trim_ascii_start())
    }
}

impl HelloVerb {
    /// Returns it as it is written.
    pub fn name(self) -> &'static str {
        match self {
            HelloVerb::Helo => "HELO",
            HelloVerb::Ehlo => "EHLO",
            HelloVerb::Lhlo => "LHLO",
        }
    }
}

impl CommandError {
    /// Returns the reply to such a line.
    pub fn reply(&self) -> Reply {
        let status = match self {
            CommandError::Syntax(_) | CommandError::Parameter | CommandError::Chunk => "5.5.4",
            CommandError::Sender => "5.1.7",
            CommandError::Recipient => "5.1.3",
            CommandError::Control => "5.5.2",
        };
        Reply::with_status(501, status, &self.to_string())
    }
}

/// Reads the arguments of a command whose verb is in upper case. What stands behind NOOP, HELP and commands that are
/// refused anyway is not looked at.
fn read_arguments(verb: &[u8], rest: &[u8]) -> Result<Command, CommandError> {
    match verb {
        b"HELO" => hello(HelloVerb::Helo, rest, "HELO name"),
        b"EHLO" => hello(HelloVerb::Ehlo, rest, "EHLO name"),
        b"LHLO" => hello(HelloVerb::Lhlo, rest, "LHLO name"),
        b"MAIL" => mail(rest),
        b"RCPT" => rcpt(rest),
        b"DATA" => alone(Command::Data, rest, "DATA"),
        b"BDAT" => bdat(rest),
        b"RSET" => alone(Command::Rset, rest, "RSET"),
        b"QUIT" => alone(Command::Quit, rest, "QUIT"),
        b"NOOP" => Ok(Command::Noop),
        b"HELP" => Ok(Command::Help),
        b"VRFY" if rest.is_empty() => Err(CommandError::Syntax("VRFY address")),
        b"VRFY" => Ok(Command::Vrfy),
        b"STARTTLS" => Ok(Command::StartTls),
        b"AUTH" => Ok(Command::Auth),
        b"XFORWARD" => attributes(&OF_XFORWARD, rest, "XFORWARD name=value...").map(Command::XForward),
        b"XCLIENT" => attributes(&OF_XCLIENT, rest, "XCLIENT name=value...").map(Command::XClient),
        b"EXPN" | b"ETRN" | b"TURN" | b"ATRN" | b"SEND" | b"SOML" | b"SAML" | b"BURL" => Ok(Command::NotImplemented),
        b"GET" | b"POST" | b"HEAD" | b"PUT" | b"CONNECT" | b"OPTIONS" | b"PRI" => Ok(Command::Http),
        _ => Ok(Command::Unknown),
    }
}

/// Returns a command that takes no arguments; with some it is an error, and `syntax` is said.
fn alone(command: Command, rest: &[u8], syntax: &'static str) -> Result<Command, CommandError> {
    if rest.is_empty() { Ok(command) } else { Err(CommandError::Syntax(syntax)) }
}

/// Reads attributes of these names; `syntax` is said where one is malformed or has another, or there are none.
fn attributes(names: &[&str], rest: &[u8], syntax: &'static str) -> Result<Attributes, CommandError> {
    Attributes::read_of(names, rest).ok_or(CommandError::Syntax(syntax))
}

/// Reads the name in a hello, which may be any word of UTF-8, of 255 octets at the most, without spaces and control
/// characters; `syntax` is said where it is none.
fn hello(verb: HelloVerb, name: &[u8], syntax: &'static str) -> Result<Command, CommandError> {
    let fits = (1..=NAME_LIMIT).contains(&name.len()) && is_graphic(name);
    if fits { Ok(Command::Hello(verb, name.to_vec())) } else { Err(CommandError::Syntax(syntax)) }
}

/// Reads the arguments of MAIL, whose address may be empty.
fn mail(rest: &[u8]) -> Result<Command, CommandError> {
    let address = after(rest, b"FROM:").ok_or(CommandError::Syntax("MAIL FROM:<address>"))?;
    let (path, rest) = Path::split(address).ok_or(CommandError::Sender)?;
    Ok(Command::Mail(MailCommand { path, parameters: parameters(rest)? }))
}

/// Reads the arguments of RCPT, which must name somebody.
fn rcpt(rest: &[u8]) -> Result<Command, CommandError> {
    let address = after(rest, b"TO:").ok_or(CommandError::Syntax("RCPT TO:<address>"))?;
    let (path, rest) = Path::split(address).filter(|(path, _)| !path.is_null()).ok_or(CommandError::Recipient)?;
    Ok(Command::Rcpt(RcptCommand { path, parameters: parameters(rest)? }))
}

/// Returns what follows a word that may be in any case, spaces aside; none where another stands there.
fn after<'a>(rest: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let (head, address) = rest.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then(|| address.trim_ascii_start())
}

/// Reads what follows a path: nothing, or a space and parameters.
fn parameters(rest: &[u8]) -> Result<EsmtpParameters, CommandError> {
    let fits = rest.is_empty() || rest.starts_with(b" ");
    EsmtpParameters::read(rest).filter(|_| fits).ok_or(CommandError::Parameter)
}

/// Reads the arguments of BDAT. With a fault in them nobody knows how much content follows, so all have one error.
fn bdat(rest: &[u8]) -> Result<Command, CommandError> {
    let mut words = rest.split(|&octet| octet == b' ').filter(|word| !word.is_empty());
    let size = words.next().and_then(number).ok_or(CommandError::Chunk)?;
    let last = match words.next() {
        None => false,
        Some(word) if word.eq_ignore_ascii_case(b"LAST") => true,
        Some(_) => return Err(CommandError::Chunk),
    };
    if words.next().is_some() { Err(CommandError::Chunk) } else { Ok(Command::Bdat(Bdat { size, last })) }
}
