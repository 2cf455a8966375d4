//! Reading: one walk from sequence to sequence.

use std::ops::ControlFlow;

use encoding_rs::SHIFT_JIS;

use super::super::sink::{Flow, TextSink};
use super::super::whatwg::decode_one;
use super::{ESC, Flavour, HALF, HIGH, LINE_END, NO_CHARACTER, SI, SO, Set};

/// What a sequence does.
#[derive(Clone, Copy)]
enum Act {
    G0(Set),
    G1(Set),
    G2(Set),
    /// Takes one character from G2.
    Single,
    /// Says which revision of the next set is meant.
    Revision,
}

/// The sequences, without ESC; none of them begins another.
const SEQUENCES: [(&[u8], Act); 22] = [
    (b"(B", Act::G0(Set::Ascii)),
    (b"(J", Act::G0(Set::Roman)),
    (b"(I", Act::G0(Set::Kana)),
    (b"$@", Act::G0(Set::Jis0208)),
    (b"$B", Act::G0(Set::Jis0208)),
    (b"$(@", Act::G0(Set::Jis0208)),
    (b"$(B", Act::G0(Set::Jis0208)),
    (b"&@", Act::Revision),
    (b"$(D", Act::G0(Set::Jis0212)),
    (b"$(O", Act::G0(Set::Jis0213)),
    (b"$(Q", Act::G0(Set::Jis0213)),
    (b"$(P", Act::G0(Set::Jis0213Plane2)),
    (b"$A", Act::G0(Set::Gb2312)),
    (b"$(A", Act::G0(Set::Gb2312)),
    (b"$(C", Act::G0(Set::Ksc5601)),
    (b".A", Act::G2(Set::Latin1)),
    (b".F", Act::G2(Set::Greek)),
    (b"$)C", Act::G1(Set::Ksc5601)),
    (b"$)A", Act::G1(Set::Gb2312)),
    (b"$)G", Act::G1(Set::Cns1)),
    (b"$*H", Act::G2(Set::Cns2)),
    (b"N", Act::Single),
];

const UNKNOWN: &str = "an unknown escape sequence";
const NO_SET: &str = "a shift to a set that was never designated";

/// The charset that is read, and what the registers hold.
struct Registers<'f> {
    flavour: &'f Flavour,
    g0: Set,
    g1: Option<Set>,
    g2: Option<Set>,
    /// Whether G1 stands in the place of G0: after SO, until SI.
    shifted: bool,
}

/// Decodes octets.
pub(crate) fn decode(flavour: &Flavour, bytes: &[u8], sink: &mut TextSink) -> Flow {
    let mut state = Registers { flavour, g0: Set::Ascii, g1: flavour.g1, g2: None, shifted: false };
    let mut at = 0;
    while let Some((octet, after)) = bytes.get(at..).and_then(|rest| rest.split_first()) {
        at += match *octet {
            ESC => 1 + state.sequence(after, at, sink)?,
            SO | SI => state.shift(*octet, at, sink)?,
            _ => {
                let len = memchr::memchr3(ESC, SO, SI, after).unwrap_or(after.len());
                let rest = bytes.get(at + 1 + len..).unwrap_or_default();
                state.run(bytes.get(at..at + 1 + len).unwrap_or_default(), at, designates_or_ends(rest), sink)?;
                1 + len
            }
        };
    }
    ControlFlow::Continue(())
}

