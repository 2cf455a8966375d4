//! The mailbox file: where its messages start, and how their lines are quoted.
//!
//! An mbox is messages one after the other. Each has three pieces:
//!
//! ```text
//! From sender@example.org Mon Jan  1 00:00:00 2007     the From_ line
//! Subject: hello                                       the content: header, empty line, body
//!
//! >From here on the line is quoted
//!                                                      the separator: one empty line
//! ```
//!
//! Four dialects are about, and a file does not say which it is: [`Dialect`] tells it by what the file shows.
//!
//! - *mboxrd*: in the content, a line of any number of `>` and then `From ` has one more `>` than the message has. That
//!   is the only quoting that can be undone.
//! - *mboxo* quotes only `From ` itself. What was `>From ` in the message can't be told.
//! - *mboxcl* quotes, and counts the octets of the body in Content-Length.
//! - *mboxcl2* counts, and quotes nothing: its bodies hold From_ lines.
//!
//! MMDF's file is another framing, which [`Dialect::Mmdf`] stands for: lines of four octets 1 around each message.
//!
//! In the first two a message starts at a From_ line, and a Content-Length is not believed: it is a field that any
//! sender may write. In those that count the [`Chain`] follows each count that leads to a From_ line; the others are
//! wrong, as they often are in files that somebody edited, and there the From_ lines decide.
//!
//! What a change sets free is quoted in every dialect that quotes (see [`MboxMessage::rewritten`]), and in a file whose
//! lines were not quoted those stay as they are. What counts as a From_ line stands in [`Splitter`]. Line ends may be
//! LF, CRLF or mixed, the last line may lack one, and NUL is an octet like any other.
//!
//! Nothing here fails, and everything is linear. The [`Splitter`] holds at most [`LOOK`] octets and a few more, and the
//! [`Chain`] an offset for each From_ line in doubt; how much of a message is held is up to the caller.

mod chain;
mod content_length;
mod dialect;
mod doubt;
mod follows;
mod from_line;
mod item;
mod mail_field;
mod mmdf;
mod quote;
mod recognise;
mod split;
mod starts;

#[cfg(test)]
mod tests;

pub use chain::{Chain, LengthTally, span_around};
pub use content_length::body_start;
pub use dialect::Dialect;
pub use doubt::{Doubtful, doubtful};
pub use follows::starts_header;
pub use from_line::{LOOK, first_message};
pub use item::MboxMessage;
pub use mail_field::is_field_of_mail;
pub use mmdf::is_mmdf;
pub use quote::{quote, unquote};
pub use split::Splitter;
pub use starts::{Starts, covered_by_lengths, starts_of};
