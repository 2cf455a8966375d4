use memchr::memmem;

use super::*;
use crate::edit::EditList;
use crate::message::Limits;

const TOP: &str = "Content-Type: multipart/mixed; boundary=b\n\n";

/// Counts the octets through which mail-parser looks for boundaries in vain, in what it is shown of a message.
fn searched_in_vain(raw: &[u8]) -> usize {
    let limits = Limits::default();
    let message = Message::read(raw, &limits);
    let shown = without_missing_boundaries(&message).expect("no difference");
    assert_eq!(shown.len(), raw.len());
    let asked =
        |part: &Part| ParsedHeader::read(&shown[part.header.start..part.body.start]).expect("no panic").boundary;
    let in_vain = |part: &Part| {
        let (boundary, behind) = (asked(part)?, &shown[part.body.start..]);
        memmem::find(behind, format!("--{boundary}").as_bytes()).is_none().then_some(behind.len())
    };
    message.parts().iter().filter_map(in_vain).sum()
}

/// Makes a message of many parts, each with its number where `#` stands.
fn of_parts(before: &str, part: &str, behind: &str) -> String {
    let numbered = |piece: &str| (0..50).map(|number| piece.replace('#', &number.to_string())).collect::<String>();
    format!("{TOP}{}{}{}", numbered(before), numbered(part), numbered(behind))
}

#[test]
fn no_boundary_is_looked_for_in_vain() {
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
        let message = of_parts(before, part, behind);
        assert_eq!(searched_in_vain(message.as_bytes()), 0, "{part}");
    }
}

#[test]
fn a_boundary_that_occurs_behind_its_part_is_shown() {
    for behind in ["--c#x\n", "in mid-line--c#x", "--c#xy\n", "---c#x--\n", "--b\n\n--c#x\n"] {
        let part = "--b\nContent-Type: multipart/mixed; boundary=\"c#x\"\n\n\n";
        let raw = of_parts("", part, behind);
        let message = Message::read(raw.as_bytes(), &Limits::default());
        let shown = without_missing_boundaries(&message).expect("no difference");
        assert_eq!(shown.as_ref(), raw.as_bytes(), "{behind}");
    }
}

#[test]
fn what_says_nothing_to_septet_says_nothing_to_mail_parser() {
    let limits = Limits::default();
    let few =
        "Content-Type: text/plain\nX: Content-Type: a/b\n\nx--b\nCONTENT-TYPE: c/d\nContent-Transfer-Encoding: 7bit\n";
    let raw = format!("{few}{}", "x".repeat(FEW));
    let message = Message::read(raw.as_bytes(), &limits);
    let shown = without_hidden_fields(raw.as_bytes().into(), &message, &Moved::by(&EditList::new())).into_owned();
    let expected = raw.replace("X: Content-Type", "X: Content-Typx").replace("CONTENT-TYPE", "CONTENT-TYPx");
    assert_eq!(String::from_utf8(shown).unwrap(), expected.replace("Encoding: 7", "Encodinx: 7"));
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
        [(long, "a boundary"), (hidden, "a boundary"), (of_parts("", endless, ""), "where a body starts")]
    {
        let message = Message::read(raw.as_bytes(), &Limits::default());
        assert_eq!(without_missing_boundaries(&message), Err(what));
    }
    let sections: String = (0..11_000).map(|number| format!("; a{number}*1=x")).collect();
    let raw = format!("Content-Type: text/plain{sections}\n\n");
    assert!(has_too_many_sections(&Message::read(raw.as_bytes(), &Limits::default())));
}
