//! Requests carried out by an MTA are the edits applied, whatever the edits, the fields and the line ends.

use proptest::prelude::*;
use septet::edit::{EditList, Span};
use septet::message::{LimitReached, Limits};
use septet::protocol::milter::{
    Content, Event, Frame, Held, Offer, Reply, Requests, Session, Terms, TryEnvelope, Unfit, VALUE_LIMIT, Wants,
    action, step,
};

pub const WHOLE: Offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };

/// Shows a message to a session under these terms.
pub fn shown(held: &Held, offer: Offer) -> (Content, Terms) {
    let mut session = Session::new(Wants { content: true, recipients: false }, Limits::default());
    let mut wire = Vec::new();
    septet::protocol::milter::Command::Negotiate(offer).write(&mut wire);
    let mut out = Vec::new();
    session.receive(&wire, &mut out).expect("terms");
    let terms = session.terms();
    let envelope = TryEnvelope { mail: b"<a@x>\0".to_vec(), rcpt: vec![b"<b@x>\0".to_vec()] };
    wire.clear();
    held.show(&envelope, &terms, |command| {
        if terms.shows(command.code()) {
            command.write(&mut wire);
        }
    });
    let received = session.receive(&wire, &mut out).expect("a message");
    assert_eq!((received.used, received.event), (wire.len(), Some(Event::Message)));
    (session.take_content(), terms)
}

/// Carries requests out.
pub fn carried_out(mut held: Held, requests: &Requests<'_>, terms: &Terms) -> Vec<u8> {
    let mut out = Vec::new();
    requests.write(&mut out);
    let mut rest = &out[..];
    while let Some(frame) = Frame::read(rest).expect("well-formed") {
        if let Reply::ReplaceBody(piece) = Reply::read(frame).expect("a reply") {
            assert!(piece.len() <= 65_535);
        }
        held.apply(&Reply::read(frame).expect("a reply"), terms).expect("an MTA takes it");
        rest = &rest[frame.length()..];
    }
    assert!(rest.is_empty());
    held.octets()
}

fn with_lf(text: &[u8]) -> Vec<u8> {
    String::from_utf8(text.to_vec()).expect("ASCII").replace("\r\n", "\n").into_bytes()
}

