//! To be written.

pub mod socket;
