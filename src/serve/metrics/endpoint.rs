//! The socket where `/metrics`, `/health` and the status, `/` and `/status`, are served.
//!
//! **Limits**: [`CONNECTIONS`] at once; one more ends the oldest, so that those who only sit there keep nobody from
//! asking. A connection has [`DEADLINE`] in all, from its first octet to its end, and one request (see
//! [`super::super::http`]).

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::{Metrics, Now};
use crate::config::SocketAddress;
use crate::process::arrival::hostname;
use crate::serve::accept::REFUSED_PAUSE;
use crate::serve::bind::{Accepted, Bound};
use crate::serve::http::{HEAD_LIMIT, HTML, PLAIN, Request, Response, Status};
use crate::serve::shared::Shared;
use crate::serve::status::StatusPage;

/// How many ask at the same time. A scraper, a second one, a load balancer and somebody with curl are four.
const CONNECTIONS: usize = 16;

/// How long a connection may take. Prometheus itself gives up after 10 s.
const DEADLINE: Duration = Duration::from_secs(10);

/// How long is waited for the peer to close first. If octets of it were unread when we close, the system would
/// tell it of an error and might take the answer away from under it.
const FAREWELL: Duration = Duration::from_secs(1);

/// What the answers are made of.
pub type EndpointState = Shared<Arc<Metrics>>;

impl EndpointState {
    /// Answers a request. Only the status is kept from those who ask for another host, as its page shows the settings.
    fn answer(&self, request: &Request) -> Response {
        match &*request.path {
            "/" | "/status" if !self.is_own(&request.host) => Response::line(
                Status::Misdirected,
                &format!("ask for this page by the number of this host, by localhost, or by its name {}", hostname()),
            ),
            "/metrics" => self.metrics(),
            "/health" if *self.stop.borrow() => Response::line(Status::Unavailable, "draining"),
            "/health" => Response::line(Status::Ok, "ok"),
            "/" => self.page(),
            "/status" => Response { status: Status::Ok, content_type: PLAIN, body: self.shown().lines() },
            _ => Response::line(Status::NotFound, "there are /, /status, /metrics and /health"),
        }
    }

    /// Returns `true` if a request asks this host by one of its names, by any number, or by nothing. A name of somebody
    /// else's may lead here all the same (DNS rebinding), and has a browser show his page what ours says.
    fn is_own(&self, host: &str) -> bool {
        let settings = self.settings.borrow();
        let listens = match &settings.config.metrics.listen {
            Some(SocketAddress::Inet(at) | SocketAddress::Inet6(at)) => Some(at.host.as_str()),
            // No browser gets there by a name; of a socket of systemd a unit decides.
            Some(SocketAddress::Unix(_) | SocketAddress::Systemd(_)) => return true,
            None => None,
        };
        let short = hostname().split('.').next();
        let names = [Some("localhost"), Some(hostname()), short, listens];
        host.is_empty()
            || host.parse::<IpAddr>().is_ok()
            || names.into_iter().flatten().any(|name| host.eq_ignore_ascii_case(name))
    }

    /// Returns what the metrics can't count by themselves: memory, and the limits of the settings.
    fn now(&self) -> Now {
        let settings = self.settings.borrow();
        let limits = &settings.config.limits;
        Now { memory: self.memory.held(), memory_limit: limits.memory, connection_limit: limits.connections }
    }

    /// Makes the status of this moment.
    fn shown(&self) -> StatusPage {
        let settings = Arc::clone(&self.settings.borrow());
        StatusPage::now(&self.metrics, &settings, self.now(), *self.stop.borrow())
    }

    /// Answers with the status page, or refuses where its template failed.
    fn page(&self) -> Response {
        let page = self.shown().page();
        page.map_or_else(
            || Response::refusal(Status::Unavailable),
            |body| Response { status: Status::Ok, content_type: HTML, body },
        )
    }

    /// Answers with all metrics as Prometheus reads them. That they can't be written would be a fault of ours.
    fn metrics(&self) -> Response {
        match self.metrics.text(self.now()) {
            Ok(body) => Response { status: Status::Ok, content_type: prometheus::TEXT_FORMAT, body },
            Err(error) => {
                warn!(%error, "the metrics can't be written");
                Response::refusal(Status::Unavailable)
            }
        }
    }
}

/// Serves everybody who connects; it runs until its task is aborted. Where there are too many the oldest connection
/// ends.
pub async fn serve(bound: Bound, source: EndpointState) {
    let mut open: VecDeque<JoinHandle<()>> = VecDeque::new();
    loop {
        match bound.accept().await {
            Ok(accepted) => {
                make_room(&mut open);
                let source = source.clone();
                open.push_back(tokio::spawn(async move { talk(accepted, &source).await }));
            }
            Err(error) => {
                warn!(%error, "can't accept a connection on {}", bound.address());
                sleep(REFUSED_PAUSE).await;
            }
        }
    }
}

