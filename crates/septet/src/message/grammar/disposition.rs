//! Content-Disposition: how a part is to be shown (RFC 2183 §2).

use std::borrow::Cow;

use super::lexer::{Grammar, tokens};
use super::parameter::unquote;

/// Returns the first word of a field's value, `inline` or `attachment` as a rule, as it stands there but for quotes,
/// which some programs put around it.
pub fn read(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let split = tokens(value, Grammar::Mime);
    let first = split.iter().find(|token| !token.is_space())?;
    Some(unquote(&value[first.at.clone()]))
}
