//! The kinds of harm, and how each is planted.

use septet::coding::encoded_word::{EncodedWord, Encoding, words};
use septet::edit::{Edit, EditList, Span};
use septet::message::{Field, Kind, Message, Part};

/// One kind of harm.
pub struct Harm {
    /// What is done, in words.
    pub name: &'static str,
    /// Does it; none where the message has no place for it.
    pub plant: fn(&Planter) -> Option<EditList>,
}

/// Every kind of harm.
pub const HARMS: [Harm; 17] = [
    Harm { name: "a delimiter at the start of a body", plant: |it| it.in_body(|it, part| it.delimiter(part)) },
    Harm { name: "a delimiter at the end of a body", plant: |it| it.delimiter_at_end() },
    Harm { name: "an octet of an untouched body", plant: |it| it.octet_of_body() },
    Harm { name: "an octet of a field's value goes", plant: |it| it.octet_of_field(|field| field.value, b"") },
    Harm { name: "an octet of a field's value is another", plant: |it| it.octet_of_field(|field| field.value, b"~") },
    Harm { name: "an octet of a field's name goes", plant: |it| it.octet_of_field(|field| field.name, b"") },
    Harm { name: "an octet of a field's name is another", plant: |it| it.octet_of_field(|field| field.name, b"Q") },
    Harm { name: "an empty line in a header", plant: |it| it.before_field(b"\n") },
    Harm { name: "a field within a header", plant: |it| it.before_field(b"Bcc: x@example.org\n") },
    Harm { name: "a field at the end of a header", plant: |it| it.field_at_end() },
    Harm { name: "a field goes", plant: |it| it.field_goes() },
    Harm { name: "a field in a fold", plant: |it| it.in_value(b"\nBcc: x@example.org") },
    Harm { name: "another charset", plant: |it| it.word_of_field("Content-Type", &[b"utf-8", b"us-ascii"], b"koi8-r") },
    Harm {
        name: "another transfer encoding",
        plant: |it| {
            let words: [&[u8]; 4] = [b"quoted-printable", b"base64", b"8bit", b"7bit"];
            it.word_of_field("Content-Transfer-Encoding", &words, b"x-uuencode")
        },
    },
    Harm { name: "another subject", plant: |it| it.subject() },
    Harm { name: "a delimiter goes", plant: |it| it.delimiter_goes() },
    Harm { name: "another boundary", plant: |it| it.word_of_field("Content-Type", &[b"boundary"], b"bounder") },
];

/// Returns `true` if an octet of a value says nothing in a word in base64: it is padding, or no digit.
fn is_silent(word: &EncodedWord, at: usize, octet: u8) -> bool {
    let is_digit = octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/');
    word.encoding == Encoding::B && word.text.contains(&at) && !is_digit
}

/// A message and its good plan.
pub struct Planter<'p, 'a> {
    pub message: &'p Message<'a>,
    pub edits: &'p EditList,
    /// Chooses one of several places.
    pub choice: usize,
}

impl Planter<'_, '_> {
    /// Adds an edit to the good ones; none where another one is in the way.
    fn with(&self, at: Span, with: &[u8]) -> Option<EditList> {
        let mut edits = self.edits.clone();
        edits.push(at, with).ok()?;
        Some(edits)
    }

    /// Changes what the good edits write.
    fn rewritten(&self, change: impl Fn(&Edit) -> Vec<u8>) -> Option<EditList> {
        let mut edits = EditList::new();
        for edit in self.edits.as_slice() {
            edits.push(edit.at, change(edit)).ok()?;
        }
        Some(edits)
    }

    fn one_of<T>(&self, mut places: Vec<T>) -> Option<T> {
        (!places.is_empty()).then(|| places.swap_remove(self.choice % places.len()))
    }

    fn fields(&self) -> Vec<&Field> {
        self.message.parts().iter().flat_map(|part| self.message.fields(part)).collect()
    }

    /// Returns the message's line end for every LF.
    fn lines(&self, octets: &[u8]) -> Vec<u8> {
        let end = self.message.line_end().as_bytes();
        octets.iter().flat_map(|octet| if *octet == b'\n' { end.to_vec() } else { vec![*octet] }).collect()
    }

    /// Puts octets at the start of a body that lies in a multipart, written anew or not.
    fn in_body(&self, what: impl Fn(&Self, &Part) -> Vec<u8>) -> Option<EditList> {
        let is_within = |part: &Part| !self.message.delimiters_around(part).is_empty();
        let inside = |part: &&Part| part.kind == Kind::Leaf && !part.body.is_empty() && is_within(part);
        let part = self.one_of(self.message.parts().iter().filter(inside).collect())?;
        let what = what(self, part);
        if self.edits.within(part.body).is_empty() {
            return self.with(Span::empty(part.body.start), &what);
        }
        self.rewritten(|edit| if edit.at == part.body { [&what, &edit.with[..]].concat() } else { edit.with.clone() })
    }

