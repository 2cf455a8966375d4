//! The characters of mail: what octets mean, and how a text is written as octets. Nothing here knows of messages.
//!
//! ```
//! use septet_text::charset::{Charset, Labels};
//!
//! let charset = Labels::default().find(b"unicode-1-1-utf-7").unwrap();
//! assert_eq!(charset.decode(b"Stra+AN8-e").unwrap(), "Stra\u{DF}e");
//! assert_eq!(&*Charset::KOI8_R.encode("\u{41F}\u{440}").unwrap(), b"\xF0\xD2");
//! ```
//!
//! All of it is pure: octets in, text or octets out, in linear time. What can't be read or written says where and why.
//! The feature `iri` adds links, `html` those in pages that only a tree of elements tells from text, and `serde`
//! reads and writes the words by which settings name forms.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`charset`] | labels, and octets of any charset to text and back | IANA, WHATWG Encoding |
//! | [`utf7`] | UTF-7 both ways | RFC 1642, RFC 2152 |
//! | [`utf8`] | strict UTF-8 with offsets | RFC 3629 |
//! | [`evidence`] | which charset octets are in | - |
//! | [`transfer`] | quoted-printable and base64 | RFC 2045 §6 |
//! | [`encoded_word`] | encoded-words | RFC 2047, RFC 2231 §5 |
//! | [`domain`] | domain names in ASCII | RFC 5891, UTS #46 |
//! | [`fault`] | what octets break, and what can't be written | - |
//! | [`deception`] | texts that are not what they look like | UTS #39, UTR #36 |
//! | [`hex`], [`masks`], [`scan`] | hexadecimal digits, places and runs of octets, for all of the others | - |
//! | [`escape`] | characters written in ASCII | RFC 5137 |
//! | [`iri`] | links | draft-ietf-iri-3987bis-06 |
//! | [`html`] | attributes and declarations, as spans | HTML, XML |

// A module's overview names its private parts too: links for `cargo doc --document-private-items`.
#![allow(rustdoc::private_intra_doc_links)]

pub mod charset;
pub mod deception;
#[cfg(feature = "iri")]
pub mod domain;
pub mod encoded_word;
pub mod escape;
pub mod evidence;
pub mod fault;
pub mod hex;
#[cfg(feature = "iri")]
pub mod html;
#[cfg(feature = "iri")]
pub mod iri;
pub mod masks;
pub mod scan;
pub mod transfer;
pub mod utf7;
pub mod utf8;
