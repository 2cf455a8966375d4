//! What becomes of a message, key by key: the settings that [`plan`](super::plan) decides by.
//!
//! Each key stands alone; the built-in profiles are named sets of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::coding::charset::Labels;
use crate::message::Limits;

/// How characters outside ASCII stand in header fields afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum HeaderForm {
    /// As they came.
    Keep,
    /// RFC 2047 words and RFC 2231 parameters in UTF-8; good ones stay octet for octet.
    Utf8Words,
    /// Raw UTF-8 (RFC 6532).
    Utf8,
    /// Raw 8-bit becomes RFC 2047 words or RFC 2231 parameters; words that exist stay.
    Words,
    /// RFC 2047 words in UTF-7, Q-encoded, with characters of Set D only (RFC 1642).
    Utf7Words,
    /// ASCII alone: characters are written in the `escape` form, without words.
    Ascii,
}

/// The charset of text bodies afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum BodyCharset {
    /// As it came.
    #[serde(rename = "keep")]
    Keep,
    /// UTF-8 (RFC 3629).
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-7 (RFC 2152).
    #[serde(rename = "utf-7")]
    Utf7,
    /// US-ASCII, the rest in the `escape` form, and as `&#x…;` in HTML and XML.
    #[serde(rename = "us-ascii")]
    UsAscii,
}

/// The transfer encoding of text bodies afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Transfer {
    /// 7-bit stays 7-bit, 8-bit stays 8-bit.
    #[serde(rename = "keep")]
    Keep,
    /// Decoded to 8bit where lines allow it: no NUL, no line over 998 octets.
    #[serde(rename = "8bit")]
    EightBit,
    /// Quoted-printable or base64, whichever is smaller, only where the body is not 7-bit already.
    #[serde(rename = "7bit")]
    SevenBit,
}

/// What becomes of the links in text/plain running text and in HTML attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Iris {
    /// As they came.
    Keep,
    /// IRIs become URIs (draft-ietf-iri-3987bis-06 §3).
    ToUri,
    /// URIs become IRIs (draft-ietf-iri-3987bis-06 §3.7), for display.
    ToIri,
}

/// What becomes of signed and encrypted parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Signed {
    /// They stay whole.
    Keep,
    /// They are rewritten like any other part, which breaks the signature.
    Rewrite,
}

/// What becomes of attachments: parts that are files and not texts to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Attachments {
    /// A file keeps its decoded octets; only its transfer encoding may change, and its name.
    Keep,
    /// An attached text is treated like any other text.
    Text,
}

/// What becomes of a message that a DKIM-Signature covers (RFC 6376).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Dkim {
    /// It is rewritten all the same.
    Rewrite,
    /// What the signature covers stays.
    Keep,
    /// It is rewritten only when `authserv_id` says that the signature was verified already (RFC 8601).
    Verified,
}

/// What becomes of a text that can't be converted without loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OnLoss {
    /// It stays as it is.
    Keep,
    /// What is lost becomes U+FFFD, or an escape.
    Replace,
}

pub use crate::coding::escape::EscapeForm;
pub use crate::coding::iri::HostForm;

/// The settings that decide what becomes of one message.
///
/// Start from a [built-in](Profile::built_in) one and set what is to be otherwise; further keys may come.
///
/// ```
/// use septet::Profile;
/// use septet::rewrite::{Iris, OnLoss};
///
/// let mut profile = Profile::built_in("seven-bit").unwrap();
/// profile.name = "archive".to_owned();
/// profile.iris = Iris::Keep;
/// profile.on_loss = OnLoss::Replace;
/// profile.limits.parts = 500;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Its name, as logs and reports show it.
    pub name: String,
    /// How characters stand in header fields.
    pub headers: HeaderForm,
    /// The charset of text bodies.
    pub charset: BodyCharset,
    /// The transfer encoding of text bodies.
    pub transfer: Transfer,
    /// The form in which characters are written where only ASCII may stand (RFC 5137).
    pub escape: EscapeForm,
    /// The forms that are expanded to characters in text bodies when going up.
    pub unescape: Vec<EscapeForm>,
    /// What becomes of links.
    pub iris: Iris,
    /// How a link's host is mapped.
    pub iri_host: HostForm,
    /// What becomes of attachments.
    pub attachments: Attachments,
    /// What becomes of signed and encrypted parts.
    pub signed: Signed,
    /// What becomes of a message that a DKIM-Signature covers.
    pub dkim: Dkim,
    /// The `authserv-id` whose Authentication-Results are believed; none are without one.
    pub authserv_id: Option<String>,
    /// Charsets tried in order for raw 8-bit text without a good label, `detect` among them.
    pub unlabelled: Vec<String>,
    /// The label tables: built in, extended or emptied by the settings.
    pub labels: Labels,
    /// What becomes of a text that can't be converted without loss.
    pub on_loss: OnLoss,
    /// The sizes beyond which a message passes untouched.
    pub limits: Limits,
}

/// The names of the built-in profiles, in the order of the documentation.
pub const BUILT_IN: [&str; 6] = ["keep", "utf8", "eai", "seven-bit", "utf7", "ascii"];

impl Profile {
    /// Returns a built-in profile by its name, one of [`BUILT_IN`].
    ///
    /// ```
    /// use septet::{BUILT_IN, Profile};
    ///
    /// assert!(BUILT_IN.iter().all(|name| Profile::built_in(name).is_some()));
    /// assert_eq!(Profile::built_in("utf8"), Some(Profile::default()));
    /// assert_eq!(Profile::built_in("utf-9"), None);
    /// ```
    pub fn built_in(name: &str) -> Option<Profile> {
        use {BodyCharset as C, HeaderForm as H, Iris as I, Transfer as T};
        let (headers, charset, transfer, iris) = match name {
            "keep" => (H::Keep, C::Keep, T::Keep, I::Keep),
            "utf8" => (H::Utf8Words, C::Utf8, T::Keep, I::ToUri),
            "eai" => (H::Utf8, C::Utf8, T::EightBit, I::Keep),
            "seven-bit" => (H::Words, C::Keep, T::SevenBit, I::ToUri),
            "utf7" => (H::Utf7Words, C::Utf7, T::SevenBit, I::ToUri),
            "ascii" => (H::Ascii, C::UsAscii, T::SevenBit, I::ToUri),
            _ => return None,
        };
        Some(Profile { name: name.to_owned(), headers, charset, transfer, iris, ..Profile::default() })
    }

    /// Tells whether this profile can never change anything, so that reading a message is wasted work.
    pub fn is_identity(&self) -> bool {
        self.headers == HeaderForm::Keep
            && self.charset == BodyCharset::Keep
            && self.transfer == Transfer::Keep
            && self.iris == Iris::Keep
            && self.unescape.is_empty()
    }
}

impl Default for Profile {
    /// Returns the profile `utf8`.
    fn default() -> Profile {
        Profile {
            name: "utf8".to_owned(),
            headers: HeaderForm::Utf8Words,
            charset: BodyCharset::Utf8,
            transfer: Transfer::Keep,
            escape: EscapeForm::Rfc5137,
            unescape: Vec::new(),
            iris: Iris::ToUri,
            iri_host: HostForm::Punycode,
            attachments: Attachments::Keep,
            signed: Signed::Keep,
            dkim: Dkim::Rewrite,
            authserv_id: None,
            unlabelled: vec!["utf-8".to_owned()],
            labels: Labels::default(),
            on_loss: OnLoss::Keep,
            limits: Limits::default(),
        }
    }
}

/// Extra or emptied label tables, as the settings hold them: label to label.
pub type LabelTable = BTreeMap<String, String>;
