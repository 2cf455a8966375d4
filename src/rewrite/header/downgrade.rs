//! What no encoded-word can say: addresses, identifiers, traces (RFC 6857, RFC 6858).
//!
//! A domain has a form in ASCII, its A-labels, and that is the same domain: it is written in every field of addresses
//! wherever the header shall be ASCII, in those that are nothing but a domain, and in List-ID, by which lists are filtered.
//! A local part has none. What becomes of it is for the profile's `addresses` to say:
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
//! In Received a clause other than `from` and `by` that no domain saves becomes a comment: `(=?utf-8?Q?for_…?=)`. §3.2.5 takes it out; so nothing
//! is lost. An address of the type `utf-8` is written in its 7-bit form (RFC 6533 §3). What is none of these moves to
//! `Downgraded-NAME`, whole (`encapsulate.rs`).
//!
//! Planner and proof both ask here what is meant; the one writes it, the other reads it back.

use std::ops::Range;

use super::ascii::{Ascii, Downgrade};
use super::item::{Item, is_dropped_between_words};
use super::items::Items;
use super::segment::comment_pieces;
use super::typed_address;
use crate::coding::domain;
use crate::coding::encoded_word::WordPlace;
use crate::message::grammar::address::{AddressGroup, AddressList, Mailbox};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::{FieldKind, FieldNames, OF_DOMAINS, RECEIVED};
use crate::rewrite::profile::AddressRules;
use crate::rewrite::{Addresses, Change, Reason};

/// The field whose name only looks like one of an address (RFC 2919).
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
    /// becomes of local parts, and so are domains that stand alone; traces and typed addresses stay where the rules say `keep`. What has no form in ASCII is
    /// not listed: the caller finds that it stays.
    pub fn of(name: &[u8], value: &[u8], items: &Items<'_>, rules: AddressRules<'_>) -> Downgrades {
        let mut found = Downgrades::default();
        if value.is_ascii() {
            return found;
        }
        let finder = DowngradeFinder { value, items, rules };
        if RECEIVED.names(name) && !rules.keep() {
            finder.add_trace(&mut found);
        } else if FieldKind::of(name) == FieldKind::TypedAddress && !rules.keep() {
            found.list.extend(typed_address::downgrade(value));
        } else if is_list_of_addresses(name) {
            finder.add_list(&mut found);
        } else if OF_DOMAINS.names(name) {
            found.list.extend(finder.domain_downgrade(solid_range(value)));
        } else if LIST_ID.names(name) {
            found.list.extend(list_domain(value).and_then(|at| finder.domain_downgrade(at)));
        }
        found
    }

    /// Returns `true` if what stands at a place becomes a part of the text of a phrase or comment, so that it must not
    /// be planned by itself.
    pub fn covers(&self, at: usize) -> bool {
        let around = self.list.get(self.list.partition_point(|it| it.at.end <= at));
        around.is_some_and(|it| it.at.contains(&at) && it.to.meaning().0.is_some())
    }
}

/// Returns `true` if a field is a list of addresses, which List-ID only looks like.
fn is_list_of_addresses(name: &[u8]) -> bool {
    FieldKind::of(name) == FieldKind::Addresses && !LIST_ID.names(name)
}

/// Returns what a value is made of, by the name of its field. A trace counts as comments where the rules want it in
/// ASCII and it is not; else it is never changed. Without rules the header need not be ASCII.
pub fn kind_of(name: &[u8], value: &[u8], rules: Option<AddressRules<'_>>) -> FieldKind {
    let must = rules.is_some_and(|rules| !rules.keep());
    if must && RECEIVED.names(name) && !value.is_ascii() { FieldKind::Comments } else { FieldKind::of(name) }
}

/// Finds what has to be downgraded in one value.
struct DowngradeFinder<'a> {
    value: &'a [u8],
    items: &'a Items<'a>,
    rules: AddressRules<'a>,
}

