//! What is said first on a connection to an SMTP next hop: the greeting, EHLO or HELO, and STARTTLS.
//!
//! A next hop may know HELO alone (RFC 5321 §3.2): it answers EHLO by a refusal, or closes the connection, or does
//! both. Then HELO is said, by another connection if need be, in TLS as in plain text, and what the next hop does not
//! offer is lowered, as before any next hop: the message arrives in 7 bits.

use std::net::IpAddr;
use std::sync::Arc;

use tracing::{info, warn};

use super::below::{Below, SharedStream};
use super::line_stream::LineStream;
use super::{Keywords, NextHopError, Reply, Result, Terms};
use crate::config::{HostPort, NextHopTls};
use crate::protocol::smtp::HelloVerb;

/// A connection on which hello was said, and what the server offers.
type Greeted = (LineStream, Keywords);

/// Connects, and encrypts before anything is said; the certificate is always checked.
pub async fn encrypted(at: &HostPort, terms: Terms<'_>) -> Result<Greeted> {
    hello(greeted_in_tls(at, terms), greeted_in_tls(at, terms), at, terms).await
}

/// Connects, encrypts, and reads the greeting.
async fn greeted_in_tls(at: &HostPort, terms: Terms<'_>) -> Result<LineStream> {
    greeted(encrypted_over(Below::connect(at).await?, at, terms, true).await?).await
}

/// Connects in plain text, and encrypts as `next_hop_tls` says: where it must be, with a certificate that is checked;
/// where it may be, with any certificate, or else not at all.
pub async fn plain(at: &HostPort, terms: Terms<'_>) -> Result<Greeted> {
    let (lines, keywords) = in_plain_text(at, terms).await?;
    let offered = keywords.has("STARTTLS");
    match terms.forward.next_hop_tls {
        NextHopTls::Must if !offered => Err(NextHopError::Tls("it does not offer STARTTLS".to_owned())),
        NextHopTls::Must => start_tls(lines, at, terms, true).await,
        NextHopTls::May if offered => match start_tls(lines, at, terms, false).await {
            // Whoever offers STARTTLS and then can't do it gets the mail as if it had not been offered.
            Err(error @ NextHopError::Tls(_)) => {
                warn!(next_hop = %at, "{error}: mail goes to it unencrypted, as next_hop_tls = \"may\" allows");
                in_plain_text(at, terms).await
            }
            started => started,
        },
        NextHopTls::May | NextHopTls::No => Ok((lines, keywords)),
    }
}

/// Connects and says hello in plain text.
async fn in_plain_text(at: &HostPort, terms: Terms<'_>) -> Result<Greeted> {
    hello(greeted_in_plain_text(at), greeted_in_plain_text(at), at, terms).await
}

/// Connects, and reads the greeting.
async fn greeted_in_plain_text(at: &HostPort) -> Result<LineStream> {
    greeted(LineStream::plain(Below::connect(at).await?)).await
}

/// Encrypts a connection that was plain, and says hello anew. Whatever fails on the way is an error of TLS. What the
/// server offered in plain text is forgotten.
async fn start_tls(lines: LineStream, at: &HostPort, terms: Terms<'_>, checked: bool) -> Result<Greeted> {
    let second = async { in_tls(in_plain_text(at, terms).await?.0, at, terms, checked).await };
    hello(in_tls(lines, at, terms, checked), second, at, terms).await.map_err(of_tls)
}

/// Encrypts a connection on which hello was said. Octets behind the answer to STARTTLS are an error, as somebody on the
/// way may have put them there.
async fn in_tls(mut lines: LineStream, at: &HostPort, terms: Terms<'_>, checked: bool) -> Result<LineStream> {
    let told = lines.command("STARTTLS\r\n").await?;
    if !told.is_positive() || lines.below.has_ahead() {
        return Err(NextHopError::Tls(format!("to STARTTLS it said {told}")));
    }
    encrypted_over(lines.below, at, terms, checked).await
}

/// Encrypts a TCP stream. The certificate of the host is `checked` against the system's authorities and those of
/// `next_hop_ca_file`, or not looked at.
async fn encrypted_over(below: Arc<Below>, at: &HostPort, terms: Terms<'_>, checked: bool) -> Result<LineStream> {
    let authorities = terms.forward.next_hop_ca_file.as_deref();
    let stream = terms.tls.encrypt(SharedStream(Arc::clone(&below)), &at.host, checked, authorities).await?;
    Ok(LineStream::encrypted(stream, below))
}

