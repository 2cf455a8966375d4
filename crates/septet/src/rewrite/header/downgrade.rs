//! What no encoded-word can say: addresses, identifiers, traces (RFC 6857, RFC 6858).
//!
//! A domain has a form in ASCII, its A-labels, and that is the same domain: it is written in every field of addresses
//! wherever the header shall be ASCII, in those that are nothing but a domain, and in List-ID, by which lists are
//! filtered. A local part has none. What becomes of it is for the profile's `addresses` to say:
//!
//! | | `Jürgen <jürgen@example.org>` |
//! |---|---|
//! | RFC 6857 §3.1.8 | `=?utf-8?Q?J=C3=BCrgen_=3Cj=C3=BCrgen=40example=2Eorg=3E?= :;`, a group without members |
//! | RFC 6858 §2.1 | `=?utf-8?Q?…?= <invalid@internationalized-address.invalid>` |
//!
//! RFC 6857 writes the name and the address as two words and leaves the brackets out. White space between two words is
//! never shown, so that name and address would run together; here both are one text, which reads as the mailbox did. A
//! group with such a member becomes one whose name says all of it (§3.1.7), for a group can't stand in a group.
//!
//! In a trace (Received) a clause other than `from` and `by` that no domain saves becomes a comment:
//! `(=?utf-8?Q?for_…?=)`. §3.2.5 takes it out; so nothing is lost. An address of the type `utf-8` is written in its
//! 7-bit form (RFC 6533 §3). What is none of these moves to `Downgraded-NAME`, whole (`encapsulate.rs`).
//!
//! Planner and proof both ask here what is meant; the one writes it, the other reads it back.

use std::ops::Range;
use std::slice;

use super::ascii::{Downgrade, plain_a_labels, typed_address};
use super::identifiers::uris;
use super::item::{Item, is_dropped_between_words, with_single_spaces};
use super::items::Items;
use super::segment::comment_pieces;
use crate::coding::encoded_word::WordPlace;
use crate::edit::Span;
use crate::message::grammar::address::{AddressList, Mailbox};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::{FieldKind, FieldNames, OF_DOMAINS, RECEIVED};
use crate::rewrite::{Addresses, Change, Profile, Reason};

/// The field in whose brackets no address stands but the name of a list, which looks like a domain (RFC 2919).
pub const LIST_ID: FieldNames = FieldNames::of("List-ID");

/// The address that nobody can answer to (RFC 6858 §2.1).
const INVALID: &str = " <invalid@internationalized-address.invalid>";

/// What is written otherwise in one field, and what stays that should not.
#[derive(Debug, Default)]
pub struct Downgrades {
    /// The places, sorted and disjoint.
    pub list: Vec<Downgrade>,
    /// Why others stay.
    pub left: Vec<Reason>,
}

impl Downgrades {
    /// Finds what has to be downgraded in a value whose field shall be ASCII. Domains of address lists are, whatever
    /// becomes of local parts, and so are domains that stand alone; traces and typed addresses stay where `addresses`
    /// says `keep`. What has no form in ASCII is not listed: the caller finds that it stays. `items` must read this
    /// very value. Fields of links shall be ASCII by more profiles than others; in literal text, which a person typed,
    /// nothing is looked for.
    pub fn of(name: &[u8], value: &[u8], items: &Items<'_>) -> Downgrades {
        let profile = items.target.profile;
        if value.is_ascii() || items.target.literal {
            return Downgrades::default();
        }
        let found = Downgrades { list: uris(name, value, profile), left: Vec::new() };
        if !found.list.is_empty() || !profile.wants_ascii_header() {
            return found;
        }
        let mut finder = DowngradeFinder { value, items, found };
        if RECEIVED.names(name) && profile.downgrades() {
            finder.add_trace();
        } else if FieldKind::of(name) == FieldKind::TypedAddress && profile.downgrades() {
            finder.found.list.extend(typed_address(value));
        } else if OF_DOMAINS.names(name) {
            finder.add_domains([Span::new(0, value.len()).trimmed(value).range()]);
        } else if LIST_ID.names(name) {
            finder.add_domains(list_domain(value));
        } else if FieldKind::of(name) == FieldKind::Addresses {
            finder.add_list();
        }
        finder.found
    }

    /// Returns `true` if what stands at a place becomes a part of the text of a phrase or comment, so that it must not
    /// be planned by itself.
    pub fn covers(&self, at: usize) -> bool {
        self.at(at).is_some_and(|it| it.said.is_some())
    }