impl DowngradeFinder<'_> {
    /// Finds what must be downgraded in an address list: a whole group where one of its members has no form in ASCII (RFC
    /// 6857), and else each mailbox by itself.
    fn add_list(&self, found: &mut Downgrades) {
        // Something opens in it that never closes: its raw octets stay, and are reported as stray.
        let Some(list) = AddressList::read(self.value) else { return };
        let mut next = 0;
        while next < list.mailboxes.len() {
            let group = list.mailboxes[next].group;
            let members = list.mailboxes[next..].iter().take_while(|it| it.group == group).count().max(1);
            let of_it = &list.mailboxes[next..next + members];
            next += members;
            let whole = group.and_then(|at| list.groups.get(at));
            match whole.filter(|_| {
                self.rules.addresses == Addresses::Rfc6857 && of_it.iter().any(|it| self.lacks_ascii_form(it))
            }) {
                Some(group) if is_name(&list, &group.name) => {
                    self.add_phrase(&list, &group.tokens, self.group_text(&list, group), found);
                }
                // The name of the group is more than a name: all of it stays.
                Some(_) => {}
                None => of_it.iter().for_each(|mailbox| self.add_mailbox(&list, mailbox, found)),
            }
        }
    }

    /// Finds what must be downgraded in one mailbox: the address that stands for it, else a phrase in its place, else its
    /// domains alone, as the profile says.
    fn add_mailbox(&self, list: &AddressList, mailbox: &Mailbox, found: &mut Downgrades) {
        let is_said = matches!(self.rules.addresses, Addresses::Rfc6857 | Addresses::Rfc6858);
        match self.alias_downgrade(mailbox) {
            Some(alias) => found.list.push(alias),
            None if is_said && self.lacks_ascii_form(mailbox) && is_name(list, &mailbox.name) => {
                self.add_phrase(list, &mailbox.tokens, self.mailbox_text(list, mailbox), found);
            }
            None => found.list.extend(domains(mailbox).filter_map(|at| self.domain_downgrade(at))),
        }
    }

    /// Returns `true` if a mailbox has characters that nothing in ASCII can mean: no alias stands for it, and its local
    /// part or a domain without A-labels is raw.
    fn lacks_ascii_form(&self, mailbox: &Mailbox) -> bool {
        let is_raw = !self.value[mailbox.local.clone()].is_ascii()
            || domains(mailbox).any(|at| !self.value[at.clone()].is_ascii() && self.a_labels(&at).is_none());
        is_raw && self.alias_downgrade(mailbox).is_none()
    }

    /// Returns the downgrade to the address in ASCII that the rules give for one whose local part is not ASCII; none
    /// where they have none.
    fn alias_downgrade(&self, mailbox: &Mailbox) -> Option<Downgrade> {
        let local = self.value.get(mailbox.local.clone()).filter(|local| !local.is_ascii())?;
        let domain = self.value.get(mailbox.domain.clone()).filter(|domain| !domain.is_empty())?;
        let (local, domain) = (str::from_utf8(local).ok()?, str::from_utf8(domain).ok()?);
        let to = Ascii::Same(self.rules.alias(&format!("{local}@{domain}"))?.to_owned());
        let at = mailbox.local.start..mailbox.domain.end;
        Some(Downgrade { at, to, change: Change::Address { from: "utf-8", to: "alias" } })
    }

    /// Returns the downgrade of a domain to its A-labels; none where it is ASCII already, or has none.
    fn domain_downgrade(&self, at: Range<usize>) -> Option<Downgrade> {
        let to = Ascii::Same(self.a_labels(&at)?);
        Some(Downgrade { at, to, change: Change::Domain })
    }

    /// Returns a domain with A-labels; none if it is ASCII already, or can't be mapped to a plain domain.
    fn a_labels(&self, at: &Range<usize>) -> Option<String> {
        let octets = self.value.get(at.clone()).filter(|octets| !octets.is_ascii())?;
        let mapped = domain::to_ascii(str::from_utf8(octets).ok()?).ok()?;
        // What it is mapped to must be a domain to whoever reads the field, and nothing more.
        let is_plain = mapped.bytes().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_'));
        is_plain.then_some(mapped)
    }

    /// Puts a phrase that says what stood there in the place of tokens. Where that can't be read, `text` is the reason,
    /// and they stay.
    fn add_phrase(&self, list: &AddressList, at: &Range<usize>, text: Result<String, Reason>, found: &mut Downgrades) {
        let (at, to) = (list.octets(at), self.rules.addresses);
        let tail = if to == Addresses::Rfc6858 { INVALID } else { " :;" };
        match text {
            Ok(text) => {
                let from = self.form_of(&at);
                let change = Change::Address { from, to: if tail == INVALID { "rfc6858" } else { "rfc6857" } };
                found.list.push(Downgrade { at, to: Ascii::Phrase { text, tail }, change });
            }
            Err(reason) => found.left.push(reason),
        }
    }

    /// Returns the name of what raw octets are in, for the report: `8bit` if they are no UTF-8.
    fn form_of(&self, at: &Range<usize>) -> &'static str {
        if str::from_utf8(&self.value[at.clone()]).is_ok() { "utf-8" } else { "8bit" }
    }

    /// Returns a mailbox as a person reads it, its name decoded and its address behind that; the error says why it can't be read.
    fn mailbox_text(&self, list: &AddressList, mailbox: &Mailbox) -> Result<String, Reason> {
        let name = self.phrase(&list.tokens[mailbox.name.clone()])?;
        let rest = match mailbox.name.is_empty() {
            true => mailbox.tokens.clone(),
            false => mailbox.name.end..mailbox.tokens.end,
        };
        let address = self.plain(list.octets(&rest))?;
        Ok(with_single_spaces(&format!("{name} {}", address.trim())))
    }

    /// Returns a group as a person reads it: its name, then its members ([`mailbox_text`](Self::mailbox_text)) with
    /// what stands between them; the error says why it can't be read.
    fn group_text(&self, list: &AddressList, group: &AddressGroup) -> Result<String, Reason> {
        let mut text = self.phrase(&list.tokens[group.name.clone()])? + ": ";
        let mut rest = group.list.start;
        let members = list.mailboxes.iter().filter(|it| group.list.contains(&it.tokens.start));
        for mailbox in members {
            let between = self.plain(list.octets(&(rest..mailbox.tokens.start)))?;
            text = text + &between + &self.mailbox_text(list, mailbox)?;
            rest = mailbox.tokens.end;
        }
        text += &self.plain(list.octets(&(rest..group.list.end)))?;
        Ok(with_single_spaces(&text))
    }

    /// Reads a phrase: words decoded, quotes undone, comments in their parentheses.
    fn phrase(&self, tokens: &[Token]) -> Result<String, Reason> {
        let mut text = String::new();
        for piece in tokens.chunk_by(|left, right| left.is_comment() == right.is_comment()) {
            match piece {
                [first, ..] if first.is_comment() => {
                    for comment in piece {
                        text = text + "(" + &self.comment(comment)? + ")";
                    }
                }
                _ => text += &text_of_items(&self.items.phrase(piece).items)?,
            }
        }
        Ok(text)
    }

    /// Reads the text of a comment without its parentheses.
    fn comment(&self, token: &Token) -> Result<String, Reason> {
        let pieces = comment_pieces(self.value, token.at.clone()).into_iter();
        let texts = pieces.map(|piece| text_of_items(&self.items.text(piece, WordPlace::Comment).items));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.join(" "))
    }

    /// Reads octets that are no phrase and no comment as an unstructured text.
    fn plain(&self, at: Range<usize>) -> Result<String, Reason> {
        if at.is_empty() { Ok(String::new()) } else { text_of_items(&self.items.text(at, WordPlace::Text).items) }
    }

    /// Finds what must be downgraded in a trace (RFC 5321 §4.4): the domain of `from` and `by`, and those of a `for`
    /// with one address, get A-labels; any other clause that is not ASCII becomes a comment. A `from` or `by` without
    /// A-labels is not listed.
    fn add_trace(&self, found: &mut Downgrades) {
        let tokens = tokens(self.value, Grammar::Address);
        for clause in clauses(self.value, &tokens) {
            let value = clause.value.map_or(clause.end, |token| token.at.start)..clause.end;
            // Comments are text and are written as such. Raw octets beside one are not listed: `FieldValue::plan_text` then
            // finds them stray, and leaves the whole trace.
            if self.value[value.clone()].is_ascii() || has_comment(&tokens, &value) {
                continue;
            }
            match &*self.value[clause.start.at.clone()].to_ascii_lowercase() {
                b"from" | b"by" => found.list.extend(self.domain_downgrade(value)),
                b"for" if self.domains_of_single_address(&value).is_some() => {
                    found.list.extend(self.domains_of_single_address(&value).unwrap_or_default());
                }
                _ => self.add_comment(clause.start.at.start..clause.end, found),
            }
        }
    }

    /// Returns the downgrades of the domains of the one address that a clause is; none if it is anything else, or
    /// A-labels alone don't make it ASCII.
    fn domains_of_single_address(&self, clause: &Range<usize>) -> Option<Vec<Downgrade>> {
        let inner = DowngradeFinder { value: &self.value[clause.clone()], ..*self };
        let list = AddressList::read(inner.value)?;
        let [mailbox] = list.mailboxes.as_slice() else { return None };
        if !mailbox.name.is_empty() || inner.lacks_ascii_form(mailbox) {
            return None;
        }
        let found = domains(mailbox).filter_map(|at| inner.domain_downgrade(at));
        Some(found.map(|it| Downgrade { at: clause.start + it.at.start..clause.start + it.at.end, ..it }).collect())
    }

    /// Puts a clause of a trace into a comment, where it says nothing to programs; where it can't be read it stays, and
    /// the reason is added.
    fn add_comment(&self, at: Range<usize>, found: &mut Downgrades) {
        match self.plain(at.clone()) {
            Ok(text) => {
                let change = Change::Address { from: self.form_of(&at), to: "comment" };
                found.list.push(Downgrade { at, to: Ascii::Comment(with_single_spaces(&text)), change });
            }
            Err(reason) => found.left.push(reason),
        }
    }
}

