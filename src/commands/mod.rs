//! ASK: the command line, and the commands that look at mail, settings and hosts and leave them alone.

pub mod advise;
pub mod charsets;
pub mod check_config;
pub mod cli;
pub mod dkim2;
pub mod explain;
pub mod filter;
pub mod header;
pub mod help;
mod input;
pub mod iri;
pub mod lines;
pub mod manual;
mod pieces;
pub mod probe;
pub mod profiles;
pub mod review;
pub mod text;
pub mod watch;
