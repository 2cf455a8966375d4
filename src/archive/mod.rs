//! CONVERT ARCHIVES: mailboxes, Maildirs and .eml files, with reports, undo files, shards, locks and places on the disk.

pub mod convert;
pub mod interrupt;
pub mod mailbox_lock;
pub mod replace;
pub mod report;
pub mod shard;
pub mod undo;
pub mod untrue;
