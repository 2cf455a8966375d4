//! TALK: state machines of the doors, without sockets, files or clocks.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`mbox`] | where messages start in a mailbox file, and its quoting | RFC 4155, mboxrd |
//! | [`milter`] | how an MTA shows a message to a filter, and what the filter may ask for | libmilter, Postfix |

pub mod mbox;
pub mod milter;
