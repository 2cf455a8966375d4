//! What the daemon runs by: the settings as they were read, and what every message asks of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use super::Args;
use crate::config::settings::Origins;
use crate::config::socket::SocketAddress;
use crate::config::{Forward, ListenAddress, Listener, MessageContext, NextHop, SettingOrigin, Settings};
use crate::process::exit::{Exit, Failure};
use crate::rewrite::Profile;

/// Everything that a reload can change.
#[derive(Debug)]
pub struct DaemonSettings {
    /// The settings as they were read.
    pub config: Settings,
    /// The files that they were read from.
    pub files: Vec<String>,
    /// When they were read.
    pub read: Instant,
    /// Addresses in ASCII that stand for others, by the others in lower case.
    pub aliases: Arc<BTreeMap<String, String>>,
}

/// Lists the files in which keys were set, each once.
fn files(origins: &Origins) -> Vec<String> {
    let files = origins.values().filter_map(|origin| match origin {
        SettingOrigin::File { path, .. } | SettingOrigin::Whole(path) => Some(path.to_string()),
        SettingOrigin::Variable(_) | SettingOrigin::Option(_) => None,
    });
    files.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Makes the listener that `--listen` asks for; one that forwards gets the next hops of `--next-hop`.
fn listener(address: &ListenAddress, next_hops: &[NextHop]) -> Listener {
    let next_hop = (address.protocol.forwards() && !next_hops.is_empty()).then(|| next_hops.to_vec());
    Listener {
        socket: address.socket.clone(),
        protocol: address.protocol,
        forward: Forward { next_hop, ..Forward::default() },
        ..Listener::default()
    }
}

/// Checks the listener of an option for what `--listen` and `--next-hop` can get wrong together: mail that goes in
/// circles, and mail of which nothing says where it goes.
fn check(listener: &Listener) -> Result<(), Failure> {
    let next_hops = listener.forward.next_hops();
    let what = match next_hops.iter().find(|next_hop| next_hop.is(&listener.socket)) {
        Some(own) => format!("{own} is this listener itself: mail would go in circles"),
        None if listener.protocol.forwards() && next_hops.is_empty() => {
            format!("nothing says where the mail of {} goes; add --next-hop smtp:HOST:PORT", listener.socket)
        }
        None => return Ok(()),
    };
    Err(Failure::new(Exit::Usage, what))
}

impl DaemonSettings {
    /// Reads the settings that the command line names, and lets its options go before them: `--listen` replaces all
    /// listeners, `--profile` rules and the profiles of listeners. `[skip]` holds all the same. A reload reads them
    /// anew by this.
    pub fn load(args: &Args) -> Result<DaemonSettings, Failure> {
        let (mut config, origins) = args.config.settings_and_origins()?;
        if !args.listen.is_empty() {
            config.listeners = args.listen.iter().map(|address| listener(address, &args.next_hop)).collect();
            config.listeners.iter().try_for_each(check)?;
            if !args.next_hop.is_empty() && !config.listeners.iter().any(|listener| listener.protocol.forwards()) {
                let what = "--next-hop is for --listen smtp:ADDRESS or lmtp:ADDRESS; a milter forwards nothing";
                return Err(Failure::new(Exit::Usage, what));
            }
        }
        if let Some(name) = &args.profile {
            config.profile_named(name).cloned().map_err(|unknown| Failure::new(Exit::Usage, unknown))?;
            config.rules.clear();
            config.listeners.iter_mut().for_each(|listener| listener.profile = Some(name.clone()));
        }
        config.check_listeners(&origins).map_err(|faults| Failure::new(Exit::BadConfig, faults))?;
        Ok(DaemonSettings { files: files(&origins), ..DaemonSettings::new(config) })
    }

    /// Makes of settings what the daemon runs by.
    pub fn new(config: Settings) -> DaemonSettings {
        let aliases = Arc::new(config.alias.in_lower_case());
        DaemonSettings { config, files: Vec::new(), read: Instant::now(), aliases }
    }

    /// Names the files that set anything, and the default profile, for the log.
    pub fn named(&self) -> String {
        let files = match self.files.as_slice() {
            [] => "the built-in settings".to_owned(),
            files => files.join(", "),
        };
        format!("{files}; default profile {}", self.config.default_profile)
    }

    /// Finds the listener of a socket.
    pub fn listener(&self, socket: &SocketAddress) -> Option<&Listener> {
        self.config.listeners.iter().find(|listener| listener.socket == *socket)
    }

    /// Returns `true` if every message of a listener gets the same profile, and none is skipped, so that nothing has to
    /// be known of one to choose.
    pub fn is_uniform(&self) -> bool {
        self.config.rules.is_empty() && self.config.skip == Default::default()
    }

    /// Chooses the profile of one message, and returns its name in the settings: that of the first rule that matches,
    /// else the listener's; none for a message that `[skip]` lets pass untouched, which goes before all rules.
    pub fn choose<'a>(&'a self, listener: &'a Listener, context: &MessageContext<'_>) -> Option<&'a str> {
        if self.config.skip.applies(context) {
            return None;
        }
        let rule = self.config.rule_for(context);
        Some(rule.map_or_else(|| self.profile_name(listener), |rule| &rule.profile))
    }

    /// Returns the name of the profile that a listener's messages get where no rule says otherwise.
    pub fn profile_name<'a>(&'a self, listener: &'a Listener) -> &'a str {
        listener.profile.as_deref().unwrap_or(&self.config.default_profile)
    }

    /// Returns `true` if a profile that this listener's messages may get fixes or refuses defects, so that they must be
    /// read whatever the next hop takes.
    pub fn minds_defects(&self, listener: &Listener) -> bool {
        self.profiles(listener).any(|profile| !profile.conformance.is_keep())
    }

    /// Returns the profiles that a listener's messages may get.
    fn profiles<'a>(&'a self, listener: &'a Listener) -> impl Iterator<Item = &'a Arc<Profile>> {
        let of_rules = self.config.rules.iter().map(|rule| rule.profile.as_str());
        let names = std::iter::once(self.profile_name(listener)).chain(of_rules);
        names.filter_map(|name| self.config.profile(name))
    }

    /// Returns `true` if header, body, client and sender of this listener's messages have to be known: not when no
    /// profile that they may get can change them. What a next hop can't take is not looked at, though such a profile
    /// may then change them all the same: whoever forwards has to ask for that as well.
    pub fn needs_message(&self, listener: &Listener) -> bool {
        self.profiles(listener).any(|profile| !profile.is_identity())
    }

    /// Returns `true` if the recipients of this listener's messages have to be known, since a rule asks for them.
    pub fn needs_recipients(&self, listener: &Listener) -> bool {
        self.needs_message(listener) && self.config.rules.iter().any(|rule| !rule.recipient.is_empty())
    }
}
