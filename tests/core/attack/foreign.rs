//! The readers beside mail-parser: Python's email, GMime and postal-mime, each a program that shows the trees of many
//! messages.

use std::path::Path;
use std::process::Command;

use septet::rewrite::Profile;
use septet_support::attack::{Known, Seen, difference};

use crate::outside;

/// A message before and after, under a profile.
pub struct Pair {
    pub what: String,
    pub profile: Profile,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

/// A reader: its name in known.tsv, and how to run it.
pub struct Reader {
    name: &'static str,
    command: Command,
}

/// Gives the readers that are there, and says which are not.
pub fn readers() -> Vec<Reader> {
    [python(), gmime(), postal()].into_iter().flatten().collect()
}

fn source(name: &str) -> String {
    format!("{}/tests/core/attack/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn python() -> Option<Reader> {
    let mut command = Command::new("python3");
    let there = Command::new("python3").arg("--version").output().is_ok();
    if !there {
        println!("skipped: no python3");
        return None;
    }
    command.arg(source("tree.py"));
    Some(Reader { name: "python", command })
}

/// Compiles the reader that uses GMime; none where there is no compiler or no GMime.
fn gmime() -> Option<Reader> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gmime-reader-{}", std::process::id()));
    let script = r#"flags=$(pkg-config --cflags --libs gmime-3.0) && cc -O1 -o "$1" "$2" $flags"#;
    let compile = Command::new("sh").args(["-c", script, "sh"]).arg(&program).arg(source("gmime.c")).output();
    if !compile.is_ok_and(|done| done.status.success()) {
        println!("skipped: no cc, pkg-config or gmime-3.0 (Debian: libgmime-3.0-dev)");
        return None;
    }
    Some(Reader { name: "gmime", command: Command::new(program) })
}

/// Runs postal-mime where `.ci/nightly attacks` has put it; it comes from npm, and so not with the tests.
fn postal() -> Option<Reader> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("postal");
    if !folder.join("node_modules/postal-mime").exists() {
        println!("skipped: no postal-mime (npm install --prefix target/tmp/postal postal-mime@4.0.0)");
        return None;
    }
    let mut command = Command::new("node");
    command.arg(source("postal.mjs")).arg(folder);
    Some(Reader { name: "postal-mime", command })
}

impl Reader {
    /// Reads every pair, and gives what differs and is not known: the pair and the difference.
    ///
    /// GMime reads 4,096 octets at once, and takes a line for something else where these end within it. What it sees
    /// after a change counts where it does so wherever they end: behind a field of any length.
    pub fn differences(mut self, pairs: &[Pair]) -> Vec<(&Pair, String)> {
        let mut found = self.seen_behind("", &pairs.iter().collect::<Vec<_>>());
        let lengths: &[usize] = if self.name == "gmime" { &[400, 900, 1400, 2100, 2700] } else { &[] };
        for &length in lengths {
            let field = format!("X-Space: {}\r\n", "x".repeat(length));
            let again = self.seen_behind(&field, &found.iter().map(|&(pair, _)| pair).collect::<Vec<_>>());
            found.retain(|&(pair, _)| again.iter().any(|&(other, _)| std::ptr::eq(pair, other)));
        }
        found
    }

    /// Reads pairs behind a field that is put before both messages of each.
    fn seen_behind<'p>(&mut self, field: &str, pairs: &[&'p Pair]) -> Vec<(&'p Pair, String)> {
        let messages: Vec<Vec<u8>> = pairs
            .iter()
            .flat_map(|pair| [&pair.before, &pair.after].map(|raw| [field.as_bytes(), raw].concat()))
            .collect();
        let Some(answers) = outside::answers(&mut self.command, &messages) else { return Vec::new() };
        assert_eq!(answers.len(), messages.len(), "{}: one answer for each message", self.name);
        let known = Known::of(self.name);
        let parts = |answer| serde_json::from_value::<Vec<Seen>>(answer).expect("a list of parts");
        let mut trees = answers.into_iter().map(parts);
        let differs = |pair: &&'p Pair| {
            let (before, after) = (trees.next()?, trees.next()?);
            let what = difference(&before, &after, &pair.profile)?;
            let is_known = known.explains(&pair.profile.name, &what, &pair.before);
            (!is_known).then(|| (*pair, format!("{}: {what}", self.name)))
        };
        pairs.iter().filter_map(differs).collect()
    }
}
