//! What a character can do to a link, and what each of ASCII does.

/// What a character does to a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkTerm {
    /// It is part of the link.
    Include,
    /// It is part of the link if something of the link follows.
    Soft,
    /// It opens a bracket.
    Open,
    /// It closes a bracket, or ends the link.
    Close,
    /// It ends the link.
    Hard,
}

const ASCII: [LinkTerm; 256] = ascii();

const fn ascii() -> [LinkTerm; 256] {
    let mut table = [LinkTerm::Hard; 256];
    let mut octet = 0x21;
    while octet < 0x7F {
        table[octet] = match octet as u8 {
            b'<' | b'>' | b'"' | b'[' | b']' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' => LinkTerm::Hard,
            b'!' | b'\'' | b',' | b'.' | b':' | b';' | b'?' => LinkTerm::Soft,
            b'(' => LinkTerm::Open,
            b')' => LinkTerm::Close,
            _ => LinkTerm::Include,
        };
        octet += 1;
    }
    table
}

impl LinkTerm {
    /// Returns the class of an octet of ASCII; Hard for any other.
    pub(super) fn of_ascii(octet: u8) -> LinkTerm {
        ASCII[usize::from(octet)]
    }
}
