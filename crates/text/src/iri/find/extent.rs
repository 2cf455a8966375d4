//! Where a link ends (UTS #58 §3, with the differences for mail in [`class`](super::class)).
//!
//! The walk has two halves. An authority ends at what no host can hold ([`authority`]), whatever comes behind it; what
//! follows its first slash, question mark or number sign goes by the classes of characters, and by
//! [`prose`](super::prose) where text is to win.

use std::ops::Range;

use super::super::host::{is_ideographic_stop, is_stop};
use super::class::{class, opening};
use super::label::may_hold;
use super::prose::Prose;
use super::start::{self, Start};
use super::term::LinkTerm;
use super::{authority, line, tld};

/// How deep brackets may nest; one more ends the link.
const DEPTH: usize = 125;

/// How long an authority may be in which labels are looked for, in octets.
const LONGEST_HOST: usize = 1024;

/// What a walk found.
#[derive(Debug)]
pub(super) struct Ended {
    /// Where the link ends.
    pub end: usize,
    /// The breaks in it.
    pub breaks: Vec<Range<usize>>,
    /// Whether it ended where text was taken to begin.
    pub prose: bool,
    /// Its authority, if it is no ASCII, would end there in every link of the text, and was not known.
    pub authority: Option<Range<usize>>,
}

/// A walk over a link's characters.
#[derive(Debug, Default)]
pub(super) struct Extent<'a> {
    text: &'a str,
    start: Start,
    /// Where the line starts, when the link may go on over soft breaks.
    line: Option<usize>,
    /// What is known of the text around, when text is to win.
    prose: Option<Prose>,
    /// Whether what is known of hosts ends an authority.
    bounded: bool,
    /// Whether the walk is still in the authority.
    in_authority: bool,
    /// Authorities that ended before a path in other links of the text.
    known: &'a [Range<usize>],
    /// The authority, if it is such a one.
    authority: Option<Range<usize>>,
    /// Whether it can't be told what is the link's: then it is none.
    doubtful: bool,
    /// The brackets that are open.
    open: Vec<char>,
    /// The next character.
    next: usize,
    /// The end of the link so far; what comes between is in doubt.
    end: usize,
    breaks: Vec<Range<usize>>,
    /// Whether text was taken to begin.
    ended_by_prose: bool,
}

impl<'a> Extent<'a> {
    /// Starts a walk behind the scheme of a link, for which text does not win, nor soft breaks are gone over.
    pub(super) fn new(text: &'a str, start: &Start) -> Extent<'a> {
        let (in_authority, next, end) = (start.authority, start.body, start.body);
        Extent { text, start: start.clone(), in_authority, next, end, ..Extent::default() }
    }

    /// Lets the link go on over the soft breaks of `delsp=yes`; its line starts at `line`.
    pub(super) fn over_soft_breaks(mut self, line: usize) -> Extent<'a> {
        self.line = Some(line);
        self
    }

