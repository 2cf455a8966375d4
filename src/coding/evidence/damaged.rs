//! UTF-8 with a few faults.

/// The characters of several octets that a text has at least before it is called UTF-8 in spite of faults.
const MANY: usize = 3;

/// How many such characters there are for each fault.
const MOSTLY: usize = 4;

/// Returns `true` if octets are UTF-8 with a few faults in it: cut by a filter that counted octets, or with a signature in
/// another charset below. It is `false` for UTF-8 without faults. To take them for another charset would make nonsense
/// of all that is good.
pub fn is_damaged_utf_8(octets: &[u8]) -> bool {
    may_be_damaged_utf_8(octets) && has_few_faults(octets)
}

/// Returns `true` if octets may be UTF-8 with a few faults, by two sums: a character of several octets has one that
/// starts it and at least one more, and of those that start one, a fault has no more than one.
fn may_be_damaged_utf_8(octets: &[u8]) -> bool {
    let starts = octets.iter().filter(|octet| **octet >= 0xC0).count();
    let others = octets.iter().filter(|octet| **octet & 0xC0 == 0x80).count();
    others >= MANY && others >= starts.saturating_sub(others) * MOSTLY
}

/// Returns `true` if a text has faults, but many characters of several octets for each.
fn has_few_faults(octets: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in octets.utf8_chunks() {
        good += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    bad > 0 && good >= MANY && good >= bad * MOSTLY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_faults_in_utf_8_are_damage() {
        assert!(is_damaged_utf_8("Grüße aus Köln, Jürg\u{E9}".as_bytes().split_last().unwrap().1));
        assert!(!is_damaged_utf_8(b"Gr\xFC\xDFe aus K\xF6ln"));
        assert!(!is_damaged_utf_8("Grüße aus Köln".as_bytes()), "there is no fault");
    }

    #[test]
    fn a_sum_rules_out_no_text_that_is_damaged() {
        let letters: [&[u8]; 7] =
            [b"a", "\u{E9}".as_bytes(), "\u{20AC}".as_bytes(), "\u{1F600}".as_bytes(), b"\xE9", b"\x84", b"\xE2\x82"];
        let word = |number: usize| (0..8).flat_map(move |at| letters[number / 7usize.pow(at) % 7]).copied();
        for number in 0..7usize.pow(8) {
            let text: Vec<u8> = word(number).collect();
            assert!(may_be_damaged_utf_8(&text) || !has_few_faults(&text), "{}", text.escape_ascii());
        }
    }
}
