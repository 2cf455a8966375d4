//! `[skip]`, `[log]` and `[metrics]`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::access::Access;
use super::keys::{Keys, SettingsTable};
use super::pattern::ClientPattern;
use super::reader::Findings;
use super::rule::MessageContext;
use super::setting::words;
use super::socket::SocketAddress;

/// `[skip]`: whose messages pass untouched, whatever the rules say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skip {
    /// Clients by network or name; none by default.
    pub clients: Vec<ClientPattern>,
    /// Whether clients that have authenticated themselves are skipped; they are not by default.
    pub authenticated: bool,
}

impl SettingsTable for Skip {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("clients", &mut self.clients);
        keys.key("authenticated", &mut self.authenticated);
    }
}

impl Skip {
    /// Returns `true` if a message passes untouched.
    pub fn applies(&self, facts: &MessageContext<'_>) -> bool {
        (self.authenticated && facts.authenticated)
            || self.clients.iter().any(|client| client.matches(facts.client_name, facts.client_address))
    }
}

/// How logs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// To the journal when systemd started the daemon, else as text.
    Auto,
    /// Lines of text on stderr.
    Text,
    /// One JSON object a line on stderr.
    Json,
    /// `key=value` on stderr.
    Logfmt,
    /// To the journal.
    Journald,
    /// To the system's log, as RFC 5424 has it, facility mail.
    Syslog,
}

/// The least level that is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

words!(LogFormat, Level);

/// `[log]`: how and how much is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The format; `auto` by default.
    pub format: LogFormat,
    /// The level; `info` by default.
    pub level: Level,
    /// The socket of the system's log; `/dev/log` by default.
    pub syslog_socket: PathBuf,
}

impl Default for Log {
    fn default() -> Log {
        Log { format: LogFormat::Auto, level: Level::Info, syslog_socket: PathBuf::from("/dev/log") }
    }
}

impl SettingsTable for Log {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("format", &mut self.format);
        keys.key("level", &mut self.level);
        keys.key("syslog_socket", &mut self.syslog_socket);
    }
}

/// `[metrics]`: metrics for Prometheus, and a health check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetricsSettings {
    /// Where they are served; nowhere by default.
    pub listen: Option<SocketAddress>,
    /// Whether that may be a socket that other hosts reach; it may not by default.
    pub remote: bool,
    /// Who may connect, where it is a unix socket.
    pub access: Access,
}

impl SettingsTable for MetricsSettings {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("listen", &mut self.listen);
        keys.key("remote", &mut self.remote);
        self.access.keys(keys);
    }
}

impl MetricsSettings {
    /// Adds a fault for a socket that strangers reach, unless that is wanted, and for keys that it can't have.
    pub(super) fn check(&self, found: &mut Findings) {
        let Some(socket) = &self.listen else { return };
        self.access.check("metrics", socket, found);
        if !self.remote && !socket.is_local() {
            let what = format!(
                "{socket} is for other hosts too, and nobody is asked for a password there; \
                 write 127.0.0.1, or remote = true beside it if that is meant"
            );
            found.fault("metrics.listen", what);
        }
    }
}
