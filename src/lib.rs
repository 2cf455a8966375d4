//! The program septet: its commands, its daemon and its files, over the library `septet`.
//!
//! It is a library for its own tests alone, and promises nothing to others.

// A module's overview names its private parts too: links for `cargo doc --document-private-items`.
#![allow(rustdoc::private_intra_doc_links)]

pub mod archive;
pub mod commands;
pub mod process;
pub mod serve;

pub use septet::{coding, config, edit, face, message, protocol, rewrite};
