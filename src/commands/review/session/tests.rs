use super::*;
use crate::archive::decisions::MessageIdentity;
use crate::archive::report::Preview;
use crate::process::ruled_profiles::RuledProfiles;
use crate::rewrite::{Profile, plan};
use YesNo::{No, Yes};

const FIRST: &[u8] =
    b"From: A <a@example.org>\nSubject: =?iso-8859-1?Q?caf=E9?=\nComments: =?iso-8859-1?Q?=E9?=\n\nx\n";
const SECOND: &[u8] = b"From: b@example.org\nSubject: =?iso-8859-1?Q?th=E9?=\nTo: =?koi8-r?B?8NLJ?= <c@d.e>\n\nx\n";
const NOBODY: &[u8] = b"Subject: =?iso-8859-1?Q?caf=E9?=\n\nnobody\n";

fn message(raw: &[u8], number: u64) -> ReviewedMessage {
    let profile = Profile::default();
    ReviewedMessage {
        input: "a.mbox".to_owned(),
        number: Some(number),
        content: raw.to_vec(),
        plan: plan(raw, &profile),
        identity: MessageIdentity::of(raw),
        preview: Preview::of(raw),
        profile: profile.into(),
    }
}

fn session(messages: &[&[u8]]) -> ReviewSession {
    let mut session = ReviewSession::new(DecisionsFile::new(&RuledProfiles::one(Profile::default())));
    messages.iter().zip(1..).for_each(|(raw, number)| session.add(message(raw, number)));
    session
}

/// Types letters, and returns what each was asked about, in the end what is asked next.
fn typed(session: &mut ReviewSession, letters: &str) -> Vec<String> {
    let mut asked = Vec::new();
    for letter in letters.chars() {
        let question = session.question().expect("a question");
        asked.push(name(&question));
        session.answer(ReviewKey::read(&letter.to_string()).expect("a letter"), &question);
    }
    asked.push(session.question().map_or("none".to_owned(), |question| name(&question)));
    asked
}

fn name(question: &ReviewQuestion) -> String {
    format!("{} {}", question.message.number.unwrap_or_default(), question.decision.at)
}

fn answers(session: &ReviewSession) -> Vec<YesNo> {
    let answers = session.file.answers.iter().map(|line| match line {
        AnswerLine::Place(line) => line.answer,
        AnswerLine::Kind { answer, .. } | AnswerLine::Sender { answer, .. } => *answer,
    });
    answers.collect()
}

#[test]
fn one_change_is_asked_about_after_the_other() {
    let mut session = session(&[FIRST, SECOND]);
    assert_eq!(
        typed(&mut session, "ynyn"),
        ["1 field=Subject", "1 field=Comments", "2 field=Subject", "2 field=To", "none"]
    );
    assert_eq!(answers(&session), [Yes, No, Yes, No]);
}

#[test]
fn an_answer_to_a_kind_is_one_in_every_message() {
    let mut kinds = session(&[FIRST, SECOND, NOBODY]);
    assert_eq!(typed(&mut kinds, "kny"), ["1 field=Subject", "1 field=Comments", "2 field=To", "none"]);
    assert_eq!(answers(&kinds), [Yes, No, Yes]);
    assert!(
        matches!(&kinds.file.answers[0], AnswerLine::Kind { kind, .. } if kind == "field=subject word=iso-8859-1>utf-8")
    );
}

#[test]
fn an_answer_to_a_sender_is_one_in_all_of_their_mail() {
    let mut senders = session(&[FIRST, SECOND, FIRST]);
    assert_eq!(typed(&mut senders, "SM"), ["1 field=Subject", "2 field=Subject", "none"]);
    assert_eq!(answers(&senders), [No, No, No]);
    let mut nobody = session(&[NOBODY]);
    let question = nobody.question().expect("a question");
    assert!(matches!(nobody.answer(ReviewKey::Sender(Yes), &question), ReviewReply::Refused(_)));
    assert!(nobody.file.answers.is_empty());
}

#[test]
fn a_message_can_be_answered_at_once() {
    let mut session = session(&[FIRST, SECOND]);
    assert_eq!(typed(&mut session, "nmM"), ["1 field=Subject", "1 field=Comments", "2 field=Subject", "none"]);
    assert_eq!(answers(&session), [No, Yes, No, No]);
}

#[test]
fn answers_are_taken_back_one_by_one() {
    let mut session = session(&[FIRST, SECOND]);
    assert_eq!(
        typed(&mut session, "yybbn"),
        [
            "1 field=Subject", "1 field=Comments", "2 field=Subject", "1 field=Comments", "1 field=Subject",
            "1 field=Comments"
        ]
    );
    assert_eq!(answers(&session), [No]);
    let mut first = self::session(&[FIRST]);
    let question = first.question().expect("a question");
    assert!(matches!(first.answer(ReviewKey::Back, &question), ReviewReply::Refused(_)));
}

#[test]
fn what_a_rule_passed_is_asked_about_again() {
    let mut session = session(&[FIRST, NOBODY, SECOND]);
    assert_eq!(typed(&mut session, "kyb")[3], "1 field=Comments");
    assert_eq!(typed(&mut session, "b"), ["1 field=Comments", "1 field=Subject"]);
    assert!(session.goes_again() && !session.goes_again());
    assert!(session.file.answers.is_empty());
}

#[test]
fn what_is_answered_is_not_asked_again() {
    let mut first = session(&[FIRST, SECOND]);
    typed(&mut first, "yn");
    let question = first.question().expect("a question");
    assert_eq!(first.answer(ReviewKey::Quit, &question), ReviewReply::Ended);
    assert_eq!(first.file.head.rest, No);
    let mut second = ReviewSession::new(first.file);
    [FIRST, SECOND].iter().zip(1..).for_each(|(raw, number)| second.add(message(raw, number)));
    let question = second.question().expect("a question");
    assert_eq!(name(&question), "2 field=Subject");
    second.answer(ReviewKey::All, &question);
    assert_eq!(second.file.head.rest, Yes);
}

#[test]
fn what_a_no_takes_back_is_known_before() {
    let raw = b"Subject: caf\xE9 au lait\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n\
        Content-Transfer-Encoding: 8bit\n\ncaf\xE9\n";
    let mut session = session(&[raw]);
    let question = session.question().expect("a question");
    assert_eq!(name(&question), "1 field=Subject");
    let also: Vec<String> = question.also_stays.iter().map(|it| it.at.to_string()).collect();
    assert_eq!(also, ["part=1 body"]);
    assert_eq!(typed(&mut session, "n"), ["1 field=Subject", "none"]);
}
