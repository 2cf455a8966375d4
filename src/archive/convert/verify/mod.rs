//! `--verify`: what was written is read again before it takes its place, and must be what was planned, octet for octet.
//!
//! The output is closed by then, and is read from its file. What the writer made of each planned message (quoted,
//! counted, with its flags) is summed up where it is made ([`WrittenSum`]), and what is read back must have that sum.
//! Where it has another, and where the beginning was written by a run that was interrupted, the messages are planned
//! again, and those that differ are named. Besides, programs that part a mailbox file by another rule must find as many
//! messages as before ([`plain_starts`]).
//!
//! What a message means is not judged here: each plan is proved when it is made, and mail-parser sees the same parts
//! before and after ([`rewrite`](crate::rewrite)). This finds what that proof can't: octets that went wrong between the
//! plan and the disk, and messages that were lost or doubled.

mod mismatch;
pub mod plain_starts;
mod written_sum;

pub use mismatch::VerifyFaults;
pub use written_sum::WrittenSum;

/// What is said of octets that are not those that were planned.
pub const OTHER: &str = "other octets were written";
