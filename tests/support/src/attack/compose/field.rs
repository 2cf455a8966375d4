//! Header fields that try to become more than one, or that readers part differently.

use super::{Around, Choices};

/// Fields of a message; `\n` is a fold or a line end of the message's own kind.
const OF_MESSAGE: [&str; 34] = [
    "From: Ann <ann@example.org>",
    "From: =?utf-7?Q?+AC0ALQ-b?= <ann@example.org>",
    "Subject: Hello",
    "Subject: =?utf-8?Q?a=0D=0ABcc:_x@example.org?=",
    "Subject: =?utf-7?Q?a+AA0ACg-Bcc:_x+AAA-?=",
    "Subject: =?utf-8?B?YQ0KDQotLWI=?=",
    "Subject: =?iso-8859-1?Q?=E9=00=0A?= =?iso-8859-1?Q?=0D=0A_x?=",
    "Subject: =?utf-16?B?/v8ADQAKAEIAYwBjADoAeA==?=",
    "Subject: =?iso-2022-jp?B?GyRCJCIbKEINCngK?=",
    "Subject: =?utf-8?Q?\n ?= =?utf-8*en?Q?=C3=A9?= x",
    "Subject: =?x-unknown?Q?=E9?=",
    "Subject: =?iso-8859-1?Q?=C3=83=C2=A9=3D=3Futf-8=3FQ=3Fx=3F=3D?=",
    "Subject: \u{E9}\u{65E5}",
    "Subject:\n \n x \u{E9}",
    "Subject: \\u'000D'\\u'000A'x \\u'00E9' \u{E9}",
    "Subject: a\u{0}b =?utf-8?Q?=C3=A9?=",
    "Subject: a\u{1}\u{7F} =?iso-8859-1?Q?=E9?=",
    "To: \"=?utf-8?Q?=C3=A9?=\" <b@example.net>, \u{E9} <c@example.net>",
    "To: =?iso-8859-1?Q?=2C_=E9=22=3C?= <b@example.net> (=?iso-8859-1?Q?=29_=E9?=)",
    "Cc: group: \u{E9}@example.org, =?utf-8?Q?=C3=A9?= ;",
    "List-Unsubscribe: <http://\u{E9}x.example/\u{FC}>, <mailto:x@example.org?subject=%0D%0AX>",
    "Content-Length: 17",
    "Lines: 3",
    "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==",
    "Content-Location: http://\u{E9}x.example/a",
    "Content-ID: <\u{E5}@x>",
    "Content-Description: =?utf-8?Q?=C3=A9=0D=0A=0D=0A--b?=",
    "X-\u{E9}: y",
    "X-Empty:",
    "X-Space : =?iso-8859-1?Q?=E9?=",
    "From ann@example.org Sat Nov 21 10:00:00 2026",
    ">From ann",
    "no field at all",
    " starts with a fold \u{E9}",
];

/// Fields with what no encoded-word can say: addresses, identifiers, traces.
const OF_ADDRESSES: [&str; 8] = [
    "From: J\u{FC}rgen <j\u{FC}rgen@b\u{FC}cher.example>",
    "To: x@\u{E9}.example, \"\u{E9} a\"@x,=?utf-8?Q?=C3=A9?= (c) <@a:\u{E9}@\u{4F8B}>, T: a@b, \u{E9}@c;, <\u{E9}",
    "Reply-To: > <\u{E9}@x>, <\u{E9}@x> y, a@\u{E9}\u{3002}x, b@-\u{E9}, (\u{E9}) c@d, \u{E9}@[\u{E9}]:;",
    "Message-ID: <\u{E9}@example.org>",
    "References: <a@b>\n <\u{E9}=?utf-8?Q?x?=@c> =?utf-8?Q?=C3=A9?=\n\t<d@e>",
    "Received: from \u{E9}.example (\u{E9}) by b (c) id \u{E9}\n for <\u{E9}@x> (\u{E9}; x); Sat, 21 Nov 2026 10:00:00 +0000",
    "Received: for \u{E9}@x (open from \u{E9}",
    "Original-Recipient: utf-8; \u{E9}+\\x{E9}@\u{E9}.example",
];

const FILE_NAMES: [&str; 9] = [
    "a.txt", "\u{E9}.txt", "a\u{E9}%0D%0AX: y", "=?utf-8?Q?=C3=A9=0D=0Ax?=", "=?iso-8859-1?Q?=E9.exe?=",
    "..\\..\\\u{E9}", "a\"; filename=\"evil.exe", "\u{202E}txt.exe", "a\r\n\r\n--b\u{E9}",
];

/// Writes a few fields of a message.
pub fn message_fields(choices: &mut Choices, around: &Around, out: &mut Vec<u8>) {
    for _ in 0..choices.below(6) {
        // Most fields stand where they do no harm; the last four break a header.
        let among = if choices.one_in(10) { OF_MESSAGE.len() } else { OF_MESSAGE.len() - 4 };
        let line = OF_MESSAGE[choices.below(among)];
        match choices.below(20) {
            0 => latin_1(line, around, out),
            1 => around.line(out, &format!("{line} {}", "\u{E9}x ".repeat(400))),
            _ => around.line(out, line),
        }
    }
    if !choices.one_in(3) {
        around.line(out, "MIME-Version: 1.0");
    }
}

/// Writes a few fields of addresses before the header of a message; they are chosen last, so that what older seeds
/// found stays what it is.
pub fn address_fields(choices: &mut Choices, around: &Around, out: &mut Vec<u8>) {
    let mut fields = Vec::new();
    for _ in 0..choices.below(4) {
        around.line(&mut fields, OF_ADDRESSES[choices.below(OF_ADDRESSES.len())]);
    }
    out.splice(0..0, fields);
}

/// Writes a line with its characters as single octets.
fn latin_1(line: &str, around: &Around, out: &mut Vec<u8>) {
    out.extend(line.replace('\n', around.end).chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')));
    out.extend_from_slice(around.end.as_bytes());
}

/// Gives a file name.
pub fn file_name(choices: &mut Choices) -> &'static str {
    choices.of(&FILE_NAMES)
}
