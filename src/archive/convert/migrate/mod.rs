//! Mail that is written in another form than it is read in: mailbox files as Maildirs or .eml files, these as mailbox files.
//!
//! A message's octets are the same in every form; what stands around it differs. What one form has and another hasn't is kept:
//! [`flags`] says how, of what was done with a message, [`envelope`] of From_ lines, and [`origin`] of all else. How messages are
//! read, planned ([`letter`]) and written is told by [`mailbox`](super::mailbox).

mod apple;
mod envelope;
mod flags;
pub mod folder_out;
mod folder_sum;
pub mod letter;
mod mailboxes;
mod mh_marks;
pub mod origin;
pub mod pseudo;
pub mod source;

pub use self::mailboxes::{check_options, check_place, part, plan};
pub use self::origin::ORIGIN;
