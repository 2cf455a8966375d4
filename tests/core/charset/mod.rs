//! Charsets: every one of them both ways, and what labels mean.

mod properties;
