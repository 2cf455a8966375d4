//! The check of plans: good ones pass; those that somebody changed, or that are another message's, do no harm or don't.

use septet::message::Message;
use septet::message::{DefectKind, Part};
use septet::rewrite::{DefectAction, Outcome};
use septet::{CheckError, EditList, Plan, Profile, Span, check, plan};
use septet_support::case;

use crate::cases::profile;

/// Gives each message of the cases with its profile and its plan, where that changes anything.
fn plans() -> impl Iterator<Item = (String, Vec<u8>, Profile, Plan)> {
    let of = |case: case::Case| {
        let (profile, raw) = (profile(&case), case.input().to_vec());
        let planned = plan(&raw, &profile);
        (case.name, raw, profile, planned)
    };
    case::all().into_iter().map(of).filter(|(_, _, _, planned)| !planned.edits.is_empty())
}

/// Gives a plan other edits: those that a function makes of each old one, in order.
fn changed(planned: &Plan, change: impl Fn(usize, Span, &[u8]) -> Option<(Span, Vec<u8>)>) -> Plan {
    let mut edits = EditList::new();
    for (index, edit) in planned.edits.as_slice().iter().enumerate() {
        let Some((at, with)) = change(index, edit.at, &edit.with) else { continue };
        _ = edits.push(at, with);
    }
    let mut changed = planned.clone();
    changed.edits = edits;
    changed
}

#[test]
fn every_plan_of_a_case_passes() {
    for (name, raw, profile, planned) in plans() {
        assert_eq!(check(&raw, &planned, &profile), Ok(()), "{name}");
    }
}

/// Wherever the work ends, what is planned until then is whole: no body is changed without its label.
#[test]
fn the_end_of_the_work_leaves_no_plan_half_made() {
    for (name, raw, mut profile, _) in plans() {
        for work in [10, 50, 200, 1_000, 5_000] {
            profile.limits.plan_work = Some(work);
            let planned = plan(&raw, &profile);
            let is_fault = |outcome: &Outcome| matches!(outcome, Outcome::Left(reason) if reason.is_ours());
            assert!(!planned.report.entries.iter().any(|entry| is_fault(&entry.outcome)), "{name}, {work}");
        }
    }
}

#[test]
fn a_plan_without_edits_passes_whatever_the_message() {
    let (_, _, profile, mut planned) = plans().next().expect("a plan");
    assert_eq!(check(b"", &Plan::default(), &profile), Ok(()));
    planned.edits = EditList::new();
    assert_eq!(check(b"Subject: x\n\nx\n", &planned, &profile), Ok(()));
}

/// Lists what the bodies of a message are, by their labels and octets.
fn bodies(raw: &[u8], profile: &Profile) -> Vec<(String, Option<Vec<u8>>, Vec<u8>)> {
    let message = Message::read(raw, &profile.limits);
    let body = |part: &Part| {
        let ty = &part.content_type;
        let label = ty.parameter(raw, "charset").map(|label| label.to_vec());
        (format!("{}/{} {}", ty.main, ty.sub, part.transfer.name()), label, message.slice(part.body).to_vec())
    };
    message.parts().iter().map(body).collect()
}

/// A plan that happens to do what another message needs is none of another message.
#[test]
fn a_plan_of_another_message_is_refused() {
    let all: Vec<_> = plans().collect();
    let (mut refused, mut passed) = (0, 0);
    for ((name, raw, ..), (of, _, profile, planned)) in all.iter().zip(all.iter().skip(1)) {
        if check(raw, planned, profile).is_err() {
            refused += 1;
            continue;
        }
        passed += 1;
        let (is, should_be) = (planned.edits.apply(raw), plan(raw, profile).edits.apply(raw));
        assert_eq!(bodies(&is, profile), bodies(&should_be, profile), "the plan of {of} for {name}");
    }
    println!("{refused} plans of other messages are refused, {passed} are as good");
    assert!(refused > 10 * passed, "{refused} refused, {passed} passed");
}

#[test]
fn a_plan_of_the_same_places_in_another_message_is_refused() {
    let of = |text: &str| format!("Content-Type: text/plain; charset=iso-8859-1\n\n{text}\n").into_bytes();
    let message = |text: &[u8]| [&of("")[..of("").len() - 1], text, b"\n"].concat();
    let (one, other) = (message(b"caf\xE9 au lait"), message(b"th\xE9  au lait"));
    assert_eq!(one.len(), other.len());
    let profile = Profile::default();
    let planned = plan(&one, &profile);
    assert!(!planned.edits.is_empty());
    let error = CheckError::Unproved("a body that nothing was planned for");
    assert_eq!(check(&other, &planned, &profile), Err(error));
}

#[test]
fn edits_that_lie_nowhere_are_refused() {
    for (name, raw, profile, planned) in plans() {
        let beyond = changed(&planned, |_, at, with| Some((Span::new(at.start, raw.len() + 7), with.to_vec())));
        let inverted =
            changed(&planned, |_, at, with| Some((Span { start: at.end + 1, end: at.start }, with.to_vec())));
        let moved = changed(&planned, |_, at, with| Some((Span::new(at.start + 1, at.end + 1), with.to_vec())));
        for (what, planned) in [("beyond", beyond), ("inverted", inverted)] {
            assert!(check(&raw, &planned, &profile).is_err(), "{name}: {what}");
        }
        _ = check(&raw, &moved, &profile);
    }
}

