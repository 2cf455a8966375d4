//! Messages with raw 8-bit text in a header, of which only the label of a body says what it is.

use super::Choices;
use super::named::with_line_ends;

const LABELS: [&str; 9] =
    ["iso-8859-1", "koi8-r", "koi8-r", "windows-1251", "shift_jis", "utf-8", "utf-7", "us-ascii", "x-unknown"];
const FIELDS: [&str; 12] = [
    "From: $ <a@example.org>",
    "From: \"$\" <a@example.org>",
    "To: b@example.org ($)",
    "Subject: $",
    "Subject: $",
    "Comments: $",
    "Keywords: $, x",
    "X-Raw: $",
    "List-Id: $ <list.example.org>",
    "Reply-To: a@\u{E9}.example",
    "Received: from $",
    "Subject: =?koi8-r?Q?=CF=D4?= $",
];
const PIECES: [&str; 14] = [
    "\u{CF}\u{D4}",
    "\u{E9}",
    "\u{93}",
    "\u{C3}\u{A9}",
    "word",
    " ",
    "\n ",
    "=?utf-8?Q?=C3=A9?=",
    "=?koi8-r?Q?=CF?=",
    "\"",
    "(",
    "\\",
    "\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}\u{CF}\u{D4}",
    "http://\u{E9}.example/",
];
const PARAMETERS: [&str; 6] = [
    "",
    "",
    "; x=$",
    "; name=\"$\"",
    "; x*=koi8-r''%CF; y=$",
    "; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=\"$\"",
];
const TEXTS: [&str; 5] = ["\u{CF}\u{D4}\n", "\u{E9}\n", "\u{C3}\u{A9}\n", "x\n", ""];

/// Composes a message of one text, or of two in a multipart, perhaps in another message.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let header: String = (0..1 + choices.below(3)).map(|_| filled(choices, &FIELDS) + "\n").collect();
    let head = format!("{header}MIME-Version: 1.0\n");
    let whole = match choices.below(4) {
        0 => {
            let (first, second) = (part(choices), part(choices));
            format!("{head}Content-Type: multipart/mixed; boundary=b\n\n--b\n{first}\n--b\n{second}\n--b--\n")
        }
        1 => format!("Subject: outer\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n{head}{}", part(choices)),
        _ => head + &part(choices),
    };
    let raw = whole.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    with_line_ends(choices, raw)
}

fn part(choices: &mut Choices) -> String {
    let media = choices.of(&["text/plain", "text/plain", "text/html", "application/x"]);
    let label = choices.of(&LABELS);
    let shown =
        choices.of(&["", "", "", "Content-Disposition: attachment\n", "Content-Disposition: inline; filename=$\n"]);
    let shown = fill(choices, shown);
    let parameter = filled(choices, &PARAMETERS);
    let transfer = choices.of(&["8bit", "8bit", "quoted-printable", "base64"]);
    let text = choices.of(&TEXTS);
    format!("{shown}Content-Type: {media}; charset={label}{parameter}\nContent-Transfer-Encoding: {transfer}\n\n{text}")
}

fn filled(choices: &mut Choices, list: &[&str]) -> String {
    let pattern = choices.of(list);
    fill(choices, pattern)
}

/// Puts a text of pieces where a `$` stands.
fn fill(choices: &mut Choices, pattern: &str) -> String {
    let text: String = (0..1 + choices.below(4)).map(|_| choices.of(&PIECES)).collect();
    pattern.replace('$', &text)
}
