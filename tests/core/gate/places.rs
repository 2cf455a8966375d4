//! What the gate says of the place that an entry of a report concerns.

use septet::message::Message;
use septet::message::irregular::{Forms, body, field, message, parameters, part, structure};
use septet::message::{Kind, Part};
use septet::{Entry, Limits, Place};

/// A message, and what the gate says of all of it.
pub struct Gate<'a> {
    message: Message<'a>,
    structure: Forms,
}

impl<'a> Gate<'a> {
    pub fn of(raw: &'a [u8]) -> Gate<'a> {
        let message = Message::read(raw, &Limits::default());
        let structure = structure(&message);
        Gate { message, structure }
    }

    /// Returns the forms that decide about a place.
    pub fn forms(&self, entry: &Entry) -> Forms {
        let Some(it) = self.message.numbered(&entry.part) else { return Forms::default() };
        match &entry.place {
            Place::Field(name) => self.of_fields(it, name).and(self.around(it)),
            Place::Body => self.of_body(it).and(self.around(it)),
            _ => message(&self.message),
        }
    }

    /// The fields of the parts around a part, which would have to say that there are 8-bit octets in it.
    fn around(&self, it: &Part) -> Forms {
        let parts = self.message.parts();
        let around = std::iter::successors(it.parent, |&at| parts[at].parent);
        around.fold(Forms::default(), |sum, at| sum.and(part(&self.message, &parts[at])))
    }

    /// The fields of one name; those of parts, and those that say what a body is, need the structure too.
    fn of_fields(&self, it: &Part, name: &str) -> Forms {
        let raw = self.message.raw();
        let named = self.message.fields(it).iter().filter(|field| field.is(raw, name));
        let own = named.fold(Forms::default(), |sum, at| sum.and(field(at.name.slice(raw), at.value.slice(raw))));
        let is_of_body = name.to_ascii_lowercase().starts_with("content-");
        match it.parent.is_some() || is_of_body {
            true => own.and(self.structure).and(part(&self.message, it)),
            false => own,
        }
    }

    /// A body: its octets, the fields that say how to read it, and the structure.
    fn of_body(&self, it: &Part) -> Forms {
        let content = match it.kind {
            Kind::Leaf => body(&it.transfer, self.message.slice(it.body)),
            _ => Forms::default(),
        };
        let ty = self.message.field(it, "Content-Type");
        let label = ty.map_or(Forms::default(), |at| parameters(self.message.slice(at.value), true).of("charset"));
        let fields = self.of_fields_in_body(it);
        content.and(label).and(fields).and(self.structure).and(part(&self.message, it))
    }

    /// The fields that a body of a report is made of, or the header that came back in it.
    fn of_fields_in_body(&self, it: &Part) -> Forms {
        let is_of_fields = it.kind == Kind::Leaf
            && (it.content_type.main == "message" || it.content_type.is("text", "rfc822-headers"));
        let body = if is_of_fields { self.message.slice(it.body) } else { b"" };
        let mut forms = Forms::default();
        let mut block = Vec::new();
        for line in body.split_inclusive(|octet| *octet == b'\n').chain([&b"\n"[..]]) {
            block.extend_from_slice(line);
            if line.trim_ascii().is_empty() {
                let read = Message::read(&block, &Limits::default());
                for at in read.fields(&read.parts()[0]) {
                    forms = forms.and(field(read.slice(at.name), read.slice(at.value)));
                }
                block.clear();
            }
        }
        forms
    }
}
