//! Texts: octets in any charset that mail uses to characters, and back.

use std::borrow::Cow;

pub use crate::coding::charset::MappingError;
use crate::coding::charset::{Charset, Labels};
use crate::coding::escape;
pub use crate::coding::escape::EscapeForm;
use crate::coding::evidence::{self, Unlabelled, Witnesses};
pub use crate::coding::evidence::{Because, DecodeError, Origin};

/// What octets mean: the text, and why it was read so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Text<'o> {
    /// The text; borrowed where the octets are UTF-8 already.
    pub text: Cow<'o, str>,
    /// The charset that they are in.
    pub charset: Charset,
    /// What told it: the label, the octets themselves, statistics.
    pub because: Because,
    /// How many faults in it are U+FFFD now; [`decode`] leaves none.
    pub lost: usize,
}

/// Reads octets as characters, by their label if it is good, and by what the octets show if it is not.
///
/// Labels lie: text under `iso-8859-1` may be windows-1252 or UTF-8, and `us-ascii` anything. A label that nobody
/// knows, or none at all, leaves what the octets show, and statistics at last.
///
/// ```
/// use septet::{Charset, text};
///
/// let read = text::decode(b"5 +IKw-", Some("unicode-1-1-utf-7")).unwrap();
/// assert_eq!(read.text, "5 €");
/// let read = text::decode(b"It\x92s", Some("us-ascii")).unwrap();
/// assert_eq!((&*read.text, read.charset), ("It’s", Charset::WINDOWS_1252));
/// assert!(text::decode(b"\xE8", Some("x-klingon")).is_err(), "è, и or č");
/// ```
///
/// # Errors
///
/// The [`DecodeError`] where nobody can say what the octets mean; [`Charset::decode_lossy`] reads them in a charset
/// all the same.
pub fn decode<'o>(octets: &'o [u8], label: Option<&str>) -> Result<Text<'o>, DecodeError> {
    let (labels, unlabelled) = (Labels::default(), [Unlabelled::Detect]);
    let witnesses = Witnesses { unlabelled: &unlabelled, ..Witnesses::none(&labels) };
    let read = evidence::judge(octets, label.map(str::as_bytes), &witnesses)?;
    Ok(Text { text: read.text, charset: read.charset, because: read.because, lost: 0 })
}

/// Finds the charset that is registered under a label, in any way that mail writes it; none for one that nobody knows.
///
/// ```
/// use septet::{Charset, text};
///
/// assert_eq!(text::charset("UTF8"), Some(Charset::UTF_8));
/// assert_eq!(text::charset("Latin-1"), Some(Charset::ISO_8859_1));
/// assert_eq!(text::charset("x-klingon"), None);
/// ```
pub fn charset(label: &str) -> Option<Charset> {
    Labels::default().find_registered(label.as_bytes())
}

/// Writes a text as octets of a charset; borrowed where they are those of the text.
///
/// ```
/// use septet::{Charset, text};
///
/// assert_eq!(*text::encode("5 €", Charset::UTF_7).unwrap(), *b"5 +IKw-");
/// assert_eq!(text::encode("5 €", Charset::ISO_8859_1).unwrap_err().character, '€');
/// ```
///
/// # Errors
///
/// [`MappingError`] names the first character that the charset lacks, and its offset in octets of the text.
pub fn encode(text: &str, charset: Charset) -> Result<Cow<'_, [u8]>, MappingError> {
    charset.encode(text)
}

/// Writes what is not ASCII in a text as escapes of RFC 5137; what introduces an escape is doubled, so that
/// [`unescape`] gives the same text back.
///
/// ```
/// use septet::text::{EscapeForm, escape, unescape};
///
/// let escaped = escape("5 €", EscapeForm::Rfc5137);
/// assert_eq!(escaped, r"5 \u'20AC'");
/// assert_eq!(unescape(&escaped, &[EscapeForm::Rfc5137]), "5 €");
/// ```
pub fn escape(text: &str, form: EscapeForm) -> Cow<'_, str> {
    escape::escape(text, form)
}

/// Expands the escapes of these forms (RFC 5137); one that stands for no character stays as it is.
///
/// Escapes hide characters (RFC 5137 §7): look for links or markup in what comes out.
///
/// ```
/// use septet::text::{EscapeForm, unescape};
///
/// assert_eq!(unescape(r"\u00E9 &#xE9; \uD800", &[EscapeForm::Java, EscapeForm::Xml]), r"é é \uD800");
/// ```
pub fn unescape<'t>(text: &'t str, forms: &[EscapeForm]) -> Cow<'t, str> {
    escape::unescape(text, forms).text
}
