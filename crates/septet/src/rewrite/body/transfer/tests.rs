use super::*;
use crate::message::Message;
use crate::rewrite::Profile;

/// A body in a message, and what the profile wants of it.
struct Came<'c> {
    raw: &'c [u8],
    from: TransferEncoding,
    goal: Transfer,
    relabelled: bool,
    /// Whether the message ends with it.
    last: bool,
}

impl<'c> Came<'c> {
    fn new(raw: &'c [u8], from: TransferEncoding) -> Came<'c> {
        Came { raw, from, goal: Transfer::Keep, relabelled: true, last: true }
    }

    /// Writes the body, which means `octets`, so that it means `encoded`.
    fn reencode(&self, octets: &[u8], encoded: &[u8]) -> Result<Option<Reencoded>, Reason> {
        let end = if self.raw.windows(2).any(|it| it == b"\r\n") { "\r\n" } else { "\n" };
        let (before, behind) = match self.last {
            true => ("", ""),
            false => ("Content-Type: multipart/mixed; boundary=zz\n\n--zz\n", "\n--zz--\n"),
        };
        let header = format!("{before}Content-Type: text/plain\nContent-Transfer-Encoding: {}\n\n", self.from.name());
        let [header, behind] = [&*header, behind].map(|text| text.replace('\n', end));
        let message = [header.as_bytes(), self.raw, behind.as_bytes()].concat();
        let profile = Profile { transfer: self.goal, ..Profile::default() };
        let message = Message::read(&message, &profile.limits);
        let part = message.parts().last().expect("a part");
        let body = &Body::of(&message, part, &profile);
        assert_eq!(body.raw, self.raw);
        let encoded = Cow::Borrowed(encoded);
        reencode(ReencodeInput { body, octets, encoded, relabelled: self.relabelled, anew: false, exact: false })
    }

    fn reencoded(&self, octets: &[u8], encoded: &[u8]) -> Option<Reencoded> {
        self.reencode(octets, encoded).expect("it reads back")
    }
}

#[test]
fn quoted_printable_lines_that_did_not_change_stay_as_written() {
    let raw = b"caf=E9=\n x=20\na=\nb =3d\nlast=E9\n";
    let octets = b"caf\xe9 x \nab =\nlast\xe9\n";
    let encoded = "caf\u{e9} x \nab =\nlast\u{e9}\n".as_bytes();
    let written = Came::new(raw, TransferEncoding::QuotedPrintable).reencoded(octets, encoded).expect("a change");
    assert_eq!(written.body.as_deref(), Some(&b"caf=C3=A9 x=20\na=\nb =3d\nlast=C3=A9\n"[..]));
    assert_eq!(written.transfer, TransferEncoding::QuotedPrintable);
}

#[test]
fn a_soft_line_break_at_the_end_of_a_message_becomes_no_text() {
    let (raw, octets, goal) = (&b"x\xe9=\n"[..], &b"x\xe9"[..], Transfer::SevenBit);
    let from = TransferEncoding::QuotedPrintable;
    let written = Came { goal, ..Came::new(raw, from) }.reencoded(octets, octets).expect("a change");
    assert_eq!(written.body.as_deref(), Some(&b"x=E9=\n"[..]));
}

#[test]
fn seven_bit_stays_seven_bit_and_eight_bit_eight_bit() {
    let new = "\u{e9}\n".as_bytes();
    let seven = Came::new(b"+AOk-\n", TransferEncoding::SevenBit).reencoded(b"+AOk-\n", new).expect("a change");
    assert_eq!(seven.transfer, TransferEncoding::QuotedPrintable);
    let eight = Came::new(b"\xe9\n", TransferEncoding::SevenBit).reencoded(b"\xe9\n", new).expect("a change");
    assert_eq!((eight.transfer, eight.body.as_deref()), (TransferEncoding::EightBit, Some(new)));
}

#[test]
fn no_line_over_998_octets_is_produced() {
    let old = [b'\xe9'; 900];
    let new = "\u{e9}".repeat(900);
    let written = Came::new(&old, TransferEncoding::EightBit).reencoded(&old, new.as_bytes()).expect("a change");
    assert!(!written.transfer.is_identity());
    assert!(longest_line(&written.body.expect("a body")) <= 76);
}

#[test]
fn base64_holds_crlf_and_ends_as_the_body_ended() {
    let octets = "\u{e9}\n\u{e9}".as_bytes();
    let goal = Transfer::SevenBit;
    let came = Came { goal, last: false, ..Came::new(octets, TransferEncoding::EightBit) };
    let written = came.reencoded(octets, octets).expect("a change");
    assert_eq!(written.transfer, TransferEncoding::Base64);
    assert_eq!(written.body.as_deref(), Some(&b"w6kNCsOp"[..]));
}

/// Writes in 8bit what came in quoted-printable, if that can be.
fn up(raw: &[u8], octets: &[u8]) -> Option<TransferEncoding> {
    let came = Came::new(raw, TransferEncoding::QuotedPrintable);
    let came = Came { goal: Transfer::EightBit, relabelled: false, ..came };
    came.reencoded(octets, octets).map(|written| written.transfer)
}

#[test]
fn goes_up_only_where_lines_allow_it() {
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

    /// Pieces of quoted-printable, faults among them, with `|` between.
    const WRITTEN: &str =
        "caf=E9|=E9=\n|=C3=A9|plain |x=20\n|a=\nb|=3d\n|\n|= \t\n|=|==|=0|=0A|=0D| \n|\t|--b|From me\n";

    proptest! {
        #[test]
        fn what_is_written_reads_as_what_was_meant(
            pieces in vec(select(WRITTEN.split('|').collect::<Vec<_>>()), 0..40),
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
            let written = Came { goal, last, ..Came::new(&raw, from) }.reencode(&octets, &encoded);
            if let Ok(Some(Reencoded { body: Some(body), transfer, .. })) = written {
                let read = decode_transfer(&transfer, &body).expect("a known encoding").octets;
                let (read, meant) = (with_line_ends(&read, b"\n"), with_line_ends(&encoded, b"\n"));
                prop_assert!(read == meant || read.strip_suffix(b"\n") == Some(&*meant), "{}", body.escape_ascii());
            }
        }
    }
}
