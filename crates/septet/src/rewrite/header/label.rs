//! The charset of a Content-Type as most are, set by one splice.

use std::ops::Range;

use crate::coding::encoded_word::LINE_LIMIT;
use crate::message::grammar::parameter::{sections, unquote};
use crate::message::irregular::is_usual_type;

/// Returns what to write in a value, and where, so that it names a charset, if every reader finds the same parameters
/// before and after, so that neither gate nor proof is asked (`HeaderPlanner::plan`): a [usual type](is_usual_type)
/// with a charset, and no line so long that it would be folded. None for any other value, and for one that names the
/// charset already: it is planned like other fields, and proved. `indent` octets stand on the line before the value.
pub fn splice(value: &[u8], indent: usize, charset: &str) -> Option<(Range<usize>, String)> {
    if !is_usual_type(value) {
        return None;
    }
    let at = sections(value).list.into_iter().find(|it| it.slices(value).0.eq_ignore_ascii_case(b"charset"))?.value;
    let is_new = unquote(&value[at.clone()]) != charset.as_bytes();
    (is_new && is_short(value, indent, &at, charset.len())).then(|| (at, charset.to_owned()))
}

/// Returns `true` if the line on which a range stands has [`LINE_LIMIT`] octets at most once the range is of another
/// length. The CR of a line end counts.
fn is_short(value: &[u8], indent: usize, at: &Range<usize>, length: usize) -> bool {
    let start = memchr::memrchr(b'\n', &value[..at.start]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &value[at.end..]).map_or(value.len(), |end| at.end + end);
    let before = if start == 0 { indent } else { 0 };
    before + at.start - start + length + end - at.end <= LINE_LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spliced(value: &str) -> Option<(Range<usize>, String)> {
        splice(value.as_bytes(), 13, "utf-8")
    }

    #[test]
    fn a_usual_type_gets_its_charset_by_one_splice() {
        for (value, was) in [
            (" text/plain; charset=iso-8859-1", "iso-8859-1"),
            (" text/plain; format=flowed;\r\n Charset=\"koi8-r\"", "\"koi8-r\""),
        ] {
            let (at, with) = spliced(value).expect("a charset to replace");
            assert_eq!((&value[at], &*with), (was, "utf-8"));
        }
        assert_eq!(spliced(" text/plain"), None, "it has none");
        assert_eq!(spliced(" text/plain; charset=utf-8"), None, "it is right");
        assert_eq!(spliced(" text/plain; CHARSET=\"utf-8\""), None, "in quotes, too");
        assert_eq!(spliced(" text/plain; charset=x; charset=y"), None, "it has two");
        assert_eq!(spliced(" text/plain; charset=x; name=y"), None, "a file");
        assert_eq!(spliced(" text/plain; charset*=x''y"), None, "another form");
        assert_eq!(spliced(&format!(" text/plain; x={}; charset=y", "x".repeat(60))), None, "a long line");
    }
}
