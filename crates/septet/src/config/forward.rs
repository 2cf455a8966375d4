//! The keys of a `[[listener]]` that forwards: where to, how, and what is done for a next hop that can't take all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::config::Value;
use serde::{Deserialize, Serialize};

use super::keys::{Keys, SettingsTable, names};
use super::limits::connections;
use super::next_hop::NextHop;
use super::pattern::{ClientPattern, refuse_names};
use super::quantity::Size;
use super::reader::Findings;
use super::setting::{Setting, strings, words};
use super::socket::SocketAddress;
use super::value::join;

strings!(NextHop);
words!(NextHopTls, NextHopAuth, When, NonAsciiAddress, BareLineEnds);

/// Whether the connection to an SMTP next hop is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NextHopTls {
    /// Never, but for `smtps:`.
    No,
    /// By STARTTLS where the next hop offers it; its certificate is not checked.
    May,
    /// By STARTTLS always; its certificate is checked.
    Must,
}

/// How septet logs in at a next hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NextHopAuth {
    /// By PLAIN where it is offered, else by LOGIN.
    Auto,
    /// By PLAIN alone (RFC 4616).
    Plain,
    /// By LOGIN alone, which Microsoft offers.
    Login,
    /// By XOAUTH2, with a token.
    Xoauth2,
}

/// Which mail is rewritten on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// All of it, by the profile that rules and listener choose.
    Always,
    /// Only what the next hop could not take as it is.
    Needed,
}

/// What becomes of an address with a local part outside ASCII when the next hop has no SMTPUTF8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NonAsciiAddress {
    /// An address of the envelope is refused: `550 5.6.7` (RFC 6531 §3.5). In the header it is written as RFC 6857 has
    /// it, unless the profile says otherwise.
    Reject,
    /// Its entry in `[alias]` stands for it; without one it is treated as by `reject`.
    Alias,
    /// In the header it is written as RFC 6857 has it; in the envelope, as `alias`.
    Rfc6857,
    /// In the header it is written as RFC 6858 has it; in the envelope, as `alias`.
    Rfc6858,
}

/// What becomes of a CR or LF that stands alone in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BareLineEnds {
    /// The message is refused: others may take such an octet for the end of a line, or of the message.
    Reject,
    /// It becomes CR LF.
    Repair,
}

/// The keys of a listener that forwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forward {
    /// Where mail goes, in the order in which they are tried; must be given.
    pub next_hop: Option<Vec<NextHop>>,
    /// Whether the connection is encrypted; `may` by default.
    pub next_hop_tls: NextHopTls,
    /// A file of certificates (PEM) that are trusted beside the system's.
    pub next_hop_ca_file: Option<PathBuf>,
    /// The name to log in with there; nobody logs in by default.
    pub next_hop_user: Option<String>,
    /// The file that holds the password for it, on its first line.
    pub next_hop_password_file: Option<PathBuf>,
    /// The file that holds a token for it, on its first line, in the place of a password.
    pub next_hop_token_file: Option<PathBuf>,
    /// How septet logs in; `auto` by default, with a token `xoauth2`.
    pub next_hop_auth: Option<NextHopAuth>,
    /// Connections to next hops at once; 100 by default, 1,048,576 at the most.
    pub next_hop_connections: usize,
    /// How long a next hop may take for an answer; 100 seconds by default.
    pub next_hop_time: Duration,
    /// How long it may take for the answer to a message; 580 seconds by default.
    pub next_hop_end_time: Duration,
    /// Which mail is rewritten; `always` by default.
    pub when: When,
    /// What becomes of an address with a local part outside ASCII; `reject` by default.
    pub non_ascii_address: NonAsciiAddress,
    /// How long a message may take from MAIL to its last dot; an hour by default.
    pub message_time: Duration,
    /// The least octets a second, on average, in which its content must come; 500 by default, as Postfix's
    /// `smtpd_min_data_rate`.
    pub min_data_rate: Size,
    /// Whether trusted clients say by the PROXY protocol for whom they connect; they don't by default.
    pub proxy_protocol: bool,
    /// What becomes of a CR or LF alone; `reject` by default.
    pub bare_line_ends: BareLineEnds,
    /// Clients whose XFORWARD and XCLIENT are believed; none by default.
    pub trusted: Option<Vec<ClientPattern>>,
    /// The name that septet goes by on this listener's way; that of all listeners by default.
    pub hostname: Option<String>,
}

impl Default for Forward {
    fn default() -> Forward {
        Forward {
            next_hop: None,
            next_hop_tls: NextHopTls::May,
            next_hop_ca_file: None,
            next_hop_user: None,
            next_hop_password_file: None,
            next_hop_token_file: None,
            next_hop_auth: None,
            next_hop_connections: 100,
            next_hop_time: Duration::from_secs(100),
            next_hop_end_time: Duration::from_secs(580),
            when: When::Always,
            non_ascii_address: NonAsciiAddress::Reject,
            message_time: Duration::from_secs(3600),
            min_data_rate: Size(500),
            proxy_protocol: false,
            bare_line_ends: BareLineEnds::Reject,
            trusted: None,
            hostname: None,
        }
    }
}

