//! Modifications carried out by an MTA are the edits applied, whatever the edits, the fields and the line ends.

use proptest::prelude::*;
use septet::edit::{EditList, Span};
use septet::message::{LimitReached, Limits};
use septet::protocol::milter::{
    Frame, MessageBuffer, MilterEvent, MilterReply, MilterSession, Modifications, MtaEnvelope, MtaMessage, Negotiated,
    Offer, UnrepresentableError, VALUE_LIMIT, Wants, action, delivers_edited_header, step,
};

pub const WHOLE: Offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };

/// Shows a message to a session under these terms.
pub fn shown(message: &MtaMessage, offer: Offer) -> (MessageBuffer, Negotiated) {
    let mut session = MilterSession::new(Wants { content: true, recipients: false }, Limits::default());
    let mut wire = Vec::new();
    septet::protocol::milter::MilterCommand::Negotiate(offer).write(&mut wire);
    let mut out = Vec::new();
    session.receive(&wire, &mut out).expect("terms");
    let negotiated = session.negotiated();
    let envelope = MtaEnvelope { mail: b"<a@x>\0".to_vec(), rcpt: vec![b"<b@x>\0".to_vec()] };
    wire.clear();
    message.show(&envelope, &negotiated, |command| {
        if negotiated.shows(command.code()) {
            command.write(&mut wire);
        }
    });
    let received = session.receive(&wire, &mut out).expect("a message");
    assert_eq!((received.used, received.event), (wire.len(), Some(MilterEvent::Message)));
    (session.take_message(), negotiated)
}

/// Carries requests out.
pub fn carried_out(mut message: MtaMessage, modifications: &Modifications<'_>, negotiated: &Negotiated) -> Vec<u8> {
    let mut out = Vec::new();
    modifications.write(&mut out);
    let mut rest = &out[..];
    while let Some(frame) = Frame::read(rest).expect("well-formed") {
        if let MilterReply::ReplaceBody(piece) = MilterReply::read(frame).expect("a reply") {
            assert!(piece.len() <= 65_535);
        }
        message.apply(&MilterReply::read(frame).expect("a reply"), negotiated).expect("an MTA takes it");
        rest = &rest[frame.length()..];
    }
    assert!(rest.is_empty());
    message.octets()
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
    Prepend(&'static str),
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
        prop::sample::select(vec!["X: 1\r\n", "N: 1\r\n x\r\nsubject: 2\r\n"]).prop_map(Change::Prepend),
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
fn edits(buffer: &MessageBuffer, changes: &[Change]) -> EditList {
    let mut edits = EditList::new();
    let raw = buffer.raw();
    let field = |index: &prop::sample::Index| {
        let fields = buffer.fields();
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
            Change::Append(text) => Some((Span::empty(buffer.header_end()), (*text).to_owned())),
            Change::Prepend(text) => Some((Span::empty(0), (*text).to_owned())),
            Change::Body(from, to, text) => {
                let start = buffer.body_start();
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
        let message = MtaMessage::read(given.clone());
        let (buffer, negotiated) = shown(&message, Offer { protocol, ..WHOLE });
        prop_assert_eq!(buffer.raw(), &raw[..]);
        let edits = edits(&buffer, &changes);
        let modifications = Modifications::of(&buffer, &edits, &negotiated).expect("these edits fit");
        prop_assert_eq!(modifications.is_empty(), edits.is_empty());
        prop_assert_eq!(modifications.prove(), Ok(()));
        let applied = edits.apply(&raw);
        let expected = if lf { with_lf(&applied) } else { applied };
        let made = carried_out(message, &modifications, &negotiated);
        prop_assert_eq!(made.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
}

/// Something that may go wrong between the edits and what is asked for.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Index(i8),
    Dropped,
    Again,
    BareLf,
    CarriageReturn,
    LostFold,
    FirstToLast,
}

/// Plants a fault in one of the requests; `None` where there is nothing that it could spoil.
fn spoilt<'a>(asked: &[MilterReply<'a>], which: prop::sample::Index, fault: Fault) -> Option<Vec<MilterReply<'a>>> {
    let mut asked = asked.to_vec();
    let at = (!asked.is_empty()).then(|| which.index(asked.len()))?;
    let (index, name, value) = match asked[at] {
        MilterReply::ChangeHeader { index, name, value } => (Some(index), name, value),
        MilterReply::InsertHeader { name, value, .. } => (None, name, value),
        _ => return None,
    };
    let with_value = |value: &'static [u8]| match index {
        Some(index) => MilterReply::ChangeHeader { index, name, value },
        None => MilterReply::InsertHeader { index: 1 << 20, name, value },
    };
    match fault {
        Fault::Index(by) => {
            let index = index?.checked_add_signed(by.into()).filter(|&index| index > 0)?;
            asked[at] = MilterReply::ChangeHeader { index, name, value };
        }
        Fault::Dropped => drop(asked.remove(at)),
        Fault::Again => asked.push(asked[at].clone()),
        Fault::BareLf => asked[at] = with_value(b" a\nX-Injected: b"),
        Fault::CarriageReturn => asked[at] = with_value(b" a\r\n b"),
        Fault::LostFold => asked[at] = with_value(b" a\0\n b"),
        Fault::FirstToLast => asked.reverse(),
    }
    Some(asked)
}