/// One thing to do to a message.
#[derive(Debug, Clone)]
enum Change {
    Value(prop::sample::Index, &'static str),
    Middle(prop::sample::Index, prop::sample::Index, &'static str),
    Delete(prop::sample::Index),
    Append(&'static str),
    Body(prop::sample::Index, prop::sample::Index, String),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let value = prop::sample::select(vec![" new", " two\r\n lines", " a\r\n\tb\r\n c", " =?utf-8?Q?x?="]);
    let index = any::<prop::sample::Index>;
    let change = prop_oneof![
        (index(), value).prop_map(|(field, value)| Change::Value(field, value)),
        (index(), index(), prop::sample::select(vec!["", "!", "ab\r\n cd"]))
            .prop_map(|(field, at, text)| Change::Middle(field, at, text)),
        index().prop_map(Change::Delete),
        prop::sample::select(vec!["N: 1\r\n", "N: 1\r\n x\r\nM: 2\r\n"]).prop_map(Change::Append),
        (index(), index(), "[a-z]{0,5}(\r\n)?").prop_map(|(from, to, text)| Change::Body(from, to, text)),
    ];
    prop::collection::vec(change, 0..8)
}

fn fields() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["X", "x", "Subject", "Received", "X-Long-Name"]);
    let value = prop::sample::select(vec![" a", " b c", " fold\r\n\tand\r\n more", " =?x?=", " end "]);
    prop::collection::vec((name, value), 0..9)
        .prop_map(|fields| fields.iter().map(|(name, value)| format!("{name}:{value}\r\n")).collect())
}

/// Makes edits of changes; those that would overlap an earlier one are left out.
fn edits(content: &Content, changes: &[Change]) -> EditList {
    let mut edits = EditList::new();
    let raw = content.raw();
    let field = |index: &prop::sample::Index| {
        let fields = content.fields();
        (!fields.is_empty()).then(|| fields[index.index(fields.len())])
    };
    let value =
        |field: septet::protocol::milter::FieldSpan| Span::new(field.line.start + field.name + 1, field.line.end - 2);
    for change in changes {
        let edit = match change {
            Change::Value(at, text) => field(at).map(|field| (value(field), (*text).to_owned())),
            Change::Delete(at) => field(at).map(|field| (field.line, String::new())),
            Change::Middle(at, place, text) => field(at).and_then(|field| {
                // Inside the value, past its leading space, between two octets that are no fold.
                let value = value(field);
                let at = value.start + 1 + place.index(value.len().max(2) - 1);
                let around = &raw[at - 1..(at + 1).min(value.end)];
                around.iter().all(u8::is_ascii_graphic).then(|| (Span::empty(at), (*text).to_owned()))
            }),
            Change::Append(text) => Some((Span::empty(content.header_end()), (*text).to_owned())),
            Change::Body(from, to, text) => {
                let start = content.body_start();
                let length = raw.len() - start + 1;
                let (from, to) = (start + from.index(length), start + to.index(length));
                let cuts_line_end = |at: usize| raw.get(at) == Some(&b'\n') && raw.get(at - 1) == Some(&b'\r');
                (!cuts_line_end(from) && !cuts_line_end(to.max(from)))
                    .then(|| (Span::new(from, to.max(from)), text.clone()))
            }
        };
        if let Some((at, text)) = edit {
            // An insertion at the end of a deleted field's line is fine; everything else that touches is left out.
            let _ = edits.push(at, text);
        }
    }
    edits
}

proptest! {
    #[test]
    fn requests_carried_out_are_the_edits_applied(
        header in fields(),
        body in "([a-z]{0,9}\r\n){0,5}",
        changes in changes(),
        spaced in any::<bool>(),
        lf in any::<bool>(),
    ) {
        let raw = format!("{header}\r\n{body}").into_bytes();
        let given = if lf { with_lf(&raw) } else { raw.clone() };
        let protocol = if spaced { WHOLE.protocol } else { WHOLE.protocol & !step::LEADING_SPACE };
        let held = Held::read(given.clone());
        let (content, terms) = shown(&held, Offer { protocol, ..WHOLE });
        prop_assert_eq!(content.raw(), &raw[..]);
        let edits = edits(&content, &changes);
        let requests = Requests::of(&content, &edits, &terms).expect("these edits fit");
        prop_assert_eq!(requests.is_empty(), edits.is_empty());
        let applied = edits.apply(&raw);
        let expected = if lf { with_lf(&applied) } else { applied };
        let made = carried_out(held, &requests, &terms);
        prop_assert_eq!(made.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
}

fn unfit(edits: &[(usize, usize, &str)], offer: Offer) -> Option<Unfit> {
    let held = Held::read(b"A: one\r\nB: two\r\n\r\nbody\r\n".to_vec());
    let (content, terms) = shown(&held, offer);
    let mut list = EditList::new();
    edits.iter().for_each(|&(start, end, with)| list.push(Span::new(start, end), with).expect("disjoint"));
    Requests::of(&content, &list, &terms).err()
}

#[test]
fn what_does_not_fit_a_request_is_refused_whole() {
    for (edit, why) in [
        ((0, 1, "C"), Unfit::Name(0)),
        ((8, 8, "C: new\r\n"), Unfit::Place(8)),
        ((0, 0, "C: new\r\n"), Unfit::Place(0)),
        ((6, 9, "x"), Unfit::Place(6)),
        ((16, 18, ""), Unfit::Place(16)),
        ((3, 6, "a\r\nX: injected"), Unfit::Fold(0)),
        ((3, 6, "a\nX: injected"), Unfit::Fold(0)),
        ((3, 6, "a\0b"), Unfit::Nul(0)),
        ((16, 16, "no field\r\n"), Unfit::Inserted(16)),
        ((16, 16, "N:\r\n\r\nbody"), Unfit::Inserted(16)),
    ] {
        assert_eq!(unfit(&[edit], WHOLE), Some(why), "{edit:?}");
        assert_eq!(unfit(&[edit, (18, 22, "fine")], WHOLE), Some(why), "{edit:?} and a body");
    }
    assert_eq!(unfit(&[(3, 6, "1"), (16, 16, "N: 1\r\n"), (18, 18, "x")], WHOLE), None);
}

#[test]
fn a_value_that_postfix_would_cut_is_not_asked_for() {
    let (fits, long) = ("x".repeat(VALUE_LIMIT), "x".repeat(VALUE_LIMIT + 1));
    assert_eq!(unfit(&[(2, 6, &fits)], WHOLE), None);
    assert_eq!(unfit(&[(2, 6, &long)], WHOLE), Some(Unfit::Long(0)));
    assert_eq!(unfit(&[(16, 16, &format!("N:{long}\r\n"))], WHOLE), Some(Unfit::Long(16)));
}

#[test]
fn what_the_mta_does_not_allow_is_not_asked_for() {
    for (missing, edit, what) in [
        (action::CHANGE_BODY, (18, 19, "x"), "change the body"),
        (action::CHANGE_HEADERS, (3, 6, "x"), "change fields"),
        (action::ADD_HEADERS, (16, 16, "N: 1\r\n"), "add fields"),
    ] {
        let offer = Offer { actions: WHOLE.actions & !missing, ..WHOLE };
        assert_eq!(unfit(&[edit], offer), Some(Unfit::NotAllowed(what)));
    }
}

#[test]
fn an_empty_value_is_a_space_and_not_a_deletion() {
    let held = Held::read(b"A: one\r\nB: two\r\n\r\n".to_vec());
    let (content, terms) = shown(&held, WHOLE);
    let mut edits = EditList::new();
    edits.push(Span::new(2, 6), "").expect("one edit");
    let requests = Requests::of(&content, &edits, &terms).expect("it fits");
    assert_eq!(carried_out(held, &requests, &terms), b"A: \r\nB: two\r\n\r\n");
}

#[test]
fn many_fields_take_one_pass() {
    let header: String = (0..40_000).map(|number| format!("X{}: a\r\n", number % 7)).collect();
    let held = Held::read(format!("{header}\r\n").into_bytes());
    let (content, terms) = shown(&held, WHOLE);
    let mut edits = EditList::new();
    for field in content.fields() {
        edits.push(Span::new(field.line.end - 3, field.line.end - 2), "b").expect("in order");
    }
    let requests = Requests::of(&content, &edits, &terms).expect("they fit");
    let mut out = Vec::new();
    requests.write(&mut out);
    let last = Frame::read(&out).expect("well-formed").expect("a packet");
    // 40,000 is 5,714 times 7 and 2: the last field is the 5,715th of X1.
    assert_eq!(Reply::read(last), Ok(Reply::ChangeHeader { index: 5715, name: b"X1", value: b" b" }));
}

#[test]
fn a_message_of_which_nothing_was_kept_can_have_a_field_added() {
    let (mut content, terms) = shown(&Held::read(b"A: one\r\n\r\nbody\r\n".to_vec()), WHOLE);
    content.give_up(LimitReached::MessageBytes(1));
    let mut edits = EditList::new();
    edits.push(Span::empty(content.header_end()), "X: y\r\n").expect("one edit");
    let requests = Requests::of(&content, &edits, &terms).expect("it fits");
    let held = Held::read(b"A: one\r\n\r\nbody\r\n".to_vec());
    assert_eq!(carried_out(held, &requests, &terms), b"A: one\r\nX: y\r\n\r\nbody\r\n");
}
