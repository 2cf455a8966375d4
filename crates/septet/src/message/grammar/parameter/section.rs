//! Splits a field's value into sections: `name=value` between semicolons, as written.
//!
//! A piece between two semicolons is read token by token; [`SectionStage`] says what is awaited. White space and
//! comments may stand between any two tokens. What is found wrong on the way is kept with the section, as its [`Flaw`].

use std::borrow::Cow;
use std::ops::Range;

use super::charset::label;
use super::read::in_order;
use super::section_name::SectionName;
use super::value::{joined, unquote};
use crate::message::grammar::lexer::{Token, TokenKind};

/// One `name=value` of a parameter list, as ranges of the field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name, with its RFC 2231 marks.
    pub name: Range<usize>,
    /// The value as written: a quoted-string, or everything up to the next `;` but the white space and comments
    /// around it.
    pub value: Range<usize>,
    /// Why readers may end or begin it elsewhere; the first reason of several, but that no `;` stands before it comes
    /// last.
    pub flaw: Option<Flaw>,
}

impl Section {
    /// Returns the octets of its name and of its value, of the field's value that it was found in.
    pub fn slices<'v>(&self, value: &'v [u8]) -> (&'v [u8], &'v [u8]) {
        (&value[self.name.clone()], &value[self.value.clone()])
    }

    /// Returns `true` if it has this bare name, without any mark, in any case of letters.
    fn is_plain(&self, value: &[u8], name: &str) -> bool {
        value[self.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }
}

/// Why readers may end or begin a section's value elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flaw {
    /// A quote or a comment opens in it and never closes.
    Open,
    /// Something stands between its closing quote and the next `;`.
    Behind,
    /// A quote stands inside a value that does not begin with one.
    Quote,
    /// A comment stands in it, or touches it.
    Comment,
    /// No `;` stands before it.
    Unseparated,
}

/// The sections of one field's value, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sections {
    /// What stands between the semicolons, as far as it has a name and a `=`.
    pub list: Vec<Section>,
    /// Where a quote or a comment opens that never closes, if one does.
    pub open: Option<usize>,
    /// What stands before a `=` and is no name, or not alone: in quotes, or behind another word. Some readers take it
    /// for one.
    pub not_parameters: Vec<Range<usize>>,
}

impl Sections {
    /// Returns the octets of the name and of the value of each section, of the field's value that they were found in.
    pub fn slices<'v>(&self, value: &'v [u8]) -> Vec<(&'v [u8], &'v [u8])> {
        self.list.iter().map(|section| section.slices(value)).collect()
    }

    /// Returns the octets of a parameter, by its bare name in any case of letters, put together as the module says; its
    /// charset is not undone, and a section that is missing is stepped over. The first of several counts, and a plain
    /// one before one in sections or with a charset. Of several `charset`, asked for in small letters, those don't
    /// count that are no label but a media type.
    pub fn value<'a>(&self, value: &'a [u8], name: &str) -> Option<Cow<'a, [u8]>> {
        let mut plain = self.list.iter().filter(|section| section.is_plain(value, name));
        if name == "charset" {
            if let Some(label) = label(value, plain.map(|it| it.value.clone())) {
                return Some(label);
            }
        } else if let Some(plain) = plain.next() {
            return Some(unquote(plain.slices(value).1));
        }
        let marks: Vec<(&[u8], SectionName)> =
            self.named(value, name).map(|(section, mark)| (section.slices(value).1, mark)).collect();
        // Another form makes a parameter of its own.
        let form = marks.first()?.1.form();
        let indexes = (0..marks.len()).filter(|&index| marks[index].1.form() == form).collect();
        let (kept, _) = in_order(indexes, |index| marks[index].1.number);
        Some(Cow::Owned(joined(kept.into_iter().map(|index| (marks[index].0, marks[index].1.extended)))))
    }

    /// Returns `true` if a parameter of this bare name stands there, or what some readers take for one: a section of
    /// nearly this name, or such a name before a `=` where no parameter is read.
    ///
    /// ```
    /// use septet::message::grammar::parameter::sections;
    ///
    /// for value in [&b"inline; filename*0=a"[..], b"inline;\x0Cfilename=a"] {
    ///     assert!(sections(value).may_have(value, "filename"));
    /// }
    /// assert!(!sections(b"inline; name=a").may_have(b"inline; name=a", "filename"));
    /// ```
    pub fn may_have(&self, value: &[u8], name: &str) -> bool {
        let names = self.list.iter().map(|section| &section.name).chain(&self.not_parameters);
        let mut names = names.map(|at| SectionName::of(&value[at.clone()]));
        names.any(|it| it.is_of(name) || it.is_nearly(name))
    }

    /// Finds the sections of a parameter, in whatever form.
    pub(super) fn named<'a>(&self, value: &'a [u8], name: &str) -> impl Iterator<Item = (&Section, SectionName<'a>)> {
        let marked = self.list.iter().map(|section| (section, SectionName::of(section.slices(value).0)));
        marked.filter(move |(_, mark)| mark.is_of(name))
    }
}

