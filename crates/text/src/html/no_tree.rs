//! What stands in for the tree of elements where the feature `html` is off: markup that only a tree can tell from text
//! stays.

use super::MarkupError;
use super::places::Tags;

/// Reads nothing.
pub(super) fn read(_: &str, _: &mut dyn Tags) -> Result<(), MarkupError> {
    Err(MarkupError("only a tree of elements tells its tags from text, and this build has none".to_owned()))
}