    /// Lets text win where it can't be told from the link; one that is `delimited` has its end in the text.
    pub(super) fn bounded(mut self, delimited: bool) -> Extent<'a> {
        self.bounded = true;
        self.prose = (!delimited).then(|| Prose::new(self.start.at, self.start.body));
        self
    }

    /// Lets the walk begin behind an authority that ended before a path in another link of the text.
    pub(super) fn knowing(mut self, authorities: &'a [Range<usize>]) -> Extent<'a> {
        self.known = authorities;
        self
    }

    /// Returns where the link ends, with what was found on the way; the error is where the walk ended that found none.
    pub(super) fn end(mut self) -> Result<Ended, usize> {
        self.skip_known();
        while self.step() {}
        let walked = self.end;
        self.ended().ok_or(walked)
    }

    /// Goes behind a known authority, if the link has it before a path, a query or a fragment.
    fn skip_known(&mut self) {
        let rest = self.text.get(self.start.body..).filter(|_| self.in_authority).unwrap_or_default();
        let mut known = self.known.iter().filter_map(|at| self.text.get(at.clone()));
        let known = known.find(|known| rest.strip_prefix(*known).is_some_and(|rest| rest.starts_with(['/', '?', '#'])));
        let Some(known) = known else { return };
        self.next += known.len();
        self.end = self.next;
        self.in_authority = false;
        if let Some(prose) = &mut self.prose {
            prose.take_authority(known);
        }
    }

    /// Settles where the link ends; none where it is doubtful, or where nothing is left that can be a link.
    fn ended(mut self) -> Option<Ended> {
        if self.in_authority {
            self.leave_authority();
        }
        if self.doubtful {
            return None;
        }
        if let Some(prose) = &self.prose {
            let end = prose.settle(self.text, self.end);
            self.ended_by_prose |= end < self.end;
            self.end = end;
        }
        if !self.start.authority && self.bounded {
            self.end_after_domain()?;
        }
        let body = self.text.get(self.start.body..self.end)?;
        // A mailto needs an address or fields, another link a host; only a scheme such as `file:` may lack one.
        let link = match body.chars().next()? {
            _ if !self.start.authority => body.contains(['@', '?']),
            '/' => self.start.hostless && body.len() > 1,
            first => !matches!(first, '?' | '#' | '&' | '=' | ':' | '.' | '('),
        };
        self.breaks.retain(|gap| gap.end < self.end);
        let Extent { end, breaks, ended_by_prose: prose, authority, .. } = self;
        link.then_some(Ended { end, breaks, prose, authority })
    }

    /// Takes a run of plain octets, where one stands, and the character behind it; tells whether to go on.
    fn step(&mut self) -> bool {
        let Some(rest) = self.text.as_bytes().get(self.next..) else { return false };
        let plain = match self.in_authority {
            true => rest.iter().take_while(|&&octet| authority::is_plain(octet)).count(),
            false => rest.iter().take_while(|&&octet| LinkTerm::of_ascii(octet) == LinkTerm::Include).count(),
        };
        if plain > 0 {
            self.next += plain;
            self.end = self.next;
        }
        let Some(character) = self.text.get(self.next..).and_then(|rest| rest.chars().next()) else { return false };
        if self.in_authority {
            return self.take_in_authority(character);
        }
        self.take(character, class(character))
    }

    /// Takes one character of the authority, or ends it; tells whether to go on.
    fn take_in_authority(&mut self, character: char) -> bool {
        match character {
            '/' | '?' | '#' => return self.leave_authority(),
            '.' | ':' => self.next += 1,
            '[' => return self.take_literal(),
            other if may_hold(other) && class(other) != LinkTerm::Hard => {
                self.next += other.len_utf8();
                self.end = self.next;
            }
            other => return self.go_on(other),
        }
        true
    }

    /// Takes an address in brackets, which nothing but userinfo stands before; the link ends where there is none.
    fn take_literal(&mut self) -> bool {
        let octets = self.text.as_bytes();
        let first = self.next == self.start.body || octets.get(self.next.wrapping_sub(1)) == Some(&b'@');
        let length = octets.get(self.next..).filter(|_| first).and_then(authority::literal);
        self.next += length.unwrap_or_default();
        self.end = if length.is_some() { self.next } else { self.end };
        length.is_some()
    }

    /// Ends the authority, and tells whether the link goes on behind it. Where text is to win, it does so only if all
    /// of the authority surely is one; else the link ends with what of it is, or is doubtful where nothing is.
    fn leave_authority(&mut self) -> bool {
        self.in_authority = false;
        let whole = self.text.get(self.start.body..self.end).unwrap_or_default();
        if !self.bounded || authority::is_plainly_one(whole) {
            return true;
        }
        if let Some(prose) = &mut self.prose {
            prose.take_authority(whole);
        }
        let joined = self.without_breaks(whole);
        match authority::certain_length(&joined) {
            Some(length) if length == joined.len() => {
                let is_whole = self.end == self.next && self.breaks.is_empty();
                self.authority = is_whole.then_some(self.start.body..self.end);
                return true;
            }
            // What stands behind a break is not measured again.
            Some(length) if self.breaks.is_empty() => self.end = self.start.body + length,
            _ => self.doubtful = true,
        }
        self.ended_by_prose = true;
        false
    }

    /// Returns a text from the start of the body without the breaks in it.
    fn without_breaks(&self, body: &str) -> String {
        let mut out = String::with_capacity(body.len());
        let mut done = self.start.body;
        for gap in &self.breaks {
            out.push_str(self.text.get(done..gap.start).unwrap_or_default());
            done = gap.end;
        }
        out.push_str(self.text.get(done..self.start.body + body.len()).unwrap_or_default());
        out
    }

    /// Ends a mailto after its last domain, when something follows that no domain holds, or prose; none when that is no
    /// domain, or the scheme of another link ends it.
    fn end_after_domain(&mut self) -> Option<()> {
        let body = self.text.get(self.start.body..self.end)?;
        // A domain is not what ends it then; what stands behind a break is not measured.
        if body.contains('?') || !self.breaks.is_empty() {
            return Some(());
        }
        let Some(domain) = last_domain(body) else { return Some(()) };
        let (held, after) = (body.get(domain.clone())?, body.get(domain.end..)?);
        if after.starts_with("://") {
            return None;
        }
        let length = if held.is_ascii() { held.trim_end_matches('.').len() } else { authority::certain_host(held)? };
        self.ended_by_prose |= domain.start + length < body.len();
        self.end = self.start.body + domain.start + length;
        Some(())
    }

    /// Takes one character behind the authority, by its class; tells whether to go on.
    fn take(&mut self, character: char, class: LinkTerm) -> bool {
        let after = self.next + character.len_utf8();
        if !character.is_ascii() && class != LinkTerm::Hard && self.is_prose(character) {
            self.ended_by_prose = true;
            return false;
        }
        if self.stands_before_another(character, after) {
            // A letter may be the link's, or join the two.
            self.doubtful |= self.bounded && character.is_alphanumeric();
            if !character.is_alphanumeric() || self.doubtful {
                return false;
            }
        }
        match class {
            LinkTerm::Include => self.end = after,
            LinkTerm::Soft => {}
            LinkTerm::Open if self.open.len() < DEPTH => self.open.push(character),
            LinkTerm::Close if self.open.pop() == opening(character) => self.end = after,
            LinkTerm::Open | LinkTerm::Close => return false,
            LinkTerm::Hard => return self.go_on(character),
        }
        self.next = after;
        true
    }

    /// Returns `true` if prose begins at a character, and may end the link.
    fn is_prose(&mut self, character: char) -> bool {
        let (text, next, end) = (self.text, self.next, self.end);
        self.prose.as_mut().is_some_and(|prose| prose.ends(text, next, end, character))
    }

    /// Returns `true` if another link starts after a comma, a semicolon or a character outside ASCII: a list of them.
    fn stands_before_another(&self, character: char, at: usize) -> bool {
        let separates = matches!(character, ',' | ';') || !character.is_ascii();
        separates && start::is_scheme_and_slashes(self.text.as_bytes().get(at..).unwrap_or_default())
    }

    /// Goes on after a character that ends most links: a full stop before another label, or the space of a soft break.
    /// `false` where it ends this one.
    fn go_on(&mut self, character: char) -> bool {
        let host = self.text.get(self.start.body..self.next).unwrap_or_default();
        if is_ideographic_stop(character) && self.in_authority && host.len() < LONGEST_HOST {
            if authority::ends_in_domain(host) {
                return false;
            }
            let end = tld::labels_after(self.text, self.next);
            (self.next, self.end) = (end.unwrap_or(self.next), end.unwrap_or(self.end));
            return end.is_some();
        }
        let piece = self.breaks.last().map_or(self.start.body, |gap| gap.end);
        let Some(start) = self.line.filter(|_| character == ' ' && self.next > piece) else { return false };
        match line::after_soft_break(self.text, start, self.next) {
            // Of a whole text of such lines nobody knows where the link ends.
            Some(_) if self.breaks.len() >= line::LINES => {
                self.doubtful = true;
                false
            }
            Some((line, next)) => {
                self.breaks.push(self.next..next);
                (self.line, self.next) = (Some(line), next);
                true
            }
            None => false,
        }
    }
}

/// Returns the last domain of the addresses that a mailto begins with, commas between them; none where there is no
/// address.
fn last_domain(body: &str) -> Option<Range<usize>> {
    let mut last = None;
    let mut rest = body;
    while let Some((_, behind)) = rest.split_once('@') {
        let length = behind.find(|one| !is_stop(one) && !may_hold(one)).unwrap_or(behind.len());
        let start = body.len() - behind.len();
        last = Some(start..start + length);
        rest = behind.get(length..).filter(|rest| rest.starts_with(',')).unwrap_or_default();
    }
    last
}
