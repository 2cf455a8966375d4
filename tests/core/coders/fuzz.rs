//! Every coder over its tables' cells, changed at random: `SEPTET_FUZZ_RUNS` says how many inputs each coder gets.
//!
//! ```text
//! SEPTET_FUZZ_RUNS=1000000 cargo test --test core coders::fuzz -- --nocapture
//! ```
//!
//! The inputs are the same ones every time. The bodies are those of fuzz/, where libFuzzer looks for more.

use std::time::Instant;

use septet_support::coders::{CODERS, fuzz_coders};
use septet_support::parameters::fuzz_parameters;

use super::rows;

const TABLES: [&str; 14] = [
    "utf7/text.tsv",
    "utf7/ill-formed.tsv",
    "charset/utf8.tsv",
    "charset/texts.tsv",
    "word/decode.tsv",
    "word/conforming.tsv",
    "parameter/read.tsv",
    "parameters.tsv",
    "transfer/quoted-printable-decode.tsv",
    "transfer/quoted-printable-encode.tsv",
    "transfer/base64-decode.tsv",
    "escape/expand.tsv",
    "escape/characters.tsv",
    "iri/to-uri.tsv",
];

/// Pieces that mean something to a coder.
const PIECES: [&[u8]; 22] = [
    b"+", b"-", b"+2D0", b"3AU-", b"=", b"=\n", b"=?utf-8?Q?", b"?=", b"\r\n", b"\\u'", b"\\", b"&#x", b";", b"%",
    b"\x1b$B", b"\x1b(B", b"~{", b"\xED\xA0\x80", b"\xF0\x9F", b"<script>", b"<!--", b"\0",
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(4) {
        let at = random.below(input.len() + 1);
        match random.below(5) {
            0 if at < input.len() => input[at] = random.below(256) as u8,
            1 => input.truncate(at),
            2 => drop(input.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let other = &seeds[random.below(seeds.len())];
                input.truncate(at);
                input.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            _ => input.insert(at, random.below(256) as u8),
        }
    }
    input
}

#[test]
fn every_coder_keeps_its_promises() {
    let cells = |table: &str| rows(table).into_iter().flat_map(|row| (0..4).map(move |column| row.octets(column)));
    let seeds: Vec<Vec<u8>> =
        TABLES.into_iter().flat_map(cells).filter(|cell| (1..400).contains(&cell.len())).collect();
    assert!(seeds.len() > 500, "{} seeds", seeds.len());
    let runs = std::env::var("SEPTET_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(10_000);
    let targets = CODERS.iter().map(|name| (*name, fuzz_coders as fn(&[u8])));
    for (coder, (name, fuzz)) in targets.chain([("parameters", fuzz_parameters as fn(&[u8]))]).enumerate() {
        let (mut random, start) = (Random(1642), Instant::now());
        for _ in 0..runs {
            let input = [&[coder as u8, random.below(256) as u8], &mutated(&seeds, &mut random)[..]].concat();
            if std::panic::catch_unwind(|| fuzz(&input)).is_err() {
                panic!("{name}: {}", input.escape_ascii());
            }
        }
        println!("{name}: {runs} inputs in {:.1} s", start.elapsed().as_secs_f64());
    }
}
