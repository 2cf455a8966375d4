//! Mail that is written in another form than it is read in: mailbox files as Maildirs or .eml files, these as mailbox
//! files.
//!
//! A message's octets are the same in every form; what stands around it differs. What one form has and another hasn't
//! is kept:
//! [`beside`](super::beside) says how, of what is known of a message, and [`origin`] of all else. How messages are
//! read, planned ([`letter`]) and written is told by [`mailbox`](super::mailbox).

mod apple_mailbox;
pub mod folder_files;
mod folder_sum;
pub mod letter;
mod mailboxes;
mod options;
pub mod origin;
pub mod pseudo;
pub mod source;
pub mod unplaced_folder;

pub use letter::Way;
pub use mailboxes::{check_place, mailboxes, part, plan};
pub use options::check_options;
pub use origin::{ORIGIN, OriginHead};
pub use source::{FilesRead, SourceMessage, UnreadFile};
