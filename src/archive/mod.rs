//! CONVERT ARCHIVES: mailboxes, Maildirs and .eml files, with reports, undo files, shards, locks and places on the
//! disk.

pub mod convert;
pub mod decisions;
mod file_error;
mod folder;
pub(crate) mod interrupt;
mod json_octets;
pub(crate) mod mailbox_lock;
mod maildir_name;
pub mod read_through;
pub(crate) mod replace;
pub mod report;
pub mod sha256;
pub mod shard;
mod size_argument;
pub(crate) mod sums;
pub mod undo;
pub(crate) mod untrue;
