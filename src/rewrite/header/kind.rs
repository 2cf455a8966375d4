//! What a field is made of, by its name: a table.
//!
//! A field that isn't in the table is unstructured text, as RFC 5322 §3.6.8 has it. The table's rows come from
//! the RFC named beside them; the letter case of a name does not count.

use std::cmp::Ordering;

use crate::message::irregular::ValueKind;

/// What the value of a field is made of, and so where text may stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Text, all of it.
    Unstructured,
    /// Addresses: text stands in phrases and comments (RFC 5322 §3.4). Also `phrase <identifier>`.
    Addresses,
    /// Phrases with commas between (RFC 5322 §3.6.5).
    Phrases,
    /// A value and parameters (RFC 2045 §5.1): text stands in parameter values and comments.
    Parameters,
    /// Structured; text stands in comments alone.
    Comments,
    /// A type and an address of that type (RFC 3464 §2.3.1): no text, but one of its types has a form in ASCII.
    TypedAddress,
    /// Links in angle brackets (RFC 2369): text stands in comments outside of them.
    Links,
    /// Never touched: identifiers, links, signatures, traces.
    Opaque,
}

impl FieldKind {
    /// Finds the kind of a field by its name.
    pub fn of(name: &[u8]) -> FieldKind {
        let row = TABLE.binary_search_by(|(row, _)| compare(row.as_bytes(), name));
        if let Some((_, kind)) = row.ok().and_then(|row| TABLE.get(row)) {
            return *kind;
        }
        let has = |prefix: &&str| name.get(..prefix.len()).is_some_and(|it| it.eq_ignore_ascii_case(prefix.as_bytes()));
        match () {
            () if has(&"list-") => FieldKind::Links,
            () if OPAQUE_PREFIXES.iter().any(has) => FieldKind::Opaque,
            () => FieldKind::Unstructured,
        }
    }
}

/// Says of a field, by its name, what the gate must know its value is made of.
pub fn value_kind(name: &[u8]) -> ValueKind {
    match FieldKind::of(name) {
        FieldKind::Unstructured => ValueKind::Text,
        FieldKind::Addresses => ValueKind::Addresses,
        FieldKind::Parameters if name.eq_ignore_ascii_case(b"content-type") => ValueKind::MediaType,
        FieldKind::Parameters => ValueKind::Parameters,
        FieldKind::Phrases | FieldKind::Comments | FieldKind::TypedAddress | FieldKind::Links => ValueKind::Phrases,
        FieldKind::Opaque if is_trace(name) => ValueKind::Phrases,
        FieldKind::Opaque => ValueKind::Opaque,
    }
}

/// Tells whether a field is one whose value is a trace.
pub fn is_trace(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"Received")
}

/// Compares a row's name, in lower case, with a field's.
fn compare(row: &[u8], name: &[u8]) -> Ordering {
    row.iter().copied().cmp(name.iter().map(u8::to_ascii_lowercase))
}

/// The fields that count or sum up the octets of a body, as reports name them.
pub const SIZES: [&str; 3] = ["Content-Length", "Content-MD5", "Lines"];

/// Families whose fields carry signatures or results of checks.
const OPAQUE_PREFIXES: [&str; 6] = ["arc-", "bimi-", "dkim-", "tls-report-", "x-dkim-", "x-arc-"];

use FieldKind::{Addresses, Comments, Opaque, Parameters, Phrases, TypedAddress};

