//! What a connection to a next hop needs beside its address.

use std::time::Duration;

use tokio_rustls::client::TlsStream;

use super::NextHopError;
use super::below::SharedStream;
use super::tls::TlsCache;
use crate::config::{Forward, HostPort};

/// How long a server that broke a connection off is listened to: what it said came before.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a connection needs beside its address.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The keys of the listener.
    pub forward: &'a Forward,
    /// The name in EHLO.
    pub hostname: &'a str,
    /// The parameters of TLS that were made already.
    pub tls: &'a TlsCache,
}

impl Terms<'_> {
    /// Encrypts a connection to a host. Its certificate is `checked` against the system's authorities and those of
    /// `next_hop_ca_file`, or not looked at.
    pub async fn encrypt(
        &self,
        stream: SharedStream,
        at: &HostPort,
        checked: bool,
    ) -> Result<TlsStream<SharedStream>, NextHopError> {
        self.tls.encrypt(stream, &at.host, checked, self.forward.next_hop_ca_file.as_deref()).await
    }
}
