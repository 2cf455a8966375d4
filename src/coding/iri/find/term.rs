//! What a character can do to a link, and what each of ASCII does.

/// What a character does to a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
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

const ASCII: [Class; 256] = ascii();

const fn ascii() -> [Class; 256] {
    let mut table = [Class::Hard; 256];
    let mut octet = 0x21;
    while octet < 0x7F {
        table[octet] = match octet as u8 {
            b'<' | b'>' | b'"' | b'[' | b']' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' => Class::Hard,
            b'!' | b'\'' | b',' | b'.' | b':' | b';' | b'?' => Class::Soft,
            b'(' => Class::Open,
            b')' => Class::Close,
            _ => Class::Include,
        };
        octet += 1;
    }
    table
}

impl Class {
    /// Returns the class of an octet of ASCII; Hard for any other.
    pub(super) fn of_ascii(octet: u8) -> Class {
        ASCII[usize::from(octet)]
    }
}
