//! What is sent through the MTAs: the file cases of `fixtures/rewrite`, and messages of sizes and shapes that matter
//! to the protocol.

use std::fmt::Write as _;

use septet::message::{Limits, Message};
use septet_support::case;
use septet_support::line_ends::with_crlf;

/// The most octets of a body piece that Postfix and Sendmail send.
const PIECE: usize = 65_535;

/// One message and how it is sent.
pub struct Case {
    /// Its name; the sender's local part, by which a rule finds the profile.
    pub name: String,
    /// The keys of its profile.
    pub profile: String,
    /// How many recipients it has.
    pub recipients: usize,
    pub raw: Vec<u8>,
}

impl Case {
    /// A message in the profile `utf8` to one recipient.
    fn new(name: &str, header: &str, body: &[u8]) -> Case {
        let raw = [complete(name).as_bytes(), header.as_bytes(), b"\r\n", body].concat();
        Case { name: name.to_owned(), profile: String::new(), recipients: 1, raw }
    }

    /// Gives an address of its recipients on one way through the MTA.
    pub fn recipient(&self, way: &str, number: usize) -> String {
        format!("{}.{number}.{way}@example.net", self.name)
    }

    /// Returns `true` if a client would declare 8-bit for it: where the body is so, or becomes so.
    pub fn eight_bit(&self, goal: &[u8]) -> bool {
        !self.raw.is_ascii() || !goal.is_ascii()
    }

    /// Gives what MAIL says of it.
    pub fn parameters(&self, eight_bit: bool) -> &'static str {
        match (eight_bit, self.profile.contains("base = \"eai\"") && !self.profile.contains("headers")) {
            (false, _) => "",
            (true, false) => " BODY=8BITMIME",
            (true, true) => " BODY=8BITMIME SMTPUTF8",
        }
    }

    /// Gives its profile, and the rule that finds it, for the daemon and `septet filter` alike.
    pub fn settings(&self) -> String {
        let Case { name, profile, .. } = self;
        format!("[profile.{name}]\n{profile}\n[[rule]]\nprofile = \"{name}\"\nsender = \"{name}@example.org\"\n")
    }
}

/// The fields that an MTA adds where they are missing: with them, it adds none.
fn complete(name: &str) -> String {
    format!(
        "Date: Thu, 1 Jan 2026 00:00:00 +0000\r\nMessage-ID: <{name}@example.org>\r\nFrom: a@example.org\r\n\
         To: b@example.org\r\n"
    )
}

/// Gives every case for an MTA that is Postfix, with SMTPUTF8, or Sendmail, without. Where the daemon raises less than
/// `septet filter`, which knows no next hop, the profile says so: no raw UTF-8 in a header without SMTPUTF8, and no
/// 8-bit body from a message in 7 bits through Sendmail, which would not downgrade it.
pub fn all(postfix: bool) -> Vec<Case> {
    let mut cases: Vec<Case> = fixtures().into_iter().chain(small()).chain(large()).collect();
    // What is written for SMTPUTF8 Sendmail reads as something else: it folds such lists of addresses anew, and gives a
    // message whose Message-ID moved another one.
    cases.retain(|case| postfix || !case.name.starts_with("downgrade-"));
    for case in cases.iter_mut().filter(|case| !postfix && case.profile.contains("base = \"eai\"")) {
        case.profile.push_str("\nheaders = \"utf8-words\"\n");
        if case.raw.is_ascii() {
            case.profile.push_str("transfer = \"keep\"\n");
        }
    }
    cases
}

/// Reads `fixtures/rewrite`: what SMTP can carry of it, with CRLF, and with the fields in front that are missing.
fn fixtures() -> Vec<Case> {
    let mut cases = Vec::new();
    for case in case::all() {
        let (name, input, profile) = (case.name.replace('/', "-"), case.input(), case.profile().to_owned());
        // Defects that have a name are fixed by an MTA before a milter sees them, or the message is refused.
        if name.starts_with("conformance-") || !passes_an_mta(input) {
            continue;
        }
        let raw = [missing(&name, input).as_bytes(), &with_crlf(input)].concat();
        cases.push(Case { name, profile, recipients: 1, raw });
    }
    assert!(cases.len() > 80, "{} cases", cases.len());
    cases
}

/// Returns `true` if an MTA passes a message on as it came: SMTP has no octet 0 and no lone CR, and a header that is
/// none (a byte order mark or white space before it, a line in it that is no field) gets an end of the MTA's own.
/// Postfix takes a Content-Length out, both a Bcc and a Return-Path, and to Resent fields they add those that are
/// missing.
fn passes_an_mta(input: &[u8]) -> bool {
    let message = Message::read(input, &Limits::default());
    let root = &message.parts()[0];
    let wire = with_crlf(input);
    let lone = wire.iter().enumerate().any(|(at, octet)| *octet == b'\r' && wire.get(at + 1) != Some(&b'\n'));
    !lone
        && !input.contains(&0)
        && root.header.start == 0
        && root.header_irregularity.is_none()
        && ["Content-Length", "Bcc", "Return-Path"].iter().all(|name| message.field(root, name).is_none())
        && !message
            .fields(root)
            .iter()
            .any(|field| message.slice(field.name).to_ascii_lowercase().starts_with(b"resent-"))
}

