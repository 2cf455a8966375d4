//! The structure of a message.

use super::{Limits, Message};

pub(super) fn read<'a>(raw: &'a [u8], _limits: &Limits) -> Message<'a> {
    Message {
        raw,
        fields: Vec::new(),
        parts: Vec::new(),
        defects: Vec::new(),
        line_end: super::LineEnd::of(raw),
        limit: None,
    }
}
