//! Labels of charsets that a program spoilt: the quotes escaped or encoded, something behind them, a blank inside.
//!
//! Each is a form, a row of the table in `irregular/table`, and says one charset to a person, and often none to a
//! program. It is for whoever writes the right one to ask whether the octets prove it.

use super::Form;
use crate::coding::charset::Labels;
use crate::message::grammar::parameter::{half_encoded, unquote};

/// Returns the form of a label, as it is written, if it is a spoilt one of a known charset; `is_last` says that nothing
/// but semicolons and white space stands behind it.
pub(super) fn form(written: &[u8], is_last: bool) -> Option<Form> {
    for (before, behind, form) in AROUND.into_iter().filter(|(.., form)| is_last || *form != Form::LabelOpen) {
        let label = written.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
        if label.is_some_and(is_known) {
            return Some(form);
        }
    }
    of_text(&unquote(written))
}

/// What stands before and behind a spoilt label, and its form; that of an open quote counts where it is the last.
const AROUND: [(&[u8], &[u8], Form); 9] = [
    (b"\\\"", b"\\\"", Form::LabelEscaped),
    (b"3D\"", b"\"", Form::LabelEncoded),
    (b"3D", b"", Form::LabelEncoded),
    (b"\"&quot;", b"&quot;\"", Form::LabelEncoded),
    (b"'", b"'", Form::LabelApostrophes),
    (b"\"'", b"'\"", Form::LabelApostrophes),
    (b"", b"\"", Form::LabelOpen),
    (b"\"", b"", Form::LabelOpen),
    (b"\"", b";", Form::LabelOpen),
];

/// Returns `true` if a value is `&quot`, and behind its semicolon a known label and another `&quot` stand.
pub(super) fn is_half_encoded(written: &[u8], behind: &[u8]) -> bool {
    half_encoded(written, behind).is_some_and(is_known)
}

/// Returns the form of a label without its quotes that has `//` or a comma behind it, or white space inside.
fn of_text(text: &[u8]) -> Option<Form> {
    let end = text.windows(2).position(|pair| pair == b"//").or_else(|| memchr::memchr(b',', text));
    if end.is_some_and(|end| is_known(&text[..end])) {
        return Some(Form::LabelSuffix);
    }
    if !text.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    let pieces: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty()).collect();
    (is_known(&pieces.concat()) || is_known(&pieces.join(&b'-'))).then_some(Form::LabelWhite)
}

/// Returns `true` if a text is the label of a known charset and nothing else, not even white space around it.
fn is_known(text: &[u8]) -> bool {
    let is_one = text.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-_.:+".contains(octet));
    is_one && Labels::default().find(text).is_some()
}
