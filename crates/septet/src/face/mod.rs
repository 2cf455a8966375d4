//! FACE: what a program in Rust calls, in the words of mail; each a few lines over the rooms that do the work.
//! The program calls it too, where it does the same.
//!
//! What stands here and at the crate's root is promised to stay; `tests/core/house/face.txt` lists it. All other
//! modules are the program's own, however public they look to a compiler.

pub mod header;
#[doc(hidden)]
pub mod in_file;
#[doc(hidden)]
pub mod in_mailbox;
pub mod iri;
pub mod mbox;
pub mod parts;
pub mod profile;
#[cfg(feature = "settings")]
pub mod settings;
pub mod text;

use crate::coding::charset::Charset;

/// Finds out which charset octets without a label are in; none where nobody can tell.
///
/// ```
/// use septet::{Charset, detect};
///
/// assert_eq!(detect("Привет, как дела?".as_bytes()), Some(Charset::UTF_8));
/// assert_eq!(detect(b"plain"), Some(Charset::US_ASCII));
/// assert_eq!(detect(b"\xE8"), None, "it is è, и or č");
/// ```
pub fn detect(octets: &[u8]) -> Option<Charset> {
    text::decode(octets, None).ok().map(|read| read.charset)
}
