//! MIME parameter values, both ways (RFC 2231 §3, §4).
//!
//! One parameter may stand in many sections: `filename*0*=utf-8''Gr%C3%BC; filename*1=n.pdf`. [`read`] puts them
//! together: sections are sorted by number whatever their order, percent sections and plain ones may be mixed,
//! and octets are joined before the charset is undone, since a character may be cut between two sections.
//!
//! Real mail writes more than the RFC has: RFC 2047 words in a quoted value, raw 8-bit, words that are cut
//! between plain sections, an extended value in quotes or without its charset. All of these are read, and
//! [`Parameter::conforming`] says whether the value was as it should be. A section that is missing makes the
//! value unreadable ([`Fault::Gap`]): what stands after the gap would otherwise be lost.
//!
//! [`write`] gives the percent form of RFC 2231 in as many sections as the lines need, or the plain form where
//! the text is ASCII.
//!
//! **Limits:** none of its own; 10,000 sections are read in the time of sorting them.

mod read;
mod write;

pub use read::{Fault, Parameter, Shape, Text, read, unquote};
pub use write::{plain, quote, write};
