//! The grammar of header fields: one lexer, one reader of parameters, one of comments, for every field.
//!
//! What a boundary is decides which parts a message has, and what a charset is decides what its text says. Where two
//! pieces of one program read such a value differently, an attacker shows one thing to the first and another to the
//! second; so there is one reader of each thing, and everything else asks it:
//!
//! | module | reads | source |
//! |---|---|---|
//! | [`lexer`] | white space, comments, quoted-strings, encoded-words, literals, specials | RFC 5322 §3.2, RFC 2045 §5.1 |
//! | [`parameter`] | `name=value`, in sections or not; writes them too | RFC 2045 §5.1, RFC 2231 |
//! | [`content_type`] | a media type and its parameters | RFC 2045 §5 |
//! | [`disposition`] | the first word of a Content-Disposition | RFC 2183 §2 |
//! | [`transfer`] | the token of a Content-Transfer-Encoding | RFC 2045 §6 |
//! | [`address`] | address lists: mailboxes and groups | RFC 5322 §3.4 |
//! | [`authentication`] | what signatures of DKIM and DKIM2 cover, what Authentication-Results say | RFC 6376, RFC 8601 |
//!
//! # Reading what is broken
//!
//! Reading never fails. What breaks the grammar is read as most mail programs read it. Whoever wants to *change*
//! something asks [`irregular`](crate::message::irregular) first: where programs differ, a change that is right for one
//! may be wrong for another. `fixtures/coding/parameters.tsv` decides each case once, with its reason.
//!
//! # Costs
//!
//! Everything is one pass and linear; comments are counted and not recursed into. A Content-Type of a usual
//! shape costs one allocation, the list of its parameters.

pub mod address;
pub mod authentication;
pub mod content_type;
pub mod disposition;
pub mod lexer;
pub mod parameter;
pub mod transfer;
