//! What signatures cover, and what a server says of them (RFC 6376 §3.5, RFC 8601 §2.2, draft-ietf-dkim-dkim2-spec-08).
//!
//! Nothing is verified here. A list of tags (DKIM-Signature) has no comments and no quotes; Authentication-Results
//! has both, and what a sender wrote may stand in either: `reason="x; dkim=pass"` is no result.

use super::lexer::{Grammar, Token, TokenKind, is_open, literal_tokens};

/// Finds the first tag of a DKIM tag list with this name, whose case counts, and returns its value without any white
/// space, within it neither (RFC 6376 §3.2); none where no tag has the name.
pub fn tag(list: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    list.split(|&octet| octet == b';').find_map(|tag| {
        let tag: Vec<u8> = tag.iter().copied().filter(|octet| !octet.is_ascii_whitespace()).collect();
        tag.strip_prefix(name)?.strip_prefix(b"=").map(<[u8]>::to_vec)
    })
}

/// Returns the names in a DKIM-Signature's `h=`, in lower case; a name may stand there more than once. There are none
/// without that tag.
pub fn signed_fields(signature: &[u8]) -> Vec<Vec<u8>> {
    let names = tag(signature, b"h").unwrap_or_default();
    let names = names.split(|&octet| octet == b':').filter(|name| !name.is_empty());
    names.map(<[u8]>::to_ascii_lowercase).collect()
}

/// The names that DKIM2 leaves out of the hash of a header, besides those that begin with one of [`UNHASHED_PREFIXES`]:
/// what a message gets on its way.
const UNHASHED: [&str; 16] = [
    "apparently-to", "arc-authentication-results", "arc-message-signature", "arc-seal", "authentication-results",
    "delivered-to", "dkim-signature", "dkim2-signature", "dl-expansion-history", "message-instance",
    "original-recipient", "received", "return-path", "sio-label-history", "x400-received", "x400-trace",
];

/// What the names of whole families begin with that DKIM2 leaves out as well.
const UNHASHED_PREFIXES: [&str; 2] = ["x-", "received-"];

/// Returns `true` if DKIM2 covers the fields of a name, which must be in lower case. Unlike DKIM it covers all that it
/// does not leave out, and so those that come later, too.
pub fn is_hashed(name: &[u8]) -> bool {
    let is_of_family = UNHASHED_PREFIXES.iter().any(|prefix| name.starts_with(prefix.as_bytes()));
    !is_of_family && !UNHASHED.iter().any(|known| known.as_bytes() == name)
}

/// Returns `true` if an Authentication-Results value begins with this server's name and says that a method (`dkim`,
/// `dkim2`, `arc`) passed.
///
/// A value with a quote or parenthesis that never closes is not believed: who knows what stands in it.
pub fn passed(results: &[u8], authserv_id: &str, method: &str) -> bool {
    let tokens = literal_tokens(results, Grammar::Mime);
    if is_open(&tokens) {
        return false;
    }
    let mut parts = tokens.split(|token| token.is(b';'));
    let server = parts.next().and_then(|part| part.iter().find(|token| !token.is_space()));
    let is_trusted = server.is_some_and(|server| says(results, server, authserv_id.as_bytes()));
    is_trusted && parts.any(|part| is_pass(results, part, method))
}

/// Returns `true` if one result is `method=pass` and nothing is glued to it: `pass.x` is another one. What else stands
/// behind are its properties, which aren't looked at.
fn is_pass(results: &[u8], part: &[Token], expected: &str) -> bool {
    let solid: Vec<&Token> = part.iter().filter(|token| !token.is_space()).collect();
    // A version may stand behind the method: `dkim/1`.
    let (method, rest) = match solid.as_slice() {
        [method, slash, _, rest @ ..] if slash.is(b'/') => (method, rest),
        [method, rest @ ..] => (method, rest),
        [] => return false,
    };
    let [equals, result, rest @ ..] = rest else { return false };
    let apart = rest.first().is_none_or(|next| next.at.start > result.at.end);
    says(results, method, expected.as_bytes()) && equals.is(b'=') && says(results, result, b"pass") && apart
}

/// Returns `true` if a token is this text, in any case of letters, bare or in quotes; a backslash in quotes is not
/// undone.
fn says(value: &[u8], token: &Token, text: &[u8]) -> bool {
    let octets = &value[token.at.clone()];
    let bare = match token.kind {
        TokenKind::Quoted => &octets[1..octets.len() - 1],
        TokenKind::Atom => octets,
        _ => return false,
    };
    bare.eq_ignore_ascii_case(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tags() {
        let signature = b" v=1; a=x;\r\n h=From : sub\r\n ject; b=h=To";
        assert_eq!(signed_fields(signature), [&b"from"[..], b"subject"]);
        assert_eq!(tag(signature, b"v").as_deref(), Some(&b"1"[..]));
        assert_eq!(tag(signature, b"bh"), None);
    }

    #[test]
    fn dkim2_covers_all_but_what_comes_on_the_way() {
        assert!(
            ["from", "subject", "date", "auto-submitted", "vbr-info", "x400-other", "xref"]
                .iter()
                .all(|it| is_hashed(it.as_bytes()))
        );
        assert!(
            !["x-septet", "received", "received-spf", "message-instance"].iter().any(|it| is_hashed(it.as_bytes()))
        );
    }

    #[test]
    fn believes_results_and_not_what_stands_in_them() {
        let cases = [
            ("mx.example (c) 1; spf=fail; dkim = pass (good) header.d=a", true),
            ("\"mx.example\"; DKIM=Pass", true),
            ("mx.example; dkim=pass(good)", true),
            ("mx.example; dkim=\"pass\"", true),
            ("mx.example; dkim/1 = pass", true),
            ("mx.example; dkim/1=fail", false),
            ("mx.example; dkim/pass", false),
            ("other.example; dkim=pass", false),
            ("mx.example; dkim=fail; x=dkim=pass", false),
            ("mx.example; dkim=passable", false),
            ("mx.example; dkim=pass/x", false),
            ("mx.example; spf=fail reason=\"x; dkim=pass\"", false),
            ("mx.example; spf=fail (x; dkim=pass)", false),
            ("mx.example; spf=fail (x\\); dkim=pass)", false),
            ("mx.example; spf=fail reason=\"x; dkim=pass", false),
            ("(mx.example); dkim=pass", false),
            ("", false),
        ];
        for (results, expected) in cases {
            assert_eq!(passed(results.as_bytes(), "MX.example", "dkim"), expected, "{results}");
        }
    }
}
