//! Where octets stand, sixty-four looked at in one go: a mask has a bit for each, the lowest for the first.
//!
//! `memchr` is fast where what it looks for is rare. In mail a line has 40 to 70 octets and a tag or an escape comes
//! more often still, so that the call costs more than the search. A block's mask tells all places in it at once.
//!
//! One instruction makes a mask of sixteen octets, which safe code has only by `wide`. Masks that are added up of
//! arrays, which the compiler makes vector code of, took 9 % more of it to decode quoted-printable and 67 % more to
//! find the ends of lines.

use wide::{CmpEq, CmpLt, i8x16};

/// The octets of a block.
pub const BLOCK: usize = 64;

/// Sixty-four octets, ready to be looked through.
#[derive(Clone, Copy)]
pub struct Block([i8x16; 4]);

impl Block {
    /// Takes a block of octets.
    #[inline(always)]
    pub fn of(octets: &[u8; BLOCK]) -> Block {
        let (quarters, _) = octets.as_chunks::<16>();
        let quarter = |at: usize| i8x16::new(quarters[at].map(|octet| octet as i8));
        Block([quarter(0), quarter(1), quarter(2), quarter(3)])
    }

    /// Returns the block at the start of octets; NULs stand for those that are not there.
    #[inline(always)]
    pub fn start_of(octets: &[u8]) -> Block {
        match octets.first_chunk() {
            Some(whole) => Block::of(whole),
            None => Block::of(&padded(octets)),
        }
    }

    /// Returns a bit for each octet that is one of `these`, of which there must be one at least.
    #[inline(always)]
    pub fn any_of<const N: usize>(self, these: [u8; N]) -> u64 {
        self.by(|quarter| {
            let mut found = lanes_with(quarter, these[0]);
            for this in &these[1..] {
                found |= lanes_with(quarter, *this);
            }
            found
        })
    }

    /// Returns a bit for each octet above 127 and for each that is one of `these`.
    #[inline(always)]
    pub fn high_or_any_of<const N: usize>(self, these: [u8; N]) -> u64 {
        self.by(|quarter| these.iter().fold(quarter, |found, this| found | lanes_with(quarter, *this)))
    }

    /// Returns a bit for each octet that is neither printable ASCII nor a blank nor of a line end.
    #[inline(always)]
    pub fn no_text(self) -> u64 {
        self.by(|quarter| {
            // Octets above 127 are below zero.
            let control = quarter.cmp_lt(i8x16::splat(0x20));
            (control ^ (lanes_with(quarter, b'\t') | lanes_with(quarter, b'\n') | lanes_with(quarter, b'\r')))
                | lanes_with(quarter, 0x7F)
        })
    }

    /// Returns a bit for each octet in whose lane `find` sets the highest one.
    #[inline(always)]
    fn by(self, find: impl Fn(i8x16) -> i8x16) -> u64 {
        let mask = |at: usize| u64::from(find(self.0[at]).move_mask() as u16) << (16 * at);
        mask(0) | mask(1) | mask(2) | mask(3)
    }
}

/// Sets all bits of each lane in which the octet stands, and none of the others.
#[inline(always)]
fn lanes_with(quarter: i8x16, octet: u8) -> i8x16 {
    quarter.cmp_eq(i8x16::splat(octet as i8))
}

/// Fills up octets with NULs; there must be no more than `N`.
#[cold]
#[inline(never)]
pub(crate) fn padded<const N: usize>(octets: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    block[..octets.len()].copy_from_slice(octets);
    block
}

/// After so many octets without a find `memchr` is faster, though it takes a call.
const NEAR: usize = 2 * BLOCK;

/// Returns where the first octet stands that is this one, `None` where none is; made for those that come within the
/// length of a line.
#[inline(always)]
pub fn find_near(text: &[u8], octet: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk()).filter(|_| at < NEAR) {
        let found = Block::of(block).any_of([octet]);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    memchr::memchr(octet, &text[at..]).map(|found| at + found)
}

/// The places of an octet, in their order.
pub struct Places<'t> {
    text: &'t [u8],
    octet: u8,
    /// Where the next block starts.
    next: usize,
    /// The mask of the block before it, without the places that were returned.
    found: u64,
}

/// Finds where an octet stands, which may not be NUL, since NULs fill up the last block; made for what comes every few
/// octets, as a line end does.
#[inline]
pub fn near_places(text: &[u8], octet: u8) -> Places<'_> {
    Places { text, octet, next: 0, found: 0 }
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            let rest = self.text.get(self.next..).filter(|rest| !rest.is_empty())?;
            self.found = Block::start_of(rest).any_of([self.octet]);
            self.next += BLOCK;
        }
        let at = self.next - BLOCK + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_place() {
        let text: Vec<u8> = (0..1000u32).map(|n| (n * 7 + n / 64 * 3) as u8).collect();
        for end in 0..text.len() {
            for octet in *b"\n=\xFF" {
                let plain: Vec<usize> = (0..end).filter(|at| octet == text[*at]).collect();
                assert_eq!(find_near(&text[..end], octet), plain.first().copied());
                assert_eq!(near_places(&text[..end], octet).collect::<Vec<_>>(), plain);
            }
        }
    }
}