    /// Returns what the octet at a place becomes a part of, if it is downgraded.
    pub fn at(&self, at: usize) -> Option<&Downgrade> {
        self.list.get(self.list.partition_point(|it| it.at.end <= at)).filter(|it| it.at.contains(&at))
    }
}

/// Returns what a value is made of, by the name of its field. A trace counts as comments where the profile wants it in
/// ASCII and it is not; else it is never changed.
pub fn kind_of(name: &[u8], value: &[u8], profile: &Profile) -> FieldKind {
    let is_downgraded = profile.downgrades() && RECEIVED.names(name) && !value.is_ascii();
    if is_downgraded { FieldKind::Comments } else { FieldKind::of(name) }
}

/// Finds what has to be downgraded in one value, from its start to its end, so that what it finds is sorted.
struct DowngradeFinder<'a> {
    value: &'a [u8],
    /// What reads the texts in it, whose places are those of all the value.
    items: &'a Items<'a>,
    /// What was found so far, in order.
    found: Downgrades,
}

impl DowngradeFinder<'_> {
    /// Finds what must be downgraded in an address list: a whole group where one of its members has no form in ASCII
    /// (RFC 6857), and else each mailbox by itself.
    fn add_list(&mut self) {
        // Something opens in it that never closes: its raw octets stay, and are reported as stray.
        let Some(list) = AddressList::read(self.value) else { return };
        for members in list.mailboxes.chunk_by(|left, right| left.group == right.group) {
            let may_be_whole = self.items.target.profile.addresses == Addresses::Rfc6857;
            let is_whole = may_be_whole && members.iter().any(|it| self.lacks_ascii_form(it));
            match members[0].group.and_then(|at| list.groups.get(at)).filter(|_| is_whole) {
                Some(group) if is_name(&list, &group.name) => {
                    let name = self.phrase(&list.tokens[group.name.clone()]);
                    let text = name.and_then(|name| Ok(name + ": " + &self.text(&list, &group.list, members)?));
                    self.add_text(list.octets(&group.tokens), WordPlace::Phrase, text);
                }
                // The name of the group is more than a name: all of it stays.
                Some(_) => {}
                None => members.iter().for_each(|mailbox| self.add_mailbox(&list, mailbox)),
            }
        }
    }

    /// Finds what must be downgraded in one mailbox: its address, if the profile has an alias for that; else all of it,
    /// for which a phrase is written, if nothing in ASCII means the same and the profile wants that; else its domains
    /// alone.
    fn add_mailbox(&mut self, list: &AddressList, mailbox: &Mailbox) {
        let is_said = matches!(self.items.target.profile.addresses, Addresses::Rfc6857 | Addresses::Rfc6858);
        match self.alias_downgrade(mailbox) {
            Some(alias) => self.found.list.push(alias),
            None if is_said && self.lacks_ascii_form(mailbox) && is_name(list, &mailbox.name) => {
                let text = self.text(list, &mailbox.tokens, slice::from_ref(mailbox));
                self.add_text(list.octets(&mailbox.tokens), WordPlace::Phrase, text);
            }
            None => self.add_domains(mailbox.domains()),
        }
    }

    /// Adds the downgrades of domains to their A-labels, of those that are not ASCII and have some. They must stand
    /// behind all that was added before.
    fn add_domains(&mut self, domains: impl IntoIterator<Item = Range<usize>>) {
        for at in domains {
            let mapped = self.a_labels(&at);
            self.found.list.extend(mapped.map(|mapped| Downgrade::same(at, mapped, Change::Domain)));
        }
    }

    /// Returns `true` if a mailbox has characters that nothing in ASCII can mean: no alias stands for it, and its local
    /// part or a domain without A-labels is raw.
    fn lacks_ascii_form(&self, mailbox: &Mailbox) -> bool {
        let is_raw = !self.value[mailbox.local.clone()].is_ascii()
            || mailbox.domains().any(|at| !self.value[at.clone()].is_ascii() && self.a_labels(&at).is_none());
        is_raw && self.alias_downgrade(mailbox).is_none()
    }

    /// Returns the downgrade to the address in ASCII that the profile gives for one whose local part is not ASCII; none
    /// where it gives none, or the address has no domain or is no UTF-8.
    fn alias_downgrade(&self, mailbox: &Mailbox) -> Option<Downgrade> {
        let local = self.value.get(mailbox.local.clone()).filter(|local| !local.is_ascii())?;
        let domain = self.value.get(mailbox.domain.clone()).filter(|domain| !domain.is_empty())?;
        let (local, domain) = (str::from_utf8(local).ok()?, str::from_utf8(domain).ok()?);
        let to = self.items.target.profile.alias(&format!("{local}@{domain}"))?.to_owned();
        let at = mailbox.local.start..mailbox.domain.end;
        Some(Downgrade::same(at, to, Change::Address { from: "utf-8", to: "alias" }))
    }

    /// Returns a domain with A-labels; none if it is ASCII already, or can't be mapped to a plain domain.
    fn a_labels(&self, at: &Range<usize>) -> Option<String> {
        let octets = self.value.get(at.clone()).filter(|octets| !octets.is_ascii())?;
        plain_a_labels(str::from_utf8(octets).ok()?)
    }

    /// Puts a text that says what stood there in the place of octets: a phrase with what must stand behind it, or a
    /// comment. Where they can't be read, `text` is the reason, and they stay. What stands behind a phrase begins with
    /// a space; phrases are asked for by [`Addresses::Rfc6857`] and [`Addresses::Rfc6858`] alone.
    fn add_text(&mut self, at: Range<usize>, place: WordPlace, text: Result<String, Reason>) {
        let (octets, to) = match (place, self.items.target.profile.addresses) {
            (WordPlace::Comment, _) => ("()", "comment"),
            (_, Addresses::Rfc6858) => (INVALID, "rfc6858"),
            _ => (" :;", "rfc6857"),
        };
        let from = if str::from_utf8(&self.value[at.clone()]).is_ok() { "utf-8" } else { "8bit" };
        let change = Change::Address { from, to };
        match text {
            Ok(text) => {
                let said = Some((place, with_single_spaces(&text)));
                self.found.list.push(Downgrade { at, said, octets: octets.into(), change });
            }
            Err(reason) => self.found.left.push(reason),
        }
    }

    /// Returns tokens as a person reads them: the names of the mailboxes among them decoded, and all else as
    /// unstructured text; the error says why they can't be read. The mailboxes must lie in them, in order.
    fn text(&self, list: &AddressList, tokens: &Range<usize>, mailboxes: &[Mailbox]) -> Result<String, Reason> {
        let (mut text, mut rest) = (String::new(), tokens.start);
        for Mailbox { tokens, name, .. } in mailboxes {
            text += &self.unstructured_text(list.octets(&(rest..tokens.start)))?;
            rest = if name.is_empty() { tokens.start } else { name.end };
            text += &self.phrase(&list.tokens[name.clone()])?;
            text += if name.is_empty() { "" } else { " " };
        }
        Ok(text + &self.unstructured_text(list.octets(&(rest..tokens.end)))?)
    }

    /// Reads a phrase, given as tokens of the value: words decoded, quotes undone, comments in their parentheses. The
    /// error says why some of it can't be read, and so all stays.
    fn phrase(&self, tokens: &[Token]) -> Result<String, Reason> {
        let pieces = tokens.chunk_by(|left, right| !left.is_comment() && !right.is_comment());
        let texts = pieces.map(|piece| match &piece[0] {
            comment if comment.is_comment() => Ok(format!("({})", self.comment(comment)?)),
            _ => text_of_items(&self.items.phrase(piece).items),
        });
        texts.collect()
    }

    /// Reads the text of a comment without its parentheses; for those nested in it stand blanks. The error says why
    /// some of it can't be read.
    fn comment(&self, token: &Token) -> Result<String, Reason> {
        let pieces = comment_pieces(self.value, token.at.clone()).into_iter();
        let texts = pieces.map(|piece| text_of_items(&self.items.text(piece, WordPlace::Comment).items));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join(" "))
    }

    /// Reads octets that are no phrase and no comment, such as an address or a comma, as an unstructured text, which is
    /// empty where they are. The error says why some of it can't be read.
    fn unstructured_text(&self, at: Range<usize>) -> Result<String, Reason> {
        if at.is_empty() { Ok(String::new()) } else { text_of_items(&self.items.text(at, WordPlace::Text).items) }
    }

    /// Finds what must be downgraded in a trace (RFC 5321 §4.4): the domain of `from` and `by`, and those of a `for`
    /// with one address, get A-labels; any other clause that is not ASCII becomes a comment, where it says nothing to
    /// programs. A `from` or `by` without A-labels is not listed.
    fn add_trace(&mut self) {
        let tokens = tokens(self.value, Grammar::Address);
        for Clause { name, value, has_comment } in clauses(self.value, &tokens) {
            // Comments are text and are written as such. Raw octets beside one are not listed: `FieldValue::plan_text`
            // then finds them stray, and leaves the whole trace.
            if self.value[value.clone()].is_ascii() || has_comment {
                continue;
            }
            let single = self.domains_of_single_address(&value);
            match (&*self.value[name.clone()].to_ascii_lowercase(), single) {
                (b"from" | b"by", _) => self.add_domains([value]),
                (b"for", Some(domains)) => self.add_domains(domains),
                _ => {
                    let at = name.start..value.end;
                    self.add_text(at.clone(), WordPlace::Comment, self.unstructured_text(at));
                }
            }
        }
    }

    /// Returns the domains of the one address that a clause is; none if it is anything else, or A-labels alone don't
    /// make it ASCII.
    fn domains_of_single_address(&self, clause: &Range<usize>) -> Option<Vec<Range<usize>>> {
        // Its items are still those of the whole value: nothing that reads a text may be asked of it.
        let inner = DowngradeFinder { value: &self.value[clause.clone()], found: Downgrades::default(), ..*self };
        let list = AddressList::read(inner.value)?;
        let [mailbox] = list.mailboxes.as_slice() else { return None };
        let is_written = mailbox.name.is_empty() && !inner.lacks_ascii_form(mailbox);
        let found = mailbox.domains().map(|at| clause.start + at.start..clause.start + at.end);
        is_written.then(|| found.collect())
    }
}