impl SettingsTable for Forward {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("next_hop", &mut self.next_hop);
        keys.key("next_hop_tls", &mut self.next_hop_tls);
        keys.key("next_hop_ca_file", &mut self.next_hop_ca_file);
        keys.key("next_hop_user", &mut self.next_hop_user);
        keys.key("next_hop_password_file", &mut self.next_hop_password_file);
        keys.key("next_hop_token_file", &mut self.next_hop_token_file);
        keys.key("next_hop_auth", &mut self.next_hop_auth);
        keys.key("next_hop_connections", &mut connections(&mut self.next_hop_connections));
        keys.key("next_hop_time", &mut self.next_hop_time);
        keys.key("next_hop_end_time", &mut self.next_hop_end_time);
        keys.key("when", &mut self.when);
        keys.key("non_ascii_address", &mut self.non_ascii_address);
        keys.key("bare_line_ends", &mut self.bare_line_ends);
        keys.key("message_time", &mut self.message_time);
        keys.key("min_data_rate", &mut self.min_data_rate);
        keys.key("proxy_protocol", &mut self.proxy_protocol);
        keys.key("trusted", &mut self.trusted);
        keys.key("hostname", &mut self.hostname);
    }
}

impl Forward {
    /// Returns the next hops, in the order in which they are tried.
    pub fn next_hops(&self) -> &[NextHop] {
        // A listener that does not forward has none.
        self.next_hop.as_deref().unwrap_or_default()
    }

    /// Lists the files that are read to reach a next hop, each with its key.
    pub fn files(&self) -> [(&'static str, Option<&Path>); 3] {
        [
            ("next_hop_ca_file", self.next_hop_ca_file.as_deref()),
            ("next_hop_password_file", self.next_hop_password_file.as_deref()),
            ("next_hop_token_file", self.next_hop_token_file.as_deref()),
        ]
    }

    /// Returns the name to log in with, and the file of the secret for it, the token's before the password's; none
    /// where nobody logs in.
    pub fn login(&self) -> Option<(&str, &Path)> {
        let file = self.next_hop_token_file.as_deref().or(self.next_hop_password_file.as_deref());
        self.next_hop_user.as_deref().zip(file)
    }

    /// Returns how septet logs in.
    pub fn auth(&self) -> NextHopAuth {
        let by_default = if self.next_hop_token_file.is_some() { NextHopAuth::Xoauth2 } else { NextHopAuth::Auto };
        self.next_hop_auth.unwrap_or(by_default)
    }

    /// Adds a fault for each of these keys that is set, for the listener at `path` does not forward.
    pub(super) fn refuse(path: &str, found: &mut Findings) {
        let paths = names(&mut Forward::default()).into_iter().map(|key| join(path, key));
        for path in paths.filter(|path| found.origins.contains_key(path)).collect::<Vec<String>>() {
            let what = "only a listener that forwards has one; write protocol = \"smtp\" or \"lmtp\" beside it";
            found.fault(&path, what.to_owned());
        }
    }

    /// Adds the faults of these keys together, for the listener at `path` that forwards what comes by `socket`.
    pub(super) fn check(&self, path: &str, socket: &SocketAddress, found: &mut Findings) {
        let next_hop = join(path, "next_hop");
        match self.next_hops() {
            // What could not be read is there, and has a fault of its own.
            [] if found.is_faulty(&next_hop) => {}
            [] => found.fault(&next_hop, "missing; write where mail goes, as \"smtp:127.0.0.1:10026\"".to_owned()),
            all => match all.iter().find(|one| one.is(socket)) {
                Some(one) => found.fault(&next_hop, format!("{one} is this listener itself: mail would go in circles")),
                None => self.check_lmtp(path, all, found),
            },
        }
        // Without the key, nobody is trusted.
        refuse_names(self.trusted.as_deref().unwrap_or_default(), &join(path, "trusted"), found);
        check_host_name(self.hostname.as_deref(), &join(path, "hostname"), found);
        if self.proxy_protocol && self.trusted.as_ref().is_none_or(Vec::is_empty) {
            let what = "no client is trusted to speak it; write trusted = [\"192.0.2.1\"] with the proxy's address";
            found.fault(&join(path, "proxy_protocol"), what.to_owned());
        }
        if let Some(user) = self.next_hop_user.as_deref().filter(|user| user.contains(char::is_control)) {
            let user = user.escape_debug();
            found
                .fault(&join(path, "next_hop_user"), format!("{user} has a control character, which no user name has"));
        }
        self.check_login(path, found);
    }

    /// Adds a fault if the keys of the login contradict each other, or one is missing; the first that is found. None is
    /// said to be missing while one of them can't be read.
    fn check_login(&self, path: &str, found: &mut Findings) {
        let keys = ["next_hop_user", "next_hop_password_file", "next_hop_token_file", "next_hop_auth"];
        if keys.iter().any(|key| found.is_faulty(&join(path, key))) {
            return;
        }
        let (password, token) = (self.next_hop_password_file.is_some(), self.next_hop_token_file.is_some());
        let wants_token = self.next_hop_auth.map(|auth| auth == NextHopAuth::Xoauth2);
        let (key, what) = match (self.next_hop_user.is_some(), password, token, wants_token) {
            (true, false, false, Some(true)) => {
                ("next_hop_user", "next_hop_auth = \"xoauth2\" wants next_hop_token_file too")
            }
            (true, false, false, _) => ("next_hop_user", "next_hop_user and next_hop_password_file go together"),
            (false, true, _, _) => ("next_hop_password_file", "next_hop_user and next_hop_password_file go together"),
            (false, _, true, _) => ("next_hop_token_file", "next_hop_user and next_hop_token_file go together"),
            (false, _, _, Some(_)) => ("next_hop_auth", "there is no login without next_hop_user"),
            (_, true, true, _) => ("next_hop_token_file", "a password and a token; keep one of the two"),
            (_, true, _, Some(true)) => ("next_hop_auth", "xoauth2 wants next_hop_token_file instead of a password"),
            (_, _, true, Some(false)) => ("next_hop_auth", "a token goes by \"xoauth2\" alone"),
            _ => return,
        };
        found.fault(&join(path, key), what.to_owned());
    }

    /// Adds the faults of keys that want TLS or a login, where a next hop speaks LMTP and so can have neither.
    fn check_lmtp(&self, path: &str, all: &[NextHop], found: &mut Findings) {
        let plain = all.iter().find(|one| !one.may_have_tls());
        if let (Some(plain), NextHopTls::Must) = (plain, self.next_hop_tls) {
            found.fault(&join(path, "next_hop_tls"), format!("{plain} is never reached in TLS"));
        }
        if let (Some(plain), Some(_)) = (plain, &self.next_hop_user) {
            found.fault(&join(path, "next_hop_user"), format!("{plain} has no login: only smtp and smtps do"));
        }
    }
}

/// Adds a fault for a name that no host has.
pub(super) fn check_host_name(name: Option<&str>, path: &str, found: &mut Findings) {
    if let Some(name) = name.filter(|name| !is_host_name(name)) {
        let what =
            "is not the name of a host: write letters, digits, hyphens and dots, as \"mx.example.org\", or [192.0.2.1]";
        found.fault(path, format!("{} {what}", name.escape_debug()));
    }
}

/// Returns `true` if a text can be said in HELO and in replies: it has only octets of a domain in ASCII or of an
/// address literal (RFC 5321 §4.1.3), 255 at the most. Whether it is one is not looked at.
fn is_host_name(name: &str) -> bool {
    let literal = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let signs: &[u8] = if literal.is_some() { b"-._:" } else { b"-._" };
    let name = literal.unwrap_or(name);
    let is_said = name.bytes().all(|octet| octet.is_ascii_alphanumeric() || signs.contains(&octet));
    is_said && !name.is_empty() && name.len() <= 255
}

/// `[alias]`: addresses in ASCII that stand for others where a next hop has no SMTPUTF8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aliases(pub BTreeMap<String, String>);

impl Aliases {
    /// Returns them by the addresses for which they stand, in lower case.
    pub fn in_lower_case(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(address, alias)| (address.to_lowercase(), alias.clone())).collect()
    }
}

