//! TOML to settings that are ready for use, or every fault with its file, line, key and a hint.
//!
//! The layers, each over the one before: the defaults, the main file, the files of conf.d in the order of
//! their names, the environment, the command line. Each is a `Source` of the crate `config` ([`layers`],
//! [`environment`]), and all become one tree of its `Value`s. Every value says where it was made: [`toml_lines`], our
//! `Format`, knows file and line; a variable's value has `environment SEPTET_LIMITS__PARTS`, an option's
//! `--set limits.parts`. Files are read, and variables fetched, by `process/settings.rs`: nothing here does I/O.
//!
//! The tree is not given to serde, which stops at the first fault, takes "7" for 7 and loses the lines. It is walked:
//! [`keys`] is how a section names its keys, once for reading ([`reader`]), printing ([`mod@print`]) and checking;
//! [`setting`] is what a key may hold. So one run tells every fault, each with a place and a hint, and whatever isn't a
//! key is one. `config`'s builder isn't used for a like reason: see [`layers`].
//!
//! | module | table |
//! |---|---|
//! | [`settings`], [`mod@print`], [`excerpt`] | the root's own keys, and all of it together |
//! | [`limits`], [`action`] | `[limits]` |
//! | [`listener`], [`socket`], [`access`], [`forward`], [`next_hop`] | `[[listener]]` |
//! | [`profile`] | `[profile.NAME]` |
//! | [`rule`], [`pattern`] | `[[rule]]` |
//! | [`service`] | `[skip]`, `[log]`, `[metrics]` |

pub mod access;
pub mod action;
pub mod conformance;
pub mod environment;
pub mod excerpt;
pub mod fault;
pub mod forward;
pub mod keys;
pub mod layers;
pub mod limits;
pub mod listener;
pub mod near;
pub mod next_hop;
pub mod pattern;
pub mod print;
pub mod profile;
pub mod quantity;
pub mod reader;
pub mod rule;
pub mod service;
pub mod setting;
pub mod settings;
pub mod socket;
pub mod toml_lines;
pub mod value;

pub use access::{Access, Mode};
pub use action::{Action, Actions, Forged, OnLimit};
pub use environment::SetOption;
pub use fault::{SettingError, SettingErrors, SettingOrigin};
pub use forward::{Aliases, BareLineEnds, Forward, NextHopAuth, NextHopTls, NonAsciiAddress, When};
pub use limits::LimitSettings;
pub use listener::{ListenAddress, Listener, Protocol};
pub use next_hop::NextHop;
pub use quantity::Size;
pub use reader::Findings;
pub use rule::{MessageContext, Rule};
pub use service::{Level, Log, LogFormat, MetricsSettings, Skip};
pub use settings::{Settings, UnknownProfileError};
pub use socket::{HostPort, SocketAddress};
pub use toml_lines::SettingsFile;
