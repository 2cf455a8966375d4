//! The command line and the line tools, as scripts call them.

mod config;
mod iri;
mod manual;