/// Names in lower case, sorted.
const TABLE: [(&str, FieldKind); 98] = [
    ("accept-language", Opaque),                  // RFC 3282
    ("apparently-to", Addresses),                 // sendmail
    ("approved", Addresses),                      // RFC 5536 §3.2.1
    ("archived-at", Opaque),                      // RFC 5064
    ("authentication-results", Opaque),           // RFC 8601
    ("author", Addresses),                        // RFC 9057
    ("auto-submitted", Opaque),                   // RFC 3834
    ("autocrypt", Opaque),                        // Autocrypt 1.1
    ("autocrypt-gossip", Opaque),                 // Autocrypt 1.1
    ("bcc", Addresses),                           // RFC 5322 §3.6.3
    ("cc", Addresses),                            // RFC 5322 §3.6.3
    ("content-base", Opaque),                     // RFC 2110
    ("content-disposition", Parameters),          // RFC 2183
    ("content-duration", Opaque),                 // RFC 3803
    ("content-features", Opaque),                 // RFC 2912
    ("content-id", Opaque),                       // RFC 2045 §7
    ("content-language", Opaque),                 // RFC 3282
    ("content-length", Opaque),                   // mbox of System V
    ("content-location", Opaque),                 // RFC 2557
    ("content-md5", Opaque),                      // RFC 1864
    ("content-transfer-encoding", Opaque),        // RFC 2045 §6: written with the body alone
    ("content-type", Parameters),                 // RFC 2045 §5
    ("control", Opaque),                          // RFC 5536 §3.2.3
    ("date", Comments),                           // RFC 5322 §3.6.1
    ("delivered-to", Opaque),                     // RFC 9228
    ("delivery-date", Comments),                  // Exim
    ("disposition-notification-options", Opaque), // RFC 8098
    ("disposition-notification-to", Addresses),   // RFC 8098 §2.1
    ("distribution", Opaque),                     // RFC 5536 §3.2.4
    ("dl-expansion-history", Opaque),             // RFC 2156
    ("domainkey-signature", Opaque),              // RFC 4870
    ("domainkey-status", Opaque),                 // RFC 4870
    ("envelope-to", Opaque),                      // Exim
    ("errors-to", Addresses),                     // sendmail
    ("expires", Comments),                        // RFC 5536 §3.2.5
    ("face", Opaque),                             // a picture
    ("final-recipient", TypedAddress),            // RFC 8098 §3.2.4
    ("followup-to", Opaque),                      // RFC 5536 §3.2.6
    ("from", Addresses),                          // RFC 5322 §3.6.2
    ("in-reply-to", Opaque),                      // RFC 5322 §3.6.4
    ("injection-date", Opaque),                   // RFC 5536 §3.2.7
    ("injection-info", Opaque),                   // RFC 5536 §3.2.8
    ("keywords", Phrases),                        // RFC 5322 §3.6.5
    ("lines", Opaque),                            // RFC 1036 §2.2.12, RFC 5536 §3.3.1
    ("list-id", Addresses),                       // RFC 2919
    ("mail-copies-to", Addresses),                // Usenet
    ("mail-followup-to", Addresses),              // qmail
    ("mail-reply-to", Addresses),                 // qmail
    ("message-id", Opaque),                       // RFC 5322 §3.6.4
    ("mime-version", Comments),                   // RFC 2045 §4
    ("newsgroups", Opaque),                       // RFC 5536 §3.1.4
    ("nntp-posting-date", Opaque),                // RFC 5536 §3.3
    ("nntp-posting-host", Opaque),                // RFC 5536 §3.3
    ("openpgp", Opaque),                          // draft-josefsson-openpgp-mailnews-header
    ("original-from", Addresses),                 // RFC 5703
    ("original-message-id", Opaque),              // RFC 3798
    ("original-recipient", TypedAddress),         // RFC 8098 §3.2.3
    ("original-sender", Addresses),               // lists that rewrite Sender
    ("path", Opaque),                             // RFC 5536 §3.1.5
    ("received", Opaque),                         // RFC 5321 §4.4: must not be changed
    ("received-spf", Opaque),                     // RFC 7208 §9.1
    ("references", Opaque),                       // RFC 5322 §3.6.4
    ("reply-to", Addresses),                      // RFC 5322 §3.6.2
    ("require-recipient-valid-since", Opaque),    // RFC 7293
    ("resent-bcc", Addresses),                    // RFC 5322 §3.6.6
    ("resent-cc", Addresses),                     // RFC 5322 §3.6.6
    ("resent-date", Comments),                    // RFC 5322 §3.6.6
    ("resent-from", Addresses),                   // RFC 5322 §3.6.6
    ("resent-message-id", Opaque),                // RFC 5322 §3.6.6
    ("resent-reply-to", Addresses),               // RFC 822 §4.1
    ("resent-sender", Addresses),                 // RFC 5322 §3.6.6
    ("resent-to", Addresses),                     // RFC 5322 §3.6.6
    ("return-path", Opaque),                      // RFC 5322 §3.6.7
    ("return-receipt-to", Addresses),             // sendmail
    ("sender", Addresses),                        // RFC 5322 §3.6.2
    ("supersedes", Opaque),                       // RFC 5536 §3.2.12
    ("to", Addresses),                            // RFC 5322 §3.6.3
    ("vbr-info", Opaque),                         // RFC 5518
    ("x-authenticated-sender", Addresses),        // an account
    ("x-authentication-results", Opaque),         // before RFC 5451
    ("x-beenthere", Addresses),                   // mailing lists
    ("x-envelope-from", Opaque),                  // an envelope address
    ("x-envelope-to", Opaque),                    // an envelope address
    ("x-face", Opaque),                           // a picture
    ("x-forwarded-to", Addresses),                // who forwards
    ("x-from", Addresses),                        // archives
    ("x-gm-message-state", Opaque),               // a token
    ("x-google-dkim-signature", Opaque),          // RFC 6376, by another name
    ("x-google-original-from", Addresses),        // lists that rewrite From
    ("x-google-smtp-source", Opaque),             // a token
    ("x-mailfrom", Opaque),                       // an envelope address
    ("x-original-from", Addresses),               // lists that rewrite From
    ("x-original-sender", Addresses),             // Google Groups
    ("x-original-to", Opaque),                    // Postfix: an envelope address
    ("x-rcpt-to", Opaque),                        // an envelope address
    ("x-reply-to", Addresses),                    // lists that rewrite Reply-To
    ("x-sender", Addresses),                      // before RFC 822's Sender was kept
    ("xref", Opaque),                             // RFC 5536 §3.2.14
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_table_sorted() {
        assert!(TABLE.windows(2).all(|rows| rows[0].0 < rows[1].0), "each name once, in order");
        assert!(TABLE.iter().all(|(name, _)| *name == name.to_ascii_lowercase()));
    }

    #[test]
    fn finds_kinds_in_any_case_of_letters() {
        let cases = [
            ("Subject", FieldKind::Unstructured),
            ("FROM", Addresses),
            ("content-Type", Parameters),
            ("DKIM-Signature", Opaque),
            ("ARC-Protection", Opaque),
            ("List-Unsubscribe", FieldKind::Links),
            ("List-ID", Addresses),
            ("Keywords", Phrases),
            ("Date", Comments),
            ("Received", Opaque),
            ("Xref", Opaque),
            ("", FieldKind::Unstructured),
            ("X-Anything", FieldKind::Unstructured),
        ];
        for (name, kind) in cases {
            assert_eq!(FieldKind::of(name.as_bytes()), kind, "{name}");
        }
    }
}
