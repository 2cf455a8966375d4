//! Charsets: what a label means, and octets to text and back.
//!
//! A *label* is what mail writes, a *charset* what is meant; [`Labels`] goes from one to the other. A *name* is the
//! label that is written.
//!
//! Reading is strict or lossy, and both are the same walk: a text is refused exactly when the lossy reading would
//! have put U+FFFD into it. Writing never puts one character in another's place: what [`Charset::encode`] accepts, the
//! same charset reads back as the same text. Text that is the same octets either way is borrowed, after one scan.
//!
//! Everything is linear in the length of its input, and nothing here panics, whatever the octets.

mod aliases;
mod cesu_8;
mod euc_tw;
mod hz;
mod iso_2022;
mod jis_2004;
mod jis_x_0213;
mod johab;
mod label;
mod octet_table;
mod oem_pages;
mod pages;
mod registry;
mod single_byte;
mod sink;
mod subset;
mod utf_16;
mod whatwg;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::OnceLock;

use encoding_rs::Encoding;

pub use super::fault::{MalformedError, MappingError};
use super::utf7::{self, SetO, Utf7Options, Variant};
use super::utf8;
use jis_2004::JisEncoding;
pub use label::{AliasError, Labels, is_media_type};
use registry::JAPANESE_FOLDINGS;
use single_byte::{SingleByte, SingleByteTables};
use sink::{TextSink, encode_each};
use utf_16::ByteOrder;
pub use whatwg::is_plain_label;

/// A charset that septet can decode and encode.
#[derive(Clone, Copy)]
pub struct Charset(&'static CharsetEntry);

/// What is known of a charset.
struct CharsetEntry {
    name: &'static str,
    /// Its number among all charsets: those of one number are equal, and [`Charset::tables`] keeps what it makes by it.
    number: usize,
    coder: Coder,
    labels: &'static [&'static str],
}

