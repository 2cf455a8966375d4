//! What becomes of a message, key by key: the settings that [`plan`](super::plan()) decides by.
//!
//! Each key stands alone; the built-in profiles are named sets of them.

mod choice;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::defect_action::Conformance;
use crate::coding::charset::{Charset, Labels};
use crate::message::Limits;

pub use self::choice::{
    Addresses, Attachments, BodyCharset, Dkim, Dkim2, DoubleEncoded, FileNames, HeaderForm, InText, Iris, OnLoss,
    Repair, Signed, Transfer,
};
pub use crate::coding::escape::{EscapeForm, Language};
pub use crate::coding::evidence::Unlabelled;
pub use crate::coding::iri::{HostForm, Schemeless};

/// The settings that decide what becomes of one message.
///
/// Start from a built-in one, as [`Profile::utf8`], and set what is to be otherwise; further keys may come.
///
/// ```
/// use septet::Profile;
/// use septet::profile::{Iris, OnLoss};
///
/// let mut profile = Profile::seven_bit();
/// profile.name = "archive".to_owned();
/// profile.iris = Iris::Keep;
/// profile.on_loss = OnLoss::Replace;
/// profile.limits.parts = 500;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Its name, as logs and reports show it.
    pub name: String,
    /// How characters stand in header fields.
    pub headers: HeaderForm,
    /// The forms in which the names of files are written.
    pub file_names: FileNames,
    /// What becomes of addresses that only SMTPUTF8 can carry.
    pub addresses: Addresses,
    /// Addresses in ASCII that stand for others wherever a header shall be ASCII, by the others in lower case
    /// (`str::to_lowercase`): in another case they are never found.
    pub aliases: Arc<BTreeMap<String, String>>,
    /// The charset of text bodies.
    pub charset: BodyCharset,
    /// The transfer encoding of text bodies.
    pub transfer: Transfer,
    /// The form in which characters are written where only ASCII may stand (RFC 5137).
    pub escape: EscapeForm,
    /// Whether the closest letters of ASCII stand for what has some, and an escape only for the rest: a loss.
    pub closest: bool,
    /// The language whose habits tell which letters are closest.
    pub language: Language,
    /// The forms that are expanded to characters in text bodies and in the text of fields when going up.
    pub unescape: Vec<EscapeForm>,
    /// What becomes of links.
    pub iris: Iris,
    /// What becomes of those of running text.
    pub iris_in_text: InText,
    /// Which of those count that have no scheme.
    pub iris_without_scheme: Schemeless,
    /// How a link's host is mapped.
    pub iri_host: HostForm,
    /// What becomes of attachments.
    pub attachments: Attachments,
    /// What becomes of encoded-words, parameters, labels and transfer encodings that break a rule.
    pub repair: Repair,
    /// What becomes of signed and encrypted parts.
    pub signed: Signed,
    /// What becomes of a message that a signature of DKIM, DKIM2 or ARC covers.
    pub dkim: Dkim,
    /// What becomes of the signature of a message that a DKIM2-Signature covers, where it is changed.
    pub dkim2: Dkim2,
    /// The most octets of a Message-Instance: where it would be longer, the message is left.
    pub dkim2_field: usize,
    /// The `authserv-id` whose Authentication-Results are believed; none are without one.
    pub authserv_id: Option<String>,
    /// What raw 8-bit text without a good label is tried as, in this order.
    pub unlabelled: Vec<Unlabelled>,
    /// Whether 8-bit text that nothing reads is labelled `unknown-8bit` where it must go to 7 bits (RFC 1428).
    pub unknown_8bit: bool,
    /// The label tables: built in, extended or emptied by the settings.
    pub labels: Labels,
    /// What becomes of UTF-8 that was encoded twice before it came.
    pub double_encoded: DoubleEncoded,
    /// What becomes of a text that can't be converted without loss.
    pub on_loss: OnLoss,
    /// What becomes of the defects that have a name.
    pub conformance: Conformance,
    /// The sizes beyond which a message passes untouched.
    pub limits: Limits,
}

/// What the server takes that a message goes to next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NextHopExtensions {
    /// 8-bit octets in bodies: it offers 8BITMIME (RFC 6152).
    pub eight_bit: bool,
    /// UTF-8 in headers: it offers SMTPUTF8 (RFC 6531).
    pub utf8_header: bool,
}

impl Profile {
    /// The names of the built-in profiles, in the order of the documentation.
    pub const BUILT_IN: [&str; 6] = ["keep", "utf8", "eai", "seven-bit", "utf7", "ascii"];

    /// Returns a built-in profile by its name, one of [`Profile::BUILT_IN`]; each has a function of its own, too, and
    /// one that is not listed in both would be named and not be found.
    ///
    /// ```
    /// use septet::Profile;
    ///
    /// assert!(Profile::BUILT_IN.iter().all(|name| Profile::built_in(name).is_some_and(|it| it.name == *name)));
    /// assert_eq!(Profile::built_in("seven-bit"), Some(Profile::seven_bit()));
    /// assert_eq!(Profile::built_in("utf-9"), None);
    /// ```
    pub fn built_in(name: &str) -> Option<Profile> {
        let all = [Profile::keep, Profile::utf8, Profile::eai, Profile::seven_bit, Profile::utf7, Profile::ascii];
        all.iter().map(|make| make()).find(|profile| profile.name == name)
    }

