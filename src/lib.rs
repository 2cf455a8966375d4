//! septet reads mail as spans, decides a list of edits, and applies them where the message came from.
//!
//! The pure core is [`message`] (read), [`rewrite`] (decide) and [`edit`] (apply), over the coders of
//! [`coding`]. [`protocol`] holds the state machines of the doors, [`run`] the doors themselves: only there
//! are sockets, files, clocks, signals and logs. ARCHITECTURE.md has the map.

pub mod coding;
pub mod config;
pub mod edit;
pub mod message;
pub mod protocol;
pub mod rewrite;
pub mod run;
