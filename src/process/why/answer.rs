//! The one table: for every word of a report a sentence that says what it means, and one that says what helps.
//!
//! Each list stands in a `match` over all variants, so that a new one doesn't compile before it has its answer. Names of
//! keys and what is typed stand in backticks.

use crate::rewrite::{Change, Note, Reason};

/// What is to be known of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The word, as reports and counters have it.
    pub code: &'static str,
    /// What it means.
    pub says: &'static str,
    /// What helps; of a change, what it depends on.
    pub helps: &'static str,
}

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    /// Behind `left=`: why something stayed.
    Left,
    /// Before a `=`: a way in which something was changed.
    Change,
    /// Behind `note=`: what a reader wants to know.
    Note,
}

/// Returns every answer, reasons first.
pub fn all() -> impl Iterator<Item = (CodeKind, &'static Explanation)> {
    let reasons = REASONS.iter().chain(&DAEMON).map(|answer| (CodeKind::Left, answer));
    let changes = CHANGES.iter().map(|answer| (CodeKind::Change, answer));
    reasons.chain(changes).chain(NOTES.iter().map(|answer| (CodeKind::Note, answer)))
}

macro_rules! answers {
    ($list:ident, $patterns:ident, $(#[$doc:meta])* $function:ident($type:ty):
        $($pattern:pat => $code:literal, $says:literal, $helps:literal;)+) => {
        const $list: &[Explanation] = &[$(Explanation { code: $code, says: $says, helps: $helps }),+];

        #[cfg(test)]
        const $patterns: &[(&str, &str)] = &[$((stringify!($pattern), $code)),+];

        $(#[$doc])*
        pub fn $function(of: &$type) -> Explanation {
            match of {
                $($pattern => Explanation { code: $code, says: $says, helps: $helps },)+
            }
        }
    };
}

answers! { REASONS, REASON_PATTERNS,
    /// Says what a reason means, and what helps.
    of_reason(Reason):

    Reason::Protected(_) => "protected",
        "it is signed or encrypted (in brackets how: `signed`, `encrypted`, `smime`, `inline-pgp`), and a change would break that",
        "nothing is wrong; `signed = \"rewrite\"` converts it anyway, if the signatures are no longer needed";
    Reason::Dkim => "dkim",
        "a DKIM or ARC signature covers it, and `dkim` says to keep that",
        "verify before septet, sign after it, `dkim = \"verified\"`";
    Reason::Attachment => "attachment",
        "it is a file, or a text with one in it (uuencode, yEnc, BinHex, a patch): its octets are kept",
        "`attachments = \"text\"` for attached texts";
    Reason::Unlabelled => "unlabelled",
        "8-bit text without a good label that is not valid UTF-8, or only partly; or ISO-2022-JP without a label",
        "`unlabelled = [\"utf-8\", \"windows-1252\"]`, by rule for the senders concerned; `septet advise` tries what fits an archive";
    Reason::UnknownCharset(_) => "unknown-charset",
        "the label is unknown, and over ASCII it could mean something else",
        "`charset_alias = { \"label\" = \"charset\" }`; `septet advise` tries what fits an archive";
    Reason::Malformed { .. } => "malformed",
        "the octets are ill-formed in the charset that they name, from that offset on",
        "`on_loss = \"replace\"`, if U+FFFD is better than nothing; `septet advise` shows what else reads it";
    Reason::Ambiguous(_) => "ambiguous",
        "the octets are a text in the charset of their label and in UTF-8 as well, and nothing else in the message says which",
        "`charset_alias = { \"windows-1252\" = \"utf-8\" }`, with that label, for senders who have one label for everything";
    Reason::VisualOrder => "visual-order",
        "Hebrew labelled iso-8859-8 that may be in visual order (RFC 1556), so that it would have to be reversed",
        "`charset_alias = { \"iso-8859-8\" = \"iso-8859-8-i\" }` for senders who write logical order";
    Reason::Refused { .. } => "refused",
        "the settings refuse a message with this defect; an archive keeps it as it is",
        "`keep` or `fix` for that defect in `[conformance]`, if such mail is wanted";
    Reason::Unfixed { .. } => "unfixed",
        "a defect could not be fixed, for the reason given beside it",
        "nothing is lost; `reject` for that defect in `[conformance]`, if such mail is not wanted";
    Reason::UnknownTransfer(_) => "unknown-transfer",
        "no standard has a transfer encoding of this name, so nobody knows what the octets say",
        "nothing to set; ask the sender";
    Reason::Loss(_) => "loss",
        "the target charset has no way to write this character, or none that is read back as the same",
        "`charset = \"utf-8\"`, which has every character; or `on_loss = \"replace\"`, which writes an escape";
    Reason::Control => "control",
        "decoding it would put a line end, an octet 0 or a delimiter where there was none: some attacks do that, and some programs leave a line feed at the end of a subject",
        "nothing to do: encoded as it is, it does no harm";
    Reason::LongLine => "long-line",
        "a line would become longer than 998 octets (RFC 5322 §2.1.1), and there is no place to fold it",
        "nothing to do: it passes unchanged";
    Reason::Stray => "stray",
        "non-ASCII octets in a place where no text is allowed: in an address, an identifier, a delivery report, between fields",
        "`addresses = \"rfc6857\"` writes such addresses in ASCII; other places stay, and pass over SMTPUTF8 as they are";
    Reason::BetweenParts => "between-parts",
        "non-ASCII octets before, between or after the parts, where no charset applies",
        "nothing to do: mail programs do not show them";
    Reason::Limit(_) => "limit",
        "it is beyond a limit of `[limits]`; what stands before it was converted",
        "raise the limit that is named; `limits.on_limit` says how such mail is handled";
    Reason::Irregular(_) => "irregular",
        "programs read this place differently, so a change that is right for one would be wrong for another; `septet why` says of the name in brackets who differs",
        "nothing to set: the place stays as it came, and all others are converted; `limits.on_irregular = \"reject\"` refuses mail whose parts are seen differently";
    Reason::Separator { .. } => "separator",
        "the named line may start another message, so it is uncertain where this one ends and which text its charset applies to",
        "look at that line: where a message begins there, put an empty line before it, and a date as in `From ann@example.org Mon Jan  1 00:00:00 2007`; where it is text, put `>` before it; then run the command again";
    Reason::Unproved(_) => "unproved",
        "an internal error: the result failed septet's own check and was discarded",
        "**please report it**, with the message if you can";
    Reason::Internal(_) => "internal",
        "an internal error: the message could not be planned, and is unchanged",
        "**please report it**, with the message if you can";
    Reason::Compressed => "compressed",
        "a message of a Maildir that is compressed as a whole, which is not opened there",
        "unpack the files of the Maildir first; mailbox files and messages alone are read as they are";
    Reason::Miscounted => "miscounted",
        "a message of Apple Mail (.emlx) does not end where the first line of its file says, so where it ends is not sure",
        "export the message from Apple Mail anew (File, Save As, Raw Message Source), or copy it without its first line and the list at its end";
}

/// What the daemon alone says, of whole messages.
const DAEMON: [Explanation; 3] = [
    Explanation { code: "memory", says: "of a whole message: there was no memory for it", helps: "`limits.memory`" },
    Explanation {
        code: "max-size",
        says: "of a whole message: it would exceed the size that the next server accepts",
        helps: "`limits.max_size`, Postfix's `message_size_limit`, the next hop's SIZE",
    },
    Explanation {
        code: "not-allowed",
        says: "of a whole message: the MTA does not allow the change, or was told before a reload that nothing is wanted",
        helps: "the MTA's settings",
    },
];

answers! { CHANGES, CHANGE_PATTERNS,
    /// Says what a change did, and what it depends on.
    of_change(Change):

    Change::Charset { .. } => "charset",
        "a text body is written in another charset; in parentheses what it really was, and `because=` who said so",
        "`charset`; `unlabelled` and `charset_alias` say how it is read";
    Change::Transfer { .. } => "transfer",
        "a body has another transfer encoding",
        "`transfer`";
    Change::Word { .. } => "word",
        "text of a header field is written in another charset, in parentheses what it really was (`because=` says who said so), or raw 8-bit became \
         encoded-words (RFC 2047)",
        "`headers`";
    Change::Parameter { .. } => "parameter",
        "the value of a parameter, as a file's name, is written as RFC 2231 asks; in parentheses what it really was, and `because=` who said so",
        "`headers`";
    Change::Label { .. } => "label",
        "a label was made true to the body, which itself stayed",
        "`charset`, `transfer`";
    Change::Address { .. } => "address",
        "an address, or a clause of a Received, was written in ASCII: what only SMTPUTF8 can carry",
        "`addresses`";
    Change::Domain => "domain",
        "a domain of an address is written `xn--…`: the same domain",
        "`headers`";
    Change::Iris { .. } => "iris",
        "links were written so that every program can follow them: how many",
        "`iris`, `iri_host`";
    Change::Unescaped { .. } => "unescaped",
        "escapes became the characters that they mean: how many",
        "`unescape`";
    Change::Meta { .. } => "meta",
        "what a text declares of itself (HTML, XML, CSS) was made true to its octets",
        "`charset`";
    Change::Added { .. } => "added",
        "a field was added, which the change needs",
        "what the change beside it depends on";
    Change::Removed { .. } => "removed",
        "a field was taken out: it counted or summed up octets that changed, or it was moved",
        "what the change beside it depends on";
    Change::Replaced { .. } => "replaced",
        "what could not be read or written became U+FFFD or an escape: how many times",
        "`on_loss`";
    Change::Repaired { .. } => "repaired",
        "a form that breaks a rule was written as the standard has it",
        "`repair`";
    Change::Transliterated { .. } => "transliterated",
        "the closest letters of ASCII stand for characters, which is a loss: for how many",
        "`escape`, `language`";
    Change::Fixed { .. } => "fixed",
        "a defect that has a name was fixed: which",
        "`[conformance]`";
}

answers! { NOTES, NOTE_PATTERNS,
    /// Says what a note means, and what can be done about it.
    of_note(Note):

    Note::Utf7 => "utf-7",
        "the text was written in UTF-7, which hides it from scanners",
        "scan after septet, which decodes it";
    Note::Utf7Tolerated => "utf-7-tolerated",
        "UTF-7 text has `~` or `\\` unshifted, which RFC 2152 does not allow and every mailer writes",
        "nothing is to be done";
    Note::Meta(_) => "meta",
        "a text declared this charset of itself where the header named another, which was believed",
        "nothing is to be done; look at the text if it reads wrong";
    Note::DoubleEncoded => "double-encoded",
        "a text is UTF-8 that was taken for another charset and encoded once more before it came here (`Ã¼` for `ü`)",
        "`double_encoded = \"fix\"` undoes it in bodies";
    Note::Homograph(_) => "homograph",
        "a host mixes scripts or looks like another",
        "look where it leads before you follow or answer it";
    Note::Bidi(_) => "bidi",
        "a text has a character that turns its direction, and no need for it",
        "look at it in the order of its octets, as `septet explain` writes it, before you believe it";
    Note::Invisible(_) => "invisible",
        "a word has a character in it that nobody sees",
        "look at it as `septet explain` writes it before you believe it";
    Note::AddressInName(_) => "address-in-name",
        "the name of an address is itself an address, of another domain",
        "answer to the address, not to the name; bulk mail does this in good faith";
    Note::Link(_) => "link",
        "a link could not be rewritten, and stays",
        "nothing is to be done";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table calls a variant is what [`Reason::code`] and its likes call it.
    #[test]
    fn the_words_are_those_of_the_reports() {
        for (source, patterns) in [
            (include_str!("../../rewrite/report/reason.rs"), REASON_PATTERNS),
            (include_str!("../../rewrite/report/change.rs"), CHANGE_PATTERNS),
            (include_str!("../../rewrite/report/note.rs"), NOTE_PATTERNS),
        ] {
            for (pattern, code) in patterns {
                assert!(source.contains(&format!("{pattern} => \"{code}\",")), "{pattern}: {code}");
            }
        }
    }

    #[test]
    fn an_answer_is_of_the_word_that_was_asked() {
        assert_eq!(of_reason(&Reason::Unlabelled).code, Reason::Unlabelled.code());
        assert_eq!(of_change(&Change::Domain).code, "domain");
        assert_eq!(of_note(&Note::Utf7).code, "utf-7");
        for (_, answer) in all() {
            assert!(answer.says.len() > 10 && !answer.says.ends_with('.'), "{}", answer.code);
            assert_eq!(answer.says.matches('`').count() % 2, 0, "{}", answer.code);
            assert_eq!(answer.helps.matches('`').count() % 2, 0, "{}", answer.code);
        }
    }
}
