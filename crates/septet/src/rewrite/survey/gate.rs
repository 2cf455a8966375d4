//! The gate: which places of a message may be changed at all ([`irregular`]).
//!
//! It is asked about a place for which something is planned, and about no other: what stays needs no reason. Structure
//! that readers take differently keeps the bodies and the headers of the parts; the message's own header is written all
//! the same, but for the fields that say what its body is. A field's own value, and each parameter, is asked where it
//! is planned ([`header`](crate::rewrite::header)).

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use super::reading::{decoded, is_text};
use crate::coding::evidence::has_iso_2022_escape;
use crate::coding::transfer::TransferEncoding;
use crate::message::irregular::{self, Form, Forms};
use crate::message::{Field, Kind, Message, Part, SIZES, says_what_a_body_is};
use crate::rewrite::second_reader::{self, Outline};

/// The gate of one message, and what it has said so far: it is asked of a part for each of its fields, when they are
/// planned and again by the proof, and says the same each time. Its answers are worked out when they are first asked
/// for, since most are never, and kept in cells: rules, the planner of moved fields and the proof each ask for other
/// parts, and nobody knows beforehand for which. Worked out for all parts as soon as anything changes, they were
/// measured to cost a message of 20,000 parts 1 to 9 % more. An answer must depend on nothing but the message.
#[derive(Debug)]
pub(in crate::rewrite) struct Gate<'m, 'a> {
    message: &'m Message<'a>,
    said: Answers,
}

/// What the gate has said so far: of the message, and of its parts.
#[derive(Debug, Default)]
struct Answers {
    structure: OnceCell<Forms>,
    is_one_text: OnceCell<bool>,
    outline: OnceCell<Outline>,
    headers: OfParts<Forms>,
    bodies: OfParts<Option<Form>>,
    around_headers: OfParts<Option<Form>>,
}

/// What was said of parts, each known by where its header starts and how deep it lies: a part without a header starts
/// where a message in it does.
#[derive(Debug, Default)]
struct OfParts<T>(RefCell<BTreeMap<(usize, usize), T>>);

impl<T: Copy> OfParts<T> {
    /// Returns what was said of a part; `say` is asked the first time alone. It must not ask for the same answer of the
    /// same part.
    fn get_or_insert_with(&self, part: &Part, say: impl FnOnce() -> T) -> T {
        let place = (part.header.start, part.depth);
        if let Some(said) = self.0.borrow().get(&place) {
            return *said;
        }
        let said = say();
        self.0.borrow_mut().insert(place, said);
        said
    }
}

impl<'m, 'a> Gate<'m, 'a> {
    /// Makes the gate of a message, which has said nothing yet. That costs nothing, so that a survey may have one that
    /// is never asked.
    pub fn of(message: &'m Message<'a>) -> Gate<'m, 'a> {
        Gate { message, said: Answers::default() }
    }

    /// Returns the form for which nobody can say what the parts of the message are; none if they are sure. A message
    /// that can't be shown to the second reader is taken for one without a boundary.
    pub fn form_that_keeps_parts(&self) -> Option<Form> {
        let form = self.forms_of_structure().irregular();
        form.or_else(|| (!self.is_one_text() && self.outline().is_err()).then_some(Form::BoundaryMissing))
    }

    /// Returns `true` if the message is one text and nothing else, whoever reads it: its fields say so in the form that
    /// the RFCs have for it, and in no other. It has no tree to lose, and the second reader is not asked, neither here
    /// nor by the proof: of a message in which any reader may see parts it must be `false`.
    pub fn is_one_text(&self) -> bool {
        *self.said.is_one_text.get_or_init(|| {
            let [part] = self.message.parts() else { return false };
            let is_text = part.kind == Kind::Leaf && part.limit.is_none() && part.content_type.main == "text";
            let forms =
                || self.forms_of_structure().and(self.forms_of_header(part)).and(forms_of_type(self.message, part));
            is_text && self.message.unread().is_none() && forms() == Forms::default()
        })
    }

    /// Returns what the second reader sees of the message; an error says why it can't be shown it. It is the same that
    /// the proof compares with, so that mail-parser reads a message once.
    pub fn outline(&self) -> &Outline {
        self.said.outline.get_or_init(|| second_reader::outline(self.message))
    }

    /// Returns the form for which a body stays, in this order: one of the message's structure, of the fields that say
    /// how the body is read, of its octets, or of its label. The first is what is reported. It is to be asked where
    /// something is planned for the body, since all of that may have to be read.
    pub fn form_that_keeps_body(&self, part: &Part) -> Option<Form> {
        self.said.bodies.get_or_insert_with(part, || {
            // That its header has no irregular form is what makes it one text.
            if self.is_one_text() {
                return form_of_octets(self.message, part);
            }
            let of_header = self.form_that_keeps_parts().or_else(|| self.forms_of_header(part).irregular());
            of_header.or_else(|| form_of_octets(self.message, part)).or_else(|| form_of_label(self.message, part))
        })
    }

    /// Returns the form of a header for which a field in it stays: one of a part inside the message, or one that says
    /// what a body is; none for other fields of the message itself, nor for one that counts octets. The field's own
    /// value is asked where it is planned.
    pub fn form_that_keeps_field(&self, part: &Part, field: &Field) -> Option<Form> {
        // A sum that is not true any more goes from every part around a body that changed, whatever that part is.
        let is_size = field.is_one_of(SIZES);
        let is_asked = !is_size && (part.parent.is_some() || says_what_a_body_is(self.message.slice(field.name)));
        let form = || self.form_that_keeps_parts().or_else(|| self.forms_of_header(part).irregular());
        is_asked.then(form).flatten()
    }

