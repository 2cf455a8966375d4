//! MIME parameters, both ways (RFC 2045 §5.1, RFC 2231 §3, §4).
//!
//! One parameter may stand in many sections: `filename*0*=utf-8''Gr%C3%BC; filename*1=n.pdf`. [`sections`] splits a
//! field's value into them. Two readers put them together, by the same rules and the same code:
//!
//! * [`Sections::value`] returns the octets of one parameter, for what machines compare: a boundary, a charset;
//! * [`read()`] returns all of them as texts in their charsets, for what people read: a file name.
//!
//! The rules: sections are sorted by number whatever their order; of two with one number the first counts; percent
//! sections and plain ones may be mixed; octets are joined before a charset is undone, since a character may be cut
//! between two sections. Comments outside of quotes are dropped, and the charset mark of a first section. A plain
//! parameter beside an extended one is another one of the same name ([`ParameterForm`]); machines are told the plain
//! one.
//!
//! # What real mail writes
//!
//! RFC 2047 words in a quoted value or a plain section, raw 8-bit, an extended value in quotes or without its charset,
//! white space in a value without quotes, two parameters without a `;` between. All of these are read. A quote that
//! opens a value and never closes takes everything up to the field's end. [`Parameter::conformity`] says how well a
//! text was written. A section that is missing makes a text unreadable ([`ParameterError::Gap`]): what stands after the
//! gap would otherwise be lost. [`Sections::value`] steps over the gap.
//!
//! Readers agree on what is right and differ on what is not: [`irregular`](crate::message::irregular) says which forms
//! are which, and `fixtures/coding/parameters.tsv` has a row for every case.
//!
//! # Writing
//!
//! [`write()`] gives the percent form of RFC 2231 in as many sections as the lines need, or the plain form where
//! the text is ASCII.
//!
//! **Limits:** none of its own; 10,000 sections are read in the time of sorting them.

mod charset;
mod field_head;
mod read;
mod section;
mod section_name;
mod value;
mod write;

pub(in crate::message) use charset::half_encoded;
pub(in crate::message) use field_head::FieldHead;
pub use field_head::sections;
pub use read::{Parameter, ParameterError, ParameterForm, read};
pub use section::{Flaw, Section, Sections};
pub(in crate::message) use section_name::{NameForm, SectionName};
pub use section_name::{base, is_machine};

pub(in crate::message) use value::{ExtendedHead, has_whole_percents};
pub use value::{percent_decode, unquote};
pub use write::{plain, quote, quoted, write};