/// How a charset is read and written.
enum Coder {
    Utf8,
    Cesu8,
    Ascii,
    Utf7(Variant),
    Utf16(ByteOrder),
    Utf32(ByteOrder),
    /// A charset of the Encoding Standard, and the characters that its encoder folds to others.
    Whatwg(&'static Encoding, &'static [char]),
    Subset(&'static subset::Subset),
    SingleByte(SingleByte),
    Iso2022(&'static iso_2022::Flavour),
    Hz,
    EucTw,
    Johab,
    Jis2004(jis_2004::JisEncoding),
}

/// What an octet above 7F is in US-ASCII.
const NOT_ASCII: &str = "an octet above 7F in us-ascii";

impl Charset {
    /// What nobody knows, one octet a character (RFC 1428 §3). It is no charset and no label means it: the characters
    /// stand for octets and say nothing, and are only ever written back.
    pub const UNKNOWN_8BIT: Charset = Charset(&CharsetEntry {
        name: "unknown-8bit",
        number: Charset::all().len(),
        coder: Coder::SingleByte(SingleByte::LATIN_1),
        labels: &[],
    });

    /// Returns the preferred MIME name, in lower case.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns its labels beside its name, as they are registered.
    pub fn labels(self) -> &'static [&'static str] {
        self.0.labels
    }

    /// Returns `true` if it is a form of Unicode's own: UTF-8, CESU-8, UTF-7, UTF-16 or UTF-32.
    ///
    /// GB18030, which has every character too, isn't one: links in it are encoded with its octets, as
    /// WHATWG's URL Standard does ("UCS-based", draft-ietf-iri-3987bis-06 §3.5).
    pub fn is_unicode(self) -> bool {
        matches!(self.0.coder, Coder::Utf8 | Coder::Cesu8 | Coder::Utf7(_) | Coder::Utf16(_) | Coder::Utf32(_))
    }

    /// Returns `true` if an octet below 80 is that ASCII character wherever it stands, so that structure can be looked
    /// for in the octets.
    ///
    /// Not so in UTF-7, UTF-16, UTF-32, ISO-2022-* and HZ, nor in Shift_JIS, GBK, GB18030, Big5, windows-949 and Johab,
    /// where such an octet may end a character, nor in VISCII, TCVN and the national forms of ISO 646, which have other
    /// characters there.
    pub fn is_ascii_compatible(self) -> bool {
        let ends_characters = match &self.0.coder {
            Coder::Subset(narrow) => narrow.ascii_trails,
            Coder::Whatwg(encoding, _) => *encoding != encoding_rs::EUC_JP,
            Coder::Johab | Coder::Jis2004(JisEncoding::ShiftJis) => true,
            _ => false,
        };
        self.keeps_ascii() && !ends_characters
    }

    /// Returns `true` if a text of nothing but octets below 80 is read as that ASCII text.
    ///
    /// Not so in UTF-7, UTF-16, UTF-32, ISO-2022-*, HZ, VISCII, TCVN and the national forms of ISO 646.
    pub fn keeps_ascii(self) -> bool {
        match &self.0.coder {
            Coder::Utf7(_) | Coder::Utf16(_) | Coder::Utf32(_) | Coder::Iso2022(_) | Coder::Hz => false,
            Coder::SingleByte(page) => page.is_ascii_compatible(),
            _ => true,
        }
    }

    /// Returns the length of the byte order mark that octets begin with, which is no part of their text: 2 in UTF-16, 4
    /// in UTF-32, else 0.
    ///
    /// ```
    /// use septet_text::charset::Charset;
    ///
    /// assert_eq!(Charset::UTF_16.mark_len(b"\xFF\xFEa\0"), 2);
    /// assert_eq!(Charset::UTF_16LE.mark_len(b"\xFF\xFEa\0"), 0, "a character");
    /// ```
    pub fn mark_len(self, octets: &[u8]) -> usize {
        match &self.0.coder {
            Coder::Utf16(order) => utf_16::mark_len(octets, *order, &utf_16::MARKS_16),
            Coder::Utf32(order) => utf_16::mark_len(octets, *order, &utf_16::MARKS_32),
            _ => 0,
        }
    }

    /// Returns `true` if a line feed is the octet 0A, and every octet 0A of a well-formed text a line feed; a CR
    /// likewise.
    ///
    /// Not so in UTF-16 and UTF-32, and in UTF-7 only of those that are not hidden in base64.
    pub fn shows_line_ends(self) -> bool {
        !matches!(self.0.coder, Coder::Utf16(_) | Coder::Utf32(_))
    }

    /// Returns `true` if what stands after an LF is read and written alike whatever stands before it, faults included,
    /// so that a text can be converted in pieces that end with an LF.
    ///
    /// Not so in UTF-16 and UTF-32, where LF is more than that octet, nor in ISO-2022-* and HZ, whose state outlasts
    /// it. It is `false` for VISCII, TCVN and the national forms of ISO 646, too.
    pub fn begins_anew_after_lf(self) -> bool {
        self.keeps_ascii() || self.utf_7().is_some()
    }

    /// Decodes octets; any fault is an error, with its offset.
    ///
    /// A byte order mark is no text in `utf-16` and `utf-32`, and a character everywhere else; see
    /// [`utf8::strip_signature`].
    ///
    /// ```
    /// use septet_text::charset::Charset;
    ///
    /// assert_eq!(Charset::ISO_2022_JP.decode(b"\x1B$BF|K\\\x1B(B").unwrap(), "日本");
    /// let fault = Charset::US_ASCII.decode(b"caf\xE9").unwrap_err();
    /// assert_eq!(fault.to_string(), "offset 3: an octet above 7F in us-ascii");
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, MalformedError> {
        match self.decode_until_fault(bytes) {
            (text, None) => Ok(text),
            (_, Some(fault)) => Err(fault),
        }
    }

    /// Decodes octets up to the first fault, and gives that fault if there is one.
    pub fn decode_until_fault(self, bytes: &[u8]) -> (Cow<'_, str>, Option<MalformedError>) {
        let (text, _, first) = self.walk(bytes, false);
        (text, first)
    }

    /// Decodes octets, with U+FFFD for each fault, and counts the faults.
    ///
    /// ```
    /// use septet_text::charset::Charset;
    ///
    /// assert_eq!(Charset::UTF_8.decode_lossy(b"caf\xE9!"), ("caf\u{FFFD}!".into(), 1));
    /// ```
    pub fn decode_lossy(self, bytes: &[u8]) -> (Cow<'_, str>, usize) {
        let (text, faults, _) = self.walk(bytes, true);
        (text, faults)
    }

    /// Decodes octets to the end or, unless faults are replaced, to the first fault. Returns the text, the number of
    /// faults and the first of them, which in UTF-7 is not known where faults are replaced.
    fn walk(self, bytes: &[u8], replace: bool) -> (Cow<'_, str>, usize, Option<MalformedError>) {
        match self.0.coder {
            Coder::Utf8 => return walk_utf8(bytes, replace),
            Coder::Utf7(variant) => return walk_utf7(bytes, variant, replace),
            _ => {}
        }
        if let (true, Ok(text)) = (self.is_plain(bytes), str::from_utf8(bytes)) {
            return (Cow::Borrowed(text), 0, None);
        }
        let mut sink = TextSink::new(bytes.len(), replace);
        let sunk = &mut sink;
        // Whether a fault has ended the walk is seen in the sink.
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) = match &self.0.coder {
            Coder::Utf8 | Coder::Utf7(_) => ControlFlow::Continue(()),
            Coder::Cesu8 => cesu_8::decode(bytes, sunk),
            Coder::Ascii => sunk.ascii(bytes, 0, NOT_ASCII),
            Coder::Utf16(order) => utf_16::decode_16(bytes, *order, sunk),
            Coder::Utf32(order) => utf_16::decode_32(bytes, *order, sunk),
            Coder::Whatwg(encoding, _) => whatwg::decode(encoding, bytes, 0, sunk),
            Coder::Subset(narrow) => narrow.decode(bytes, sunk),
            Coder::SingleByte(page) => self.tables(page).decode(bytes, sunk),
            Coder::Iso2022(flavour) => iso_2022::decode(flavour, bytes, sunk),
            Coder::Hz => hz::decode(bytes, sunk),
            Coder::EucTw => euc_tw::decode(bytes, sunk),
            Coder::Johab => johab::decode(bytes, sunk),
            Coder::Jis2004(form) => jis_2004::decode(*form, bytes, sunk),
        };
        (Cow::Owned(sink.text), sink.faults, sink.first)
    }

