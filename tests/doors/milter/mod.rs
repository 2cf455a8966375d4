//! The milter door: its protocol by scripts and properties, the daemon by sockets and signals, and real MTAs.

mod daemon;
mod dialogue;
mod faults;
mod fixtures;
mod lifecycle;
mod limits;
mod messages;
mod metrics;
mod miltertest;
mod mta;
mod reload;
mod requests;
mod tcp;
mod try_;
