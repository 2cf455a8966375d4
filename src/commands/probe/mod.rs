//! Plays the MTA: sends messages to a running milter, or to a listener that forwards, and prints what came back.

mod error;
mod mta;
mod smtp;
mod socket;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::input::read_input;
use crate::config::{HostPort, SocketAddress};
use crate::process::exit::{Exit, Failure};
use crate::process::shown::Shown;
use crate::process::shown_json::write_shown_json;
use crate::protocol::mbox;
use crate::protocol::milter::{MtaEnvelope, MtaMessage};
use crate::protocol::smtp::{DataReader, LineEndPolicy};
pub(super) use error::ProbeError;
use mta::{Milter, ProbeResult};
use smtp::{ProbeMessage, Server};
pub(super) use socket::connect;

/// Play the MTA: send messages to a running milter or SMTP server and print what came back
///
/// The message that a milter makes of FILE goes to stdout, octet for octet where it changed nothing; what it
/// asked for goes to stderr with --verbose. Several messages are printed one after the other as a mailbox, or
/// with --json as one object a line. A refused message is not printed: the exit code is 75 when a milter says
/// "later", 65 when it says "never" or throws the message away, 69 when it can't be reached or breaks the
/// protocol. By SMTP the message goes on to the next hop, so that only replies come back: 75 and 65 are for 4xx
/// and 5xx, to one of several recipients too. LMTP is not spoken.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet try --milter inet:127.0.0.1:8891 message.eml
  septet try --milter unix:/run/septet/milter.sock --verbose --from 'a@example.org' *.eml >result.mbox
  septet try --smtp 127.0.0.1:10025 --verbose --to 'b@example.org' message.eml
  septet try --milter inet:8891@localhost --milter-protocol 2 message.eml | diff message.eml -")]
pub struct Args {
    /// Connect to the milter at SOCKET, as Postfix or Sendmail writes it
    #[arg(long, value_name = "SOCKET", required_unless_present = "smtp")]
    milter: Option<SocketAddress>,

    /// Send by SMTP to HOST:PORT instead, and print what the server says
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "milter")]
    smtp: Option<HostPort>,

    /// Send from ADDRESS, the envelope's sender
    #[arg(long, value_name = "ADDRESS", default_value = "sender@example.org")]
    from: String,

    /// Send to ADDRESS; may be repeated
    #[arg(long, value_name = "ADDRESS", default_value = "recipient@example.org")]
    to: Vec<String>,

    /// Say PARAMETER with MAIL, as BODY=7BIT; without it, what the message needs
    #[arg(long, value_name = "PARAMETER")]
    mail_parameter: Vec<String>,

    /// Offer VERSION of the milter protocol, 2 to 6
    #[arg(long, value_name = "VERSION", default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=6))]
    milter_protocol: u32,

    /// Print one JSON object a message
    #[arg(long)]
    json: bool,

    /// Say on stderr what the milter asked for
    #[arg(short, long)]
    verbose: bool,

    /// Send these messages, a file each; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// A message and what came of it, for `--json`.
#[derive(Serialize)]
struct ProbeLine<'a> {
    file: &'a str,
    verdict: &'a str,
    requests: &'a [String],
    message: String,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let worst = match (&args.milter, &args.smtp) {
        (Some(socket), _) => by_milter(&args, socket)?,
        (None, Some(at)) => by_smtp(&args, at)?,
        (None, None) => None,
    };
    worst.map_or(Ok(()), |exit| Err(Failure::told(exit)))
}

/// Shows all messages to a milter; returns the exit code of the worst.
fn by_milter(args: &Args, socket: &SocketAddress) -> Result<Option<Exit>, Failure> {
    let mut milter = Milter::start(socket, args.milter_protocol).map_err(unavailable)?;
    let worst = try_all(args, |message, number| {
        let envelope = envelope(args, &message);
        milter.message(message, &envelope, number).map_err(unavailable)
    })?;
    milter.quit();
    Ok(worst)
}

/// Sends all messages to a server; returns the exit code of the worst. No message comes back, so that none is printed.
fn by_smtp(args: &Args, at: &HostPort) -> Result<Option<Exit>, Failure> {
    let mut server = Server::start(at).map_err(unavailable)?;
    let worst = try_all(args, |message, _| {
        let raw = with_crlf(&message.octets());
        let sent = ProbeMessage { from: &args.from, parameters: &parameters(args, &message), to: &args.to, raw: &raw };
        server.message(&sent).map_err(unavailable)
    })?;
    server.quit();
    Ok(worst)
}

