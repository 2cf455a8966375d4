//! DKIM2: a change leads back to what came, whoever reads the recipe.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;
use septet::rewrite::dkim2::instance::InstanceChain;
use septet::rewrite::dkim2::state::MessageState;
use septet::rewrite::dkim2::undo::undone;
use septet::rewrite::{Dkim2, Profile, check, plan};
use septet_support::attack::{self, Choices};
use septet_support::dkim2::{SIGNATURE, fault, fuzz_undo, signed};
use serde_json::Value;

use crate::{corpus, inputs};

/// How many attacks are built where nobody says otherwise.
const ATTACKS: u64 = 500;

fn hashes(octets: &[u8]) -> Vec<String> {
    let hashes = MessageState::read(octets).expect("a message").hashes();
    [hashes.header, hashes.body].map(|hash| STANDARD.encode(hash)).to_vec()
}

/// Undoes the topmost instance, and gives the hashes of the state before.
fn hashes_before(octets: &[u8]) -> Vec<String> {
    let state = MessageState::read(octets).expect("a message");
    let chain = InstanceChain::read(&state).unwrap_or_else(|why| panic!("{why:?}: {}", octets.escape_ascii()));
    let hashes = undone(&state, &chain).expect("a state before").hashes();
    [hashes.header, hashes.body].map(|hash| STANDARD.encode(hash)).to_vec()
}

fn instance_profile(name: &str) -> Profile {
    let mut profile = Profile::built_in(name).expect("it is built in");
    profile.dkim2 = Dkim2::Instance;
    profile
}

fn octets(vector: &Value, key: &str) -> Vec<u8> {
    STANDARD.decode(vector[key].as_str().expect("text")).expect("base64")
}

/// The vectors were made by another program, and are held against mail-auth's verifier.
#[test]
fn the_vectors_hold() {
    let Some(folder) = inputs::data().map(|data| data.join("dkim2")).filter(|folder| folder.is_dir()) else {
        return println!("skipped: no vectors beside the project");
    };
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let text = fs::read(entry.expect("an entry").path()).expect("a vector");
        let vector: Value = serde_json::from_slice(&text).expect("JSON");
        holds(&vector);
        count += 1;
    }
    assert_eq!(count, 54);
}

fn holds(vector: &Value) {
    let name = vector["name"].as_str().expect("a name");
    let before = [SIGNATURE.as_bytes(), b"\r\n", &octets(vector, "before")].concat();
    let expected = vector["before_hashes"].as_array().map(|hashes| hashes.iter().map(|it| it.as_str().expect("text")));
    let expected: Vec<&str> = expected.into_iter().flatten().collect();
    let profile = instance_profile(name.rsplit_once('.').expect("a profile").1);
    let planned = plan(&before, &profile);
    let (after, report) = (planned.edits.apply(&before), planned.report.to_string());
    assert_eq!(check(&before, &planned, &profile), Ok(()), "{name}");
    match vector["expect"].as_str().expect("text") {
        "instance" => {
            assert_eq!(hashes(&before), expected, "{name}");
            assert_eq!(hashes_before(&after), expected, "{name}: {report}");
            let theirs = octets(vector, "after");
            let of_theirs = vector["after_hashes"].as_array().expect("hashes");
            assert_eq!(hashes(&theirs), of_theirs.iter().map(|it| it.as_str().expect("text")).collect::<Vec<_>>());
            let recipe = STANDARD.encode(vector["one_right_recipe"].to_string());
            let field = format!("Message-Instance: m=2; h=sha256:x:y; r={recipe}\r\n");
            assert_eq!(hashes_before(&[field.as_bytes(), &theirs].concat()), expected, "{name}: as they undo it");
        }
        "keep-from" => assert!(report.contains("field=From left=dkim2(from)"), "{name}: {report}"),
        refused if refused.starts_with("refuse: bare") => {
            assert!(planned.edits.is_empty() && report.contains("left=dkim2(line-ends)"), "{name}: {report}");
        }
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn every_fixture_leads_back() {
    let inputs = inputs::fixtures();
    inputs.par_iter().for_each(|(name, raw)| {
        for profile in ["utf8", "ascii", "eai", "seven-bit"] {
            let fault = fault(raw, &Profile::built_in(profile).expect("it is built in"));
            assert_eq!(fault, None, "{name} by {profile}");
        }
        fuzz_undo(raw);
    });
}

#[test]
fn every_attack_leads_back() {
    let count = std::env::var("SEPTET_ATTACKS").map_or(ATTACKS, |count| count.parse().expect("a number"));
    (0..count).into_par_iter().for_each(|seed| {
        let mut choices = Choices::seeded(seed);
        let profiles = attack::profiles(&mut choices);
        let raw = attack::message(&mut choices);
        for profile in profiles {
            let fault = fault(&raw, &profile);
            assert_eq!(fault, None, "seed {seed}, {}: {}", profile.name, raw.escape_ascii());
        }
    });
}

#[test]
fn every_message_of_the_corpus_leads_back() {
    let Some(messages) = corpus::mailbox() else { return };
    messages.par_iter().for_each(|raw| {
        for profile in ["utf8", "ascii"] {
            let fault = fault(raw, &Profile::built_in(profile).expect("it is built in"));
            assert_eq!(fault, None, "{profile}: {}", raw.escape_ascii());
        }
    });
}

/// What others wrote, damaged: nothing of it does harm, and nothing becomes larger than it says.
#[test]
fn no_damaged_instance_does_harm() {
    let raw = signed(b"From: a@b.example\nComments: =?koi8-r?B?8A==?=\nComments: x\n\nplain\n");
    let once = plan(&raw, &instance_profile("utf8")).edits.apply(&raw);
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, octet) = ((seed >> 33) as usize % once.len(), b"\r\n =;:,|mhr12AZz\0\xff"[(seed >> 20) as usize % 18]);
        let mut damaged = once.clone();
        match seed >> 62 {
            0 => damaged[at] = octet,
            1 => damaged.insert(at, octet),
            2 => drop(damaged.drain(at..(at + 3).min(once.len()))),
            _ => damaged.truncate(at),
        }
        fuzz_undo(&damaged);
    }
}

