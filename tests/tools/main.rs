//! The command line and the line tools, as scripts call them.

mod config;
mod header;
mod iri;
mod manual;
mod packaging;
mod septet;
mod text;
