//! The table and the gate, held against each other.

use super::{Admission, Form, FormRow, Site, message};
use crate::message::{Limits, Message};

fn found(raw: &[u8]) -> Vec<&'static str> {
    let forms = message(&Message::read(raw, &Limits::default()));
    forms.iter().map(Form::code).collect()
}

#[test]
fn every_example_has_just_its_form() {
    let mut wrong = Vec::new();
    // Those of a text are found where its change is planned.
    for row in Form::all().map(Form::row).filter(|row| row.site != Site::Text) {
        for raw in [row.example.to_vec(), with_crlf(row.example)] {
            if found(&raw) != wanted(row) {
                wrong.push(format!("{}: {:?} in {}", row.code, found(&raw), raw.escape_ascii()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the codes that an example has: its own; a section with a word has that of a word in sections, too.
fn wanted(row: &FormRow) -> Vec<&'static str> {
    match row.form {
        Form::SectionWord => vec![Form::NameWordSections.code(), row.code],
        _ => vec![row.code],
    }
}

fn with_crlf(raw: &[u8]) -> Vec<u8> {
    raw.iter().flat_map(|octet| if *octet == b'\n' { b"\r\n".to_vec() } else { vec![*octet] }).collect()
}

#[test]
fn rows_stand_in_order_and_once() {
    let keys: Vec<(Site, &str)> = Form::all().map(|form| (form.row().site, form.code())).collect();
    assert!(keys.is_sorted_by(|left, right| left < right), "{keys:#?}");
    let mut codes: Vec<&str> = keys.iter().map(|(_, code)| *code).collect();
    codes.sort_unstable();
    assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "each code once, whatever its site");
    assert!(Form::all().enumerate().all(|(at, form)| at == form as usize && form.row().form == form));
}

fn is_kebab(code: &str) -> bool {
    code.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
}

#[test]
fn rows_say_what_they_are() {
    for row in Form::all().map(Form::row) {
        assert!(is_kebab(row.code) && row.rfc.starts_with("RFC ") && !row.readers.is_empty(), "{}", row.code);
        assert_eq!(row.form.is_admitted(), row.admission == Admission::Admitted);
    }
}

#[test]
fn what_the_rfcs_have_has_no_forms() {
    for raw in [
        &b"Subject: =?utf-8?Q?caf=C3=A9?= =?utf-8?B?w6k=?= a =?= b\n\n"[..],
        b"From: \"a, \\\"b\\\"\" (c (d)) <e@[1.2.3.4]>, =?utf-8?Q?f?= <g@example.org>\n\n",
        b"To: a: b@example.org, <@c,@d:e@example.org>;, f@example.org\n\n",
        b"Content-Type: text/plain; charset=utf-8; format=flowed\n\n",
        b"Content-Type: text/plain;\n\tcharset=\"utf-8\";\n name*=utf-8''caf%C3%A9.txt\n\n",
        b"Content-Disposition: attachment; filename*0*=utf-8'de'a%C3%A9; filename*1=\"b c\"; size=1\n\n",
        b"Content-Type: multipart/mixed; boundary=\"a b\"\n\nx\n--a b\n\ny\n--a b--\nz\n",
        b"Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9=\n a\n",
        b"Content-Transfer-Encoding: base64\n\nY2Fmw6k=\n",
    ] {
        assert_eq!(found(raw), [""; 0], "{}", raw.escape_ascii());
    }
}

#[test]
fn what_an_admitted_form_hides_is_irregular() {
    for (raw, code) in [
        (
            &b"Content-Type: text/html; charset=utf-7\nX: y\nContent-Type: text/html; charset=\"utf-7\n\n"[..],
            "type-conflict",
        ),
        (b"Content-Type: text/plain; name*0*=utf-8''a (b) charset=utf-8\n\n", "comment-within"),
        (b"Content-Disposition: inline; filename*=a\n utf-8''%C3%A9\n\n", "extended-charset"),
        (b">From ann\nSubject: a\nno field\nTo: b@example.org\n\n", "header-end"),
        (b"Content-Type: text/p a==\"\"\n\n", "parameter-text"),
        (b"Content-Type: text/p x=\";()name=()\"\n\n", "parameter-open"),
        (b"Content-Type: text/plain;(c)name*=\"a\"\n\n", "comment-within"),
        (b"Content-Type: text/plain; name*1=A; name*0*==?-8?Q??=\n\n", "section-word"),
        (b"Content-Disposition: inline; filename*=''1'%C3%A9\n\n", "extended-charset"),
        (b"Content-Disposition: inline; filename*0*=\"';'a\"; filename*1*=\"2\"\n\n", "extended-charset"),
        (b"To: b@example.org (\\=?utf-8?Q?=C3=A9?=)\n\n", "address-backslash"),
        (b"Subject: \xD4\\=?koi8-r?Q?=CF?=\n\n", "word-beside-octets"),
        (b"Subject: =?utf-8?B?w6k?= =?utf-8?B?8NDQ0Q==?=\n\n", "word-base64"),
        (b"Subject: =?utf-8?B?6k?= \xC3\xA9\n\n", "word-base64"),
        (b"Content-Disposition: attachment; filename==?koi8-r?Q?a5=C?=; size=1\n\n", "word-broken"),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n--b\n\nx\n--b--\n", "header-end"),
        (b"Content-Type: multipart/mixed boundary*1=b;boundary*0=a\n\n--ab\n\nx\n--ab--\n", "boundary-missing"),
    ] {
        assert!(found(raw).contains(&code), "{}: {:?}", raw.escape_ascii(), found(raw));
    }
}
