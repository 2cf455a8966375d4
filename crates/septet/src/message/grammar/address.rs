//! Address lists (RFC 5322 §3.4, §4.4), as ranges of a field's value.
//!
//! It is read which octets are a mailbox, its name, its local part and its domain, and which are a group. Where a list
//! is not what the grammar says, nobody can tell where an address ends: of an element that is none, nothing is said; of
//! a list in which a quote, a comment or an angle bracket opens and never closes, nothing at all.
//!
//! More is read than RFC 5322 allows where all readers agree: semicolons between addresses, a name with dots or an `@`,
//! a group that is not closed, a local part without a domain in angle brackets.

use std::ops::Range;

use super::lexer::{Grammar, Token, TokenKind, tokens};

/// The addresses of a field.
#[derive(Debug, Default)]
pub struct AddressList {
    /// The tokens of the value.
    pub tokens: Vec<Token>,
    /// The mailboxes, in order, those in groups too.
    pub mailboxes: Vec<Mailbox>,
    /// The groups, in order.
    pub groups: Vec<AddressGroup>,
}

/// A mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Its tokens, from the first to the last that is no white space and no comment.
    pub tokens: Range<usize>,
    /// The tokens of its name; empty without one.
    pub name: Range<usize>,
    /// The local part, as octets of the value.
    pub local: Range<usize>,
    /// The domain, as octets of the value; empty where there is none.
    pub domain: Range<usize>,
    /// The domains of its route (RFC 5322 §4.4), as octets of the value.
    pub route: Vec<Range<usize>>,
    /// The group that it is in, as an index.
    pub group: Option<usize>,
}

impl Mailbox {
    /// Returns its domains in their order: those of its route, then its own.
    pub fn domains(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.route.iter().cloned().chain((!self.domain.is_empty()).then(|| self.domain.clone()))
    }
}

/// A group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressGroup {
    /// Its tokens, from the first of its name to its `;`, or the last of the list.
    pub tokens: Range<usize>,
    /// The tokens of its name.
    pub name: Range<usize>,
    /// The tokens between `:` and `;`.
    pub list: Range<usize>,
}

impl AddressList {
    /// Reads the value of an address field; none where a quote, a comment, a literal or an angle bracket opens and
    /// never closes, a backslash stands outside of these, or a group is in a group. What is no mailbox is left out.
    pub fn read(value: &[u8]) -> Option<AddressList> {
        let tokens = tokens(value, Grammar::Address);
        if tokens.iter().any(|token| matches!(token.kind, TokenKind::Special(b'"' | b'(' | b'[' | b'\\'))) {
            return None;
        }
        let mut list = AddressList { tokens, ..AddressList::default() };
        list.split()?;
        Some(list)
    }

    /// Returns the octets of the value that a range of tokens covers; `0..0` for no tokens.
    pub fn octets(&self, tokens: &Range<usize>) -> Range<usize> {
        let tokens = self.tokens.get(tokens.clone()).unwrap_or_default();
        let start = tokens.first().map_or(0, |token| token.at.start);
        start..tokens.last().map_or(start, |token| token.at.end)
    }

