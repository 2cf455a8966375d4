//! The inputs that the tests of the core share: the fixtures of the project, and outside data where it is there.

use std::path::{Path, PathBuf};

use septet_support::case;
use septet_support::clock::work_time;

/// Gives the folder of a fixture.
pub fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(below)
}

/// Gives the message of every case of `fixtures/rewrite`, with the case's name.
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    case::all().into_iter().map(|case| (case.name.clone(), case.input().to_vec())).collect()
}

/// Gives the folder of third-party data beside the project, if it is there.
pub fn data() -> Option<PathBuf> {
    let named = std::env::var_os("SEPTET_DATA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    folder.is_dir().then_some(folder)
}

/// Asserts that work over a text grows no faster than the text: eight times as much of it takes less than 44 times as
/// long, in the same run. The best of several measurements counts, for they vary; quadratic work
/// takes 64 times as long in every one.
pub fn assert_linear<T>(text: fn(usize) -> String, work: impl Fn(&str) -> T) {
    let time = |text: &str| work_time(|| work(text));
    let (short, long) = (text(8_000), text(64_000));
    let ratio = || time(&long).as_secs_f64() / time(&short).as_secs_f64().max(0.000_2);
    let ratios: Vec<f64> = (0..8).map(|_| ratio()).collect();
    let best = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(best < 44.0, "{:.20}…: {ratios:?}", short);
}
