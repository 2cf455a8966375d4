//! What labels mean.
//!
//! Labels are compared as UTS #22 §1.4 says: letters and digits alone count, case doesn't, nor zeros at the start of a
//! number; so `iso_8859-1`, `ISO8859-1` and `cp-850` find what they mean. Before that, what mail puts around a label is
//! taken off: white space, quotes (as `&quot;` too), a language (`utf-8*fr`, RFC 2231 §5), `charset=` and a media type
//! before it, what iconv is told (`//TRANSLIT`), and what follows a space, a semicolon, a comma or a bracket. Of the
//! name of a locale (`ko_KR.eucKR`) the charset is the label.
//!
//! A label that isn't found is as good as none: the text is unlabelled. `x-unknown`, `unknown-8bit`, `x-user-defined`
//! and their like need no rows for that, nor does `%CHARSET`, a placeholder that nobody filled in. In a label `%`
//! counts too, so that settings can say what was meant, and no registered label is found by mistake.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt;
use std::sync::{Arc, LazyLock};

use foldhash::fast::FixedState;

use super::Charset;
use super::aliases::{ALIASES, code_page};

/// Charsets that are read as a wider one, because that is what writes under their label.
const SUPERSETS: [(Charset, Charset); 21] = [
    // WHATWG Encoding; C1 controls are never meant in mail.
    (Charset::ISO_8859_1, Charset::WINDOWS_1252),
    (Charset::ISO_8859_9, Charset::WINDOWS_1254),
    // Quotes and dashes of the Windows code page beside it, as mail programs show them.
    (Charset::ISO_8859_2, Charset::ISO_8859_2_WINDOWS),
    (Charset::ISO_8859_3, Charset::ISO_8859_3_WINDOWS),
    (Charset::ISO_8859_4, Charset::ISO_8859_4_WINDOWS),
    (Charset::ISO_8859_5, Charset::ISO_8859_5_WINDOWS),
    (Charset::ISO_8859_6, Charset::ISO_8859_6_WINDOWS),
    (Charset::ISO_8859_7, Charset::ISO_8859_7_WINDOWS),
    (Charset::ISO_8859_8, Charset::ISO_8859_8_WINDOWS),
    (Charset::ISO_8859_8_I, Charset::ISO_8859_8_I_WINDOWS),
    (Charset::ISO_8859_10, Charset::ISO_8859_10_WINDOWS),
    (Charset::ISO_8859_13, Charset::ISO_8859_13_WINDOWS),
    (Charset::ISO_8859_14, Charset::ISO_8859_14_WINDOWS),
    (Charset::ISO_8859_15, Charset::ISO_8859_15_WINDOWS),
    (Charset::ISO_8859_16, Charset::ISO_8859_16_WINDOWS),
    (Charset::ISO_8859_11, Charset::WINDOWS_874),
    (Charset::TIS_620, Charset::WINDOWS_874),
    // WHATWG Encoding reads both with one decoder (mikel/mail#504).
    (Charset::GB2312, Charset::GB18030),
    (Charset::GBK, Charset::GB18030),
    // WHATWG Encoding; NEC's and IBM's additions.
    (Charset::SHIFT_JIS, Charset::WINDOWS_31J),
    // WHATWG Encoding; the 8822 syllables that KS X 1001 lacks.
    (Charset::EUC_KR, Charset::WINDOWS_949),
];

/// The longest label, without what doesn't count; IANA's limit is 40 characters (RFC 2978 §2.3).
const LONGEST: usize = 64;

/// Letters, digits and percent signs of a label, in lower case, and how many there are.
type Key = ([u8; LONGEST], usize);

/// Charsets by the keys of labels. The labels are ours, so that nobody can choose them to collide.
type LabelTable = HashMap<Box<[u8]>, Charset, FixedState>;

static KNOWN: LazyLock<LabelTable> = LazyLock::new(|| {
    let names = Charset::all().iter().map(|charset| (charset.name(), *charset));
    let labels = Charset::all().iter().flat_map(|charset| charset.0.labels.iter().map(|label| (*label, *charset)));
    names.chain(labels).filter_map(|(label, charset)| Some((key(label.as_bytes())?, charset))).collect()
});

static BUILT_IN_ALIASES: LazyLock<LabelTable> = LazyLock::new(|| {
    let rows = ALIASES.iter().filter_map(|(label, charset)| Some((key(label.as_bytes())?, *charset)));
    rows.collect()
});

/// The label of an alias that means nothing, on either side of it, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasError(pub String);

impl fmt::Display for AliasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a charset that septet knows", self.0)
    }
}

impl Error for AliasError {}

/// What the settings say that labels mean: `None` for one that is to be taken for none.
type LabelAliases = HashMap<Box<[u8]>, Option<Charset>>;