/// What a piece between two semicolons awaits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SectionStage {
    /// A name.
    #[default]
    Name,
    /// The `=` behind a name.
    Equals,
    /// A value, behind the `=`.
    Value,
    /// More of a value without quotes.
    Bare,
    /// The `;` behind a quoted value.
    Quoted,
    /// A `=` or the next `;`, behind what is no name.
    Unnamed,
    /// Nothing but the next `;`: this is no parameter.
    Nothing,
    /// Nothing any more: a value with an open quote runs to the field's end.
    Swallowed,
}

/// Splits a value into sections, one token after the other.
#[derive(Default)]
pub(super) struct SectionSplitter {
    /// The octets of the field's value, to whose end a value with an open quote goes on.
    end: usize,
    stage: SectionStage,
    /// The name, or the last token of what is none.
    name: Range<usize>,
    value: Range<usize>,
    flaw: Option<Flaw>,
    /// Whether a comment was seen since the last solid token.
    comment: bool,
    /// Whether white space stands directly before the next token.
    white: bool,
    found: Sections,
}

impl SectionSplitter {
    /// Starts on a value of `end` octets, at a name; `flaw` is that of the first section.
    pub fn new(end: usize, flaw: Option<Flaw>) -> SectionSplitter {
        SectionSplitter { end, flaw, ..SectionSplitter::default() }
    }

    /// Returns how many sections were found so far; the one at hand counts once its `=` was seen.
    pub fn count(&self) -> usize {
        let at_hand = matches!(
            self.stage,
            SectionStage::Value | SectionStage::Bare | SectionStage::Quoted | SectionStage::Swallowed
        );
        self.found.list.len() + usize::from(at_hand)
    }

    /// Takes the next token, wherever it belongs: they must come in order, all behind the field's head.
    pub fn take(&mut self, token: Token) {
        if matches!(token.kind, TokenKind::Special(b'"' | b'(')) {
            self.found.open.get_or_insert(token.at.start);
        }
        match token.kind {
            _ if self.stage == SectionStage::Swallowed => {}
            TokenKind::White => self.white = true,
            TokenKind::Comment => self.take_comment(),
            TokenKind::Special(b';') => self.end_piece(SectionStage::Name),
            _ => self.take_solid(token),
        }
    }

    /// Ends the last piece, and returns all that were found.
    pub fn finish(mut self) -> Sections {
        self.end_piece(SectionStage::Nothing);
        self.found
    }

    /// Takes a comment: a flaw where it touches a value.
    fn take_comment(&mut self) {
        if matches!(self.stage, SectionStage::Bare | SectionStage::Quoted) && !self.white {
            self.note_flaw(Flaw::Comment);
        }
        (self.white, self.comment) = (false, true);
    }

    /// Takes a token that is no white space, no comment and no semicolon: it moves the piece to its next stage, or
    /// marks the section at hand with a flaw.
    fn take_solid(&mut self, token: Token) {
        let (comment, white) = (std::mem::take(&mut self.comment), std::mem::take(&mut self.white));
        let touched = comment && !white;
        let at = token.at.clone();
        match (self.stage, token.kind) {
            (SectionStage::Name, TokenKind::Atom) => (self.name, self.stage) = (at, SectionStage::Equals),
            (SectionStage::Equals, TokenKind::Special(b'=')) => {
                (self.value, self.stage) = (at.end..at.end, SectionStage::Value);
                self.note_flaw_if(comment, Flaw::Comment);
            }
            (SectionStage::Unnamed, TokenKind::Special(b'=')) => {
                self.found.not_parameters.push(self.name.clone());
                self.stage = SectionStage::Nothing;
            }
            (SectionStage::Name | SectionStage::Equals | SectionStage::Unnamed, _) => {
                (self.name, self.stage) = (at, SectionStage::Unnamed)
            }
            (SectionStage::Nothing, _) => {}
            (SectionStage::Value, TokenKind::Special(b'"')) => {
                (self.value, self.stage) = (at.start..self.end, SectionStage::Swallowed);
                self.note_flaw(Flaw::Open);
            }
            (SectionStage::Value, kind) => {
                self.note_flaw_if(touched, Flaw::Comment);
                self.note_flaw_if(kind == TokenKind::Special(b'('), Flaw::Open);
                self.stage = if kind == TokenKind::Quoted { SectionStage::Quoted } else { SectionStage::Bare };
                self.value = at;
            }
            (SectionStage::Bare, kind) => {
                self.note_flaw_if(comment, Flaw::Comment);
                self.note_flaw_if(kind == TokenKind::Special(b'('), Flaw::Open);
                self.note_flaw_if(matches!(kind, TokenKind::Quoted | TokenKind::Special(b'"')), Flaw::Quote);
                self.value.end = at.end;
            }
            (SectionStage::Quoted, kind) => {
                self.note_flaw(Flaw::Behind);
                if kind == TokenKind::Atom {
                    self.end_piece(SectionStage::Equals);
                    (self.name, self.flaw) = (at, Some(Flaw::Unseparated));
                }
            }
            (SectionStage::Swallowed, _) => {}
        }
    }

