//! The milter: its protocol by scripts and properties, the daemon by sockets and signals, and real MTAs.

pub mod daemon;
mod dialogue;
pub mod faults;
mod fixtures;
mod lifecycle;
mod limits;
mod memory;
mod messages;
mod metrics;
mod miltertest;
mod modifications;
pub mod mta;
mod pressure;
mod probe;
mod reload;
mod tcp;
