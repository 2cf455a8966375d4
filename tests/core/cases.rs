//! The file cases of `fixtures/rewrite`: each as LF and as CRLF, and through mailbox and milter, with equal results.
//!
//! `BLESS=1` writes anew what is expected.

use septet::config::{Settings, SettingsFile};
use septet::edit::EditList;
use septet::message::Limits;
use septet::protocol::mbox::MboxMessage;
use septet::protocol::milter::{
    ClientAddress, Frame, MilterCommand, MilterEvent, MilterReply, MilterSession, Modifications, MtaEnvelope,
    MtaMessage, Negotiated, Offer, UnrepresentableError, Wants,
};
use septet::rewrite::{Plan, Profile, plan};

use septet_support::case::{self, Case};
use septet_support::line_ends;

/// Reads a case's profile: the keys of one profile table.
pub fn profile(case: &Case) -> Profile {
    let source =
        SettingsFile { path: case.name.clone(), bytes: format!("[profile.case]\n{}", case.profile()).into_bytes() };
    let (settings, _) = Settings::read(&[source], [], &[]).unwrap_or_else(|faults| panic!("{faults}"));
    (**settings.profile("case").expect("the profile of the case")).clone()
}

fn report(plan: &Plan) -> String {
    plan.report.entries.iter().map(|entry| format!("{entry}\n")).collect()
}

#[test]
fn every_case_gives_what_it_should() {
    let blessing = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for mut case in case::all() {
        assert!(!case.why().trim().is_empty(), "{} says why", case.name);
        let plan = plan(case.input(), &profile(&case));
        let (output, report) = (plan.edits.apply(case.input()), report(&plan));
        if blessing {
            case.bless(&output, &report);
            case.write();
        }
        if output != case.expected() {
            wrong.push(format!("{}: output\n{}", case.name, output.escape_ascii()));
        }
        if report != case.report() {
            wrong.push(format!("{}: report\n{report}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_nul_in_header(raw: &[u8]) -> bool {
    raw.split(|&octet| octet == b'\n').take_while(|line| !line.trim_ascii().is_empty()).any(|line| line.contains(&0))
}

#[test]
fn every_way_through_gives_the_same() {
    let mut wrong = Vec::new();
    for case in case::all() {
        let profile = profile(&case);
        let mixed = case.input().contains(&b'\r');
        for (ends, raw) in [("LF", case.input().to_vec()), ("CRLF", line_ends::with_crlf(case.input()))] {
            if mixed && ends == "CRLF" {
                continue;
            }
            let direct = plan(&raw, &profile).edits.apply(&raw);
            if through_mbox(&raw, &profile) != direct {
                wrong.push(format!("{}: {ends}: a mailbox differs", case.name));
            }
            // The milter's protocol has no NUL in a header, and an MTA that knows it shows none.
            if ends == "LF" || mixed || has_nul_in_header(&raw) {
                continue;
            }
            for offer in [FULL, OLD] {
                // An MTA puts in an empty line that is missing; the message that it shows is the one compared.
                let (seen, _) =
                    through_milter(MtaMessage::read(raw.clone()), offer, &profile).expect("requests that fit");
                let (_, through) =
                    through_milter(MtaMessage::read(seen.clone()), offer, &profile).expect("requests that fit");
                let direct = plan(&seen, &profile).edits.apply(&seen);
                if line_ends::with_crlf(&through) != direct {
                    wrong.push(format!(
                        "{}: milter {offer:?} differs\n--- direct\n{}\n--- milter\n{}",
                        case.name,
                        direct.escape_ascii(),
                        through.escape_ascii()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plans a message as it stands between others in a mailbox, and takes it out again.
pub fn through_mbox(raw: &[u8], profile: &Profile) -> Vec<u8> {
    let quoted = septet::protocol::mbox::quote(raw.to_vec());
    let file = [b"From a@example.org Sat Nov 21 10:00:00 2026\n", &quoted[..], b"\n"].concat();
    let item = MboxMessage::of(&file);
    let message = item.message();
    let edits = plan(&message, profile).edits;
    let rewritten = item.rewritten(&message, &edits);
    let out = MboxMessage::of(&rewritten).message().into_owned();
    // A mailbox can't hold a message without a final line end.
    if raw.ends_with(b"\n") { out } else { out.strip_suffix(b"\n").unwrap_or(&out).to_vec() }
}

/// What Postfix and Sendmail offer, and what an old one does.
pub const FULL: Offer = Offer { version: 6, actions: 0x1ff, protocol: 0x1f_ffff };
const OLD: Offer = Offer { version: 2, actions: 0x3f, protocol: 0x7f };

/// Shows a message to a session, carries out what it asks for, and gives what it saw and what came out.
pub fn through_milter(
    mut message: MtaMessage,
    offer: Offer,
    profile: &Profile,
) -> Result<(Vec<u8>, Vec<u8>), UnrepresentableError> {
    let wants = Wants { content: true, recipients: false };
    let mut session = MilterSession::new(wants, Limits::default());
    let mut replies = Vec::new();
    let mut packets = Vec::new();
    MilterCommand::Negotiate(offer).write(&mut packets);
    let negotiated = Negotiated::agree(offer, wants).expect("a version that is spoken");
    let envelope = MtaEnvelope { mail: b"<a@example.org>\0".to_vec(), rcpt: vec![b"<b@example.net>\0".to_vec()] };
    MilterCommand::Connect { host: b"client.example", address: ClientAddress::default() }.write(&mut packets);
    message.show(&envelope, &negotiated, |command| {
        if negotiated.shows(command.code()) {
            command.write(&mut packets);
        }
    });
    let received = session.receive(&packets, &mut replies).expect("good packets");
    assert_eq!(received.event, Some(MilterEvent::Message));
    let content = session.take_message();
    let edits: EditList = plan(content.raw(), profile).edits;
    let mut asked = Vec::new();
    let modifications = Modifications::of(&content, &edits, &negotiated)?;
    modifications.prove()?;
    modifications.write(&mut asked);
    let mut rest = &asked[..];
    while let Some(frame) = Frame::read(rest).expect("good replies") {
        message
            .apply(&MilterReply::read(frame).expect("a reply"), &negotiated)
            .expect("a request that an MTA carries out");
        rest = &rest[frame.length()..];
    }
    Ok((content.raw().to_vec(), message.octets()))
}
