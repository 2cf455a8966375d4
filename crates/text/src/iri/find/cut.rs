//! Links that a control of direction cuts.
//!
//! No IRI may hold such a control (draft-ietf-iri-3987bis-06 §4.1), so a link ends before it. Its reader sees nothing
//! there, and takes what follows for the rest of the link, which programs don't open.

use unicode_bidi::{BidiClass, bidi_class};

use super::super::syntax::is_bidi_control;
use super::FoundLink;
use super::class::class;
use super::term::LinkTerm;

impl FoundLink {
    /// Returns the bidi control (U+061C, U+200E and U+200F, U+202A to U+202E, U+2066 to U+2069) that cuts the link: it
    /// stands at its end, and what follows would go on with it. A mark of direction before a letter that is written
    /// from right to left has that use alone, and cuts nothing.
    ///
    /// ```
    /// use septet_text::iri::find;
    /// use septet_text::iri::find::FindOptions;
    ///
    /// fn cut(text: &str) -> Option<char> {
    ///     find(text, FindOptions::default()).next()?.cut_by(text)
    /// }
    /// assert_eq!(cut("http://example.org/a\u{202E}fdp.exe"), Some('\u{202E}'));
    /// assert_eq!(cut("\u{202A}http://example.org/אב\u{202C}, and"), None);
    /// ```
    pub fn cut_by(&self, text: &str) -> Option<char> {
        let after = text.get(self.at.end..)?;
        let control = after.chars().next().filter(|first| is_bidi_control(*first))?;
        let mut rest = after.trim_start_matches(is_bidi_control).chars();
        let next = rest.clone().next()?;
        let is_mark = matches!(control, '\u{61C}' | '\u{200E}' | '\u{200F}');
        if is_mark && matches!(bidi_class(next), BidiClass::R | BidiClass::AL) {
            return None;
        }
        let goes_on = rest.find_map(|character| match class(character) {
            LinkTerm::Include | LinkTerm::Open => Some(true),
            LinkTerm::Soft => None,
            LinkTerm::Hard | LinkTerm::Close => Some(false),
        });
        (goes_on == Some(true)).then_some(control)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FindOptions, find};

    #[test]
    fn a_link_is_cut_only_where_it_would_go_on() {
        for (text, wanted) in [
            ("http://e.org/a\u{202E}b", Some('\u{202E}')),
            ("http://e.org/a\u{2066}\u{202D}.b", Some('\u{2066}')),
            ("<http://e.org/é\u{200E}b>", Some('\u{200E}')),
            ("(http://e.org/a\u{200F})", None),
            ("http://e.org/a\u{202C}. And", None),
            ("http://e.org/a\u{200F}שלום", None),
            ("http://e.org/a\u{202B}שלום", Some('\u{202B}')),
            ("http://e.org/a\u{202C}", None),
            ("http://e.org/a\u{202C} b", None),
            ("http://e.org/a", None),
        ] {
            let found = find(text, FindOptions { bounded: true, ..FindOptions::default() }).next().expect("a link");
            assert_eq!(found.cut_by(text), wanted, "{text:?}");
        }
    }
}
