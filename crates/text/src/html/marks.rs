//! Where the octets stand that tags are read by, sixty-four looked at in one go.

use crate::masks::{BLOCK, Block};

/// Where the octets stand that markup is read by, of one block at a time, which goes on with what is read.
pub(super) struct Marks<'m> {
    markup: &'m [u8],
    /// Where the block starts.
    base: usize,
    block: Block,
    /// `<`.
    tags: u64,
    /// Whether the next ones are known: text without tags needs none of them.
    is_tag: bool,
    /// `>`, `=` and quotation marks.
    marks: u64,
    /// `"`.
    quotes: u64,
    /// What something may hide in: any octet above 127, `&`, `%`, `+`, and `-` behind another. It must have all that
    /// [`may_hide`](crate::iri::may_hide) looks at, which is not asked about a value without one.
    odd: u64,
}

impl<'m> Marks<'m> {
    /// Begins at the start of markup.
    pub fn of(markup: &'m [u8]) -> Marks<'m> {
        let block = Block::start_of(markup);
        let tags = block.any_of([b'<']);
        Marks { markup, base: 0, block, tags, is_tag: false, marks: 0, quotes: 0, odd: 0 }
    }

    /// Goes to the block of a place; none at the end of the markup.
    #[inline(always)]
    fn go_to(&mut self, at: usize) -> Option<()> {
        if at & !(BLOCK - 1) != self.base { self.load(at) } else { Some(()) }
    }

    /// Takes the block of a place, which needs another one; none at the end of the markup.
    #[inline(never)]
    fn load(&mut self, at: usize) -> Option<()> {
        let base = at & !(BLOCK - 1);
        let rest = self.markup.get(base..).filter(|rest| !rest.is_empty())?;
        self.base = base;
        self.block = Block::start_of(rest);
        self.tags = self.block.any_of([b'<']);
        self.is_tag = false;
        Some(())
    }

    /// Goes to the block of a place as [`go_to`](Self::go_to) does, and sees to it that all its marks are known.
    #[inline(always)]
    fn go_to_in_tag(&mut self, at: usize) -> Option<()> {
        self.go_to(at)?;
        if !self.is_tag {
            self.look_closer();
        }
        Some(())
    }

    /// Finds the marks of the block that text without tags needs none of.
    #[inline(never)]
    fn look_closer(&mut self) {
        let block = self.block;
        self.quotes = block.any_of([b'"']);
        self.marks = block.any_of(*b">='") | self.quotes;
        // One at the start of a block may stand behind another.
        let dashes = block.any_of([b'-']);
        self.odd = block.high_or_any_of(*b"&%+") | dashes & (dashes << 1 | 1);
        self.is_tag = true;
    }

    /// Returns where the next `<` is, from a place on; none where there is none.
    #[inline(always)]
    pub fn next_tag(&mut self, mut at: usize) -> Option<usize> {
        loop {
            self.go_to(at)?;
            match self.tags & (!0 << (at % BLOCK)) {
                0 => at = self.base + BLOCK,
                found => return Some(self.base + found.trailing_zeros() as usize),
            }
        }
    }

    /// Returns where the next `>`, `=` or quotation mark is, from a place on; none where there is none.
    #[inline(always)]
    pub fn next_mark(&mut self, mut at: usize) -> Option<usize> {
        loop {
            self.go_to_in_tag(at)?;
            match self.marks & (!0 << (at % BLOCK)) {
                0 => at = self.base + BLOCK,
                found => return Some(self.base + found.trailing_zeros() as usize),
            }
        }
    }

    /// Returns where the next quotation mark of a kind is, from a place on, and whether something may hide between;
    /// none where there is none.
    #[inline(always)]
    pub fn closing(&mut self, mut at: usize, quote: u8) -> Option<(usize, bool)> {
        let mut odd = 0;
        loop {
            self.go_to_in_tag(at)?;
            let ahead = !0 << (at % BLOCK);
            let quotes = if quote == b'"' { self.quotes } else { self.block.any_of([quote]) };
            match quotes & ahead {
                0 => {
                    odd |= self.odd & ahead;
                    at = self.base + BLOCK;
                }
                found => {
                    // Nothing behind the mark counts.
                    odd |= self.odd & ahead & (found ^ (found - 1));
                    return Some((self.base + found.trailing_zeros() as usize, odd != 0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the next of some octets one by one.
    fn plain(markup: &[u8], from: usize, these: &[u8]) -> Option<usize> {
        (from..markup.len()).find(|at| these.contains(&markup[*at]))
    }

    /// Returns `true` if something may hide in a value. Two hyphens may stand before it, too.
    fn is_odd(value: &[u8]) -> bool {
        let dashes = value.windows(2).any(|pair| pair == b"--");
        dashes || value.iter().any(|octet| !octet.is_ascii() || b"&%+".contains(octet))
    }

    #[test]
    fn marks_are_found_wherever_they_stand() {
        let markup: Vec<u8> =
            (0..400u32).map(|at| b"ab<>= '\"&%+-\xC3 xyz"[(at * 13 + at / 7) as usize % 17]).collect();
        for end in 0..markup.len() {
            let markup = &markup[..end];
            let mut marks = Marks::of(markup);
            for at in 0..=end {
                assert_eq!(marks.next_tag(at), plain(markup, at, b"<"), "{at} of {end}");
                assert_eq!(marks.next_mark(at), plain(markup, at, b">='\""), "{at} of {end}");
                for quote in *b"'\"" {
                    let close = plain(markup, at, &[quote]);
                    match (marks.closing(at, quote), close) {
                        (Some((found, odd)), Some(close)) => {
                            assert_eq!(found, close, "{at} of {end}");
                            assert!(odd || !is_odd(&markup[at..close]), "{at} of {end}: something may hide there");
                        }
                        (found, close) => assert_eq!(found.map(|(place, _)| place), close),
                    }
                }
            }
        }
    }
}
