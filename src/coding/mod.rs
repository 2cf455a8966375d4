//! CONVERT: text and octets, both ways. Nothing here knows of messages.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`charset`] | labels, and octets of any charset to text and back | IANA, WHATWG Encoding |
//! | [`utf7`] | UTF-7 both ways | RFC 1642, RFC 2152 |
//! | [`utf8`] | strict UTF-8 with offsets | RFC 3629 |
//! | [`transfer`] | quoted-printable and base64 | RFC 2045 §6 |
//! | [`encoded_word`] | encoded-words | RFC 2047, RFC 2231 §5 |
//! | [`domain`] | domain names in ASCII | RFC 5891, UTS #46 |
//! | [`fault`] | what octets break, and what can't be written | - |
//! | [`hex`] | hexadecimal digits, for all of the others | - |
//! | [`escape`] | characters written in ASCII | RFC 5137 |
//! | [`iri`] | links | draft-ietf-iri-3987bis-06 |
//! | [`html`] | attributes and declarations, as spans | HTML, XML |

pub mod charset;
pub mod deception;
#[cfg(feature = "iri")]
pub mod domain;
pub mod encoded_word;
pub mod escape;
pub mod evidence;
pub mod fault;
pub mod hex;
#[cfg(feature = "mail")]
pub mod html;
#[cfg(feature = "iri")]
pub mod iri;
pub(crate) mod masks;
pub(crate) mod scan;
pub mod transfer;
pub mod utf7;
pub mod utf8;