/// A recipe itself, damaged within its base64.
#[test]
fn no_damaged_recipe_does_harm() {
    let json = r#"{"h":{"to":[{"c":[1,1]},{"d":["a\u00e9"]}]},"b":[{"c":[1,2]},{"u":["6Q=="]},{"c":[3,3]}]}"#;
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut damaged = json.as_bytes().to_vec();
        let at = (seed >> 33) as usize % json.len();
        match seed >> 63 {
            0 => damaged[at] = b"{}[],:\"\\u019cdhb\xff"[(seed >> 20) as usize % 16],
            _ => damaged.truncate(at),
        }
        let recipe = STANDARD.encode(&damaged);
        let fields = format!("Message-Instance: m=2; h=a:b:c; r={recipe}\nMessage-Instance: m=1; h=a:b:c\nTo: x\n");
        fuzz_undo(format!("{fields}\none\ntwo\nthree\n").as_bytes());
    }
}

#[test]
fn a_plan_whose_instance_was_changed_is_refused() {
    let raw = signed(b"From: a@b.example\nSubject: =?koi8-r?B?8NLJ18XU?=\n\nplain\n");
    let profile = instance_profile("utf8");
    let planned = plan(&raw, &profile);
    assert_eq!(check(&raw, &planned, &profile), Ok(()));
    let mut changed = planned.clone();
    changed.edits = septet::edit::EditList::new();
    for edit in planned.edits.as_slice() {
        let with = if edit.at.end == 0 { [&b"X-Other: x\n"[..], &edit.with].concat() } else { edit.with.clone() };
        changed.edits.push(edit.at, with).expect("apart");
    }
    assert!(check(&raw, &changed, &profile).is_err());
}

/// A message without DKIM2 is converted as ever, whatever the key says.
#[test]
fn other_mail_is_the_same() {
    for (name, raw) in inputs::fixtures().into_iter().filter(|(name, _)| !name.starts_with("dkim2/")) {
        let [one, other] = [Profile::default(), instance_profile("utf8")].map(|profile| plan(&raw, &profile));
        if !raw.windows(15).any(|name| name.eq_ignore_ascii_case(b"dkim2-signature")) {
            assert_eq!((one.edits, one.report), (other.edits, other.report), "{name}");
        }
    }
}

/// Many small lines, all of which change; and many that are alike.
#[test]
fn the_work_is_linear() {
    let text = |count: usize| {
        let lines: String =
            (0..count / 8).map(|at| if at % 7 == 0 { "a\u{df} b\r\n" } else { "same\r\n\r\n" }).collect();
        format!("From: a@b.example\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n{lines}")
    };
    inputs::assert_linear(text, |text| {
        let raw: Vec<u8> = text.chars().map(|character| character as u8).collect();
        fault(&raw, &Profile::default())
    });
}
