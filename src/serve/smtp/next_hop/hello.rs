//! What is said first on a connection to an SMTP next hop: the greeting, EHLO or HELO, and STARTTLS.
//!
//! A next hop may know HELO alone (RFC 5321 §3.2): it answers EHLO by a refusal, or closes the connection, or does
//! both. Then HELO is said, by another connection if need be, in TLS as in plain text, and what the next hop does not
//! offer is lowered, as before any next hop: the message arrives in 7 bits.

use std::net::IpAddr;
use std::sync::Arc;

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tracing::{info, warn};

use super::below::{Below, SharedStream};
use super::line_stream::LineStream;
use super::terms::Terms;
use super::{Keywords, NextHopError, Reply};
use crate::config::{HostPort, NextHopTls};
use crate::protocol::smtp::HelloVerb;

/// A connection on which hello was said, as lettre takes it.
pub struct Introduced {
    /// What lettre reads and writes.
    pub stream: Box<dyn AsyncTokioStream>,
    /// The stream at the bottom.
    pub below: Arc<Below>,
    /// What the server offers.
    pub keywords: Keywords,
    /// Whether it is encrypted.
    pub encrypted: bool,
}

/// A connection that is encrypted.
type EncryptedLines = LineStream<TlsStream<SharedStream>>;

/// Connects, and encrypts before anything is said; the certificate is always checked. A second connection says HELO to
/// a server that closed the first one at EHLO; where that fails too, the error is that of the first.
pub async fn encrypted(at: &HostPort, terms: Terms<'_>) -> Result<Introduced, NextHopError> {
    let mut lines = greeted_in_tls(at, terms).await?;
    match hello(&mut lines, at, terms).await {
        Err(closed @ NextHopError::Lost(_)) => {
            let mut lines = greeted_in_tls(at, terms).await?;
            let keywords = helo(&mut lines, at, terms).await.map_err(|_| closed)?;
            Ok(introduced(lines, keywords, true))
        }
        said => said.map(|keywords| introduced(lines, keywords, true)),
    }
}

/// Connects, encrypts, and reads the greeting.
async fn greeted_in_tls(at: &HostPort, terms: Terms<'_>) -> Result<EncryptedLines, NextHopError> {
    let below = connect(at).await?;
    let stream = terms.encrypt(SharedStream(Arc::clone(&below)), at, true).await?;
    let mut lines = LineStream::new(stream, below);
    greeting(&mut lines).await?;
    Ok(lines)
}

/// Connects in plain text, and encrypts as `next_hop_tls` says: where it must be, with a certificate that is checked;
/// where it may be, with any certificate, or else not at all.
pub async fn plain(at: &HostPort, terms: Terms<'_>) -> Result<Introduced, NextHopError> {
    let (lines, keywords) = in_plain_text(at, terms).await?;
    let offered = keywords.has("STARTTLS");
    match terms.forward.next_hop_tls {
        NextHopTls::Must if !offered => Err(NextHopError::Tls("it does not offer STARTTLS".to_owned())),
        NextHopTls::Must => start_tls(lines, at, terms, true).await,
        NextHopTls::May if offered => match start_tls(lines, at, terms, false).await {
            // Whoever offers STARTTLS and then can't do it gets the mail as if it had not been offered.
            Err(error @ NextHopError::Tls(_)) => {
                warn!(next_hop = %at, "{error}: mail goes to it unencrypted, as next_hop_tls = \"may\" allows");
                let (lines, keywords) = in_plain_text(at, terms).await?;
                Ok(introduced(lines, keywords, false))
            }
            started => started,
        },
        NextHopTls::May | NextHopTls::No => Ok(introduced(lines, keywords, false)),
    }
}

/// Connects and says hello in plain text; a second connection says HELO to a server that closed the first one at EHLO.
/// Where that fails too, the error is that of the first.
async fn in_plain_text(at: &HostPort, terms: Terms<'_>) -> Result<(LineStream<SharedStream>, Keywords), NextHopError> {
    let mut lines = LineStream::plain(connect(at).await?);
    greeting(&mut lines).await?;
    match hello(&mut lines, at, terms).await {
        // Some close the connection at a word that they don't know, with a word of refusal or without.
        Err(closed @ NextHopError::Lost(_)) => {
            let mut lines = LineStream::plain(connect(at).await?);
            greeting(&mut lines).await?;
            match helo(&mut lines, at, terms).await {
                Ok(keywords) => Ok((lines, keywords)),
                Err(_) => Err(closed),
            }
        }
        said => said.map(|keywords| (lines, keywords)),
    }
}

