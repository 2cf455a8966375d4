//! Bidirectional IRIs (draft-ietf-iri-3987bis-06 §4).
//!
//! A bidi component is what the reader takes as one piece: a label of a host, a segment of a path without its
//! extensions, a name or a value of a query (§4.2 allows such finer pieces). The rules look at what is written:
//! the digits and letters of `%D7` are characters like any other (§4.4, example 9).

use std::ops::Range;

use unicode_bidi::{BidiClass, bidi_class};

use super::component::Reference;
use super::syntax::is_bidi_control;

/// A place where a reference breaks a rule of §4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The octets of the component, or of the formatting character.
    pub at: Range<usize>,
    /// The rule.
    pub rule: BidiRule,
}

/// The rules of §4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BidiRule {
    /// No formatting characters: a MUST.
    Control,
    /// No characters of both directions in one component: a SHOULD.
    Mixed,
    /// A component with right-to-left characters starts and ends with one: a SHOULD.
    Edges,
}

impl BidiRule {
    /// Returns the rule's number in the draft.
    pub fn section(self) -> &'static str {
        match self {
            BidiRule::Control => "4.1",
            BidiRule::Mixed => "4.2.1",
            BidiRule::Edges => "4.2.2",
        }
    }

    /// Says what is wrong, a lower-case clause.
    pub fn clause(self) -> &'static str {
        match self {
            BidiRule::Control => "a bidi control",
            BidiRule::Mixed => "a component with characters of both directions",
            BidiRule::Edges => "a right-to-left component that starts or ends with another character",
        }
    }
}

/// Finds the violations of §4.1 and §4.2, in the order of the text.
///
/// ```
/// use septet_text::iri::bidi::{BidiRule, violations};
///
/// assert!(violations("http://אב.example/").is_empty());
/// assert_eq!(violations("http://aב.example/")[0].rule, BidiRule::Mixed);
/// ```
pub fn violations(text: &str) -> Vec<Violation> {
    if text.is_ascii() {
        return Vec::new();
    }
    let reference = Reference::split(text);
    let controls = text
        .char_indices()
        .filter(|&(_, character)| is_bidi_control(character))
        .map(|(at, character)| Violation { at: at..at + character.len_utf8(), rule: BidiRule::Control });
    let components = pieces(&reference).into_iter().filter_map(|at| {
        let rule = component_violation(reference.slice(at.clone()))?;
        Some(Violation { at, rule })
    });
    let mut all: Vec<_> = controls.chain(components).collect();
    all.sort_by_key(|violation| violation.at.start);
    all
}

/// Finds the rule of §4.2 that a component breaks; one without characters from right to left breaks none.
pub(super) fn component_violation(component: &str) -> Option<BidiRule> {
    if component.is_ascii() || !component.chars().any(is_right_to_left) {
        return None;
    }
    if component.chars().any(|character| bidi_class(character) == BidiClass::L) {
        return Some(BidiRule::Mixed);
    }
    // Marks take the direction of the letter that they sit on.
    let mut letters = component.chars().filter(|&character| bidi_class(character) != BidiClass::NSM);
    let first = letters.next().is_some_and(is_right_to_left);
    let last = letters.next_back().map_or(first, is_right_to_left);
    (!first || !last).then_some(BidiRule::Edges)
}

/// Returns `true` if a character is a letter from right to left; the marks of direction, which §4.1 forbids, are none.
fn is_right_to_left(character: char) -> bool {
    !is_bidi_control(character) && matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

/// Returns the bidi components of a reference.
fn pieces(reference: &Reference<'_>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let components: [(Option<&Range<usize>>, &[char]); 5] = [
        (reference.userinfo.as_ref(), &[':', '.']),
        (reference.host.as_ref(), &['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']),
        (Some(&reference.path), PATH_CUTS),
        (reference.query.as_ref(), QUERY_CUTS),
        (reference.fragment.as_ref(), QUERY_CUTS),
    ];
    for (component, cuts) in components {
        if let Some(range) = component {
            split(reference, range.clone(), cuts, &mut pieces);
        }
    }
    pieces
}

pub(super) const PATH_CUTS: &[char] = &['/', '.', ';', '=', ',', '@', ':'];
pub(super) const QUERY_CUTS: &[char] = &['&', ';', '=', '/', '?', '.'];

/// Adds the pieces of a range between the characters at which it is cut.
fn split(reference: &Reference<'_>, range: Range<usize>, at: &[char], pieces: &mut Vec<Range<usize>>) {
    let text = reference.slice(range.clone());
    let mut start = 0;
    for (end, delimiter) in text.match_indices(at) {
        pieces.push(range.start + start..range.start + end);
        start = end + delimiter.len();
    }
    pieces.push(range.start + start..range.end);
}
