//! What the plan promises of every message, tried on messages nobody would write.

use proptest::prelude::*;
use septet::rewrite::{Plan, Profile, plan};
use septet_support::attack::fuzz_plan;
use septet_support::line_ends;

use crate::inputs;

fn profiles() -> Vec<Profile> {
    Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name)).collect()
}

fn longest_line(octets: &[u8]) -> usize {
    octets.split(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line).len()).max().unwrap_or(0)
}

/// Checks everything that holds of every input under every profile.
pub fn check(raw: &[u8]) {
    for profile in profiles() {
        let name = &profile.name;
        let planned = plan(raw, &profile);
        let once = planned.edits.apply(raw);
        if profile.is_identity() {
            assert_eq!(once, raw, "{name}: the identity");
        }
        assert_eq!(
            planned.edits.is_empty(),
            !planned.report.changes(),
            "{name}: edits and report agree: {}",
            planned.report
        );
        check_lines(raw, &once, name);
        let again = plan(&once, &profile);
        assert!(
            again.edits.is_empty(),
            "{name}: a second run changes nothing; first: {}; second: {}\n--- input\n{}\n--- once\n{}\n--- twice\n{}",
            planned.report,
            again.report,
            raw.escape_ascii(),
            once.escape_ascii(),
            again.edits.apply(&once).escape_ascii(),
        );
        check_target(&profile, &planned, &once);
    }
}

/// No line over 998 octets is produced; one that was there may stay.
fn check_lines(raw: &[u8], once: &[u8], name: &str) {
    let longest = longest_line(once);
    assert!(longest <= 998 || longest <= longest_line(raw), "{name}: a line of {longest} octets is produced");
}

/// A profile that goes down to 7-bit gets there, or says what it left.
fn check_target(profile: &Profile, planned: &Plan, once: &[u8]) {
    let down = matches!(profile.name.as_str(), "seven-bit" | "utf7" | "ascii");
    if down && !planned.report.leaves() {
        assert!(once.is_ascii(), "{}: {} leaves 8-bit: {}", profile.name, planned.report, once.escape_ascii());
    }
}

#[test]
fn every_fixture_keeps_every_promise() {
    let inputs = inputs::fixtures();
    assert!(inputs.len() > 50, "the fixtures are there");
    for (name, raw) in inputs {
        println!("{name}");
        check(&raw);
        for profile in 0..Profile::BUILT_IN.len() as u8 {
            fuzz_plan(&[&[profile], &raw[..]].concat());
        }
    }
}

#[test]
fn lf_and_crlf_give_the_same_plan() {
    for (name, raw) in inputs::fixtures() {
        if raw.contains(&b'\r') {
            continue;
        }
        let crlf = line_ends::with_crlf(&raw);
        for profile in profiles() {
            let (lf, wire) = (plan(&raw, &profile), plan(&crlf, &profile));
            assert_eq!(lf.report.to_string(), wire.report.to_string(), "{name} {}", profile.name);
            let (lf, wire) = (lf.edits.apply(&raw), wire.edits.apply(&crlf));
            assert_eq!(
                line_ends::with_crlf(&lf).escape_ascii().to_string(),
                wire.escape_ascii().to_string(),
                "{name} {}",
                profile.name
            );
        }
    }
}

#[test]
fn bombs_pass_untouched_and_are_named() {
    let nested = "Content-Type: message/rfc822\n\n".repeat(100_000) + "Subject: =?iso-8859-1?Q?=E9?=\n\n";
    let parts = "Content-Type: multipart/mixed; boundary=b\n\n".to_owned() + &"--b\n\n".repeat(1_000_000);
    for bomb in [nested, parts] {
        let planned = plan(bomb.as_bytes(), &Profile::default());
        assert!(planned.edits.is_empty());
        assert!(planned.report.to_string().contains("left=limit("), "{}", planned.report);
    }
}

#[test]
fn a_message_over_the_size_limit_passes_untouched() {
    let mut profile = Profile::default();
    profile.limits.message_bytes = 10;
    let planned = plan(b"Subject: =?iso-8859-1?Q?=E9?=\n\n", &profile);
    assert_eq!(planned.report.to_string(), "message left=limit(message_bytes 10)");
    assert!(planned.edits.is_empty());
}

/// A fixture with some octets changed, removed, repeated or put elsewhere.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let inputs: Vec<Vec<u8>> =
        inputs::fixtures().into_iter().map(|(_, raw)| raw).filter(|raw| raw.len() < 4096).collect();
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5u8);
    (prop::sample::select(inputs), prop::collection::vec(change, 1..6)).prop_map(|(mut raw, changes)| {
        for (a, b, c, how) in changes {
            mutate(&mut raw, (a, b, c), how);
        }
        raw
    })
}

type Places = (prop::sample::Index, prop::sample::Index, prop::sample::Index);

fn mutate(raw: &mut Vec<u8>, (a, b, c): Places, how: u8) {
    if raw.is_empty() {
        return;
    }
    let (a, b) = (a.index(raw.len()), b.index(raw.len()));
    let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 40));
    match how {
        0 => raw[a] = c.index(256) as u8,
        1 => drop(raw.drain(from..to)),
        2 => {
            let piece = raw[from..to].to_vec();
            let at = c.index(raw.len());
            raw.splice(at..at, piece);
        }
        3 => raw.truncate(raw.len() - raw.len() / 8 + from % 8),
        _ => raw.insert(a, *b"\r\n \t=?:;\"\\(<>+-~\xe9\xc3\0"[c.index(19)..].first().unwrap_or(&0)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_fixtures_keep_every_promise(raw in mutated()) {
        check(&raw);
    }

    #[test]
    fn any_octets_keep_every_promise(raw in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&raw);
    }

    #[test]
    fn any_body_under_any_label_keeps_every_promise(
        label in prop::sample::select(vec!["utf-7", "iso-2022-jp", "hz-gb-2312", "iso-2022-kr", "shift_jis", "gb2312", "big5", "euc-kr", "utf-8", "iso-8859-1", "windows-1251", "us-ascii", "x-none"]),
        transfer in prop::sample::select(vec!["7bit", "8bit", "quoted-printable", "base64", "binary"]),
        sub in prop::sample::select(vec!["plain", "html", "plain; format=flowed", "csv"]),
        body in prop_oneof![prop::collection::vec(any::<u8>(), 0..120), "[ -~\\n]{0,120}".prop_map(String::into_bytes), "\\PC{0,60}".prop_map(String::into_bytes)],
    ) {
        let head = format!("MIME-Version: 1.0\nContent-Type: text/{sub}; charset={label}\nContent-Transfer-Encoding: {transfer}\n\n");
        check(&[head.as_bytes(), &body].concat());
    }
}
