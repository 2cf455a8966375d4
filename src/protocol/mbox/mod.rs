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
//! Four dialects are about, and a file does not say which it is. septet reads and writes **mboxrd**: in the
//! content, a line of any number of `>` and then `From ` has one more `>` than the message has. That is the only
//! quoting that can be undone. The others are read tolerantly:
//!
//! - *mboxo* quotes only `From ` itself. Its `>From ` reads the same; what was `>From ` in the message can't be told.
//! - *mboxcl* and *mboxcl2* count octets in Content-Length, the latter without quoting. The count is often wrong in
//!   files that have been edited, so it is not believed; an unquoted line of the body must look like a
//!   From_ line to be taken for one, and stays unquoted when it doesn't.
//!
//! What a change sets free is quoted in every dialect (see [`Item::rewritten`]). What counts as a From_ line stands in [`Splitter`]. Line ends may be LF, CRLF or mixed, the last line may lack one, and
//! NUL is an octet like any other.
//!
//! Nothing here fails, and everything is linear. The [`Splitter`] holds at most [`LOOK`] octets and a few more; how
//! much of a message is held is up to the caller.

mod from_line;
mod item;
mod quote;
mod split;

#[cfg(test)]
mod tests;

pub use from_line::{LOOK, first_message};
pub use item::Item;
pub use quote::{quote, unquote};
pub use split::Splitter;
