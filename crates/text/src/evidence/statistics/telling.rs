//! What of texts tells in which charset they are: their words that are not ASCII, without what is drawn.

/// So many octets of the words that tell something are read.
pub(super) const ENOUGH: usize = 4 << 10;

/// How many octets a sign has, or a pattern of signs (`━`, `■□`), and how often it stands side by side before it is
/// drawn, and not written: five octets A4 are in `いいえ` of EUC-JP.
const DRAWN: [(usize, usize); 3] = [(1, 6), (2, 3), (4, 3)];

/// Returns the words with octets above 7F, a space between them, without runs of one sign or pattern in them: a ruled
/// line has many more octets than the text around it, and says nothing. It takes [`ENOUGH`] octets of them, so that the
/// last may be half a character.
pub(super) fn telling(texts: &[&[u8]]) -> Vec<u8> {
    let mut telling = Vec::new();
    for word in words(texts).filter(|word| !word.is_ascii() && !is_line(word)) {
        telling.push(b' ');
        push_undrawn(word, &mut telling);
        if telling.len() > ENOUGH {
            telling.truncate(ENOUGH);
            break;
        }
    }
    telling.push(b' ');
    telling
}

/// Returns `true` if a word is three times one octet, or more often.
fn is_line(word: &[u8]) -> bool {
    word.len() > 2 && word.iter().all(|octet| word.first() == Some(octet))
}

/// Returns the words between white space of ASCII, which is white space in every charset that is tried.
pub(super) fn words<'t>(texts: &[&'t [u8]]) -> impl Iterator<Item = &'t [u8]> {
    texts.iter().flat_map(|text| text.split(u8::is_ascii_whitespace))
}

/// Adds a word, with a space where a run was that is drawn.
fn push_undrawn(word: &[u8], out: &mut Vec<u8>) {
    let mut rest = word;
    while let Some((own, behind)) = rest.split_first() {
        match drawn(rest) {
            0 => {
                out.push(*own);
                rest = behind;
            }
            length => {
                out.push(b' ');
                rest = rest.get(length..).unwrap_or_default();
            }
        }
    }
}

/// Returns how many octets a run has that begins here; 0 where none does. It ends with a whole sign.
fn drawn(octets: &[u8]) -> usize {
    DRAWN.iter().map(|(unit, often)| repeated(octets, *unit, *often)).max().unwrap_or(0)
}

/// Returns how many octets are the first `unit` again and again, in whole units; 0 where that is less than `often`.
fn repeated(octets: &[u8], unit: usize, often: usize) -> usize {
    let Some(first) = octets.get(..unit).filter(|first| first.iter().all(|octet| *octet >= 0x40) && !first.is_ascii())
    else {
        return 0;
    };
    let times = times(octets, first);
    // Where as many follow from the next octet on, this one is the end of what stands before them.
    let next = octets.get(1..).unwrap_or_default();
    let is_late = unit > 1 && next.get(..unit).is_some_and(|own| self::times(next, own) >= times);
    if times >= often && !is_late { times * unit } else { 0 }
}

/// Returns how often octets begin with others, side by side.
fn times(octets: &[u8], unit: &[u8]) -> usize {
    octets.chunks_exact(unit.len()).take_while(|next| *next == unit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_tells_nothing() {
        assert_eq!(telling(&[b"a \xC4\xC4\xC4\xC4 \xE9 b"]), b" \xE9 ");
        assert_eq!(telling(&[b"\xA4\xA4\xA4\xA4\xA4\xA8"]), b" \xA4\xA4\xA4\xA4\xA4\xA8 ");
        assert_eq!(
            telling(&[b"\xA8\xAC\xA8\xAC\xA8\xAC\xB2\xF1"]),
            b"  \xB2\xF1 ",
            "a line, and a character behind it"
        );
        assert_eq!(telling(&[b"\xB2\xAC\xA8\xAC\xA8\xAC\xA8\xAC"]), b" \xB2\xAC  ", "whose second octet is the sign's");
        assert_eq!(telling(&[b"\xA2\xA3\xA2\xA2\xA2\xA3\xA2\xA2\xA2\xA3\xA2\xA2"]), b"   ", "two signs in turn");
        assert_eq!(telling(&[b"caf\xE9\xE9"]), b" caf\xE9\xE9 ");
    }
}