/// One clause of a trace.
struct Clause {
    /// Where its name stands.
    name: Range<usize>,
    /// Where its value stands, comments in it and behind it covered: an empty range behind the name as long as nothing
    /// follows that.
    value: Range<usize>,
    /// Whether a comment stands in the value or behind it.
    has_comment: bool,
}

/// Finds the clauses of a trace, up to its date. A comment belongs to the clause that it follows; what stands before
/// the first clause is none.
fn clauses(value: &[u8], tokens: &[Token]) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    for token in tokens.iter().take_while(|token| !token.is(b';')).filter(|token| !token.is_space()) {
        match found.last_mut() {
            // What follows a clause's name is its value, whatever it is called.
            Some(clause) if clause.value.is_empty() => clause.value = token.at.clone(),
            _ if names_clause(value, token) => {
                found.push(Clause { name: token.at.clone(), value: token.at.end..token.at.end, has_comment: false });
            }
            Some(clause) => clause.value.end = token.at.end,
            None => {}
        }
        if let Some(clause) = found.last_mut() {
            clause.has_comment |= token.is_comment();
        }
    }
    found
}

/// Returns `true` if a token may be the name of a clause (RFC 5321 §4.4). Whether one may stand there [`clauses`]
/// knows.
fn names_clause(value: &[u8], token: &Token) -> bool {
    let name = value[token.at.clone()].to_ascii_lowercase();
    token.kind == TokenKind::Atom && matches!(&*name, b"from" | b"by" | b"via" | b"with" | b"id" | b"for")
}