/// Has each message tried, with its number from 0, and reports what came of it; returns the exit code of the worst,
/// none where all were accepted. A failure of `each` ends it.
fn try_all(
    args: &Args,
    mut each: impl FnMut(MtaMessage, usize) -> Result<ProbeResult, Failure>,
) -> Result<Option<Exit>, Failure> {
    let mut worst = None;
    for (number, file) in args.files.iter().enumerate() {
        let tried = each(MtaMessage::read(read_input(file)?), number)?;
        report(args, file, &tried)?;
        worst = worse(worst, tried.exit);
    }
    Ok(worst)
}

/// Returns a message with the line ends that SMTP has.
fn with_crlf(message: &[u8]) -> Vec<u8> {
    let (mut reader, mut out) = (DataReader::chunks(LineEndPolicy::Repair, 0), Vec::new());
    reader.read(message, &mut out);
    reader.finish(&mut out);
    out
}

/// Returns the exit code of two messages: "later" goes before "never", and either before none.
fn worse(worst: Option<Exit>, exit: Option<Exit>) -> Option<Exit> {
    match (worst, exit) {
        (Some(Exit::TempFail), _) | (_, None) => worst,
        (_, exit) => exit,
    }
}

/// Makes the failure (69) of a peer that can't be reached or breaks the protocol.
fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::new(Exit::Unavailable, error)
}

/// Prints what a milter or server said of a message: on stderr as far as the options ask, a refusal in any case; on
/// stdout the JSON object, or the message unless it was refused or went on by SMTP.
fn report(args: &Args, file: &Path, tried: &ProbeResult) -> Result<(), Failure> {
    let name = file.display().to_string();
    if args.verbose {
        tried.requests.iter().for_each(|request| tell(&name, request));
    }
    if args.verbose || tried.exit.is_some() || (args.smtp.is_some() && !args.json) {
        tell(&name, &tried.verdict);
    }
    let mut out = io::stdout().lock();
    let written = if args.json {
        let message = String::from_utf8_lossy(&tried.message).into_owned();
        let line = ProbeLine { file: &name, verdict: &tried.verdict, requests: &tried.requests, message };
        write_shown_json(&mut out, &line)
    } else if tried.exit.is_some() || args.smtp.is_some() {
        Ok(())
    } else if args.files.len() == 1 {
        out.write_all(&tried.message)
    } else {
        out.write_all(&mailbox(&tried.message))
    };
    written.and_then(|()| out.flush()).map_err(|error| Failure::new(Exit::Io, error))
}

/// Says on stderr what was said of a file's message. Both are others' words, and are shown as such; a stderr that can't
/// be written must not change the exit code.
fn tell(file: &str, said: &str) {
    let _ = writeln!(io::stderr(), "{}: {}", Shown(file), Shown(said));
}

/// Writes a message as a mailbox (mboxrd) has it: a `From ` line, quoted ones in the text, an empty line at the end.
fn mailbox(message: &[u8]) -> Vec<u8> {
    let mut out = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n".to_vec();
    out.append(&mut mbox::quote(message.to_vec()));
    out.extend_from_slice(if message.ends_with(b"\n") { b"\n" } else { b"\n\n" });
    out
}

/// Makes the envelope that a milter is shown: sender and recipients of the command line, and the parameters of MAIL.
fn envelope(args: &Args, message: &MtaMessage) -> MtaEnvelope {
    let mut mail = format!("<{}>\0", args.from).into_bytes();
    let needed = parameters(args, message);
    needed.iter().for_each(|parameter| mail.extend_from_slice(format!("{parameter}\0").as_bytes()));
    MtaEnvelope { mail, rcpt: args.to.iter().map(|to| format!("<{to}>\0").into_bytes()).collect() }
}

/// Returns the parameters of MAIL: those of the command line, or without any what the message needs.
fn parameters(args: &Args, message: &MtaMessage) -> Vec<String> {
    if !args.mail_parameter.is_empty() {
        return args.mail_parameter.clone();
    }
    match (message.has_8bit_header(), message.is_8bit()) {
        (true, _) => vec!["BODY=8BITMIME".to_owned(), "SMTPUTF8".to_owned()],
        (false, true) => vec!["BODY=8BITMIME".to_owned()],
        (false, false) => Vec::new(),
    }
}
