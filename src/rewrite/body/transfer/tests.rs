use super::*;

fn input<'a>(raw: &'a [u8], from: &'a TransferEncoding, octets: &'a [u8], encoded: &'a [u8]) -> ReencodeInput<'a> {
    let line_end = LineEnd::Lf;
    let (goal, readable, relabelled, text, last) = (Transfer::Keep, false, true, true, true);
    ReencodeInput {
        anew: false,
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
        delimiters: Vec::new(),
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
fn a_soft_line_break_at_the_end_of_a_message_becomes_no_text() {
    let (raw, octets, goal) = (&b"x\xe9=\n"[..], &b"x\xe9"[..], Transfer::SevenBit);
    let from = TransferEncoding::QuotedPrintable;
    let written = reencoded(ReencodeInput { goal, ..input(raw, &from, octets, octets) }).expect("a change");
    assert_eq!(written.body.as_deref(), Some(&b"x=E9=\n"[..]));
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

mod properties {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Pieces of quoted-printable, faults among them, and what takes their places in the text.
    const WRITTEN: [&str; 18] = [
        "caf=E9",
        "=E9=\n",
        "=C3=A9",
        "plain ",
        "x=20\n",
        "a=\nb",
        "=3d\n",
        "\n",
        "= \t\n",
        "=",
        "==",
        "=0",
        "=0A",
        "=0D",
        " \n",
        "\t",
        "--b",
        "From me\n",
    ];

    proptest! {
        #[test]
        fn what_is_written_reads_as_what_was_meant(
            pieces in vec(select(WRITTEN.to_vec()), 0..40),
            changes in vec((any::<prop::sample::Index>(), select(vec!["\u{e9}", "x", " ", "", "=", "\u{2028}"])), 0..6),
            [seven_bit, crlf, last] in any::<[bool; 3]>(),
        ) {
            let raw = pieces.concat().replace('\n', if crlf { "\r\n" } else { "\n" }).into_bytes();
            let octets = quoted_printable::decode(&raw).bytes.into_owned();
            let mut encoded = octets.clone();
            for (at, with) in changes.iter().filter(|_| !octets.is_empty()) {
                let at = at.index(encoded.len().max(1)).min(encoded.len());
                encoded.splice(at..at, with.bytes());
            }
            let from = TransferEncoding::QuotedPrintable;
            let goal = if seven_bit { Transfer::SevenBit } else { Transfer::Keep };
            let line_end = if crlf { LineEnd::CrLf } else { LineEnd::Lf };
            let written = reencode(ReencodeInput { goal, line_end, last, ..input(&raw, &from, &octets, &encoded) });
            if let Ok(Some(Reencoded { body: Some(body), transfer, .. })) = written {
                let read = decode_transfer(&transfer, &body).expect("a known encoding").octets;
                let (read, meant) = (with_line_ends(&read, b"\n"), with_line_ends(&encoded, b"\n"));
                prop_assert!(read == meant || read.strip_suffix(b"\n") == Some(&*meant), "{}", body.escape_ascii());
            }
        }
    }
}