/// What labels mean: the built-in tables of aliases and supersets, and before them the aliases of the settings.
#[derive(Clone, PartialEq, Default)]
pub struct Labels {
    /// The aliases of the settings; without a map where there are none.
    own: Option<Arc<LabelAliases>>,
}

impl fmt::Debug for Labels {
    /// Writes the aliases of the settings in the order of their labels: equal tables write the same.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.own.iter().flat_map(|own| own.iter());
        let sorted: BTreeMap<_, _> = own.map(|(label, meaning)| (label.escape_ascii().to_string(), meaning)).collect();
        out.debug_map().entries(sorted).finish()
    }
}

impl Labels {
    /// Makes tables of the settings' `charset_alias`, which wins over the built-in ones.
    ///
    /// It goes from any label, be it wrong or registered, to the registered label of the charset that it means, or to
    /// `""`: that label is to be taken for none.
    ///
    /// # Errors
    ///
    /// The first entry that names no charset, or in which nothing counts as a label.
    pub fn new(aliases: &BTreeMap<String, String>) -> Result<Labels, AliasError> {
        let mut own = LabelAliases::new();
        for (label, meaning) in aliases {
            let charset = match meaning.as_str() {
                "" => None,
                _ => Some(known(meaning).ok_or_else(|| AliasError(meaning.clone()))?),
            };
            own.insert(key(label.as_bytes()).ok_or_else(|| AliasError(label.clone()))?, charset);
        }
        Ok(Labels { own: (!own.is_empty()).then(|| Arc::new(own)) })
    }

    /// Returns the labels that are wrong or made up, and what each means. Numbers of code pages are not among them.
    pub fn built_in_aliases() -> &'static [(&'static str, Charset)] {
        ALIASES
    }

    /// Finds the charset that a label's text is read with: what it means, or a wider one that is written under it.
    ///
    /// None for a label that means nothing: the text is unlabelled.
    ///
    /// ```
    /// use septet_text::charset::{Charset, Labels};
    ///
    /// let labels = Labels::default();
    /// // What is labelled Latin-1 is Windows' superset of it more often than not.
    /// assert_eq!(labels.find(b"ISO-8859-1"), Some(Charset::WINDOWS_1252));
    /// assert_eq!(labels.find_registered(b"ISO-8859-1"), Some(Charset::ISO_8859_1));
    /// assert_eq!(labels.find(b"x-klingon"), None);
    /// ```
    pub fn find(&self, label: &[u8]) -> Option<Charset> {
        let charset = self.find_registered(label)?;
        let wider = SUPERSETS.iter().find(|(narrow, _)| *narrow == charset);
        Some(wider.map_or(charset, |(_, wide)| *wide))
    }

    /// Finds the charset that a label means, be it an alias, as it is registered: the one to write with.
    ///
    /// `None` for a label that means nothing.
    pub fn find_registered(&self, label: &[u8]) -> Option<Charset> {
        // The settings may name a label as it stands, with all that is taken off else.
        if let Some(found) = self.own(label) {
            return found;
        }
        let label = trim(label);
        let head = label.iter().position(|octet| b" \t;,(".contains(octet)).unwrap_or(label.len());
        self.look_up(label)
            .or_else(|| self.look_up(label.get(..head)?))
            .or_else(|| self.look_up(charset_of_locale(label)?))?
    }

    /// Looks a label up in the aliases of the settings alone; `None` where they don't have it, `Some(None)` where they
    /// take it for no label.
    fn own(&self, label: &[u8]) -> Option<Option<Charset>> {
        let own = self.own.as_ref()?;
        let key = key_of(label)?;
        own.get(key.0.get(..key.1)?).copied()
    }

    /// Looks a label up: in the aliases of the settings, the built-in ones, the registered labels, with an `x` before
    /// these, and the numbers of code pages. `None` where none has it, `Some(None)` where the settings take it for no
    /// label.
    fn look_up(&self, label: &[u8]) -> Option<Option<Charset>> {
        if let Some(found) = self.own(label) {
            return Some(found);
        }
        let key = key_of(label)?;
        let key = key.0.get(..key.1)?;
        let alias = BUILT_IN_ALIASES.get(key);
        let found = alias.or_else(|| KNOWN.get(key)).or_else(|| KNOWN.get(key.strip_prefix(b"x")?)).copied();
        found.or_else(|| known(&format!("cp{}", code_page(key)?))).map(Some)
    }
}

/// Finds a charset by a registered label or its name; aliases are not looked at. `None` where it means no charset.
fn known(label: &str) -> Option<Charset> {
    KNOWN.get(&key(label.as_bytes())?).copied()
}