    /// Encodes text; a character that the charset lacks is an error.
    ///
    /// UTF-7 is written with its optional characters as they are; [`utf7::encode`] has the choice.
    ///
    /// ```
    /// use septet_text::charset::Charset;
    ///
    /// assert_eq!(*Charset::ISO_8859_15.encode("5 €").unwrap(), *b"5 \xA4");
    /// let lacking = Charset::ISO_8859_1.encode("5 €").unwrap_err();
    /// assert_eq!(lacking.to_string(), "offset 2: the charset has no U+20AC");
    /// ```
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, MappingError> {
        if matches!(self.0.coder, Coder::Utf8) || self.is_plain(text.as_bytes()) {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        let out = match &self.0.coder {
            Coder::Utf8 => Ok(text.into()),
            Coder::Cesu8 => Ok(cesu_8::encode(text)),
            Coder::Ascii => encode_each(text, |_, _| None),
            Coder::Utf7(variant) => return utf7::encode(text, Utf7Options { variant: *variant, set_o: SetO::Direct }),
            Coder::Utf16(order) => Ok(utf_16::encode_16(text, *order)),
            Coder::Utf32(order) => Ok(utf_16::encode_32(text, *order)),
            Coder::Whatwg(encoding, folded) => whatwg::encode(encoding, folded, text),
            Coder::Subset(narrow) => narrow.encode(text),
            Coder::SingleByte(page) => self.tables(page).encode(text),
            Coder::Iso2022(flavour) => iso_2022::encode(flavour, text),
            Coder::Hz => hz::encode(text),
            Coder::EucTw => euc_tw::encode(text),
            Coder::Johab => johab::encode(text),
            Coder::Jis2004(form) => jis_2004::encode(*form, text),
        };
        out.map(Cow::Owned)
    }

    /// Encodes text as octets in this charset are that it came in: in the same order, where these have one, and behind
    /// a byte order mark where they stand behind one. Without a mark the new text may look as if it were in the other
    /// order, so whoever writes it must read it again.
    ///
    /// ```
    /// use septet_text::charset::Charset;
    ///
    /// assert_eq!(*Charset::UTF_16.encode_like("b", b"\xFF\xFEa\0").unwrap(), *b"\xFF\xFEb\0");
    /// assert_eq!(*Charset::UTF_8.encode_like("b", b"a").unwrap(), *b"b");
    /// ```
    pub fn encode_like<'t>(self, text: &'t str, came: &[u8]) -> Result<Cow<'t, [u8]>, MappingError> {
        match &self.0.coder {
            Coder::Utf16(ByteOrder::Marked) => Ok(utf_16::encode_16_like(text, came).into()),
            Coder::Utf32(ByteOrder::Marked) => Ok(utf_16::encode_32_like(text, came).into()),
            _ => self.encode(text),
        }
    }

    /// Returns `true` if the charset has a character, by itself: JIS X 0213 has U+309A only behind some kana.
    pub fn has(self, character: char) -> bool {
        self.encode(character.encode_utf8(&mut [0; 4])).is_ok()
    }

    /// Encodes text; `instead` writes what stands for a character that the charset lacks. Counts those.
    ///
    /// What the charset lacks of that, too, becomes `?`. A form of RFC 5137 or of HTML is ASCII, which every charset
    /// has but for the national ones of ISO 646: these may lack the backslash, brackets or the number sign of it.
    ///
    /// # Errors
    ///
    /// None that is known: an encoder that has each character of a text has the text. Should one refuse it all the
    /// same, that is an error and never an empty text.
    ///
    /// ```
    /// use septet_text::charset::Charset;
    /// use septet_text::escape::{EscapeForm, escape_into};
    ///
    /// let written = Charset::US_ASCII.encode_with("5 €", |lacking, out| escape_into(out, lacking, EscapeForm::Xml));
    /// let (octets, lacking) = written.unwrap();
    /// assert_eq!((&*octets, lacking), (&b"5 &#x20AC;"[..], 1));
    /// ```
    pub fn encode_with(
        self,
        text: &str,
        instead: impl FnMut(char, &mut String),
    ) -> Result<(Cow<'_, [u8]>, usize), MappingError> {
        match self.encode(text) {
            Ok(octets) => Ok((octets, 0)),
            Err(_) => {
                let (fitted, lacking) = self.fit(text, instead);
                Ok((Cow::Owned(self.encode(&fitted)?.into_owned()), lacking))
            }
        }
    }

    /// Returns the text that [`encode_with`](Charset::encode_with) writes, and how many characters were lacking.
    pub fn fit<'a>(self, text: &'a str, mut instead: impl FnMut(char, &mut String)) -> (Cow<'a, str>, usize) {
        let first = match self.encode(text) {
            Ok(_) => return (Cow::Borrowed(text), 0),
            Err(lacking) => lacking.offset,
        };
        let (good, rest) = text.split_at_checked(first).unwrap_or(("", text));
        let mut fitted = String::with_capacity(text.len() + 16);
        fitted.push_str(good);
        let mut piece = String::new();
        let (mut lacking, mut before) = (0, None);
        for character in rest.chars() {
            if self.has_behind(before.replace(character), character) {
                fitted.push(character);
                continue;
            }
            lacking += 1;
            piece.clear();
            instead(character, &mut piece);
            fitted.extend(piece.chars().map(|character| if self.has(character) { character } else { '?' }));
        }
        (Cow::Owned(fitted), lacking)
    }

    /// Returns `true` if the charset has a character, by itself or as one with the character `before` it, as JIS X 0213
    /// has some kana with U+309A.
    fn has_behind(self, before: Option<char>, character: char) -> bool {
        self.has(character) || before.is_some_and(|it| self.encode(&String::from_iter([it, character])).is_ok())
    }

    /// Returns the form of UTF-7 that it is, if it is one.
    pub fn utf_7(self) -> Option<Variant> {
        match self.0.coder {
            Coder::Utf7(variant) => Some(variant),
            _ => None,
        }
    }

    /// Returns the tables of a charset of one octet a character, made when they are asked for first; `page` must be its
    /// own, since it is not looked at again.
    fn tables(self, page: &SingleByte) -> &'static SingleByteTables {
        static MADE: [OnceLock<Box<SingleByteTables>>; Charset::all().len() + 1] =
            [const { OnceLock::new() }; Charset::all().len() + 1];
        MADE[self.0.number].get_or_init(|| Box::new(page.tables()))
    }

    /// Returns `true` if octets are ASCII and the same as their text, so that either can be borrowed as the other.
    fn is_plain(self, bytes: &[u8]) -> bool {
        match &self.0.coder {
            Coder::Iso2022(_) => iso_2022::is_plain(bytes),
            Coder::Hz => hz::is_plain(bytes),
            _ => self.keeps_ascii() && bytes.is_ascii(),
        }
    }
}

/// Does what [`Charset::walk`] does, in UTF-8.
fn walk_utf8(bytes: &[u8], replace: bool) -> (Cow<'_, str>, usize, Option<MalformedError>) {
    let (text, first) = utf8::decode_until_fault(bytes);
    match first {
        Some(_) if replace => {
            let (text, faults) = utf8::decode_lossy(bytes);
            (text, faults, first)
        }
        _ => (Cow::Borrowed(text), usize::from(first.is_some()), first),
    }
}

/// Does what [`Charset::walk`] does, in UTF-7; the first fault is `None` where faults are replaced.
fn walk_utf7(bytes: &[u8], variant: Variant, replace: bool) -> (Cow<'_, str>, usize, Option<MalformedError>) {
    if replace {
        let (text, faults) = utf7::decode_lossy(bytes, variant);
        return (text, faults, None);
    }
    let (text, fault) = utf7::decode_until_fault(bytes, variant);
    (text, usize::from(fault.is_some()), fault)
}

impl PartialEq for Charset {
    fn eq(&self, other: &Charset) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Charset {}

impl Hash for Charset {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.number.hash(state);
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Charset({})", self.0.name)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.name)
    }
}