/// Finds what names a list, a domain within the only angle brackets of a List-ID (RFC 2919 §3); none where these are
/// not one pair. Whether it is a domain is not asked.
fn list_domain(value: &[u8]) -> Option<Range<usize>> {
    let tokens = tokens(value, Grammar::Address);
    let mut brackets = tokens.iter().filter(|token| token.is(b'<') || token.is(b'>'));
    let (open, close) = (brackets.next()?, brackets.next()?);
    let is_only = open.is(b'<') && close.is(b'>') && brackets.next().is_none();
    is_only.then_some(open.at.end..close.at.start)
}

/// Returns `true` if a range of tokens is a name and nothing else, or is empty: where a comma is missing, an address
/// stands in it, which other readers find.
fn is_name(list: &AddressList, name: &Range<usize>) -> bool {
    !list.tokens[name.clone()].iter().any(|token| token.is(b'<') || token.is(b'@'))
}

/// Returns the text of items as a person sees it: one space for white space, none between words. The error says why one
/// can't be said.
fn text_of_items(items: &[Item]) -> Result<String, Reason> {
    let shown = items.iter().enumerate().filter(|(index, _)| !is_dropped_between_words(items, *index));
    shown.map(|(_, item)| item.why_unsaid().map_or(Ok(if item.is_white() { " " } else { &*item.text }), Err)).collect()
}
