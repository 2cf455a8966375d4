//! septet puts the characters of mail right and leaves every other octet alone.
//!
//! Mail still arrives in UTF-7, in ISO-2022-JP, in raw 8-bit without a label, with encoded-words that split a letter
//! in two, with links that end at their first accent. septet reads a message as spans, decides by a [`Profile`] a list
//! of edits, proves that nothing else would change, and returns the list and a [`Report`]. Where the message came from
//! is the caller's matter: the core does no I/O, reads no clock and writes no log.
//!
//! # Quick start
//!
//! ```
//! use septet::{Profile, plan};
//!
//! let raw = b"Subject: =?unicode-1-1-utf-7?Q?Stra+AN8-e?=\r\n\
//!             MIME-Version: 1.0\r\n\
//!             Content-Type: text/plain; charset=utf-7\r\n\
//!             Content-Transfer-Encoding: 7bit\r\n\
//!             \r\n\
//!             5 +IKw-\r\n";
//! let plan = plan(raw, &Profile::default());
//!
//! assert_eq!(
//!     plan.report.to_string(),
//!     "field=Subject word=unicode-1-1-utf-7>utf-8; part=1 body charset=utf-7>utf-8 transfer=7bit>quoted-printable"
//! );
//! let result = String::from_utf8_lossy(&plan.apply(raw).unwrap()).into_owned();
//! assert!(result.starts_with("Subject: =?utf-8?Q?Stra=C3=9Fe?=\r\n"));
//! assert!(result.ends_with("5 =E2=82=AC\r\n"));
//! ```
//!
//! [`plan()`] is total: every input gives a plan, and an empty list of edits means "leave it alone, octet for octet".
//! What should have changed and did not has its [`Reason`]:
//!
//! ```
//! use septet::{Outcome, Profile, Reason, plan};
//!
//! let raw = b"Content-Type: text/plain; charset=x-klingon\n\nQapl\xE1\n";
//! let plan = plan(raw, &Profile::default());
//! assert!(plan.edits.is_empty());
//! let unknown = Reason::UnknownCharset("x-klingon".to_owned());
//! assert_eq!(plan.report.entries[0].outcome, Outcome::Left(unknown));
//! ```
//!
//! # What there is
//!
//! | for | call |
//! |---|---|
//! | a message | [`plan()`], [`Plan::apply`], [`check()`]; [`Profile`] says what is wanted ([`Profile::utf8`], [`Profile::seven_bit`] …), [`Report`] what was done and why |
//! | its parts, fields, texts and files, as they came | [`Message`], [`parts::Part`], [`parts::Field`] |
//! | some of its changes | [`Plan::decisions`], [`Plan::without`], [`Plan::only`] |
//! | a text in any charset, UTF-7 among them | [`text::decode`], [`text::encode`], [`detect`], [`Charset`] |
//! | a header field | [`header::decode`], [`header::decode_addresses`], [`header::decode_parameter`], [`header::encode`] |
//! | a link | [`iri::to_uri`], [`iri::to_iri`], [`iri::find`] |
//! | a mailbox file | [`mbox::Mailbox`] |
//! | profiles from `septet.toml` | [`settings::Profiles`] (feature `settings`) |
//!
//! The feature `html` adds links in pages that only a tree of their elements tells from text; without it these stay,
//! and the report says so. The values of a profile's keys are `Serialize`, and so is a [`Report`], with the keys that
//! `septet convert --report` writes. Who needs characters and no mail takes the package `septet-text`; the program is
//! the package `septet-cli`. The library is built of 59 crates where `cargo update -p idna_adapter --precise 1.1.0`
//! chooses the tables for hosts as septet's own Cargo.lock does, and else of 78.
//!
//! # Words
//!
//! Each is used in one sense throughout.
//!
//! - An **octet** is eight bits of a message, whatever they mean; a *character* is a Unicode scalar value.
//! - A **field** is one header field: name, colon, value, with its folds. A **header** is all fields of one part.
//! - A **part** is the message itself or any MIME entity in it; its **body** is what follows its header. Part 1 is the
//!   message, 1.2 its second child.
//! - A **charset** is a way to write characters as octets; a **label** is a name by which mail calls one. Labels lie,
//!   and one charset has many.
//! - An **encoded-word** is `=?charset?Q?text?=` in a field (RFC 2047); a **parameter** is `name=value` after a `;`,
//!   perhaps in RFC 2231's form.
//! - A **transfer encoding** carries a body's octets over a transport that doesn't take them all: quoted-printable,
//!   base64.
//! - An **IRI reference** is a link as people write it, with any characters; a **URI reference** is one in ASCII
//!   (RFC 3986, RFC 3987).
//! - A **profile** says what is wanted of mail; a **plan** is what that means for one message; a **report** says what
//!   was done, and what was left and why.
//!
//! # Limits and security
//!
//! Mail is written by anybody. No input makes the library panic, take more than linear time, or nest deeper than
//! [`Limits`] allow. A plan that changes anything is proved first: the result is read again by septet's reader, and
//! by another one unless it is one text, and must show the same parts with the meant texts; else the message stays
//! (`left=unproved`).
//! [`check()`] proves any plan so, for those who have changed one, or keep plans for later. The
//! proof is about structure and text; septet does not judge what a message says, and is no scanner for viruses or spam.

// A module's overview names its private parts too: links for `cargo doc --document-private-items`.
#![allow(rustdoc::private_intra_doc_links)]

#[doc(hidden)]
pub mod face;

#[cfg(feature = "settings")]
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod edit;
#[doc(hidden)]
pub mod message;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod rewrite;

#[doc(hidden)]
pub use septet_text as coding;

pub use coding::charset::{Charset, MalformedError};
pub use coding::transfer::TransferEncoding;
pub use edit::{Edit, EditList, Span};
pub use face::parts::Message;
#[cfg(feature = "settings")]
pub use face::settings;
pub use face::{detect, header, iri, mbox, parts, profile, text};
pub use message::{Limits, PartNumber};
pub use rewrite::{
    BodyLabel, Change, CheckError, DecidedPlace, Decision, Entry, Note, OtherMessageError, Outcome, Place, Plan,
    Profile, Reason, Report, check, plan,
};