/// Makes of whatever failed an error of TLS.
fn of_tls(error: NextHopError) -> NextHopError {
    match error {
        NextHopError::Tls(_) => error,
        other => NextHopError::Tls(other.to_string()),
    }
}

/// Reads the greeting; one that is not positive is an error.
async fn greeted(mut lines: LineStream) -> Result<LineStream> {
    accepted(lines.reply().await?).map(|_| lines)
}

/// Says hello on the first connection, and returns it with what the server offers. Some close the connection at EHLO,
/// with a word of refusal or without: to such a server HELO is said on the second one, which is opened only then, and
/// where that fails too, the error is that of the first.
async fn hello(
    first: impl Future<Output = Result<LineStream>>,
    second: impl Future<Output = Result<LineStream>>,
    at: &HostPort,
    terms: Terms<'_>,
) -> Result<Greeted> {
    let mut lines = first.await?;
    match ehlo(&mut lines, at, terms).await {
        Err(closed @ NextHopError::Lost(_)) => {
            let mut lines = second.await?;
            let keywords = helo(&mut lines, at, terms).await.map_err(|_| closed)?;
            Ok((lines, keywords))
        }
        said => said.map(|keywords| (lines, keywords)),
    }
}

/// Says EHLO, and HELO to a server that refuses it for good, and returns what it offers. Where HELO fails too, the
/// error has the answer to EHLO; it is that of a lost connection where the server closed it behind that answer.
async fn ehlo(lines: &mut LineStream, at: &HostPort, terms: Terms<'_>) -> Result<Keywords> {
    let told = say(HelloVerb::Ehlo, lines, terms).await?;
    match told.is_permanent() {
        true => helo(lines, at, terms).await.map_err(|error| match error {
            NextHopError::Lost(_) => NextHopError::Lost(format!("it refused EHLO and closed the connection: {told}")),
            _ => refused(&told),
        }),
        false => accepted(told).map(|told| Keywords::of(&told)),
    }
}

/// Says HELO, after which nothing is taken to be offered.
async fn helo(lines: &mut LineStream, at: &HostPort, terms: Terms<'_>) -> Result<Keywords> {
    accepted(say(HelloVerb::Helo, lines, terms).await?)?;
    info!(next_hop = %at, "the next hop does not support EHLO: HELO was used, and mail is sent to it in 7 bits");
    Ok(Keywords::default())
}

/// Says a hello with our name, and returns the reply.
async fn say(verb: HelloVerb, lines: &mut LineStream, terms: Terms<'_>) -> Result<Reply> {
    let name = spoken_name(terms.hostname, lines.below.own_address());
    lines.command(&format!("{} {name}\r\n", verb.name())).await
}

/// Returns a reply that is positive; any other is an error of the greeting.
pub fn accepted(told: Reply) -> Result<Reply> {
    if told.is_positive() { Ok(told) } else { Err(refused(&told)) }
}

fn refused(told: &Reply) -> NextHopError {
    NextHopError::Greeting(told.to_string())
}

/// Returns the name that a hello says: `hostname`, or, where that has no domain, which many servers refuse, the literal
/// of our own address (RFC 5321 §4.1.4).
pub fn spoken_name(hostname: &str, own_address: Option<IpAddr>) -> String {
    match own_address.map(|address| address.to_canonical()) {
        _ if hostname.contains('.') || hostname.starts_with('[') => hostname.to_owned(),
        Some(IpAddr::V6(address)) => format!("[IPv6:{address}]"),
        Some(IpAddr::V4(address)) => format!("[{address}]"),
        None => "[127.0.0.1]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_domain_is_not_said() {
        for (hostname, address, said) in [
            ("mx.example.org", "192.0.2.1", "mx.example.org"),
            ("[192.0.2.9]", "192.0.2.1", "[192.0.2.9]"),
            ("mx", "192.0.2.1", "[192.0.2.1]"),
            ("mx", "2001:db8::1", "[IPv6:2001:db8::1]"),
            ("mx", "::ffff:192.0.2.1", "[192.0.2.1]"),
            ("mx", "", "[127.0.0.1]"),
        ] {
            assert_eq!(spoken_name(hostname, address.parse().ok()), said);
        }
    }
}