/// Takes off what stands around a label, a language behind it, and what iconv is told; what follows a space or its like
/// stays.
fn trim(label: &[u8]) -> &[u8] {
    let label = without_quotes(behind_type(without_quotes(label)));
    let label = behind(label, b"charset=").map_or(label, without_quotes);
    // RFC 2231 §5: the language. iconv: `//TRANSLIT`, `//IGNORE`, or both.
    let ends = [memchr::memchr(b'*', label), memchr::memmem::find(label, b"//")];
    let end = ends.into_iter().flatten().filter(|end| *end > 0).min();
    end.and_then(|end| label.get(..end)).unwrap_or(label)
}

/// Returns the charset in the name of a locale (POSIX): `ko_KR.eucKR`; `None` where a label is no such name.
fn charset_of_locale(label: &[u8]) -> Option<&[u8]> {
    match label {
        // A modifier may stand behind it: `de_DE.ISO-8859-15@euro`.
        [_, _, b'_', _, _, b'.', charset @ ..] => charset.split(|octet| *octet == b'@').next(),
        _ => None,
    }
}

/// Takes off white space and quotes around a label, and those of HTML's text.
fn without_quotes(label: &[u8]) -> &[u8] {
    const QUOTES: [&[u8]; 3] = [b"&quot;", b"&quot", b"&#34;"];
    let start = label.iter().position(|octet| !is_blank_or_quote(*octet)).unwrap_or(label.len());
    let end = label.iter().rposition(|octet| !is_blank_or_quote(*octet)).map_or(start, |last| last + 1);
    let label = label.get(start..end).unwrap_or_default();
    let begun = QUOTES.into_iter().find_map(|quote| behind(label, quote)).unwrap_or(label);
    QUOTES.into_iter().find_map(|quote| before(begun, quote)).unwrap_or(begun)
}

/// Returns `true` for an octet that may stand around a label and is none of it.
fn is_blank_or_quote(octet: u8) -> bool {
    octet.is_ascii_whitespace() || b"\"'<>=".contains(&octet)
}

/// Returns what stands behind the words at the start of a label, in any case of letters; `None` where it starts
/// otherwise.
fn behind<'l>(label: &'l [u8], words: &[u8]) -> Option<&'l [u8]> {
    let (start, rest) = label.split_at_checked(words.len())?;
    start.eq_ignore_ascii_case(words).then_some(rest)
}

/// Returns what stands before the words at the end of a label, in any case of letters; `None` where it ends otherwise.
fn before<'l>(label: &'l [u8], words: &[u8]) -> Option<&'l [u8]> {
    let (rest, end) = label.split_at_checked(label.len().checked_sub(words.len())?)?;
    end.eq_ignore_ascii_case(words).then_some(rest)
}

/// Takes off a media type that stands before a label with its `charset=`: `text/plain; charset=utf-8`.
fn behind_type(label: &[u8]) -> &[u8] {
    let semicolon = memchr::memchr(b';', label).filter(|at| is_media_type(label.get(..*at).unwrap_or_default()));
    let rest = semicolon.and_then(|at| label.get(at + 1..)).map(<[u8]>::trim_ascii_start);
    rest.filter(|rest| behind(rest, b"charset=").is_some()).unwrap_or(label)
}

/// Returns `true` if a value is a media type (RFC 2045 §5.1), which a program wrote where a label is due: two words
/// with a slash between. No label has a slash, but iconv's suffix has two.
///
/// ```
/// use septet_text::charset::is_media_type;
///
/// assert!(is_media_type(b"text/plain") && !is_media_type(b"utf-8//IGNORE") && !is_media_type(b"utf-8"));
/// ```
pub fn is_media_type(value: &[u8]) -> bool {
    let mut words = value.trim_ascii().splitn(2, |octet| *octet == b'/');
    words.next().is_some_and(is_word) && words.next().is_some_and(is_word)
}

/// Returns `true` if this may be one of the two words of a media type.
fn is_word(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-+._".contains(octet))
}

/// Returns what counts of a label; `None` where nothing does, or too much, or where it has octets above 7F or controls.
fn key_of(label: &[u8]) -> Option<Key> {
    let mut key = [0; LONGEST];
    let mut len: usize = 0;
    let mut rest = label.iter().peekable();
    while let Some(octet) = rest.next() {
        // A label has no control characters; a program that meets one there finds another label, or none.
        if !octet.is_ascii() || octet.is_ascii_control() && !octet.is_ascii_whitespace() {
            return None;
        }
        let first = !len.checked_sub(1).and_then(|last| key.get(last)).is_some_and(u8::is_ascii_digit);
        let leading = *octet == b'0' && first && rest.peek().is_some_and(|next| next.is_ascii_digit());
        if (octet.is_ascii_alphanumeric() || *octet == b'%') && !leading {
            *key.get_mut(len)? = octet.to_ascii_lowercase();
            len += 1;
        }
    }
    (len > 0).then_some((key, len))
}

/// Returns what counts of a label, as a key of the tables.
fn key(label: &[u8]) -> Option<Box<[u8]>> {
    let (key, len) = key_of(label)?;
    key.get(..len).map(Box::from)
}
