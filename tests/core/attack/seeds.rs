//! The seeds that fuzzing left behind, as an ordinary test: what was found once stays found.

use std::fs;
use std::path::Path;

use septet_support::attack::{fuzz_attack, fuzz_plan};
use septet_support::coders::fuzz_coders;
use septet_support::harm::fuzz_proof;
use septet_support::milter::fuzz_session;
use septet_support::smtp::{fuzz_smtp, fuzz_smtp_client, fuzz_smtp_content};

/// Gives the seeds of a fuzz target; `fuzz/run` makes them.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| fs::read(entry.expect("an entry").path()).expect("a seed")).collect()
}

#[test]
fn seeds_of_the_plan_keep_every_promise() {
    seeds("plan").iter().for_each(|seed| fuzz_plan(seed));
}

#[test]
fn seeds_of_the_proof_let_no_harm_through() {
    seeds("proof").iter().for_each(|seed| fuzz_proof(seed));
}

#[test]
fn seeds_of_the_milter_and_the_coders_keep_every_promise() {
    seeds("milter").iter().for_each(|seed| fuzz_session(seed));
    seeds("coders").iter().for_each(|seed| fuzz_coders(seed));
}

#[test]
fn seeds_of_smtp_keep_every_promise() {
    for seed in seeds("smtp") {
        fuzz_smtp(&seed);
        fuzz_smtp_content(&seed);
    }
    seeds("smtp_client").iter().for_each(|seed| fuzz_smtp_client(seed));
}

#[test]
fn seeds_of_the_attack_keep_every_promise() {
    seeds("attack").iter().for_each(|seed| fuzz_attack(seed));
}
