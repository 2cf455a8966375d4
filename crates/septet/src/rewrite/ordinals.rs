//! Which of the fields of its name a field is, as reports number them, and as somebody names one who chooses it.

use std::collections::HashMap;

use crate::edit::Span;
use crate::message::{Field, Message, Part};

/// In a header with more fields than this all are counted at once, when the first is asked for: else each would be a
/// look at all before it. In a shorter one that is less than to count all.
const FEW: usize = 50;

/// The ordinals of fields, each of its name, from 1.
#[derive(Default)]
pub(super) struct Ordinals {
    /// Those of the header of one part with many fields, by their lines.
    counted: HashMap<Span, usize>,
    /// The header that was counted.
    header: Span,
}

impl Ordinals {
    /// Returns which of the fields of its name a field is in a part, names compared in any case of letters; the field
    /// must be one of that part. Fields are best asked for part by part, since another long header is counted anew, and
    /// must all be of one message: the header that was counted is known by its place. Both ways must come to the same.
    pub fn of(&mut self, message: &Message, part: &Part, field: &Field) -> usize {
        let fields = message.fields(part);
        if fields.len() <= FEW {
            let name = message.slice(field.name);
            let before = fields.iter().take_while(|it| it.line.start < field.line.start);
            return 1 + before.filter(|it| message.slice(it.name).eq_ignore_ascii_case(name)).count();
        }
        if self.header != part.header {
            self.count(message, part);
        }
        self.counted.get(&field.line).copied().unwrap_or(1)
    }

    /// Counts the fields of a part, and forgets those counted before. By the same names as [`of`](Self::of) counts few.
    fn count(&mut self, message: &Message, part: &Part) {
        let mut named: HashMap<Vec<u8>, usize> = HashMap::new();
        self.counted.clear();
        for field in message.fields(part) {
            let count = named.entry(message.slice(field.name).to_ascii_lowercase()).or_default();
            *count += 1;
            self.counted.insert(field.line, *count);
        }
        self.header = part.header;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    #[test]
    fn fields_are_counted_by_their_names_in_short_headers_and_long_ones() {
        for more in [0, 2 * FEW] {
            let raw = format!("A: 1\nB: 1\na: 2\n{}A: 3\n\n", "C: x\n".repeat(more));
            let message = Message::read(raw.as_bytes(), &Limits::default());
            let part = &message.parts()[0];
            let mut ordinals = Ordinals::default();
            let of_a = message.fields(part).iter().filter(|field| message.slice(field.name).eq_ignore_ascii_case(b"a"));
            let found: Vec<usize> = of_a.map(|field| ordinals.of(&message, part, field)).collect();
            assert_eq!(found, [1, 2, 3]);
        }
    }
}
