//! Reads a field's value from its start: what stands before the parameters (`text/plain`, `attachment`), and the
//! parameters behind it, even without their `;`.

use super::section::{Flaw, SectionSplitter, Sections};
use crate::message::grammar::lexer::{Grammar, Lexer, Token, TokenKind};

/// The tokens before the parameters, white space and comments left out.
pub(in crate::message) struct FieldHead {
    /// The first word: `text`, `attachment`.
    pub main: Option<Token>,
    /// Whether a `/` stands behind it.
    pub slash: bool,
    /// The word behind that.
    pub sub: Option<Token>,
    /// The token behind the last of these that is there; none at the end of the value.
    pub next: Option<Token>,
}

impl FieldHead {
    /// Reads `word/word` or `word`, up to the next token that is neither white space nor a comment. A word is an atom:
    /// where anything else stands, a quoted-string too, that is `next`.
    pub fn read(lexer: &mut Lexer) -> FieldHead {
        let nothing = FieldHead { main: None, slash: false, sub: None, next: None };

        let first = solid(lexer);
        let Some(main) = first.clone().filter(is_word) else { return FieldHead { next: first, ..nothing } };
        let main = Some(main);
        let next = solid(lexer);
        if !next.as_ref().is_some_and(|next| next.is(b'/')) {
            return FieldHead { main, next, ..nothing };
        }
        let sub = solid(lexer);
        match sub.as_ref().is_some_and(is_word) {
            true => FieldHead { main, slash: true, sub, next: solid(lexer) },
            false => FieldHead { main, slash: true, next: sub, ..nothing },
        }
    }

    /// Reads the parameters behind it, in a value of `end` octets; `lexer` must stand where [`FieldHead::read`] left
    /// it. The first `;` may be missing, and behind a media type be a comma. Returns with the parameters whether they
    /// begin well: `false` if something that is no parameter stands before the first `;`, or before the end.
    pub fn read_parameters(&self, end: usize, mut lexer: Lexer) -> (Sections, bool) {
        let comma = self.sub.is_some() && self.next.as_ref().is_some_and(|token| token.is(b','));
        let next = if comma { solid(&mut lexer) } else { self.next.clone() };
        let mut awaited = comma || next.as_ref().is_some_and(|token| !token.is(b';'));
        // Some readers take a first parameter without its `;` for the end of the type's own name.
        let flaw = awaited.then_some(Flaw::Unseparated);
        let mut splitter = SectionSplitter::new(end, flaw);
        let mut begins_well = true;
        for token in next.into_iter().chain(lexer) {
            let ends = token.is(b';');
            splitter.take(token);
            begins_well &= !(ends && std::mem::take(&mut awaited) && splitter.count() == 0);
        }
        begins_well &= !(awaited && splitter.count() == 0);
        (splitter.finish(), begins_well)
    }
}

/// Splits the value of a field into the parameters behind its first word or media type.
///
/// What has no name or no `=` is passed over. A value may be empty, and may hold white space that should have been
/// quoted.
///
/// ```
/// use septet::message::grammar::parameter::sections;
///
/// let value = b"attachment; filename*0=a; filename*1=\"b c\"";
/// let found = sections(value);
/// assert_eq!(found.value(value, "filename").as_deref(), Some(&b"ab c"[..]));
/// assert_eq!(found.value(value, "name"), None);
/// ```
pub fn sections(value: &[u8]) -> Sections {
    let mut lexer = Lexer::new(value, Grammar::Mime);
    FieldHead::read(&mut lexer).read_parameters(value.len(), lexer).0
}

/// Returns `true` for an atom: words in quotes or encoded-words are none here.
fn is_word(token: &Token) -> bool {
    token.kind == TokenKind::Atom
}

/// Returns the next token that is neither white space nor a comment.
fn solid(lexer: &mut Lexer) -> Option<Token> {
    lexer.find(|token| !token.is_space())
}
