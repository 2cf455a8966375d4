//! The charset of raw 8-bit text in the header of a message, which only the label of its first text tells.
//!
//! Both messages have the same tree; that was found out before.

use super::tree::disposition;
use septet::coding::charset::Charset;
use septet::message::{Kind, Message, Part};
use septet::rewrite::Profile;

/// The fields that people read, and that are text or addresses in all of their value.
const READ: [&str; 6] = ["From", "To", "Subject", "Comments", "Keywords", "X-Raw"];

/// Finds a header in which raw text stays that was read in the charset of the text below it, which has another label
/// now.
pub fn lost(before: &Message, after: &Message, profile: &Profile) -> Option<String> {
    let tops = before.parts().iter().zip(after.parts()).enumerate().filter(|(_, (part, _))| is_top(before, part));
    let header = |(index, (_, top)): (usize, (&Part, &Part))| {
        let text = first_text(before, index)?;
        let label = |message: &Message| {
            let label = message.parts()[text].content_type.parameter(message.raw(), "charset")?;
            profile.labels.find(&label)
        };
        let charset = label(before).filter(|charset| charset.keeps_ascii() && *charset != Charset::US_ASCII)?;
        let is_raw = |value: &[u8]| str::from_utf8(value).is_err() && charset.decode(value).is_ok();
        let is_read = |name: &[u8]| READ.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
        let mut fields = after.fields(top).iter();
        let stays = fields.any(|field| is_read(after.slice(field.name)) && is_raw(after.slice(field.value)));
        let number = before.number(index);
        (stays && label(after) != Some(charset))
            .then(|| format!("part {number}: raw text in its header loses its charset"))
    };
    tops.filter_map(header).next()
}

/// Returns `true` if a part is a message: the whole, or one within.
fn is_top(message: &Message, part: &Part) -> bool {
    part.parent.is_none_or(|parent| message.parts()[parent].kind == Kind::Message)
}

/// Finds the first text of a message, if it is surely no file: mail programs read the header in its charset.
fn first_text(message: &Message, top: usize) -> Option<usize> {
    let parts = message.parts();
    let is_within = |index: usize| {
        let mut at = index;
        while at != top {
            match parts[at].parent {
                Some(parent) if parts[parent].kind != Kind::Message => at = parent,
                _ => return false,
            }
        }
        true
    };
    let is_text = |part: &Part| part.kind == Kind::Leaf && part.content_type.main == "text";
    let first = (top..parts.len()).find(|index| is_text(&parts[*index]) && is_within(*index))?;
    let is_shown = ["plain", "html"].contains(&&*parts[first].content_type.sub);
    (is_shown && disposition(message, &parts[first]).as_deref() != Some("attachment")).then_some(first)
}