/// Gives those of the fields of [`complete`] that a message has not.
fn missing(name: &str, input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input).to_ascii_lowercase();
    let header = text.split("\n\n").next().unwrap_or_default().to_owned();
    let is_missing = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !header.lines().any(|line| line.starts_with(&format!("{name}:")))
    };
    complete(name).split_inclusive('\n').filter(is_missing).collect()
}

/// The header of a text in ISO-8859-1.
const LATIN: &str = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
                     Content-Transfer-Encoding: 8bit\r\n";

/// Small messages: spaces, dots, folds, raw 8-bit, equal names, no body at all.
fn small() -> Vec<Case> {
    let mut cases = vec![
        Case::new("plain", "Subject: plain\r\nX-Odd:no space\r\nX-Tab:\ttab\r\n", b"one\r\n.\r\n..two\r\n"),
        Case::new(
            "utf7",
            "Subject: =?unicode-1-1-utf-7?Q?+ANw-ber?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;\r\n\tcharset=utf-7\r\n",
            b"Gr+APwA3w-e\r\n",
        ),
        Case::new("raw-utf8-header", "Subject: caf\u{e9}\r\n folded \u{e9}t\u{e9}\r\n", b"text\r\n"),
        Case::new("latin", LATIN, b"caf\xe9\r\n.\r\n..\xe9\r\n"),
        Case::new("no-body", "Subject: =?utf-7?Q?+ANw-ber?=\r\n", b""),
        Case::new("body-of-one-line-end", "Subject: =?utf-7?Q?+ANw-ber?=\r\n", b"\r\n"),
        Case::new(
            "same-names",
            "Comments: one\r\nComments: =?iso-8859-1?Q?=E9?=\r\ncomments: =?utf-7?Q?+ANw-?=\r\nCOMMENTS:=?utf-7?Q?+ANw-?=\r\n",
            b"x\r\n",
        ),
    ];
    let mut raw_latin = Case::new("raw-latin-1-header", "Subject: caf#\r\nX-Raw: #t#\r\n", b"text\r\n");
    raw_latin.profile = "unlabelled = [\"iso-8859-1\"]\n".to_owned();
    raw_latin.raw.iter_mut().filter(|octet| **octet == b'#').for_each(|octet| *octet = 0xe9);
    cases.push(raw_latin);
    let mut many = Case::new("many-recipients", LATIN, b"caf\xe9\r\n");
    many.recipients = 300;
    cases.push(many);
    cases
}

/// Large messages: bodies over one piece and far over it, lines at the border of pieces, a field as long as MTAs take.
fn large() -> Vec<Case> {
    let mut cases = vec![
        Case::new("300-kb", LATIN, &text_of(300 << 10)),
        Case::new("20-mb", LATIN, &text_of(20 << 20)),
        Case::new("20-mb-unchanged", "Subject: plain\r\n", &b"no line of this needs a change\r\n".repeat(650_000)),
        Case::new("long-field", &long_field(45_000), b"x\r\n"),
    ];
    // CR and LF, and the octets of a character, on both sides of the border of the first two pieces.
    for shift in 0..4 {
        let mut body = line_body(PIECE - 2 + shift);
        body.extend_from_slice(b"\r\ncaf\xe9\r\n");
        body.extend(line_body(PIECE - 1));
        body.extend_from_slice(b"\xe9\xe9\r\n.\r\n");
        cases.push(Case::new(&format!("border-{shift}"), LATIN, &body));
    }
    // A body whose new form ends at the border exactly: each of its characters takes two octets.
    for length in [PIECE - 1, PIECE, PIECE + 1] {
        let mut body = line_body(length - 4);
        body.extend_from_slice(b"\xe9\r\n");
        cases.push(Case::new(&format!("new-body-of-{length}"), LATIN, &body));
    }
    cases
}

/// Lines in ISO-8859-1, of every length up to 80, together of about this many octets.
fn text_of(octets: usize) -> Vec<u8> {
    let line = |number: usize| [b"\xe9t\xe9 ", &[b'x'; 74][..number % 74], b"\r\n"].concat();
    let mut text = Vec::with_capacity(octets + 100);
    for number in 0.. {
        if text.len() >= octets {
            break;
        }
        text.extend(line(number));
    }
    text
}

/// Lines of `y`, exactly this many octets; the last one has no line end, not even half of one.
fn line_body(octets: usize) -> Vec<u8> {
    let lines = octets.saturating_sub(2) / 64;
    let mut body = [&[b'y'; 62][..], b"\r\n"].concat().repeat(lines);
    body.resize(octets, b'y');
    body
}

/// A field of about this many octets in folded lines, with words that change and raw 8-bit.
fn long_field(octets: usize) -> String {
    let mut field = "X-Long:".to_owned();
    while field.len() < octets {
        write!(field, " =?iso-8859-1?Q?=E9t=E9?= and caf\u{e9} and more\r\n").expect("a string");
    }
    field
}
