use super::*;
use crate::edit::EditList;
use crate::message::Limits;

const TOP: &str = "Content-Type: multipart/mixed; boundary=b\n\n";

/// Says whether mail-parser may look for the boundaries of a message that it is shown whole.
fn asked(raw: &str) -> Result<(), &'static str> {
    may_look_for_boundaries(&Message::read(raw.as_bytes(), &Limits::default()), raw.as_bytes())
}

/// Makes a message of many parts, each with its number where `#` stands.
fn of_parts(before: &str, part: &str, behind: &str) -> String {
    let numbered = [before, part, behind].map(|piece| {
        let pieces = (0..50).map(|number| piece.replace('#', &number.to_string()));
        pieces.collect::<String>()
    });
    format!("{TOP}{}{}", numbered.concat(), "x".repeat(FEW))
}

#[test]
fn few_boundaries_are_looked_for_in_vain() {
    for (before, part, behind) in [
        ("", "--b\nContent-Type: multipart/mixed; boundary=c\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary=c#x\n\n\n", ""),
        ("--c#x\n", "--b\nContent-Type: multipart/mixed; boundary=c#x\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary=c#x\nX: --c#x\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; BOUNDARY=\n \"c d\"; name=boundary\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary*=utf-8''c%20d\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary*1=d; boundary*0=c\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary=c; boundary=d\n\n\n", ""),
        ("", "--b\nContent-Type: text/plain\nContent-Type: multipart/mixed; boundary=c\n\n\n", ""),
        ("", "--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/digest; boundary=c\n\n\n", ""),
        ("", "--b\nContent-Type: multipart/mixed; boundary=c#x\n\n\n", "--c#\n"),
    ] {
        let (_, header) = part.split_once('\n').expect("a header behind the delimiter");
        let is_read = ParsedHeader::read(header.as_bytes()).is_some_and(|read| read.boundary.is_some());
        assert_eq!(asked(&of_parts(before, part, behind)).is_err(), is_read || header.contains("rfc822"), "{part}");
    }
}

#[test]
fn a_boundary_that_has_parts_is_not_counted() {
    let part = "--b\nContent-Type: multipart/mixed; boundary=\"c#x\"\n\n--c#x\n\nx\n--c#x--\n";
    assert_eq!(asked(&of_parts("", part, "")), Ok(()));
    let few = "--b\nContent-Type: multipart/mixed; boundary=c\n\n\n".repeat(IN_VAIN);
    assert_eq!(asked(&format!("{TOP}{few}{}", "x".repeat(FEW))), Ok(()));
    assert_eq!(asked(&format!("{TOP}{few}{few}")), Ok(()), "it is short");
}

#[test]
fn what_says_nothing_to_septet_says_nothing_to_mail_parser() {
    let limits = Limits::default();
    let few = "Content-Type: text/plain\nX: Content-Type: a/b\n\nx--b\nCONTENT-TYPE: c/d\nContent-Disposition: a; b*0=c\n\
        Content-Transfer-Encoding: 7bit\n";
    let raw = format!("{few}{}", "x".repeat(FEW));
    let message = Message::read(raw.as_bytes(), &limits);
    let shown = without_hidden_fields(raw.as_bytes().into(), &message, &Moved::by(&EditList::new())).into_owned();
    let expected = raw.replace("X: Content-Type", "X: Content-Typx").replace("CONTENT-TYPE", "CONTENT-TYPx");
    let expected = expected.replace("Encoding: 7", "Encodinx: 7").replace("Disposition", "Dispositiox");
    assert_eq!(String::from_utf8(shown).unwrap(), expected);
    let plain = format!("Content-Type: a/b\n\n{}", "x".repeat(FEW));
    for plain in [few, &plain] {
        let message = Message::read(plain.as_bytes(), &limits);
        assert!(matches!(
            without_hidden_fields(plain.as_bytes().into(), &message, &Moved::by(&EditList::new())),
            Cow::Borrowed(_)
        ));
    }
}

#[test]
fn what_bounds_can_not_help_is_a_difference() {
    let long = format!("Content-Type: multipart/mixed; boundary=\"{}\"\n\n", "-".repeat(300));
    let hidden = "Content-Type: multipart/mixed; boundary=\"content-type\"\n\n".to_owned();
    let endless = "--b\nContent-Type: multipart/mixed; boundary=c\nno field\n";
    for (raw, what) in
        [(long, "a boundary"), (hidden, "a boundary"), (of_parts("", endless, ""), "where a boundary is")]
    {
        assert_eq!(asked(&raw), Err(what));
    }
    let sections: String = (0..11_000).map(|number| format!("; a{number}*1=x")).collect();
    let raw = format!("Content-Type: text/plain{sections}\n\n");
    assert!(has_too_many_sections(&Message::read(raw.as_bytes(), &Limits::default())));
}