    /// Returns the form for which a part around this one stays, though it would have to say that there are 8-bit octets
    /// in it once this one's body has some; none if the body may become 8-bit.
    pub fn form_around_body(&self, part: &Part) -> Option<Form> {
        self.form_around(part, |part| part.transfer == TransferEncoding::SevenBit)
    }

    /// Returns the form for which a part around this one stays, though it would have to tell of raw UTF-8 in this one's
    /// header, which `message/rfc822` does not; none where the header has 8-bit octets already: then nothing becomes
    /// untrue that was true.
    pub fn form_around_header(&self, part: &Part) -> Option<Form> {
        let is_untrue = |part: &Part| part.transfer == TransferEncoding::SevenBit || part.content_type.sub == "rfc822";
        self.said.around_headers.get_or_insert_with(part, || {
            let is_ascii = self.message.slice(part.header).is_ascii();
            is_ascii.then(|| self.form_around(part, is_untrue)).flatten()
        })
    }

    /// Finds the form for which a part around this one stays, among those parts that `is_untrue` says must change; the
    /// nearest counts. Those around are never leaves, so that no body is read for this.
    fn form_around(&self, part: &Part, is_untrue: impl Fn(&Part) -> bool) -> Option<Form> {
        let mut around = self.message.around(part).filter(|(_, part)| is_untrue(part));
        around.find_map(|(_, part)| self.form_that_keeps_body(part))
    }

    /// Returns the forms of the message's structure, for which nobody can say what its parts are.
    fn forms_of_structure(&self) -> Forms {
        *self.said.structure.get_or_init(|| irregular::structure(self.message))
    }

    /// Returns the forms of a part's header that decide how its body is read. All fields of the header are looked at,
    /// so it must be remembered.
    fn forms_of_header(&self, part: &Part) -> Forms {
        self.said.headers.get_or_insert_with(part, || irregular::part(self.message, part))
    }
}

/// Returns the forms of the type of a part, and of its parameters; of several fields, those of the first.
fn forms_of_type(message: &Message, part: &Part) -> Forms {
    let field = message.field(part, "Content-Type");
    field.map_or_else(Forms::default, |field| irregular::parameters(message.slice(field.value), true).all())
}

/// Returns the form of the octets of a leaf's body for which it stays; none for a part that is made of parts. All of
/// the body is read.
fn form_of_octets(message: &Message, part: &Part) -> Option<Form> {
    (part.kind == Kind::Leaf).then(|| irregular::irregular_body(&part.transfer, message.slice(part.body))).flatten()
}

/// Returns the form of a text's label for which the text stays: an irregular one, or one in which most readers see no
/// label at all. The latter keeps no text whose octets prove its charset, for it is read rightly without a label.
fn form_of_label(message: &Message, part: &Part) -> Option<Form> {
    let field = message.field(part, "Content-Type").filter(|_| is_text(message, part))?;
    let forms = irregular::parameters(message.slice(field.value), true).of("charset");
    let unseen = [Form::TypeUnseparated, Form::LabelEncoded].into_iter().find(|form| forms.has(*form));
    forms.irregular().or_else(|| unseen.filter(|_| !is_proved_by_octets(message, part)))
}

/// Returns `true` if the octets of a text say in which charset it is, whoever reads the label: UTF-8, or ISO-2022-JP.
fn is_proved_by_octets(message: &Message, part: &Part) -> bool {
    let Ok(octets) = decoded(message, part) else { return false };
    has_iso_2022_escape(&octets) || !octets.is_ascii() && str::from_utf8(&octets).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    fn is_one(raw: &str) -> bool {
        Gate::of(&Message::read(raw.as_bytes(), &Limits::default())).is_one_text()
    }

    #[test]
    fn one_text_says_so_in_no_form_but_that_of_the_rfcs() {
        let quoted =
            "Content-Type: text/plain; charset=\"koi8-r\"\nContent-Transfer-Encoding: quoted-printable\n\nb=\n";
        for raw in ["Subject: a\n\nb\n", quoted, "Subject: a\r\n\r\n", "Content-Type: text/html\n\n--a\n\nb\n--a--\n"] {
            assert!(is_one(raw), "{raw}");
        }
        for raw in [
            "Content-Type: multipart/mixed; boundary=a\n\n--a\n\nb\n--a--\n",
            "Content-Type: multipart/mixed\n\nb\n",
            "Content-Type: message/rfc822\n\nSubject: a\n\n",
            "Content-Type: text/plain; charset = utf-8\n\n",
            "Content-Type: text/plain\nContent-Type: text/plain\n\n",
            "Content-Type: text/plain\nContent-Transfer-Encoding: base64 (x)\n\n",
            ">From a@example.org Mon Jan  1 00:00:00 2007\nSubject: b\n\nc\n",
            "Subject: a\0b\n\nc\n",
        ] {
            assert!(!is_one(raw), "{raw}");
        }
    }

    /// A header of thousands of fields would be looked through for each of them.
    #[test]
    fn the_header_of_a_part_is_looked_at_once() {
        let fields = "X: a\n".repeat(3);
        let raw = format!("Content-Type: multipart/mixed; boundary=a\n\n--a\n{fields}\nb\n--a--\n");
        let message = Message::read(raw.as_bytes(), &Limits::default());
        let (gate, part) = (Gate::of(&message), &message.parts()[1]);
        assert!(message.fields(part).iter().all(|field| gate.form_that_keeps_field(part, field).is_none()));
        assert_eq!(gate.said.headers.get_or_insert_with(part, || unreachable!("it was looked at")), Forms::default());
        assert_eq!(gate.form_around_header(part), None);
        assert_eq!(gate.said.around_headers.get_or_insert_with(part, || unreachable!("it was looked at")), None);
    }
}
