//! Headers that some readers end before their end: a fix adds nothing to one, and changes no body behind it; nor is a
//! field of one moved to its end.

use crate::message::{Field, Message, Part, has_lone_return};
use crate::rewrite::fixes::Fixes;

/// Returns `true` if some readers end a header before its end: at white space before a colon that stays, or at a CR
/// alone. White space counts neither where fixes have taken it out by now, alone or with its field, nor in the field
/// `without`, which the caller may take out; a CR alone counts in these too.
pub(in crate::rewrite) fn has_ambiguous_lines(
    message: &Message,
    part: &Part,
    fixes: &Fixes,
    without: Option<&Field>,
) -> bool {
    let is_spaced = |field: &Field| {
        let space = field.space_before_colon();
        let goes = fixes.removed.contains(&field.line) || without.is_some_and(|it| it.line == field.line);
        !space.is_empty() && !fixes.spaces.contains(&space) && !goes
    };
    message.fields(part).iter().any(is_spaced) || has_lone_return(message.slice(part.header))
}
