//! Names of fields that only mail and news have.

/// The names, in small letters: those of the standards, and of programs that write mailboxes.
const NAMES: [&str; 41] = [
    "apparently-to", "arc-seal", "authentication-results", "bcc", "cc", "content-disposition", "content-length",
    "content-transfer-encoding", "content-type", "date", "delivered-to", "dkim-signature", "envelope-to", "errors-to",
    "from", "in-reply-to", "list-id", "list-post", "mailing-list", "message-id", "mime-version", "newsgroups",
    "received", "references", "reply-to", "resent-date", "resent-from", "return-path", "sender", "subject", "to",
    "x-gm-thrid", "x-gmail-labels", "x-mailer", "x-mozilla-keys", "x-mozilla-status", "x-mozilla-status2",
    "x-original-to", "x-status", "x-uid", "x-uidl",
];

/// Returns `true` if a field of this name is mail's or news'. Many other files start with some word and a colon.
///
/// ```
/// use septet::protocol::mbox::is_field_of_mail;
///
/// assert!(is_field_of_mail(b"Subject") && is_field_of_mail(b"x-mozilla-status"));
/// assert!(!is_field_of_mail(b"Note"));
/// ```
pub fn is_field_of_mail(name: &[u8]) -> bool {
    NAMES.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}
