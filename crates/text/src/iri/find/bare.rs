//! Links without a scheme: `www.exämple.org/é`, `例え.jp/パス`.
//!
//! Nothing says where such a link starts but the text around it, so one must stand apart: after white space, a bracket,
//! a quotation mark or a colon; `www.` may follow a letter that is not ASCII. It must have a host that ends in a
//! [top-level domain](super::tld), and without `www.` a slash after it, or every file name (`naïve.py`) would be one.
//! Only those with a character outside ASCII are found: the others need no change.
//!
//! Limits: linear; the text is cut at white space first, and each piece has one link at most.

use std::collections::VecDeque;
use std::ops::Range;

use super::extent::Extent;
use super::label::may_hold;
use super::start::Start;
use super::{FoundLink, Schemeless, tld};

/// The links that were found and not yet handed out, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Bare {
    found: VecDeque<FoundLink>,
    /// Where the search goes on.
    from: usize,
}

impl Bare {
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Hands out the first that is left.
    pub(super) fn take(&mut self) -> Option<FoundLink> {
        self.found.pop_front()
    }

    /// Takes a link that comes behind those that were found; the search goes on behind it.
    pub(super) fn put_behind(&mut self, found: Option<FoundLink>) {
        self.from = found.as_ref().map_or(self.from, |found| found.at.end);
        self.found.extend(found);
    }

    /// Searches a text up to `to`, from where the last search or the last link ended.
    pub(super) fn search(&mut self, text: &str, to: usize, wanted: Schemeless) {
        let mut at = self.from.min(to);
        self.from = to;
        let text = text.get(..to).unwrap_or_default();
        let part = text.get(at..).unwrap_or_default();
        for piece in part.split_inclusive(char::is_whitespace) {
            if !piece.is_ascii() && memchr::memchr(b'.', piece.as_bytes()).is_some() {
                let found = start(text, at..at + piece.trim_end().len(), wanted);
                self.found.extend(found.and_then(|start| link(text, start, wanted)));
            }
            at += piece.len();
        }
    }
}

/// Finds where a host may start in a piece of text between white space: at `www.`, else, where any host is wanted,
/// behind the brackets that open.
fn start(text: &str, piece: Range<usize>, wanted: Schemeless) -> Option<usize> {
    let inside = text.get(piece.clone())?;
    let www = find_www(inside);
    let opened = inside.len() - inside.trim_start_matches(is_opening).len();
    match wanted {
        Schemeless::Hosts if www.is_none() => Some(piece.start + opened),
        _ => www.map(|at| piece.start + at),
    }
}

/// Finds the first `www.` of a piece; none where that does not start a word.
fn find_www(piece: &str) -> Option<usize> {
    let octets = piece.as_bytes();
    let mut places = memchr::memchr2_iter(b'w', b'W', octets);
    let at = places.find(|&at| octets.get(at..at + 4).is_some_and(|name| name.eq_ignore_ascii_case(b"www.")))?;
    // A colon may stand before it: a scheme's, or that of a label.
    let before = octets.get(..at)?.last();
    before.is_none_or(|octet| !octet.is_ascii_alphanumeric() && !b"@.-_/%=&?#".contains(octet)).then_some(at)
}

/// Returns `true` if a link may stand right behind a character: a bracket or quote that opens, a fullwidth colon.
fn is_opening(character: char) -> bool {
    matches!(
        character,
        '(' | '[' | '{' | '<' | '>' | '"' | '\'' | '（' | '「' | '『' | '【' | '《' | '〈' | '“' | '‘' | '«' | '：'
    )
}

/// Returns `true` if a path follows a host, after a port or without one.
fn is_port_and_slash(rest: &str) -> bool {
    let port = rest.strip_prefix(':').map(|port| port.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    port.unwrap_or(rest).starts_with('/')
}

/// Follows a link from its host; none where it isn't one that is wanted: outside ASCII, with a host in a top-level
/// domain, and with `www.` before it or a slash behind it.
fn link(text: &str, at: usize, wanted: Schemeless) -> Option<FoundLink> {
    let start = Start { at, body: at, authority: true, ..Start::default() };
    let ended = Extent::new(text, &start).bounded(false).end().ok()?;
    let link = text.get(at..ended.end)?;
    let host = link.split(['/', '?', '#', ':']).next()?;
    let top = host.rsplit(super::super::host::is_stop).next()?;
    let slash = link.get(host.len()..).is_some_and(is_port_and_slash);
    let www = host.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("www."));
    let named = host.chars().all(|one| super::super::host::is_stop(one) || may_hold(one));
    let good = named && host.len() > top.len() && tld::is_known(top) && !link.is_ascii();
    let good = good && (www && host.len() > 4 + top.len() || slash && wanted == Schemeless::Hosts);
    let at = at..ended.end;
    good.then(|| FoundLink { at, prose: ended.prose, schemeless: true, ..FoundLink::default() })
}
