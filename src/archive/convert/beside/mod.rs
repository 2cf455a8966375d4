//! What is known of a message besides its octets: read, flagged, answered; keywords; who it is from, and when it came.
//!
//! Each format says that elsewhere: in the name of a file, in a file beside the messages, in fields, in a list behind a
//! message.
//! [`MessageMarks`] is what all of them say, [`table`] how each of them says a flag, and a file here reads, and where
//! mail is written in that format writes, one of them:
//!
//! | file | reads | writes |
//! |---|---|---|
//! | [`maildir`] | the letters of a name, `dovecot-keywords` | both |
//! | [`fields`] | `Status`, `X-Status`; Thunderbird's `X-Mozilla-Status` and `X-Mozilla-Keys` | these |
//! | [`imap_base`] | `X-Keywords`, of the names in `X-IMAPbase` | a value that stands there |
//! | [`gmail`] | `X-Gmail-Labels` of a Google Takeout | - |
//! | [`mh`], [`sylpheed`] | `.mh_sequences`, `.sylpheed_mark` | - |
//! | [`apple`] | the flags behind a message of Apple Mail | - |
//! | [`envelope`] | when a message says that it came | a From_ line |
//!
//! What the new place of a message can't say is no silent loss: [`loss`] counts it by name.

pub mod apple;
pub mod envelope;
pub mod fields;
pub mod gmail;
pub mod imap_base;
pub mod loss;
pub mod maildir;
pub mod marks;
pub mod mh;
pub mod sylpheed;
pub mod table;

pub use imap_base::KnownKeywords;
pub use loss::{Loss, Losses};
pub use maildir::KeywordLetters;
pub use marks::MessageMarks;