    /// Splits the tokens into elements, and adds the mailboxes and groups among them to their lists, which must be
    /// empty; none where an angle bracket never closes, or a group is in a group.
    fn split(&mut self) -> Option<()> {
        let mut start = 0;
        // The name of the group that is open, and where its list starts.
        let mut open: Option<(Range<usize>, usize)> = None;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                // Nothing separates in angle brackets.
                TokenKind::Special(b'<') => {
                    at += self.tokens[at..].iter().position(|token| token.is(b'>'))?;
                }
                TokenKind::Special(b':') if open.is_some() => return None,
                TokenKind::Special(b':') => {
                    open = Some((self.trimmed(start..at), at + 1));
                    start = at + 1;
                }
                TokenKind::Special(separator @ (b',' | b';')) => {
                    self.add_element(start..at, open.is_some());
                    start = at + 1;
                    if separator == b';' && open.is_some() {
                        self.add_group(open.take()?, at, at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.add_element(start..at, open.is_some());
        if let Some(group) = open {
            let end = self.trimmed(group.1..at).end.max(group.1);
            self.add_group(group, end, end);
        }
        Some(())
    }

    /// Adds the group with this name, whose list starts at a token and ends before another; `end` is behind its last
    /// token. A group without a name begins at its `:`.
    fn add_group(&mut self, (name, start): (Range<usize>, usize), list_end: usize, end: usize) {
        let first = if name.is_empty() { start - 1 } else { name.start };
        self.groups.push(AddressGroup { tokens: first..end, name, list: start..list_end });
    }

    /// Adds what stands between two separators, if it is a mailbox; one in a group is in the next that will be closed.
    fn add_element(&mut self, range: Range<usize>, in_group: bool) {
        let range = self.trimmed(range);
        let group = in_group.then_some(self.groups.len());
        let mailbox = self.read_mailbox(range, group);
        self.mailboxes.extend(mailbox);
    }

    /// Reads an element, without white space and comments at its ends, as a mailbox; none where it is none: without
    /// angle brackets it must have an `@`, and behind them nothing may stand.
    fn read_mailbox(&self, range: Range<usize>, group: Option<usize>) -> Option<Mailbox> {
        let tokens = &self.tokens[range.clone()];
        let Some(angle) = tokens.iter().position(|token| token.is(b'<')) else {
            let nothing = range.start..range.start;
            return tokens
                .iter()
                .any(|token| token.is(b'@'))
                .then(|| self.read_address(range.clone()))?
                .map(|spec| Mailbox { tokens: range, name: nothing, group, ..spec });
        };
        let close = tokens.iter().position(|token| token.is(b'>')).filter(|close| *close > angle)?;
        let is_whole = close + 1 == tokens.len() && !tokens[angle + 1..close].iter().any(|token| token.is(b'<'));
        let name = self.trimmed(range.start..range.start + angle);
        let spec =
            self.read_address(self.trimmed(range.start + angle + 1..range.start + close)).filter(|_| is_whole)?;
        Some(Mailbox { tokens: range, name, group, ..spec })
    }

    /// Reads an address without its name: `local@domain` or `local`, perhaps with a route before it. None where it is
    /// something else, or white space or a comment stands within, though RFC 5322 §3.4.1 and §4.4 allow them. Name and
    /// group are left to the caller.
    fn read_address(&self, range: Range<usize>) -> Option<Mailbox> {
        let colon = self.tokens[range.clone()].iter().position(|token| token.is(b':'));
        let (route, range) = match colon.map(|colon| range.start + colon) {
            Some(colon) => (self.read_route(range.start..colon)?, self.trimmed(colon + 1..range.end)),
            None => (Vec::new(), range),
        };
        let at = self.tokens[range.clone()].iter().rposition(|token| token.is(b'@')).map(|at| range.start + at);
        let local = range.start..at.unwrap_or(range.end);
        let domain = at.map_or(range.end..range.end, |at| at + 1..range.end);
        let is_domain = at.is_none() || (!domain.is_empty() && self.is_domain(&domain));
        (self.is_local(&local) && is_domain).then(|| Mailbox {
            tokens: range.clone(),
            name: range.start..range.start,
            local: self.octets(&local),
            domain: self.octets(&domain),
            route,
            group: None,
        })
    }

    /// Reads the domains of a route: `@a.example,@b.example`, of which one may be empty; none where it is something
    /// else.
    fn read_route(&self, range: Range<usize>) -> Option<Vec<Range<usize>>> {
        let mut domains = Vec::new();
        let mut start = range.start;
        for piece in self.tokens[range].split(|token| token.is(b',')) {
            let hop = self.trimmed(start..start + piece.len());
            start += piece.len() + 1;
            if hop.is_empty() {
                continue;
            }
            let domain = hop.start + 1..hop.end;
            let is_hop = self.tokens[hop.start].is(b'@') && !domain.is_empty() && self.is_domain(&domain);
            domains.push(is_hop.then(|| self.octets(&domain))?);
        }
        Some(domains)
    }

    /// Returns `true` if these tokens are of those that make a local part: names, quoted or not, and dots, in whatever
    /// order, and one at least.
    fn is_local(&self, range: &Range<usize>) -> bool {
        let mut tokens = self.tokens[range.clone()].iter();
        !range.is_empty() && tokens.all(|it| matches!(it.kind, TokenKind::Atom | TokenKind::Quoted) || it.is(b'.'))
    }

    /// Returns `true` if these tokens are of those that make a domain: names, dots and literals, in whatever order.
    fn is_domain(&self, range: &Range<usize>) -> bool {
        let mut tokens = self.tokens[range.clone()].iter();
        tokens.all(|it| matches!(it.kind, TokenKind::Atom | TokenKind::Literal) || it.is(b'.'))
    }

    /// Returns a range of tokens without the white space and comments at its ends; an empty one at its start for
    /// nothing else.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let tokens = self.tokens.get(range.clone()).unwrap_or_default();
        let Some(first) = tokens.iter().position(|token| !token.is_space()) else { return range.start..range.start };
        let last = tokens.iter().rposition(|token| !token.is_space()).unwrap_or(first);
        range.start + first..range.start + last + 1
    }
}

/// Returns a phrase without the quotation marks and backslashes of its quoted-strings (RFC 5322 §3.2.4), one mark that
/// never closes among them; comments and folds stay.
pub fn unquoted(phrase: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(phrase.len());
    let (mut octets, mut inside) = (phrase.iter(), false);
    while let Some(&octet) = octets.next() {
        match octet {
            b'"' => inside = !inside,
            b'\\' if inside => out.extend(octets.next()),
            _ => out.push(octet),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes each mailbox as `group|name|local|domain`, and each group as `name:list`.
    fn shown(value: &str) -> Option<String> {
        let list = AddressList::read(value.as_bytes())?;
        let mailboxes = list.mailboxes.iter().map(|it| {
            let route: String = it.route.iter().map(|at| format!("@{}", &value[at.clone()])).collect();
            let (local, domain) = (&value[it.local.clone()], &value[it.domain.clone()]);
            format!(
                "{}{}|{route}|{local}|{domain}",
                it.group.map_or(String::new(), |at| at.to_string()),
                &value[list.octets(&it.name)]
            )
        });
        let groups = list.groups.iter().map(|it| {
            let [name, members, all] = [&it.name, &it.list, &it.tokens].map(|tokens| &value[list.octets(tokens)]);
            format!("{name}:{}={all}", members.trim())
        });
        Some(mailboxes.chain(groups).collect::<Vec<_>>().join(" ; "))
    }

    #[test]
    fn reads_mailboxes_and_groups() {
        for (value, expected) in [
            (" a@b ", Some("||a|b")),
            ("Jo (c) \"x, y\" <a.\"b c\"@[1.2.3.4]> (d)", Some("Jo (c) \"x, y\"||a.\"b c\"|[1.2.3.4]")),
            ("<@a.b,@c:d@e>", Some("|@a.b@c|d|e")),
            ("T: a@b, C <c@d>;, e@f", Some("0||a|b ; 0C||c|d ; ||e|f ; T:a@b, C <c@d>=T: a@b, C <c@d>;")),
            ("T: a@b", Some("0||a|b ; T:a@b=T: a@b")),
            ("T:;", Some("T:=T:;")),
            ("a@b; c@d", Some("||a|b ; ||c|d")),
            ("<jo>", Some("||jo|")),
            ("jo, a b@c, d@e@f, <x@y> z, > <a@b>, a@b <c", None),
            ("jo, a b@c, d@e@f, <x@y> z, > <a@b>", Some("")),
            ("a@b, <c@d", None),
            ("\"a <c@d>", None),
            ("a: b: c@d;;", None),
        ] {
            assert_eq!(shown(value).as_deref(), expected, "{value}");
        }
    }
}
