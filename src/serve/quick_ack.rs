//! A TCP connection that acknowledges at once.
//!
//! Neither Postfix nor Sendmail sets TCP_NODELAY towards a milter, and a milter that asked not to be waited for sends
//! nothing back for the acknowledgement to travel with. So the MTA's second write waits until its first one is
//! acknowledged (Nagle), and the system here delays that by some 40 ms: 44 ms a message, on loopback too. What helps
//! is to acknowledge what was read. Linux forgets the option by itself, so it is set after every read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A TCP connection that acknowledges at once.
#[derive(Debug)]
pub struct QuickAck(pub TcpStream);

impl AsyncRead for QuickAck {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.0).poll_read(context, buffer));
        // Where a system has no such option the MTA waits, and nothing else is wrong.
        #[cfg(target_os = "linux")]
        let _ = self.0.set_quickack(true);
        Poll::Ready(read)
    }
}

impl AsyncWrite for QuickAck {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