    /// Writes a delimiter of the innermost multipart around a part, and a part of its own.
    fn delimiter(&self, part: &Part) -> Vec<u8> {
        let delimiters = self.message.delimiters_around(part);
        let delimiter = delimiters.last().cloned().unwrap_or_default();
        [delimiter, &self.lines(b"\n\nx\n")].concat()
    }

    fn delimiter_at_end(&self) -> Option<EditList> {
        let is_within = |part: &Part| !self.message.delimiters_around(part).is_empty();
        let rewritten = self.message.parts().iter().filter(|part| is_within(part));
        let rewritten = rewritten.filter(|part| self.edits.within(part.body).iter().any(|edit| edit.at == part.body));
        let part = self.one_of(rewritten.collect())?;
        let more = [self.lines(b"\n"), self.delimiter(part)].concat();
        self.rewritten(|edit| if edit.at == part.body { [&edit.with[..], &more].concat() } else { edit.with.clone() })
    }

    fn octet_of_body(&self) -> Option<EditList> {
        let part = self.one_of(self.message.parts().iter().filter(|part| !part.body.is_empty()).collect())?;
        let at = part.body.start + self.choice % part.body.len();
        self.with(Span::new(at, at + 1), b"~")
    }

    fn octet_of_field(&self, piece: fn(&Field) -> Span, with: &[u8]) -> Option<EditList> {
        let piece = piece(self.one_of(self.fields())?);
        // A semicolon between parameters may stand twice, and says nothing then.
        let raw = self.message.raw();
        let solid = |at: &usize| !matches!(raw[*at], b' ' | b'\t' | b'\r' | b'\n' | b';');
        let words: Vec<EncodedWord> = words(&raw[piece.range()]).collect();
        let says = |at: &usize| !words.iter().any(|word| is_silent(word, *at - piece.start, raw[*at]));
        let at = self.one_of(piece.range().filter(solid).filter(says).collect())?;
        self.with(Span::new(at, at + 1), with)
    }

    fn before_field(&self, what: &[u8]) -> Option<EditList> {
        let field = self.one_of(self.fields())?;
        self.with(Span::empty(field.line.start), &self.lines(what))
    }

    fn field_at_end(&self) -> Option<EditList> {
        let part = self.one_of(self.message.parts().iter().collect())?;
        self.with(Span::empty(part.header.end), &self.lines(b"Bcc: x@example.org\n"))
    }

    fn field_goes(&self) -> Option<EditList> {
        self.with(self.one_of(self.fields())?.line, b"")
    }

    fn in_value(&self, what: &[u8]) -> Option<EditList> {
        let field = self.one_of(self.fields())?;
        self.with(Span::empty(field.value.end), &self.lines(what))
    }

    /// Writes another word for one of these in a field of this name, where it stands or is written.
    fn word_of_field(&self, name: &str, words: &[&[u8]], with: &[u8]) -> Option<EditList> {
        let fields = self.fields().into_iter().filter(|field| field.is(self.message.raw(), name)).collect();
        let field = self.one_of(fields)?;
        let swapped = |text: &[u8]| swapped(text, words, with);
        let is_written = |edit: &&Edit| field.value.contains(edit.at) && swapped(&edit.with).is_some();
        if let Some(edit) = self.edits.as_slice().iter().find(is_written) {
            let new = swapped(&edit.with)?;
            return self.rewritten(|other| if other.at == edit.at { new.clone() } else { other.with.clone() });
        }
        let (at, length) = found(self.message.slice(field.value), words)?;
        self.with(field.value.within(at..at + length), with)
    }

    fn subject(&self) -> Option<EditList> {
        let is_subject = |field: &&Field| field.is(self.message.raw(), "Subject");
        let field = self.one_of(self.fields().into_iter().filter(is_subject).collect())?;
        match self.edits.within(field.value).first() {
            Some(first) => self.rewritten(|edit| match edit.at == first.at {
                true => [b"evil ", &edit.with[..]].concat(),
                false => edit.with.clone(),
            }),
            None => self.with(Span::empty(field.value.end), b" evil"),
        }
    }

    /// Takes away what stands between a part and the next one, or the end of the multipart.
    fn delimiter_goes(&self) -> Option<EditList> {
        let parts = self.message.parts();
        let end = |part: &Part| {
            let parent = &parts[part.parent?];
            let next = parts.iter().find(|next| next.parent == part.parent && next.ordinal == part.ordinal + 1);
            let gap = Span::new(part.body.end, next.map_or(parent.body.end, |next| next.header.start));
            (parent.kind == Kind::Multipart && !gap.is_empty()).then_some(gap)
        };
        self.with(self.one_of(parts.iter().filter_map(end).collect())?, b"")
    }
}

/// Finds the first of these words that stands in a text, in any case of letters.
fn found(text: &[u8], words: &[&[u8]]) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let place = |word: &[u8]| lower.windows(word.len()).position(|window| window == word);
    words.iter().find_map(|word| Some((place(word)?, word.len())))
}

fn swapped(text: &[u8], words: &[&[u8]], with: &[u8]) -> Option<Vec<u8>> {
    let (at, length) = found(text, words)?;
    Some([&text[..at], with, &text[at + length..]].concat())
}
