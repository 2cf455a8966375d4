//! DO: the commands and the daemon; the only code with sockets, files, clocks, signals and logs.

pub mod charsets;
pub mod check_config;
pub mod cli;
pub mod convert;
mod decide;
pub mod exit;
pub mod explain;
pub mod filter;
pub mod header;
mod interrupt;
pub mod iri;
pub mod lines;
pub mod logging;
pub mod manual;
mod pieces;
pub mod probe;
pub mod profiles;
mod replace;
pub mod report;
pub mod say;
pub mod serve;
pub mod settings;
pub mod shard;
pub mod stdio;
mod table;
pub mod text;
pub mod undo;
