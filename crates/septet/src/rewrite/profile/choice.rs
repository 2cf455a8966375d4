//! What a profile's keys can be set to, each with what it asks for.

use serde::{Deserialize, Serialize};

/// Declares enums of what keys can be set to. Settings write a variant in small letters with hyphens between its words,
/// or as it is renamed.
macro_rules! choices {
    ($($(#[$said:meta])* pub enum $name:ident { $($(#[$about:meta])* $variant:ident,)+ })+) => {
        $(
            $(#[$said])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
            #[serde(rename_all = "kebab-case")]
            #[non_exhaustive]
            pub enum $name {
                $($(#[$about])* $variant,)+
            }
        )+
    };
}

choices! {
    /// How characters outside ASCII stand in header fields afterwards.
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

    /// The forms in which the name of a file is written that is not ASCII, where it stood in a plain parameter.
    pub enum FileNames {
        /// The extended one alone, as the standard has it: `filename*=utf-8''%C3%A4.pdf` (RFC 2231).
        Extended,
        /// An encoded-word in a plain one as well, for readers without RFC 2231: `name="=?utf-8?Q?=C3=A4=2Epdf?="`, in
        /// Content-Type where Content-Disposition has the extended one, else in the same field. A name that is too long
        /// for one line of either form has the extended one alone.
        Both,
    }

    /// What becomes of addresses that only SMTPUTF8 can carry: those with characters outside ASCII before their `@`.
    ///
    /// It counts where `headers` asks for ASCII: with `keep` and `utf8` nothing is downgraded. With either RFC, a field
    /// that has no place for encoded-words is moved to `Downgraded-NAME` (RFC 6857 §3.1.10), and the address types of
    /// RFC 6533 are written in ASCII.
    pub enum Addresses {
        /// They stay, and the report says so.
        Keep,
        /// They stay, and the report says so; all else is as with either RFC. For whoever refuses what stays.
        OtherFields,
        /// A group without members whose name says the address: `=?utf-8?Q?j=C3=BC=40example=2Eorg?= :;` (RFC 6857
        /// §3.1.7, §3.1.8).
        Rfc6857,
        /// An address that nobody can answer to, under a name that says the real one: `… <invalid@…invalid>` (RFC 6858
        /// §2.1).
        Rfc6858,
    }

    /// The charset of text bodies afterwards.
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
        /// UTF-7 of UCS-2 alone, under its own label (RFC 1642); what lies above U+FFFF is lacking.
        #[serde(rename = "unicode-1-1-utf-7")]
        Unicode11Utf7,
        /// US-ASCII, the rest in the `escape` form, and as `&#x…;` in HTML and XML.
        #[serde(rename = "us-ascii")]
        UsAscii,
    }

    /// The transfer encoding of text bodies afterwards.
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

    /// What becomes of links in the running text of text/plain, in HTML attributes and in calendars.
    ///
    /// Fields of links (RFC 2369) hold URIs alone: IRIs in them become URIs by `to-uri`, and wherever a header must be
    /// ASCII.
    pub enum Iris {
        /// As they came.
        Keep,
        /// IRIs become URIs (draft-ietf-iri-3987bis-06 §3).
        ToUri,
        /// URIs become IRIs (draft-ietf-iri-3987bis-06 §3.7), for display.
        ToIri,
    }

    /// What becomes of the links of running text, where text and link must be told apart; HTML attributes are exact.
    pub enum InText {
        /// Those change of which it is sure that they are no prose, as far as it is sure.
        Bounded,
        /// All change, and end where UTS #58 has them end.
        All,
        /// They stay.
        Keep,
    }

    /// What becomes of encoded-words, parameters, labels and transfer encodings that break a rule.
    pub enum Repair {
        /// They are written anew where a reader would stumble over them; a word of 80 characters stays.
        Unreadable,
        /// They are written anew wherever they break a rule.
        All,
        /// They stay; a body in a damaged transfer encoding stays whole.
        Keep,
    }

    /// What becomes of signed and encrypted parts.
    pub enum Signed {
        /// They stay whole.
        Keep,
        /// They are rewritten like any other part, which breaks the signature.
        Rewrite,
    }

    /// What becomes of attachments: parts that are files and not texts to read.
    pub enum Attachments {
        /// A file keeps its decoded octets; only its transfer encoding may change, and its name.
        Keep,
        /// An attached text is treated like any other text.
        Text,
    }

    /// What becomes of a message that a DKIM-Signature (RFC 6376), a DKIM2-Signature or an ARC-Message-Signature (RFC
    /// 8617) covers.
    pub enum Dkim {
        /// It is rewritten all the same.
        Rewrite,
        /// What the signature covers stays.
        Keep,
        /// What the signature covers stays, unless the server named by `authserv_id` says that it was verified already
        /// (RFC 8601).
        Verified,
    }

    /// What becomes of the signature of a message that a DKIM2-Signature covers, where it is changed.
    pub enum Dkim2 {
        /// It breaks, and the report says so.
        Off,
        /// It can still be verified, by a Message-Instance that undoes the change once a signer behind has signed it;
        /// what can't be undone is left.
        Instance,
    }

    /// What becomes of UTF-8 that was encoded twice before it came.
    pub enum DoubleEncoded {
        /// It is a text like any other, and named.
        Name,
        /// The text that was meant is written in its place.
        Fix,
    }

    /// What becomes of a text that can't be converted without loss.
    pub enum OnLoss {
        /// It stays as it is.
        Keep,
        /// What is lost becomes U+FFFD, or an escape.
        Replace,
    }
}