    /// Returns the profile `keep`, which changes nothing: to start one from that changes little.
    pub fn keep() -> Profile {
        Profile::of("keep", HeaderForm::Keep, BodyCharset::Keep, Transfer::Keep, Iris::Keep)
    }

    /// Returns the profile `utf8`, the default: encoded-words and bodies in UTF-8, as what reads mail and supports
    /// UTF-8 takes them; bodies stay 7-bit or 8-bit, and IRIs become URIs.
    pub fn utf8() -> Profile {
        Profile::default()
    }

    /// Returns the profile `eai`: UTF-8 as it is in headers and bodies, for stores with SMTPUTF8 (RFC 6531) and for
    /// indexes; links stay.
    pub fn eai() -> Profile {
        Profile::of("eai", HeaderForm::Utf8, BodyCharset::Utf8, Transfer::EightBit, Iris::Keep)
    }

    /// Returns the profile `seven-bit`: charsets stay, all is carried in 7 bits and addresses are ASCII, for next hops
    /// without 8BITMIME and SMTPUTF8.
    pub fn seven_bit() -> Profile {
        Profile::of("seven-bit", HeaderForm::Words, BodyCharset::Keep, Transfer::SevenBit, Iris::ToUri)
    }

    /// Returns the profile `utf7`: encoded-words and bodies in UTF-7 (RFC 2152), for gateways that know it alone.
    pub fn utf7() -> Profile {
        Profile::of("utf7", HeaderForm::Utf7Words, BodyCharset::Utf7, Transfer::SevenBit, Iris::ToUri)
    }

    /// Returns the profile `ascii`: US-ASCII everywhere, and escapes as in XML for all other characters (RFC 5137), for
    /// pagers, SMS and logs.
    pub fn ascii() -> Profile {
        // Backslashes are shown twice by some readers of quoted-strings.
        let escape = EscapeForm::Xml;
        let ascii = Profile::of("ascii", HeaderForm::Ascii, BodyCharset::UsAscii, Transfer::SevenBit, Iris::ToUri);
        Profile { escape, ..ascii }
    }

    /// Makes a built-in profile, which is `utf8` but for these keys. In 7 bits addresses must be ASCII, too.
    /// `docs/profiles.md` lists the keys of each.
    fn of(name: &str, headers: HeaderForm, charset: BodyCharset, transfer: Transfer, iris: Iris) -> Profile {
        let addresses = if transfer == Transfer::SevenBit { Addresses::Rfc6857 } else { Addresses::Keep };
        Profile { name: name.to_owned(), headers, addresses, charset, transfer, iris, ..Profile::default() }
    }

    /// Returns `true` if this profile can never change or refuse anything, so that reading a message is wasted work.
    /// Whatever a new key can change or refuse must be asked about in one of the two.
    pub fn is_identity(&self) -> bool {
        !self.converts() && self.conformance.is_keep()
    }

    /// Returns `true` if it converts anything, whatever it makes of defects. All other keys only say how these five are
    /// carried out; `without_conversion` of `conformance/mod.rs` sets the same five.
    pub(super) fn converts(&self) -> bool {
        !(self.headers == HeaderForm::Keep
            && self.charset == BodyCharset::Keep
            && self.transfer == Transfer::Keep
            && self.iris == Iris::Keep
            && self.unescape.is_empty())
    }

    /// Returns the profile with nothing in it that a next hop can't take; what it takes stays as this profile wants it.
    ///
    /// Without SMTPUTF8 raw characters in headers become encoded-words, and `addresses` says what becomes of those that
    /// no encoded-word can say; without 8BITMIME bodies become 7-bit. So `keep` becomes a profile that changes what
    /// must change and nothing else.
    ///
    /// ```
    /// use septet::Profile;
    /// use septet::rewrite::{Addresses, HeaderForm, NextHopExtensions, Transfer};
    ///
    /// let keep = Profile::keep();
    /// let old = NextHopExtensions { eight_bit: false, utf8_header: false };
    /// let lowered = keep.for_next_hop(old, Addresses::Rfc6857);
    /// assert_eq!((lowered.headers, lowered.transfer), (HeaderForm::Words, Transfer::SevenBit));
    /// let new = NextHopExtensions { eight_bit: true, utf8_header: true };
    /// assert_eq!(keep.for_next_hop(new, Addresses::Rfc6857), keep);
    /// ```
    pub fn for_next_hop(&self, next_hop: NextHopExtensions, addresses: Addresses) -> Profile {
        let mut lowered = self.clone();
        if !next_hop.utf8_header {
            lowered.addresses = addresses;
            lowered.headers = match self.headers {
                HeaderForm::Keep => HeaderForm::Words,
                HeaderForm::Utf8 => HeaderForm::Utf8Words,
                form => form,
            };
        }
        if !next_hop.eight_bit {
            lowered.transfer = Transfer::SevenBit;
        }
        lowered
    }

