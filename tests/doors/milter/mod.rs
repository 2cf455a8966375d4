//! The milter door: its protocol by scripts and properties, the daemon by sockets and signals, and real MTAs.

mod daemon;
mod dialogue;
mod fixtures;
mod metrics;
mod miltertest;
mod postfix;
mod reload;
mod requests;
mod sink;
mod try_;
