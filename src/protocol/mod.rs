//! TALK: state machines of the doors, without sockets, files or clocks.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`mbox`] | where messages start in a mailbox file, and its quoting | RFC 4155, mboxrd |

pub mod mbox;