    /// Returns `true` if characters that only SMTPUTF8 can carry in a header must go from it, wherever they stand.
    /// Where this is `false` no field may move to `Downgraded-NAME`, and no report becomes its twin.
    pub(super) fn downgrades(&self) -> bool {
        self.addresses != Addresses::Keep && self.wants_ascii_header()
    }

    /// Returns the language of the closest letters, if these are written where only ASCII may stand. Fields and texts
    /// both ask this.
    pub(super) fn closest_letters(&self) -> Option<Language> {
        self.closest.then_some(self.language)
    }

    /// Returns `true` if what can't be read in a body is replaced; for header fields `on_loss` alone decides. A body
    /// that keeps its charset is read for its links alone, and keeps its faults.
    pub(super) fn replaces(&self) -> bool {
        self.on_loss == OnLoss::Replace && self.charset != BodyCharset::Keep
    }

    /// Returns the charset of encoded-words and parameters that are written: UTF-7, where the header shall have it,
    /// under the label that bodies get (`target` of `body/text.rs`); else UTF-8.
    pub(super) fn headers_charset(&self) -> Charset {
        match (self.headers, self.charset) {
            (HeaderForm::Utf7Words, BodyCharset::Unicode11Utf7) => Charset::UNICODE_1_1_UTF_7,
            (HeaderForm::Utf7Words, _) => Charset::UTF_7,
            _ => Charset::UTF_8,
        }
    }

    /// Returns `true` if UTF-8 that was encoded twice is undone in fields: where it is to be fixed, and `headers` lets
    /// words that exist be written anew.
    pub(super) fn undoes_double_in_headers(&self) -> bool {
        let are_written = !matches!(self.headers, HeaderForm::Keep | HeaderForm::Words);
        self.double_encoded == DoubleEncoded::Fix && are_written
    }

    /// Returns the address in ASCII that stands for another one, in any case of letters; none if the settings have
    /// none. The table is mostly empty, and then no address is put in lower case.
    pub(super) fn alias(&self, address: &str) -> Option<&str> {
        if self.aliases.is_empty() { None } else { self.aliases.get(&address.to_lowercase()).map(String::as_str) }
    }

    /// Returns `true` if raw octets of headers that nothing reads go into words that say so: where words are written at
    /// all. For bodies `unknown_8bit` alone decides.
    pub(super) fn names_unknown_8bit(&self) -> bool {
        self.unknown_8bit && self.wants_ascii_header() && self.headers != HeaderForm::Ascii
    }

    /// Returns the forms of escapes that are expanded in the text of fields: none where fields stay, or the characters
    /// would be escaped again.
    pub(super) fn unescape_in_headers(&self) -> &[EscapeForm] {
        if matches!(self.headers, HeaderForm::Keep | HeaderForm::Ascii) { &[] } else { &self.unescape }
    }

    /// Returns `true` if IRIs in fields of links become URIs, which alone may stand there: where that is wanted of
    /// links, or the header must be ASCII ([`downgrades`](Self::downgrades)).
    pub(super) fn maps_iris_in_fields(&self) -> bool {
        self.iris == Iris::ToUri || self.downgrades()
    }

    /// Returns `true` if headers shall be ASCII as far as they can. A form in which raw characters may stand must be
    /// named here.
    pub(super) fn wants_ascii_header(&self) -> bool {
        !matches!(self.headers, HeaderForm::Keep | HeaderForm::Utf8)
    }
}

impl Default for Profile {
    /// Returns the profile `utf8`. The other built-in ones have all keys of it that `Profile::of` does not set, so that
    /// a default here is one of `keep`, too: a key that changes anything by itself must be off.
    fn default() -> Profile {
        Profile {
            name: "utf8".to_owned(),
            headers: HeaderForm::Utf8Words,
            file_names: FileNames::Extended,
            addresses: Addresses::Keep,
            aliases: Arc::default(),
            charset: BodyCharset::Utf8,
            transfer: Transfer::Keep,
            escape: EscapeForm::Rfc5137,
            closest: false,
            language: Language::Any,
            unescape: Vec::new(),
            iris: Iris::ToUri,
            iris_in_text: InText::Bounded,
            iris_without_scheme: Schemeless::Keep,
            iri_host: HostForm::Punycode,
            attachments: Attachments::Keep,
            repair: Repair::Unreadable,
            signed: Signed::Keep,
            dkim: Dkim::Rewrite,
            dkim2: Dkim2::Off,
            dkim2_field: 32 << 10,
            authserv_id: None,
            unlabelled: vec![Unlabelled::Charset(Charset::UTF_8)],
            unknown_8bit: false,
            labels: Labels::default(),
            double_encoded: DoubleEncoded::Name,
            on_loss: OnLoss::Keep,
            conformance: Conformance::default(),
            limits: Limits::default(),
        }
    }
}

/// What labels mean, as `charset_alias` of the settings has it: by a label the label of a charset, or `""` where it is
/// to be taken for none ([`Labels::new`]).
pub type LabelTable = BTreeMap<String, String>;
