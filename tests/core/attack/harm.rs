//! Harm that is planted in good plans: the check refuses every kind of it.

use std::collections::BTreeMap;

use rayon::prelude::*;
use septet::rewrite::Profile;

use septet_support::attack::Choices;
use septet_support::harm::{Planted, plant_harm};

use super::attack;
use crate::inputs;

/// How many attacks are planted with harm.
const ATTACKS: u64 = 400;

/// How many kinds of harm there are.
const KINDS: usize = 17;

/// How often each kind was planted.
type Counted = BTreeMap<&'static str, usize>;

fn planted(raw: &[u8], profile: &Profile, choice: usize) -> Counted {
    let mut counted = Counted::new();
    for Planted { harm, passed } in plant_harm(raw, profile, choice) {
        let shown = passed.map(|passed| passed.escape_ascii().to_string());
        assert!(shown.is_none(), "{}: {harm} passes\n{}\n{}", profile.name, raw.escape_ascii(), shown.unwrap());
        *counted.entry(harm).or_default() += 1;
    }
    counted
}

fn and(mut one: Counted, other: Counted) -> Counted {
    other.into_iter().for_each(|(harm, count)| *one.entry(harm).or_default() += count);
    one
}

fn assert_all_kinds(counted: &Counted) {
    println!("{counted:?}");
    assert_eq!(counted.len(), KINDS, "every kind was planted: {counted:?}");
}

#[test]
fn no_harm_in_the_plan_of_a_fixture_is_let_through() {
    let profiles: Vec<Profile> = Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name)).collect();
    let fixtures = inputs::fixtures();
    let of = |(index, (_, raw)): (usize, &(_, Vec<u8>))| {
        profiles.iter().enumerate().map(|(at, profile)| planted(raw, profile, index + at * 7)).reduce(and)
    };
    assert_all_kinds(&fixtures.par_iter().enumerate().filter_map(of).reduce(Counted::new, and));
}

#[test]
fn no_harm_in_the_plan_of_an_attack_is_let_through() {
    let of = |seed: u64| {
        let (raw, profiles) = attack(seed);
        profiles.iter().zip(0..).map(|(profile, at)| planted(&raw, profile, seed as usize + at)).reduce(and)
    };
    assert_all_kinds(&(0..ATTACKS).into_par_iter().filter_map(of).reduce(Counted::new, and));
}

/// What a field is made of in which quotes, comments and words are in disorder.
const DISORDER: [&[u8]; 29] = [
    b"\"\\\"", b"\"", b"\\\"", b"\\\\", b"(", b")", b"\\(", b"=?utf-8?Q?=41?=", b"=?utf-8?q?", b"=?koi8-r?Q?=CF?=",
    b"?=", b"=?utf-8?Q?=\\\"\"", b"\xF0", b"\xC3\xA9", b" ", b" ", b"<a@b>", b",", b";", b"=/", b"x", b"filename=",
    b"name*=", b"utf-8''%41", b":", b"[", b"]", b"\r\n ", b"\n\t",
];

/// The fields that are in disorder, one of each kind.
const FIELDS: [&[u8]; 9] = [
    b"From:",
    b"Content-Disposition: attachment; filename=",
    b"Content-Type: text/plain; name=",
    b"Subject:",
    b"Received: ",
    b"List-Id: ",
    b"Message-ID: ",
    b"Keywords:",
    b"Original-Recipient:",
];

#[test]
fn no_harm_in_a_field_in_disorder_is_let_through() {
    let profiles: Vec<Profile> = Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name)).collect();
    let of = |seed: u64| {
        let mut choices = Choices::seeded(seed);
        let mut raw = choices.of(&FIELDS).to_vec();
        (0..3 + choices.below(12)).for_each(|_| raw.extend(choices.of(&DISORDER)));
        raw.extend(b"\nSubject: =?koi8-r?Q?=CF?=\n\nhi\n");
        profiles.iter().zip(0..).map(|(profile, at)| planted(&raw, profile, seed as usize + at)).reduce(and)
    };
    let counted = (0..10 * ATTACKS).into_par_iter().filter_map(of).reduce(Counted::new, and);
    assert!(counted["an octet of a field's value goes"] > 0, "{counted:?}");
}

/// Harm that was let through once, and what hid it.
#[test]
fn no_harm_that_was_let_through_once_is_let_through_again() {
    let found: [(&str, &[u8]); 7] = [
        ("a NUL among the digits of a word says nothing", b"Subject: =?utf-8?B?w5xidW5nIOKA\0\0\0kyB4?=\n\nx\n"),
        (
            "a parameter is called by what is no UTF-8",
            b"Content-Disposition: inline; filen\xFF=a.9=EE9=E9?=\xC0\n\nx\n",
        ),
        (
            "a quote that was one of a name opens a name",
            b"From: \"\\\"\" =?x-no?q?=E9?= <z@e.org>\nSubject: =?koi8-r?Q?=CF?=\n\nhi\n",
        ),
        (
            "a multipart before it is not closed",
            b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=\xA4\n\n--b\n\n \xC3x\n--b--\n",
        ),
        (
            "the charset of a file is none of the body",
            b"Content-Type: text/plain; charset=koi8-r\nContent-Disposition: inline; charset=koi8-r\n\n\xC6\n",
        ),
        (
            "a quote was open before",
            b"From:?=~\\\\\"\\\"\"\\\"\nSubject: =?koi8-r?Q?=CF?=\n\nhi\n",
        ),
        ("octets that are UTF-8 no longer are", b"N: \xC2\xB9\n\nx\n"),
    ];
    for (name, raw) in found {
        println!("{name}");
        let profiles = Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name));
        profiles.for_each(|profile| (0..64).for_each(|choice| _ = planted(raw, &profile, choice)));
    }
}
