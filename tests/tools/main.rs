//! The command line and the line tools, as scripts call them.

mod cluster;
mod compare;
mod config;
mod documents;
mod header;
mod inspect;
mod iri;
mod maintainer;
mod manual;
mod package;
mod packaging;
mod picture;
mod random_settings;
mod readers;
mod septet;
mod text;
mod why;
