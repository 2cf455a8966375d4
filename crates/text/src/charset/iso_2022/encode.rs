//! Writing: designations and shifts where they are needed, and ASCII at the end of every line and of the text.

use super::{ESC, Flavour, SI, SO, Set};
use crate::fault::MappingError;

/// What is written so far, and what a reader's registers hold behind it.
struct Iso2022Writer {
    /// As in [`Flavour`].
    shifts: bool,
    out: Vec<u8>,
    /// The set in G0.
    g0: Set,
    /// The set in G1, once designated.
    g1: Option<Set>,
    /// The set in G2, once designated.
    g2: Option<Set>,
    /// Whether SO was the last shift.
    shifted: bool,
}

/// Encodes text; the first character that the charset lacks is an error.
pub(crate) fn encode(flavour: &Flavour, text: &str) -> Result<Vec<u8>, MappingError> {
    let shifts = flavour.shifts;
    let out = Vec::with_capacity(text.len() + 8);
    let mut writer = Iso2022Writer { shifts, out, g0: Set::Ascii, g1: None, g2: None, shifted: false };
    // RFC 1557: the one designation stands at the start of the text, before the first shift.
    if let (true, [only], false) = (shifts, flavour.sets, text.is_ascii()) {
        writer.designate(*only);
        writer.g1 = Some(*only);
    }
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let lacking = MappingError { offset, character };
        // A reader would take it for a sequence or a shift.
        if matches!(character, '\x1B' | '\x0E' | '\x0F') {
            return Err(lacking);
        }
        let second = characters.peek().map(|(_, second)| *second);
        if let Some((set, code)) = second.and_then(|second| pair(flavour.sets, character, second)) {
            writer.put(set, code);
            characters.next();
            continue;
        }
        let (set, code) = writer.choose(flavour.sets, character).ok_or(lacking)?;
        writer.put(set, code);
        if character == '\n' && !flavour.begins_with_g1() {
            // RFC 1554 and RFC 1922: what is designated to G1 and G2 ends with the line.
            (writer.g1, writer.g2) = (None, None);
        }
    }
    writer.close();
    Ok(writer.out)
}

/// Finds a set in which two characters are one; `None` where they are in none.
fn pair(sets: &[Set], first: char, second: char) -> Option<(Set, [u8; 2])> {
    sets.iter().find_map(|set| Some((*set, set.pair_code(first, second)?)))
}

impl Flavour {
    /// Returns `true` if the text begins with the designation of what G1 holds at the start, which then holds on every
    /// line.
    fn begins_with_g1(&self) -> bool {
        self.shifts && self.g1.is_some()
    }
}

impl Iso2022Writer {
    /// Finds a set that has the character: ASCII, the current one, or the first of `sets`; `None` where none has it.
    fn choose(&self, sets: &[Set], character: char) -> Option<(Set, [u8; 2])> {
        let current = if self.shifts { self.g1 } else { Some(self.g0) };
        let order = [Some(Set::Ascii), current].into_iter().flatten().chain(sets.iter().copied());
        order.into_iter().find_map(|set| set.code(character).map(|code| (set, code)))
    }

    /// Writes a character of a set, behind the sequence and the shift that it needs by now.
    fn put(&mut self, set: Set, code: [u8; 2]) {
        if set.is_g2() {
            if self.g2.replace(set) != Some(set) {
                self.designate(set);
            }
            self.out.extend([ESC, b'N']);
        } else if !self.shifts {
            if std::mem::replace(&mut self.g0, set) != set {
                self.designate(set);
            }
        } else {
            self.shift_to(set);
        }
        let octets = if set.is_double() { &code[..] } else { &code[1..] };
        self.out.extend(octets);
    }

    /// Writes what makes octets mean a set of G1 from here on, or ASCII.
    fn shift_to(&mut self, set: Set) {
        if set == Set::Ascii {
            self.close();
            return;
        }
        if self.g1.replace(set) != Some(set) {
            // Not while another set is shifted to: glibc's reader goes on with that one.
            self.close();
            self.designate(set);
        }
        if !std::mem::replace(&mut self.shifted, true) {
            self.out.push(SO);
        }
    }

    /// Writes the sequence that designates a set; to note it in the registers is up to the caller.
    fn designate(&mut self, set: Set) {
        self.out.push(ESC);
        self.out.extend(set.designation(self.shifts));
    }

    /// Goes back to ASCII.
    fn close(&mut self) {
        if std::mem::replace(&mut self.shifted, false) {
            self.out.push(SI);
        }
        if std::mem::replace(&mut self.g0, Set::Ascii) != Set::Ascii {
            self.designate(Set::Ascii);
        }
    }
}