/// Ends the oldest connection where there are too many.
fn make_room(open: &mut VecDeque<JoinHandle<()>>) {
    open.retain(|one| !one.is_finished());
    if open.len() >= CONNECTIONS
        && let Some(oldest) = open.pop_front()
    {
        oldest.abort();
    }
}

/// Serves one connection. That it is lost or late is logged at `debug` alone.
async fn talk(accepted: Accepted, source: &EndpointState) {
    let peer = accepted.peer();
    let talked = match accepted {
        Accepted::Tcp(stream, _) => in_time(stream, source).await,
        Accepted::Unix(stream) => in_time(stream, source).await,
    };
    if let Err(error) = talked {
        debug!(%peer, %error, "a connection for metrics was lost");
    }
}

/// Answers one request within [`DEADLINE`]; an error where it takes longer.
async fn in_time<S: AsyncRead + AsyncWrite + Unpin>(stream: S, source: &EndpointState) -> io::Result<()> {
    timeout(DEADLINE, one_request(stream, source)).await.unwrap_or_else(|late| Err(late.into()))
}

/// Answers one request and ends the connection. A peer that leaves before it has asked is not answered; that is no
/// error.
async fn one_request<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, source: &EndpointState) -> io::Result<()> {
    let answer = match read(&mut stream).await? {
        Some(Ok(request)) => source.answer(&request).write(request.head),
        Some(Err(status)) => Response::refusal(status).write(false),
        None => return Ok(()),
    };
    stream.write_all(&answer).await?;
    stream.shutdown().await?;
    // Whether the peer closes in time or not, there is nothing more to say.
    let _ = timeout(FAREWELL, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await;
    Ok(())
}

/// Reads a request; a status where it is refused, and none where the peer left before it was whole.
async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<Option<Result<Request, Status>>> {
    let mut input = Vec::new();
    // The reader takes no more than a head may have, and refuses a head that is not whole by then.
    let mut limited = stream.take(HEAD_LIMIT as u64);
    while limited.read_buf(&mut input).await? > 0 {
        if let Some(read) = Request::read(&input).transpose() {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use tokio::io::duplex;
    use tokio::sync::watch;
    use tokio::time::Instant;

    use super::*;
    use crate::config::{LimitSettings, Settings};
    use crate::serve::memory::Memory;
    use crate::serve::settings::DaemonSettings;

    fn source() -> EndpointState {
        EndpointState {
            metrics: Arc::new(Metrics::new().expect("good names")),
            // What a watch says last is still read when its sender is gone.
            settings: watch::channel(Arc::new(DaemonSettings::new(Settings::default()))).1,
            stop: watch::channel(false).1,
            memory: Arc::new(Memory::new(&LimitSettings::default())),
        }
    }

    fn asked(path: &str, host: &str) -> Status {
        source().answer(&Request { path: path.to_owned(), head: false, host: host.to_owned() }).status
    }

    #[test]
    fn a_page_is_for_those_who_ask_for_this_host() {
        for host in ["", "localhost", "127.0.0.1", "::1", "192.0.2.1", hostname()] {
            assert_eq!(asked("/status", host), Status::Ok, "{host}");
        }
        assert_eq!(asked("/", "evil.example"), Status::Misdirected);
        assert_eq!(asked("/status", "evil.example"), Status::Misdirected);
        assert_eq!(asked("/metrics", "scraped.example"), Status::Ok, "a scraper goes by any name");
        assert_eq!(asked("/health", "balanced.example"), Status::Ok);
    }

    /// Sends octets slowly, and gives when the connection ended, on a clock that jumps.
    fn ends_after(octets: &'static [u8], every: Duration) -> Duration {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(async {
            let (ours, mut theirs) = duplex(64);
            let start = Instant::now();
            let slow = async {
                for octet in octets {
                    sleep(every).await;
                    if theirs.write_all(&[*octet]).await.is_err() {
                        return;
                    }
                }
                std::future::pending().await
            };
            let source = source();
            tokio::select! {
                _ = in_time(ours, &source) => {}
                () = slow => {}
            }
            start.elapsed()
        })
    }

    #[test]
    fn nobody_stays_longer_than_the_deadline() {
        let request = b"GET /health HTTP/1.0\r\nX: 0123456789\r\n\r\n";
        assert_eq!(ends_after(b"", Duration::ZERO), DEADLINE, "silence");
        assert_eq!(ends_after(request, Duration::from_secs(1)), DEADLINE, "an octet a second");
        assert_eq!(ends_after(request, Duration::from_millis(1)), DEADLINE, "an answer that is not taken");
    }
}
