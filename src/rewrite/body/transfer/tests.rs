use super::*;

fn input<'a>(raw: &'a [u8], from: &'a TransferEncoding, octets: &'a [u8], encoded: &'a [u8]) -> ReencodeInput<'a> {
    let line_end = LineEnd::Lf;
    let (goal, readable, relabelled, text, last) = (Transfer::Keep, false, true, true, true);
    let delimiters = &[][..];
    ReencodeInput {
        anew: false,
        must_encode: false,
        raw,
        from,
        octets,
        encoded: Cow::Borrowed(encoded),
        goal,
        readable,
        relabelled,
        line_end,
        text,
        file: false,
        last,
        delimiters,
    }
}

fn reencoded(input: ReencodeInput) -> Option<Reencoded> {
    reencode(input).expect("it reads back")
}

#[test]
fn quoted_printable_lines_that_did_not_change_stay_as_written() {
    let raw = b"caf=E9=\n x=20\na=\nb =3d\nlast=E9\n";
    let octets = b"caf\xe9 x \nab =\nlast\xe9\n";
    let encoded = "caf\u{e9} x \nab =\nlast\u{e9}\n".as_bytes();
    let written = reencoded(input(raw, &TransferEncoding::QuotedPrintable, octets, encoded)).expect("a change");
    assert_eq!(written.body.as_deref(), Some(&b"caf=C3=A9 x=20\na=\nb =3d\nlast=C3=A9\n"[..]));
    assert_eq!(written.transfer, TransferEncoding::QuotedPrintable);
}

#[test]
fn seven_bit_stays_seven_bit_and_eight_bit_eight_bit() {
    let new = "\u{e9}\n".as_bytes();
    let seven = reencoded(input(b"+AOk-\n", &TransferEncoding::SevenBit, b"+AOk-\n", new)).expect("a change");
    assert_eq!(seven.transfer, TransferEncoding::QuotedPrintable);
    let eight = reencoded(input(b"\xe9\n", &TransferEncoding::SevenBit, b"\xe9\n", new)).expect("a change");
    assert_eq!((eight.transfer, eight.body.as_deref()), (TransferEncoding::EightBit, Some(new)));
}

#[test]
fn no_line_over_998_octets_is_produced() {
    let old = [b'\xe9'; 900];
    let new = "\u{e9}".repeat(900);
    let written = reencoded(input(&old, &TransferEncoding::EightBit, &old, new.as_bytes())).expect("a change");
    assert!(!written.transfer.is_identity());
    assert!(longest_line(&written.body.expect("a body")) <= 76);
}

#[test]
fn base64_holds_crlf_and_ends_as_the_body_ended() {
    let octets = "\u{e9}\n\u{e9}".as_bytes();
    let goal = Transfer::SevenBit;
    let written =
        reencoded(ReencodeInput { goal, last: false, ..input(octets, &TransferEncoding::EightBit, octets, octets) });
    let written = written.expect("a change");
    assert_eq!(written.transfer, TransferEncoding::Base64);
    assert_eq!(written.body.as_deref(), Some(&b"w6kNCsOp"[..]));
}

#[test]
fn goes_up_only_where_lines_allow_it() {
    let goal = Transfer::EightBit;
    let up = |raw: &[u8], octets: &[u8]| {
        let from = TransferEncoding::QuotedPrintable;
        reencoded(ReencodeInput { goal, relabelled: false, ..input(raw, &from, octets, octets) })
            .map(|written| written.transfer)
    };
    assert_eq!(up(b"=C3=A9\n", "\u{e9}\n".as_bytes()), Some(TransferEncoding::EightBit));
    assert_eq!(up(b"a=20\n", b"a \n"), Some(TransferEncoding::SevenBit));
    assert_eq!(up(b"a=0Db\n", b"a\rb\n"), None);
    assert_eq!(up(b"=00\n", b"\0\n"), None);
}
