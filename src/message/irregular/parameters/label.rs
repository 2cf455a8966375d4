//! Labels of charsets that a program spoilt: the quotes escaped or encoded, something behind them, a blank inside.
//!
//! Each says one charset to a person, and often none to a program. It is for whoever writes the right one to ask whether the
//! octets prove it.

use super::Form;
use crate::coding::charset::Labels;
use crate::message::grammar::parameter::{half_encoded, unquote};

/// Returns the form of a label, as it is written, if it is a spoilt one of a known charset; `is_last` says that nothing
/// but semicolons and white space stands behind it.
pub(super) fn form(written: &[u8], is_last: bool) -> Option<Form> {
    let between = |before: &[u8], behind: &[u8]| {
        let label = written.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        label.is_some_and(is_known)
    };
    match () {
        () if between(b"\\\"", b"\\\"") => Some(Form::LabelEscaped),
        () if between(b"3D\"", b"\"") || between(b"3D", b"") => Some(Form::LabelEncoded),
        () if between(b"\"&quot;", b"&quot;\"") => Some(Form::LabelEncoded),
        () if between(b"'", b"'") || between(b"\"'", b"'\"") => Some(Form::LabelApostrophes),
        () if is_last && (between(b"", b"\"") || between(b"\"", b"") || between(b"\"", b";")) => Some(Form::LabelOpen),
        () => of_text(&unquote(written)),
    }
}

/// Returns `true` if a value is `&quot`, and behind its semicolon a known label and another `&quot` stand.
pub(super) fn is_half_encoded(written: &[u8], behind: &[u8]) -> bool {
    half_encoded(written, behind).is_some_and(is_known)
}

/// Returns the form of a label without its quotes that has `//` or a comma behind it, or white space inside.
fn of_text(text: &[u8]) -> Option<Form> {
    let end = text.windows(2).position(|pair| pair == b"//").or_else(|| memchr::memchr(b',', text));
    let joined =
        |with: &[u8]| text.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).collect::<Vec<_>>().join(with);
    match () {
        () if end.is_some_and(|end| is_known(&text[..end])) => Some(Form::LabelSuffix),
        () if !text.iter().any(u8::is_ascii_whitespace) => None,
        () if is_known(&joined(b"")) || is_known(&joined(b"-")) => Some(Form::LabelWhite),
        () => None,
    }
}

/// Returns `true` if a text is the label of a known charset and nothing else, not even white space around it.
fn is_known(text: &[u8]) -> bool {
    let is_label = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.:+".contains(octet);
    text.iter().all(is_label) && Labels::default().find(text).is_some()
}
