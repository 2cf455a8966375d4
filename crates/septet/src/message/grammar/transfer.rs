//! Content-Transfer-Encoding: which token the field's value is (RFC 2045 §6.1).

use super::lexer::{Grammar, Lexer, TokenKind};
use crate::coding::transfer::TransferEncoding;

/// Reads a field's value: white space, comments and letter case do not count, and an empty one is 7bit.
///
/// Neither do quotes around the token, nor a `;` and what follows it, which some mailers write. A comment that is
/// never closed ends the value. Several words are no token, and stay together as what nobody knows.
pub fn read(value: &[u8]) -> TransferEncoding {
    let bare = value.trim_ascii();
    if bare.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-') {
        return TransferEncoding::named(bare);
    }
    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
    for token in Lexer::literal(value, Grammar::Mime) {
        let text = &value[token.at];
        match token.kind {
            TokenKind::Special(b';' | b'(') => break,
            TokenKind::White | TokenKind::Comment | TokenKind::Special(b'"') => words.push(Vec::new()),
            TokenKind::Quoted => words.extend([text[1..text.len() - 1].to_vec(), Vec::new()]),
            _ => words.last_mut().into_iter().for_each(|word| word.extend_from_slice(text)),
        }
    }
    words.retain(|word| !word.trim_ascii().is_empty());
    TransferEncoding::named(&words.join(&b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_mailers_write() {
        let cases: [(&[u8], &str); 12] = [
            (b"", "7bit"),
            (b" Base64 \r\n", "base64"),
            (b"(a (b) \\) c) base64 (d)", "base64"),
            (b"base64(d)", "base64"),
            (b"\"quoted-printable\"", "quoted-printable"),
            (b"\"8bit", "8bit"),
            (b"8bit; x", "8bit"),
            (b"base64 (open", "base64"),
            (b"base 64", "base 64"),
            (b"8bit+", "8bit+"),
            (b"base\"64\"", "base 64"),
            (b"\"(base64)\"", "(base64)"),
        ];
        for (value, expected) in cases {
            assert_eq!(read(value).name(), expected, "{}", value.escape_ascii());
        }
    }
}