/// Encrypts a connection that was plain, and says hello anew; a second connection says HELO in TLS to a server that
/// closed the first one at EHLO there. Whatever fails on the way is an error of TLS, and where HELO fails too, that of
/// the first. What the server offered in plain text is forgotten.
async fn start_tls(
    lines: LineStream<SharedStream>,
    at: &HostPort,
    terms: Terms<'_>,
    checked: bool,
) -> Result<Introduced, NextHopError> {
    let mut lines = in_tls(lines, at, terms, checked).await?;
    match hello(&mut lines, at, terms).await {
        Err(closed @ NextHopError::Lost(_)) => {
            let (lines, _) = in_plain_text(at, terms).await.map_err(of_tls)?;
            let mut lines = in_tls(lines, at, terms, checked).await?;
            let keywords = helo(&mut lines, at, terms).await.map_err(|_| of_tls(closed))?;
            Ok(introduced(lines, keywords, true))
        }
        said => said.map(|keywords| introduced(lines, keywords, true)).map_err(of_tls),
    }
}

/// Encrypts a connection on which hello was said. Octets behind the answer to STARTTLS are an error, as somebody on the
/// way may have put them there.
async fn in_tls(
    mut lines: LineStream<SharedStream>,
    at: &HostPort,
    terms: Terms<'_>,
    checked: bool,
) -> Result<EncryptedLines, NextHopError> {
    let told = lines.command("STARTTLS\r\n").await.map_err(of_tls)?;
    if !told.is_positive() || lines.below().has_ahead() {
        return Err(NextHopError::Tls(format!("to STARTTLS it said {told}")));
    }
    let below = lines.into_below();
    let stream = terms.encrypt(SharedStream(Arc::clone(&below)), at, checked).await?;
    Ok(LineStream::new(stream, below))
}

/// Makes of whatever failed an error of TLS.
fn of_tls(error: NextHopError) -> NextHopError {
    NextHopError::Tls(error.to_string())
}

async fn connect(at: &HostPort) -> Result<Arc<Below>, NextHopError> {
    let stream = TcpStream::connect((at.host.as_str(), at.port)).await.map_err(NextHopError::Connect)?;
    stream.set_nodelay(true).map_err(NextHopError::Connect)?;
    Ok(Arc::new(Below::new(stream)))
}

/// Reads the greeting; one that is not positive is an error.
async fn greeting<S: AsyncRead + AsyncWrite + Unpin>(lines: &mut LineStream<S>) -> Result<(), NextHopError> {
    accepted(lines.reply().await?).map(drop)
}

/// Says EHLO, and HELO to a server that refuses it for good, and returns what it offers. Where HELO fails too, the
/// error has the answer to EHLO; it is that of a lost connection where the server closed it behind that answer.
async fn hello<S>(lines: &mut LineStream<S>, at: &HostPort, terms: Terms<'_>) -> Result<Keywords, NextHopError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
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
async fn helo<S>(lines: &mut LineStream<S>, at: &HostPort, terms: Terms<'_>) -> Result<Keywords, NextHopError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    accepted(say(HelloVerb::Helo, lines, terms).await?)?;
    info!(next_hop = %at, "the next hop does not support EHLO: HELO was used, and mail is sent to it in 7 bits");
    Ok(Keywords::default())
}

/// Says a hello with our name, and returns the reply.
async fn say<S>(verb: HelloVerb, lines: &mut LineStream<S>, terms: Terms<'_>) -> Result<Reply, NextHopError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let name = spoken_name(terms.hostname, lines.below().own_address());
    lines.command(&format!("{} {name}\r\n", verb.name())).await
}

/// Returns a reply that is positive; any other is an error of the greeting.
fn accepted(told: Reply) -> Result<Reply, NextHopError> {
    if told.is_positive() { Ok(told) } else { Err(refused(&told)) }
}

fn refused(told: &Reply) -> NextHopError {
    NextHopError::Greeting(told.to_string())
}

/// Makes a connection on which hello was said one that lettre can have.
fn introduced<S>(lines: LineStream<S>, keywords: Keywords, encrypted: bool) -> Introduced
where
    S: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug + 'static,
{
    let below = Arc::clone(lines.below());
    Introduced { stream: Box::new(lines.introduced()), below, keywords, encrypted }
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
        let here = |text: &str| text.parse().ok();
        for (hostname, address, said) in [
            ("mx.example.org", "192.0.2.1", "mx.example.org"),
            ("[192.0.2.9]", "192.0.2.1", "[192.0.2.9]"),
            ("mx", "192.0.2.1", "[192.0.2.1]"),
            ("mx", "2001:db8::1", "[IPv6:2001:db8::1]"),
            ("mx", "::ffff:192.0.2.1", "[192.0.2.1]"),
            ("mx", "", "[127.0.0.1]"),
        ] {
            assert_eq!(spoken_name(hostname, here(address)), said);
        }
    }
}