impl Setting for Aliases {
    /// Reads the table. What is no address is a fault, also an alias that is not ASCII, and so is an address that
    /// differs from another one only in case, since one of the two aliases would be lost. All are kept: settings with a
    /// fault are never used.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        self.0.read(value, wrong);
        // What is no table has its fault by now, and no entries.
        let entries = value.clone().into_table().unwrap_or_default();
        let mut seen = BTreeSet::new();
        for (address, alias) in &self.0 {
            let at = entries.get(address).unwrap_or(value);
            if !is_address(address) {
                wrong(at, format!("{address:?} is not an address"));
            }
            if !alias.is_ascii() || !is_address(alias) {
                wrong(at, format!("{alias:?} is not an ASCII address"));
            }
            if !seen.insert(address.to_lowercase()) {
                wrong(at, format!("{address:?} stands here twice: case makes no difference"));
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        if self.0.is_empty() { None } else { self.0.write() }
    }
}

/// Returns `true` if a text can be an address with a domain: without angle brackets and route, and with signs and
/// spaces in a quoted local part alone (RFC 5321 §4.1.2). What is quoted is not looked at.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let name = domain.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(|inner| inner.replace(':', "."));
    let is_local = is_quoted || !local.is_empty() && !local.contains(is_special);
    let name = name.as_deref().unwrap_or(domain);
    is_local && !name.is_empty() && !name.contains(is_special) && !text.contains(char::is_control)
}

/// Returns `true` for what stands for itself neither in a local part nor in a domain.
fn is_special(c: char) -> bool {
    c.is_whitespace() || "()<>[]:;@\\,\"".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_can_be_said_in_one_line() {
        for good in ["mx.example.org", "localhost", "my_host-1", "[192.0.2.1]", "[IPv6:2001:db8::1]"] {
            assert!(is_host_name(good), "{good}");
        }
        for bad in ["", "a b", "a\r\n250 x", "bücher.example", "a:25", "[]", "[a b]"] {
            assert!(!is_host_name(bad), "{bad}");
        }
    }
}
