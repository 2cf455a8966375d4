use super::*;

/// Lists the parts: number, type, body.
fn parts(raw: &str) -> Vec<(String, String, String)> {
    let message = Message::read(raw.as_bytes(), &Limits::default());
    let rows = message.parts().iter().enumerate().map(|(i, part)| {
        let ty = format!("{}/{}", part.content_type.main, part.content_type.sub);
        (message.number(i).to_string(), ty, String::from_utf8_lossy(message.slice(part.body)).into_owned())
    });
    rows.collect()
}

fn leaves(raw: &str) -> Vec<(String, String)> {
    parts(raw).into_iter().filter(|(_, ty, _)| !ty.starts_with("m")).map(|(number, _, body)| (number, body)).collect()
}

fn defects(raw: &str) -> Vec<DefectKind> {
    Message::read(raw.as_bytes(), &Limits::default()).defects().iter().map(|defect| defect.kind).collect()
}

fn own(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn reads_a_multipart_with_preamble_and_epilogue() {
    let raw =
        "Content-Type: multipart/mixed; boundary=b\n\npre\n--b\n\none\n--b  \nA: 1\n\ntwo\n\n--b--\nepilogue\n--b\n";
    assert_eq!(leaves(raw), own(&[("1.1", "one"), ("1.2", "two\n")]));
    assert_eq!(leaves(&raw.replace('\n', "\r\n")), own(&[("1.1", "one"), ("1.2", "two\r\n")]));
    assert_eq!(defects(raw), vec![]);
}

#[test]
fn an_outer_boundary_ends_an_inner_multipart() {
    let raw = "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/mixed; boundary=ab\n\n--ab\n\nin\n--a\n\nout\n--a--\n";
    assert_eq!(leaves(raw), own(&[("1.1.1", "in"), ("1.2", "out")]));
    assert_eq!(defects(raw), vec![DefectKind::NoClosingBoundary]);
}

#[test]
fn an_unclosed_multipart_ends_with_the_message() {
    let raw = "Content-Type: multipart/mixed; boundary=a\n\n--a\n\nlast\n";
    assert_eq!(leaves(raw), own(&[("1.1", "last\n")]));
    assert_eq!(defects(raw), vec![DefectKind::NoClosingBoundary]);
}

#[test]
fn enters_messages_and_digests() {
    let raw = "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\nbody\n--b\nContent-Type: text/plain\n\nt\n--b--\n";
    assert_eq!(leaves(raw), own(&[("1.1.1", "body"), ("1.2", "t")]));
}

#[test]
fn a_header_ends_at_a_boundary_that_looks_like_a_field() {
    let raw = "Content-Type: multipart/mixed; boundary=\"b:c\"\n\n--b:c\nA: 1\n--b:c\n\nx\n--b:c--\n";
    assert_eq!(leaves(raw), own(&[("1.1", ""), ("1.2", "x")]));
}

#[test]
fn boundaries_must_match_whole_lines() {
    let raw = "Content-Type: multipart/mixed; boundary=b\n\n--bx\n\n--b\n\nx --b\n--b y\n--b--z\n--b--";
    assert_eq!(leaves(raw), own(&[("1.1", "x --b\n--b y\n--b--z")]));
}

#[test]
fn names_what_is_broken() {
    assert_eq!(defects("Content-Type: multipart/mixed\n\nx"), vec![DefectKind::NoBoundary]);
    assert_eq!(defects("Content-Type: multipart/mixed; boundary=q\n\nx"), vec![DefectKind::BoundaryNotFound]);
    assert_eq!(defects("Content-Type: nonsense\n\nx"), vec![DefectKind::BadContentType]);
    assert_eq!(defects("A: 1\ntext\n"), vec![DefectKind::HeaderEndsAtText]);
}

#[test]
fn protects_what_is_signed_down_to_the_innermost_part() {
    let raw =
        "Content-Type: multipart/signed; boundary=a\n\n--a\nContent-Type: message/rfc822\n\nSubject: x\n\nb\n--a--\n";
    let message = Message::read(raw.as_bytes(), &Limits::default());
    let protections: Vec<_> = message.parts().iter().map(|part| part.protection).collect();
    assert_eq!(protections, [None, Some(Protection::Signed), Some(Protection::Signed)]);
}

/// Reads a message within some limits, and tells how many parts it has and which limits kept how many from being read.
fn limits_reached(raw: &str, limits: &Limits) -> (usize, Vec<LimitReached>) {
    let message = Message::read(raw.as_bytes(), limits);
    (message.parts().len(), message.parts().iter().filter_map(|part| part.limit).collect())
}

#[test]
fn a_limit_keeps_only_what_is_beyond_it_from_being_read() {
    let limits = Limits::default();
    let nested = "Content-Type: message/rfc822\n\n".repeat(100_000);
    assert_eq!(limits_reached(&nested, &limits), (100, vec![LimitReached::Depth(100)]));
    let many = format!("Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\n".repeat(20_000));
    assert_eq!(limits_reached(&many, &limits), (10_000, vec![LimitReached::Parts(10_000)]));
    let long = format!("A: 1\nB: {}\nC: 3\n\nbody", "x".repeat(2 << 20));
    assert_eq!(limits_reached(&long, &limits), (1, vec![LimitReached::HeaderBytes(1 << 20)]));
    let fields = "A:\n".repeat(200_000);
    assert_eq!(limits_reached(&fields, &limits), (1, vec![LimitReached::Fields(100_000)]));
    assert_eq!(limits_reached("A: 1\n", &limits), (1, vec![]));
    let small = Limits { message_bytes: 3, ..limits };
    assert_eq!(Message::read(b"A: 1\n", &small).limit(), Some(LimitReached::MessageBytes(3)));
}

#[test]
fn parts_behind_one_that_is_too_deep_are_read() {
    let raw = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nin\n--c--\n--b\n\nout\n--b--\n";
    let message = Message::read(raw.as_bytes(), &Limits { depth: 2, ..Limits::default() });
    let bodies: Vec<_> = message.parts().iter().skip(1).map(|part| message.slice(part.body)).collect();
    assert_eq!(bodies, [&b"--c\n\nin\n--c--"[..], b"out"]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_header() {
    let raw = b"\xEF\xBB\xBFSubject: x\n\nbody";
    let message = Message::read(raw, &Limits::default());
    let root = &message.parts()[0];
    assert_eq!(
        (root.header, message.fields(root).len(), root.header_irregularity),
        (Span::new(3, 14), 1, Some("a byte order mark stands before it"))
    );
}