/// One clause of a trace: the token of its name, the first of its value, and where it ends.
struct Clause<'t> {
    start: &'t Token,
    value: Option<&'t Token>,
    end: usize,
}

/// Finds the clauses of a trace, up to its date. A comment belongs to the clause that it follows; what stands before
/// the first clause is none.
fn clauses<'t>(value: &[u8], tokens: &'t [Token]) -> Vec<Clause<'t>> {
    let mut found: Vec<Clause<'t>> = Vec::new();
    for token in tokens.iter().take_while(|token| !token.is(b';')).filter(|token| !token.is_space()) {
        match found.last_mut() {
            // What follows a clause's name is its value, whatever it is called.
            Some(clause) if clause.value.is_none() => (clause.value, clause.end) = (Some(token), token.at.end),
            _ if names_clause(value, token) => found.push(Clause { start: token, value: None, end: token.at.end }),
            Some(clause) => clause.end = token.at.end,
            None => {}
        }
    }
    found
}

/// Returns `true` if a token is the name of a clause.
fn names_clause(value: &[u8], token: &Token) -> bool {
    let octets = &value[token.at.clone()];
    let mut names = ["from", "by", "via", "with", "id", "for"].iter();
    token.kind == TokenKind::Atom && names.any(|name| octets.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns the range of a value without the white space around it.
fn solid_range(value: &[u8]) -> Range<usize> {
    let start = value.len() - value.trim_ascii_start().len();
    start..value.trim_ascii_end().len().max(start)
}

/// Finds what names a list, a domain within the only angle brackets of a List-ID (RFC 2919 §3).
fn list_domain(value: &[u8]) -> Option<Range<usize>> {
    let tokens = tokens(value, Grammar::Address);
    let mut brackets = tokens.iter().filter(|token| token.is(b'<') || token.is(b'>'));
    let (open, close) = (brackets.next()?, brackets.next()?);
    let is_only = open.is(b'<') && close.is(b'>') && brackets.next().is_none();
    is_only.then_some(open.at.end..close.at.start)
}

/// Returns `true` if a range of tokens is a name and nothing else: where a comma is missing, an address stands in it,
/// which other readers find.
fn is_name(list: &AddressList, name: &Range<usize>) -> bool {
    !list.tokens[name.clone()].iter().any(|token| token.is(b'<') || token.is(b'@'))
}

/// Returns `true` if a comment begins in a range of octets.
fn has_comment(tokens: &[Token], range: &Range<usize>) -> bool {
    let first = tokens.partition_point(|token| token.at.start < range.start);
    let mut within = tokens[first..].iter().take_while(|token| token.at.start < range.end);
    within.any(Token::is_comment)
}

/// Returns the domains of a mailbox in their order: those of its route, then its own.
fn domains(mailbox: &Mailbox) -> impl Iterator<Item = Range<usize>> + '_ {
    mailbox.route.iter().cloned().chain((!mailbox.domain.is_empty()).then(|| mailbox.domain.clone()))
}

/// Returns the text of items as a person sees it: one space for white space, none between words. The error says why one
/// can't be read.
fn text_of_items(items: &[Item]) -> Result<String, Reason> {
    if let Some(reason) = items.iter().find_map(Item::why_it_stays) {
        return Err(reason);
    }
    // What nobody can read says nothing beside other text.
    if items.iter().any(|item| item.unknown) {
        return Err(Reason::Unlabelled);
    }
    // Words alone may say a line end.
    if items.iter().any(|item| !item.line_end.is_empty()) {
        return Err(Reason::Control);
    }
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        if !is_dropped_between_words(items, index) {
            text.push_str(if item.is_white() { " " } else { &item.text });
        }
    }
    Ok(text)
}

/// Returns a text with one space for blanks, and none at its ends; line ends are undone already where items are read.
fn with_single_spaces(text: &str) -> String {
    text.split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