#[test]
fn a_body_that_was_taken_out_is_missed() {
    for (name, raw, profile, planned) in plans() {
        let message = Message::read(&raw, &profile.limits);
        let is_body = |at: Span| !at.is_empty() && message.parts().iter().any(|part| part.body == at);
        if planned.edits.as_slice().iter().any(|edit| is_body(edit.at)) {
            let without = changed(&planned, |_, at, with| (!is_body(at)).then(|| (at, with.to_vec())));
            assert!(without.edits.is_empty() || check(&raw, &without, &profile).is_err(), "{name}");
        }
    }
}

/// The proof asked only that the plan names the field that keeps an unreadable date, and not that the field comes.
#[test]
fn a_date_that_is_not_kept_is_missed() {
    const KEPT: &[u8] = b"X-Original-Date:";
    let mut seen = 0;
    for (name, raw, profile, planned) in plans() {
        let other_lines = |with: &[u8]| {
            let lines = with.split_inclusive(|octet| *octet == b'\n').filter(|line| !line.starts_with(KEPT));
            lines.collect::<Vec<_>>().concat()
        };
        let without = changed(&planned, |_, at, with| Some((at, other_lines(with))));
        if without.edits != planned.edits {
            assert!(check(&raw, &without, &profile).is_err(), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// The proof of line ends did not ask which bodies must keep their octets.
#[test]
fn a_line_end_in_a_signed_body_is_no_edit_of_line_ends() {
    let raw = b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n\
        --a\r\n\r\none\ntwo\r\n--a\r\nContent-Type: multipart/signed; boundary=b; protocol=\"a/b\"; micalg=c\r\n\r\n\
        --b\r\nContent-Type: text/plain\r\n\r\nthree\nfour\r\n--b\r\nContent-Type: a/b\r\n\r\nx\r\n--b--\r\n--a--\r\n";
    let mut profile = Profile::default();
    profile.conformance.set(DefectKind::BareLineEnd, DefectAction::Fix);
    let planned = plan(raw, &profile);
    assert_eq!((planned.edits.as_slice().len(), check(raw, &planned, &profile)), (1, Ok(())));
    let mut changed = planned.clone();
    let at = raw.windows(6).position(|octets| octets == b"three\n").expect("a line") + 5;
    changed.edits.push(Span::new(at, at + 1), "\r\n").expect("no other edit is there");
    assert!(check(raw, &changed, &profile).is_err());
}

/// Defects are fixed before a message is converted: such a plan is of several steps, and one without the other is none.
#[test]
fn a_plan_of_several_steps_is_whole_or_refused() {
    let named = |name: &String| name == "conformance/fix-all-and-convert";
    let (_, raw, profile, planned) = plans().find(|(name, ..)| named(name)).expect("the case");
    assert!(planned.edits.as_slice().len() > 3, "{:?}", planned.edits);
    for index in 0..planned.edits.as_slice().len() {
        let without = changed(&planned, |other, at, with| (other != index).then(|| (at, with.to_vec())));
        let error = CheckError::Unproved("another message than the steps of the plan make");
        assert_eq!(check(&raw, &without, &profile), Err(error), "without edit {index}");
    }
}

#[test]
fn a_message_beyond_a_limit_has_no_edits() {
    let (_, raw, mut profile, planned) = plans().next().expect("a plan");
    profile.limits.message_bytes = raw.len() - 1;
    let error = check(&raw, &planned, &profile).expect_err("beyond");
    assert_eq!(error, CheckError::Unproved("an edit of a message beyond a limit"));
}

/// Plans what fixes repeated fields.
fn without_repeated(raw: &[u8]) -> (Profile, Plan) {
    let mut profile = Profile::keep();
    profile.conformance.set(DefectKind::RepeatedField, DefectAction::Fix);
    let planned = plan(raw, &profile);
    (profile, planned)
}

#[test]
fn a_list_that_takes_in_another_is_just_that() {
    let raw = b"To: b@example.org\nTo: c@example.org\nSubject: x\n\nx\n";
    let (profile, planned) = without_repeated(raw);
    assert_eq!(planned.edits.apply(raw), b"To: b@example.org,\n c@example.org\nSubject: x\n\nx\n");
    assert_eq!(check(raw, &planned, &profile), Ok(()));
    for with in [&b" b@example.org"[..], b" b@example.org,\n d@example.org", b" b@example.org,\n bc@example.org"] {
        let harm = changed(&planned, |_, at, old| Some((at, if old.is_empty() { Vec::new() } else { with.to_vec() })));
        assert!(check(raw, &harm, &profile).is_err(), "{}", with.escape_ascii());
    }
}

#[test]
fn a_list_takes_in_none_that_makes_it_longer_than_a_field_may_be() {
    let list =
        |letter: char| (0..1500).map(|at| format!("{letter}{at:04}@example.org")).collect::<Vec<_>>().join(",\n ");
    let raw = format!("To: {}\nTo: {}\nSubject: x\n\nx\n", list('a'), list('b')).into_bytes();
    let (_, planned) = without_repeated(&raw);
    assert_eq!(planned.report.to_string(), "field=To left=unfixed(repeated-field: they differ)");
}
