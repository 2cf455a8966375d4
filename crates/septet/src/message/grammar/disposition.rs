//! Content-Disposition: how a part is to be shown (RFC 2183 §2).

use std::borrow::Cow;

use super::lexer::{Grammar, Lexer};
use super::parameter::unquote;

/// Returns the first token of a field's value that is neither white space nor a comment, `inline` or `attachment` as a
/// rule, as it stands there but for quotes, which some programs put around it. It is empty for a quote that never
/// closes, `;` where no word stands before that, and none where there is nothing.
pub fn read(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let first = Lexer::new(value, Grammar::Mime).find(|token| !token.is_space())?;
    Some(unquote(&value[first.at]))
}