impl Registers<'_> {
    /// Returns the set that octets 21..=7E are of now.
    fn set(&self) -> Set {
        self.g1.filter(|_| self.shifted).unwrap_or(self.g0)
    }

    /// Takes SO or SI, one octet; each is a fault where G1 holds nothing.
    fn shift(&mut self, octet: u8, at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
        match self.g1 {
            Some(_) => self.shifted = octet == SO,
            None => sink.fault(at, NO_SET)?,
        }
        ControlFlow::Continue(1)
    }

    /// Takes what follows an ESC, and returns how many octets that was: none where no sequence is known, which is a
    /// fault.
    fn sequence(&mut self, after: &[u8], at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
        let Some((sequence, act)) = SEQUENCES.iter().find(|(sequence, _)| after.starts_with(sequence)) else {
            sink.fault(at, UNKNOWN)?;
            return ControlFlow::Continue(0);
        };
        match *act {
            Act::G0(set) => self.g0 = set,
            Act::G1(set) => self.g1 = Some(set),
            Act::G2(set) => self.g2 = Some(set),
            Act::Revision => {}
            Act::Single => return self.single_shift(after.get(1..).unwrap_or_default(), at, sink),
        }
        ControlFlow::Continue(sequence.len())
    }

    /// Takes the N behind an ESC, and the character of G2 behind it; returns how many octets that was. Where there is
    /// no such character, that is a fault, and the N alone is taken.
    fn single_shift(&mut self, after: &[u8], at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
        let found = match (self.g2, after) {
            (Some(set), [row, cell, ..]) if set.is_double() => set.double(*row, *cell).map(|found| (found, 2)),
            (Some(set), [octet, ..]) => set.single(*octet).map(|found| (found, 1)),
            _ => None,
        };
        let Some((character, len)) = found else {
            sink.fault(at, if self.g2.is_some() { NO_CHARACTER } else { NO_SET })?;
            return ControlFlow::Continue(1);
        };
        sink.text.push(character);
        ControlFlow::Continue(1 + len)
    }

    /// Takes octets up to the next sequence or shift, `base` octets behind the start of the text; `closed` says that
    /// what follows them is the same to all readers.
    fn run(&mut self, run: &[u8], base: usize, closed: bool, sink: &mut TextSink) -> Flow {
        let mut at = 0;
        // Where only white space follows, and then a sequence, it does not matter in what the lines end.
        let end = if closed && !self.flavour.shifts { run.trim_ascii_end().len() } else { run.len() };
        loop {
            let set = self.set();
            at += set.push_doubles(run.get(at..).unwrap_or_default(), &mut sink.text);
            let Some(rest) = run.get(at..).filter(|rest| !rest.is_empty()) else { break };
            let high = self.flavour.high;
            // The order counts: white space at the end comes before line ends, and both before the other controls.
            at += match rest {
                [first, ..] if set == Set::Ascii && (first.is_ascii() || !high) => {
                    let len = rest.iter().position(|octet| high && !octet.is_ascii()).unwrap_or(rest.len());
                    sink.ascii(&rest[..len], base + at, HIGH)?;
                    len
                }
                [0x80..=0xFF, ..] if high && !set.is_double() => take_high(rest, base + at, sink)?,
                [white, ..] if at >= end => {
                    sink.text.push(char::from(*white));
                    1
                }
                [b'\r', b'\n', ..] if !set.is_ascii() => self.line_end("\r\n", base + at, sink)?,
                [b'\n', ..] if !set.is_ascii() => self.line_end("\n", base + at, sink)?,
                [row @ 0x21..=0x7E, cell @ 0x21..=0x7E, ..] if set.is_double() => {
                    if !set.push_double(*row, *cell, &mut sink.text) {
                        sink.fault(base + at, NO_CHARACTER)?;
                    }
                    2
                }
                [0x21..=0x7E, ..] if set.is_double() => {
                    sink.fault(base + at, HALF)?;
                    1
                }
                [octet @ (..=0x20 | 0x7F), ..] => {
                    sink.text.push(char::from(*octet));
                    1
                }
                [octet, ..] => {
                    match set.single(*octet) {
                        Some(character) => sink.text.push(character),
                        None => sink.fault(base + at, if octet.is_ascii() { NO_CHARACTER } else { HIGH })?,
                    }
                    1
                }
                [] => 0,
            };
        }
        ControlFlow::Continue(())
    }

    /// Takes a line end that no switch to ASCII comes before, which is a fault, and returns its length. The set in use
    /// stays, but for what SO put there where a line end undoes it.
    fn line_end(&mut self, text: &str, at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
        sink.fault(at, LINE_END)?;
        sink.text.push_str(text);
        self.shifted &= !self.flavour.shifts;
        ControlFlow::Continue(text.len())
    }
}

/// Returns `true` if what follows a run says anew what octets mean, or nothing follows. It knows the sequences of
/// Japanese mail alone, since where sets are shifted to nobody asks ([`Flavour`]'s `shifts`).
fn designates_or_ends(rest: &[u8]) -> bool {
    matches!(rest, [] | [ESC, b'(', b'B' | b'I' | b'J', ..] | [ESC, b'$', b'@' | b'A' | b'B' | b'(', ..])
}

/// Takes a character of code page 932, and returns how many octets it had. An octet that begins none is a fault, and so
/// is one that would be a control.
fn take_high(rest: &[u8], at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
    let found = [1, 2].into_iter().find_map(|len| Some((decode_one(SHIFT_JIS, rest.get(..len)?)?, len)));
    match found.filter(|(character, _)| !character.is_control()) {
        Some((character, len)) => {
            sink.text.push(character);
            ControlFlow::Continue(len)
        }
        None => {
            sink.fault(at, HIGH)?;
            ControlFlow::Continue(1)
        }
    }
}
