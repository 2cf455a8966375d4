//! TOML to settings that are ready for use, or every fault with its file, line, key and a hint.
//!
//! The layers, each over the one before: the defaults, the main file, the files of conf.d in the order of
//! their names, the environment, the command line. [`tree`] lays them over each other, and keeps of every
//! value where it was made; [`keys`] is how a section names its keys, once for reading, printing and
//! checking. Files are read, and variables fetched, by [`crate::run`]: nothing here does I/O.
//!
//! | module | table |
//! |---|---|
//! | [`settings`] | the root's own keys, and all of it together |
//! | [`limits`], [`action`] | `[limits]` |
//! | [`listener`], [`socket`], [`access`] | `[[listener]]` |
//! | [`profile`] | `[profile.NAME]` |
//! | [`rule`], [`pattern`] | `[[rule]]` |
//! | [`service`] | `[skip]`, `[log]`, `[metrics]` |

pub mod access;
pub mod action;
pub mod environment;
pub mod fault;
pub mod keys;
pub mod limits;
pub mod listener;
pub mod near;
pub mod parse;
pub mod pattern;
pub mod profile;
pub mod quantity;
pub mod reader;
pub mod rule;
pub mod service;
pub mod setting;
pub mod settings;
pub mod socket;
pub mod tree;
pub mod writer;

pub use access::{Access, Mode};
pub use action::{Action, Actions};
pub use environment::SetOption;
pub use fault::{Fault, Faults, Origin};
pub use limits::Limits;
pub use listener::{Listener, Protocol};
pub use parse::Source;
pub use rule::{MessageContext, Rule};
pub use service::{Level, Log, LogFormat, Metrics, Skip};
pub use settings::Settings;
pub use socket::SocketAddress;