    /// Notes a flaw of the section at hand. The first one stays, but for [`Flaw::Unseparated`], which any other
    /// replaces: it says least of where the value ends.
    fn note_flaw(&mut self, flaw: Flaw) {
        if matches!(self.flaw, None | Some(Flaw::Unseparated)) {
            self.flaw = Some(flaw);
        }
    }

    /// Notes a flaw of the section at hand if `is` is `true`.
    fn note_flaw_if(&mut self, is: bool, flaw: Flaw) {
        if is {
            self.note_flaw(flaw);
        }
    }

    /// Adds the section at hand, if there is one, and goes on at the next stage.
    fn end_piece(&mut self, next: SectionStage) {
        self.note_flaw_if(self.stage == SectionStage::Value && self.comment, Flaw::Comment);
        if self.count() > self.found.list.len() {
            let (name, value, flaw) = (self.name.clone(), self.value.clone(), self.flaw);
            self.found.list.push(Section { name, value, flaw });
        }
        (self.stage, self.flaw, self.comment, self.white) = (next, None, false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sections;

    /// Writes sections as `name=value`, with the letter of their flaw in front.
    fn shown(value: &str) -> Vec<String> {
        let shown = sections(value.as_bytes()).list.into_iter().map(|section| {
            let letter = section.flaw.map_or(String::new(), |flaw| format!("{flaw:?} "));
            format!("{letter}{}={}", &value[section.name], &value[section.value])
        });
        shown.collect()
    }

    #[test]
    fn splits_values() {
        let cases: [(&str, &[&str]); 20] = [
            ("text/plain (x;y=z); charset=utf-8 (c); NAME = \"a;b\" ;", &["charset=utf-8", "NAME=\"a;b\""]),
            ("x; bad; e=; f==?utf-8?Q?a,b?=; g=a b ;", &["e=", "f==?utf-8?Q?a,b?=", "g=a b"]),
            ("x; f==?utf-8?Q?a;g=b?=; h=c", &["f==?utf-8?Q?a", "g=b?=", "h=c"]),
            ("x; =b; ; c=d", &["c=d"]),
            ("x; a=b=c", &["a=b=c"]),
            ("x; a=\"b\" c; d=e", &["Behind a=\"b\"", "d=e"]),
            ("x; a=\"b\"c=d;", &["Behind a=\"b\"", "Unseparated c=d"]),
            ("x; a=\"b\"/; c=d", &["Behind a=\"b\"", "c=d"]),
            ("x; a=\"b; c=d", &["Open a=\"b; c=d"]),
            ("x; a=b\"c; d=e", &["Quote a=b\"c", "d=e"]),
            ("x; a=b\"c;d\"e", &["Quote a=b\"c;d\"e"]),
            ("x; a=b(c)", &["Comment a=b"]),
            ("x; a=(c)b", &["Comment a=b"]),
            ("x; a=b (c) d", &["Comment a=b (c) d"]),
            ("x; a (c)= (d) b (e)", &["Comment a=b"]),
            ("x; a=\"b\"(c)", &["Comment a=\"b\""]),
            ("x; a=b (c; d=e", &["Open a=b (c", "d=e"]),
            ("x/y a=b; c=d", &["Unseparated a=b", "c=d"]),
            ("x/y, a=b; c=d", &["Unseparated a=b", "c=d"]),
            ("x a=b; c=d", &["Unseparated a=b", "c=d"]),
        ];
        for (value, expected) in cases {
            assert_eq!(shown(value), expected, "{value}");
        }
    }
}
