//! Messages in quoted-printable of lines that end, break and go on in every way, half escapes and all.

use super::Choices;
use super::named::with_line_ends;

const LABELS: [&str; 8] = ["utf-8", "utf-8", "iso-8859-1", "iso-8859-1", "koi8-r", "utf-7", "shift_jis", "us-ascii"];
const TYPES: [&str; 8] = [
    "text/plain",
    "text/plain",
    "text/plain",
    "text/html",
    "text/plain; format=flowed; delsp=yes",
    "texo/plain",
    "application/octet-stream; name=a.txt",
    "text/plain; name=a.txt",
];
const PIECES: [&str; 36] = [
    "=C3=A9", "=E9", "=CF", "a", "word ", " ", "\t", "=", "=b", "=3", "=\n", "= \n", "=\t\n", "\n", "\n", "\n\n",
    "\n\n\n", " \n", "\t\n", "=20\n", "=3D", "=3d", "==", "=b=", "=0D\n", "=0A", "=\r", "=\r\n", "a\r\n", "\r", "=b\n",
    "=b\n\n", "\u{E9}", "--b", "=2D-b", "http://\u{E9}.org/",
];

/// Composes a message of one text in quoted-printable, or of one in a multipart.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let (label, media) = (choices.of(&LABELS), choices.of(&TYPES));
    let body: String = (0..1 + choices.below(14)).map(|_| choices.of(&PIECES)).collect();
    let shown = choices.of(&["", "", "", "Content-Disposition: attachment\n", "Content-Disposition: inline\n"]);
    let part =
        format!("{shown}Content-Type: {media}; charset={label}\nContent-Transfer-Encoding: quoted-printable\n\n{body}");
    let part = if choices.one_in(2) { part.into_bytes() } else { latin_1(&part) };
    let top = b"From: a@example.org\nMIME-Version: 1.0\n";
    let raw = match choices.one_in(3) {
        true => [top, &b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"[..], &part, b"\n--b--\n"].concat(),
        false => [&top[..], &part].concat(),
    };
    with_line_ends(choices, raw)
}

/// Writes a text with its characters as single octets.
fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}
