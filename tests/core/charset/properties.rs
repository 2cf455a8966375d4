//! What holds of every charset.

use proptest::prelude::*;
use septet::coding::charset::Charset;

/// Every character that a charset writes it reads back as the same.
#[test]
fn every_character_comes_back() {
    for charset in Charset::all() {
        let mut written = 0;
        for character in '\0'..='\u{2FFFF}' {
            let text = character.to_string();
            if let Ok(octets) = charset.encode(&text) {
                assert_eq!(
                    charset.decode(&octets).as_deref(),
                    Ok(text.as_str()),
                    "{charset} U+{:04X}",
                    character as u32
                );
                written += 1;
            }
        }
        // VISCII has letters on six control codes, TCVN on twelve.
        assert!(written >= 116, "{charset} writes {written} characters");
    }
}

fn charset() -> impl Strategy<Value = Charset> {
    prop::sample::select(Charset::all())
}

fn those_that(hold: fn(Charset) -> bool) -> impl Strategy<Value = Charset> {
    let charsets: Vec<Charset> = Charset::all().iter().copied().filter(|charset| hold(*charset)).collect();
    prop::sample::select(charsets)
}

/// Octets in which faults, shifts and sequences are frequent.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|octet| vec![octet]),
        (0x20u8..0x7F).prop_map(|octet| vec![octet]),
        prop::collection::vec(0xA1u8..=0xFE, 2),
        prop::sample::select(
            &[
                "\x1B$B", "\x1B(B", "\x1B(J", "\x1B(I", "\x1B$A", "\x1B$(Q", "\x1B$(P", "\x1B$)C", "\x1B$)A",
                "\x1B$)G", "\x1B$*H", "\x1B.A", "\x1BN", "\x0E", "\x0F", "~{", "~}", "~~", "~\n", "+", "-", "\r\n",
                "é", "日本", "\u{1F600}",
            ][..]
        )
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Pieces are what `septet text` converts.
    #[test]
    fn a_text_in_pieces_that_end_with_lf_is_the_same_text(
        charset in those_that(Charset::begins_anew_after_lf), line in octets(), rest in octets()
    ) {
        let line = [line, b"\n".to_vec()].concat();
        let whole = [line.clone(), rest.clone()].concat();
        let (all, faults) = charset.decode_lossy(&whole);
        let ((first, before), (last, after)) = (charset.decode_lossy(&line), charset.decode_lossy(&rest));
        prop_assert_eq!((first.clone() + last.clone(), before + after), (all.clone(), faults));
        if let Ok(encoded) = charset.encode(&all) {
            let pieces = [charset.encode(&first), charset.encode(&last)].map(|piece| piece.expect("it has them all"));
            prop_assert_eq!(encoded, pieces.concat());
        }
    }

    /// Strict and lossy reading agree on what is a fault, and faults lie within the input.
    #[test]
    fn strict_and_lossy_agree(charset in charset(), octets in octets()) {
        let (lossy, faults) = charset.decode_lossy(&octets);
        let (before, fault) = charset.decode_until_fault(&octets);
        match charset.decode(&octets) {
            Ok(text) => {
                prop_assert_eq!(faults, 0);
                prop_assert_eq!(&text, &lossy);
                prop_assert_eq!(fault, None);
            }
            Err(malformed) => {
                prop_assert!(faults > 0);
                prop_assert!(malformed.offset < octets.len());
                prop_assert_eq!(fault, Some(malformed));
                prop_assert!(lossy.starts_with(&*before));
                prop_assert!(lossy[before.len()..].starts_with(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    /// Text that a charset writes it reads back.
    #[test]
    fn text_comes_back(charset in charset(), octets in octets(), any in "\\PC{0,20}") {
        for text in [&*charset.decode_lossy(&octets).0, any.as_str()] {
            match charset.encode(text) {
                Ok(written) => prop_assert_eq!(charset.decode(&written), Ok(text.into())),
                Err(lacking) => {
                    prop_assert!(text[lacking.offset..].starts_with(lacking.character));
                    prop_assert!(!charset.has(lacking.character));
                }
            }
            // What JIS X 0213 has only behind another character is more than one character says.
            if text.contains('\u{309A}') {
                continue;
            }
            let (written, lacking) = charset.encode_with(text, |character, out| {
                out.push_str(&format!("<{:X}>", character as u32));
            }).expect("it fits");
            prop_assert_eq!(lacking, text.chars().filter(|character| !charset.has(*character)).count());
            let expected: String = text.chars().map(|character| match charset.has(character) {
                true => character.to_string(),
                false => format!("<{:X}>", character as u32),
            }).collect();
            prop_assert_eq!(charset.decode(&written), Ok(expected.into()));
        }
    }

    /// What is ASCII either way is borrowed.
    #[test]
    fn ascii_is_borrowed(charset in those_that(Charset::keeps_ascii), text in "[ -}]{0,40}") {
        let borrowed = matches!(charset.decode(text.as_bytes()), Ok(std::borrow::Cow::Borrowed(same)) if same == text);
        prop_assert!(borrowed);
    }

    /// An ASCII octet means itself in an ASCII-compatible charset, even beside faults.
    #[test]
    fn ascii_octets_mean_themselves(charset in those_that(Charset::is_ascii_compatible), octets in octets()) {
        // ARMSCII-8 has some of ASCII's punctuation twice.
        prop_assume!(charset != Charset::ARMSCII_8);
        let ascii = |text: &[u8]| text.iter().copied().filter(u8::is_ascii).collect::<Vec<u8>>();
        prop_assert_eq!(ascii(charset.decode_lossy(&octets).0.as_bytes()), ascii(&octets));
    }
}

/// Octets that keep a decoder busy cost no more than others: anything quadratic would not end in a day.
#[test]
fn nothing_is_quadratic() {
    let pieces: [&[u8]; 10] =
        [b"\x81", b"\xFF", b"\x1B", b"\x1B$B", b"\x1B$)C\x0E", b"\x0E!", b"~{", b"~", b"+", b"\xE3\x81"];
    for charset in Charset::all() {
        for piece in pieces {
            let octets = piece.repeat((1 << 15) / piece.len());
            let (text, faults) = charset.decode_lossy(&octets);
            assert!(text.chars().count() >= faults, "{charset}");
            let (written, _) = charset.encode_with(&text, |_, out| out.push_str("...")).expect("it fits");
            assert_eq!(charset.decode(&written).map(|_| ()), Ok(()), "{charset} {piece:X?}");
        }
    }
}