fn header_of(mut message: MtaMessage, asked: &[MilterReply<'_>], negotiated: &Negotiated) -> Vec<u8> {
    asked.iter().for_each(|request| message.apply(request, negotiated).expect("an MTA takes it"));
    message.octets()
}

proptest! {
    /// The other model of Postfix, [`MtaMessage`], says which of the planted faults do harm: none of these is let
    /// through.
    #[test]
    fn a_fault_between_edits_and_requests_is_seen(
        header in fields(),
        changes in changes(),
        spaced in any::<bool>(),
        which in any::<prop::sample::Index>(),
        fault in prop::sample::select(vec![
            Fault::Index(1), Fault::Index(-1), Fault::Dropped, Fault::Again, Fault::BareLf, Fault::CarriageReturn,
            Fault::LostFold, Fault::FirstToLast,
        ]),
    ) {
        let protocol = if spaced { WHOLE.protocol } else { WHOLE.protocol & !step::LEADING_SPACE };
        let message = MtaMessage::read(format!("{header}\r\n").into_bytes());
        let (buffer, negotiated) = shown(&message, Offer { protocol, ..WHOLE });
        let edits = edits(&buffer, &changes);
        let modifications = Modifications::of(&buffer, &edits, &negotiated).expect("these edits fit");
        let asked: Vec<_> = modifications.of_header().collect();
        prop_assert!(delivers_edited_header(&buffer, &edits, &negotiated, &asked));
        if let Some(wrong) = spoilt(&asked, which, fault) {
            let differs = header_of(message.clone(), &wrong, &negotiated) != header_of(message, &asked, &negotiated);
            let proved = delivers_edited_header(&buffer, &edits, &negotiated, &wrong);
            prop_assert!(!(differs && proved), "{:?} is let through", wrong);
        }
    }
}

/// Edits a header, and tells whether these requests would deliver it.
fn proved(header: &str, edit: (usize, usize, &str), asked: &[MilterReply<'_>]) -> bool {
    let (buffer, negotiated) = shown(&MtaMessage::read(format!("{header}\r\n").into_bytes()), WHOLE);
    let mut edits = EditList::new();
    edits.push(Span::new(edit.0, edit.1), edit.2).expect("one edit");
    delivers_edited_header(&buffer, &edits, &negotiated, asked)
}

#[test]
fn what_the_mta_would_deliver_is_the_edited_header() {
    let change = |index, value| MilterReply::ChangeHeader { index, name: b"x", value };
    let insert = |index, value| MilterReply::InsertHeader { index, name: b"N", value };
    let three = "X: 1\r\nX: 2\r\nX: 3\r\n";
    for (edit, asked, good) in [
        ((9, 10, "b"), vec![], false),
        ((2, 4, " b"), vec![change(1, b" b")], false),
        ((0, 6, "x: b\r\n"), vec![change(1, b" b")], true),
        ((0, 6, "x: b\r\n"), vec![change(2, b" b")], false),
        ((0, 6, "x: b\r\n"), vec![change(1, b" b"), change(1, b" b")], true),
        ((0, 6, "x: b\r\n"), vec![change(1, b" b"), MilterReply::Progress], false),
        ((0, 6, "x:\r\n"), vec![change(1, b" ")], true),
        ((0, 6, "x: a\r\n b\r\n"), vec![change(1, b" a\n b")], true),
        ((0, 6, "x: a\r\n b\r\n"), vec![change(1, b" a\r\n b")], false),
        ((0, 6, "x: a\r\n\tb\r\n"), vec![change(1, b" a\nb")], false),
        ((0, 6, "x: a\r\nb: c\r\n"), vec![change(1, b" a\nb: c")], false),
        ((0, 6, ""), vec![change(1, b"")], true),
        ((12, 18, ""), vec![change(4, b"")], false),
        // Sendmail brings a deleted field back, and Postfix changes the next one.
        ((0, 12, "x: b\r\n"), vec![change(1, b""), change(1, b" b")], false),
        ((0, 12, "x: b\r\n"), vec![change(2, b""), change(1, b" b")], true),
        ((18, 18, "N: 1\r\n"), vec![insert(1 << 20, b" 1")], true),
        ((18, 18, "N: 1\r\n"), vec![insert(3, b" 1")], false),
        ((0, 0, "N: 1\r\n"), vec![insert(1, b" 1")], true),
        // At the end in Postfix, elsewhere in Sendmail.
        ((18, 18, "N: 1\r\n"), vec![MilterReply::AddHeader { name: b"N", value: b" 1" }], false),
        ((18, 18, "x: 4\r\n"), vec![change(4, b" 4")], false),
    ] {
        assert_eq!(proved(three, edit, &asked), good, "{edit:?} {asked:?}");
    }
}

fn unfit(edits: &[(usize, usize, &str)], offer: Offer) -> Option<UnrepresentableError> {
    let message = MtaMessage::read(b"A: one\r\nB: two\r\n\r\nbody\r\n".to_vec());
    let (buffer, negotiated) = shown(&message, offer);
    let mut list = EditList::new();
    edits.iter().for_each(|&(start, end, with)| list.push(Span::new(start, end), with).expect("disjoint"));
    Modifications::of(&buffer, &list, &negotiated).err()
}

#[test]
fn what_does_not_fit_a_request_is_refused_whole() {
    for (edit, why) in [
        ((0, 1, "C"), UnrepresentableError::Name(0)),
        ((8, 8, "C: new\r\n"), UnrepresentableError::Place(8)),
        ((0, 0, "no field\r\n"), UnrepresentableError::Inserted(0)),
        ((6, 9, "x"), UnrepresentableError::Place(6)),
        ((16, 18, ""), UnrepresentableError::Place(16)),
        ((3, 6, "a\r\nX: injected"), UnrepresentableError::Fold(0)),
        ((3, 6, "a\nX: injected"), UnrepresentableError::Fold(0)),
        ((3, 6, "a\0b"), UnrepresentableError::Nul(0)),
        ((16, 16, "no field\r\n"), UnrepresentableError::Inserted(16)),
        ((16, 16, "N:\r\n\r\nbody"), UnrepresentableError::Inserted(16)),
    ] {
        assert_eq!(unfit(&[edit], WHOLE), Some(why), "{edit:?}");
        assert_eq!(unfit(&[edit, (18, 22, "fine")], WHOLE), Some(why), "{edit:?} and a body");
    }
    assert_eq!(unfit(&[(3, 6, "1"), (16, 16, "N: 1\r\n"), (18, 18, "x")], WHOLE), None);
    assert_eq!(unfit(&[(0, 0, "C: new\r\n"), (3, 6, "1")], WHOLE), None);
}

#[test]
fn a_value_that_postfix_would_cut_is_not_asked_for() {
    let (fits, long) = ("x".repeat(VALUE_LIMIT), "x".repeat(VALUE_LIMIT + 1));
    assert_eq!(unfit(&[(2, 6, &fits)], WHOLE), None);
    assert_eq!(unfit(&[(2, 6, &long)], WHOLE), Some(UnrepresentableError::Long(0)));
    assert_eq!(unfit(&[(16, 16, &format!("N:{long}\r\n"))], WHOLE), Some(UnrepresentableError::Long(16)));
}

#[test]
fn what_the_mta_does_not_allow_is_not_asked_for() {
    for (missing, edit, what) in [
        (action::CHANGE_BODY, (18, 19, "x"), "change the body"),
        (action::CHANGE_HEADERS, (3, 6, "x"), "change fields"),
        (action::ADD_HEADERS, (16, 16, "N: 1\r\n"), "add fields"),
    ] {
        let offer = Offer { actions: WHOLE.actions & !missing, ..WHOLE };
        assert_eq!(unfit(&[edit], offer), Some(UnrepresentableError::NotAllowed(what)));
    }
}

#[test]
fn an_empty_value_is_a_space_and_not_a_deletion() {
    let message = MtaMessage::read(b"A: one\r\nB: two\r\n\r\n".to_vec());
    let (buffer, negotiated) = shown(&message, WHOLE);
    let mut edits = EditList::new();
    edits.push(Span::new(2, 6), "").expect("one edit");
    let modifications = Modifications::of(&buffer, &edits, &negotiated).expect("it fits");
    assert_eq!(carried_out(message, &modifications, &negotiated), b"A: \r\nB: two\r\n\r\n");
}

#[test]
fn many_fields_take_one_pass() {
    let header: String = (0..40_000).map(|number| format!("X{}: a\r\n", number % 7)).collect();
    let message = MtaMessage::read(format!("{header}\r\n").into_bytes());
    let (buffer, negotiated) = shown(&message, WHOLE);
    let mut edits = EditList::new();
    for field in buffer.fields() {
        edits.push(Span::new(field.line.end - 3, field.line.end - 2), "b").expect("in order");
    }
    let modifications = Modifications::of(&buffer, &edits, &negotiated).expect("they fit");
    let mut out = Vec::new();
    assert_eq!(modifications.prove(), Ok(()));
    modifications.write(&mut out);
    let last = Frame::read(&out).expect("well-formed").expect("a packet");
    // 40,000 is 5,714 times 7 and 2: the last field is the 5,715th of X1.
    assert_eq!(MilterReply::read(last), Ok(MilterReply::ChangeHeader { index: 5715, name: b"X1", value: b" b" }));
}

#[test]
fn a_message_of_which_nothing_was_kept_can_have_a_field_added() {
    let (mut buffer, negotiated) = shown(&MtaMessage::read(b"A: one\r\n\r\nbody\r\n".to_vec()), WHOLE);
    buffer.give_up(LimitReached::MessageBytes(1));
    let mut edits = EditList::new();
    edits.push(Span::empty(buffer.header_end()), "X: y\r\n").expect("one edit");
    let modifications = Modifications::of(&buffer, &edits, &negotiated).expect("it fits");
    let message = MtaMessage::read(b"A: one\r\n\r\nbody\r\n".to_vec());
    assert_eq!(carried_out(message, &modifications, &negotiated), b"A: one\r\nX: y\r\n\r\nbody\r\n");
}
