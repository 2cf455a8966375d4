//! What other decoders read: Python's codecs and glibc's iconv, where they are installed.
//!
//! Every difference is explained in fixtures/coding/charset/differences.tsv, and every explanation is needed. Python is
//! asked by night (`SEPTET_NIGHTLY`), which takes half a minute; python.tsv has what septet read when it agreed, a sum
//! for each codec.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use septet::coding::charset::{Charset, Labels};

use super::rows;

/// Prints octets and what they mean: each one, then those of two that don't begin with a character of one.
const OCTETS: &str = "
import sys
def say(octets):
    try: text = octets.decode(sys.argv[1])
    except UnicodeDecodeError: return False
    print(octets.hex(), *('%X' % ord(character) for character in text))
    return True
for lead in range(256):
    if not say(bytes([lead])) and lead > 127:
        for trail in range(256): say(bytes([lead, trail]))
";

/// Prints each character that the codec writes, behind its octets.
const CHARACTERS: &str = "
import sys
for code in range(0x80, 0x10000):
    try: print(chr(code).encode(sys.argv[1]).hex(), '%X' % code)
    except UnicodeEncodeError: pass
";

/// Prints what three octets of EUC mean in plane 2, or two behind a sequence of ISO 2022 in both planes.
const PLANES: &str = "
import sys
codec = sys.argv[1]
first = b'O' if codec.endswith('3') else b'Q'
for row in range(33, 127):
    for cell in range(33, 127):
        frames = [b'\\x8F' + bytes([row + 128, cell + 128])]
        if codec.startswith('iso'): frames = [b'\\x1B$(' + set + bytes([row, cell]) + b'\\x1B(B' for set in (first, b'P')]
        for octets in frames:
            try: print(octets.hex(), *('%X' % ord(character) for character in octets.decode(codec)))
            except UnicodeDecodeError: pass
";

/// Runs a program of Python's; none where Python isn't installed.
fn python(program: &str, codec: &str) -> Option<BTreeMap<String, String>> {
    let out = Command::new("python3").args(["-c", program, codec]).output().ok().filter(|out| out.status.success())?;
    let lines = String::from_utf8(out.stdout).expect("ASCII");
    Some(
        lines
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(octets, text)| (octets.into(), text.into()))
            .collect(),
    )
}

fn charset(label: &str) -> Charset {
    Labels::default().find_registered(label.as_bytes()).expect(label)
}

fn read(charset: Charset, octets: &[u8]) -> Option<String> {
    let text = charset.decode(octets).ok()?;
    Some(text.chars().map(|character| format!("{:X}", u32::from(character))).collect::<Vec<_>>().join(" "))
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
    pairs.collect::<Result<_, _>>().expect("hexadecimal digits")
}

/// The explanations of a charset: the octets from the first to the last may be read in another way.
struct Explained {
    ranges: Vec<(String, String)>,
    needed: BTreeSet<usize>,
    wrong: Vec<String>,
}

impl Explained {
    fn of(charset: &str, codec: &str) -> Explained {
        let rows = rows("differences.tsv").into_iter().filter(|row| row[0] == charset && row[1] == codec);
        let ranges = rows.map(|row| (row[2].clone(), row[3].clone())).collect();
        Explained { ranges, needed: BTreeSet::new(), wrong: Vec::new() }
    }

    /// Compares how octets are read; tells whether they are a text to us.
    fn compare_read(&mut self, charset: Charset, octets: &[u8], theirs: &BTreeMap<String, String>) -> bool {
        let (ours, octets) = (read(charset, octets), hex(octets));
        let theirs = theirs.get(&octets).map(String::as_str);
        self.compare(octets, ours.as_deref(), theirs);
        ours.is_some()
    }

    fn compare(&mut self, octets: String, ours: Option<&str>, theirs: Option<&str>) {
        if ours == theirs {
            return;
        }
        match self.ranges.iter().position(|(first, last)| *first <= octets && octets <= *last) {
            Some(row) => _ = self.needed.insert(row),
            None => self.wrong.push(format!("{octets}: {ours:?}, theirs {theirs:?}")),
        }
    }

    fn covers(&self, octets: &str) -> bool {
        self.ranges.iter().any(|(first, last)| **first <= *octets && *octets <= **last)
    }

    fn check(self, codec: &str) {
        assert!(self.wrong.is_empty(), "{codec} {}: {:#?}", self.wrong.len(), self.wrong);
        assert_eq!(self.needed.len(), self.ranges.len(), "{codec}: an explanation isn't needed");
    }
}

#[test]
fn octets_mean_what_python_says() {
    if !septet_support::nightly() {
        return println!("skipped: SEPTET_NIGHTLY is not set");
    }
    for row in rows("codecs.tsv").iter().filter(|row| row[2] == "octets") {
        let Some(theirs) = python(OCTETS, &row[1]) else { return println!("skipped: there is no Python") };
        let (charset, mut explained) = (charset(&row[0]), Explained::of(&row[0], &row[1]));
        let mut compare = |octets: &[u8]| explained.compare_read(charset, octets, &theirs);
        for lead in 0..=255 {
            if !compare(&[lead]) && lead > 127 {
                (0..=255).for_each(|trail| _ = compare(&[lead, trail]));
            }
        }
        explained.check(&row[1]);
    }
}

#[test]
fn planes_of_jis_x_0213_mean_what_python_says() {
    if !septet_support::nightly() {
        return println!("skipped: SEPTET_NIGHTLY is not set");
    }
    for row in rows("codecs.tsv").iter().filter(|row| row[2] == "planes") {
        let Some(theirs) = python(PLANES, &row[1]) else { return println!("skipped: there is no Python") };
        let (charset, mut explained) = (charset(&row[0]), Explained::of(&row[0], &row[1]));
        for octets in planes_of(charset) {
            explained.compare_read(charset, &octets, &theirs);
        }
        explained.check(&row[1]);
    }
}

#[test]
fn what_python_writes_is_read() {
    if !septet_support::nightly() {
        return println!("skipped: SEPTET_NIGHTLY is not set");
    }
    for row in rows("codecs.tsv").iter().filter(|row| row[2] == "characters") {
        let Some(theirs) = python(CHARACTERS, &row[1]) else { return println!("skipped: there is no Python") };
        assert!(theirs.len() > 1000, "{} writes {} characters", row[1], theirs.len());
        let (charset, mut explained) = (charset(&row[0]), Explained::of(&row[0], &row[1]));
        for (octets, text) in theirs {
            let ours = read(charset, &unhex(&octets));
            explained.compare(octets, ours.as_deref(), Some(&text));
        }
        explained.check(&row[1]);
    }
}

/// A sum that changes with any of the texts in it (FNV-1a, 64 bits).
fn sum<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    let octets = texts.into_iter().flat_map(|text| text.bytes().chain([0]));
    octets.fold(0xCBF2_9CE4_8422_2325, |sum, octet| (sum ^ u64::from(octet)).wrapping_mul(0x100_0000_01B3))
}

/// Lists every octet, and every two of which the first means nothing alone.
fn octets_of(charset: Charset) -> Vec<Vec<u8>> {
    let is_lead = |lead: u8| lead > 127 && charset.decode(&[lead]).is_err();
    let pairs = |lead: u8| (0..=255).filter(move |_| is_lead(lead)).map(move |trail| vec![lead, trail]);
    (0..=255).flat_map(|lead| [vec![lead]].into_iter().chain(pairs(lead))).collect()
}

/// Lists what septet writes for each character of the first plane.
fn characters_of(charset: Charset) -> Vec<Vec<u8>> {
    let characters = (0x80..0x10000).filter_map(char::from_u32);
    let written = |character: char| Some(charset.encode(&character.to_string()).ok()?.into_owned());
    characters.filter_map(written).collect()
}

/// Lists the octets of every row and cell of JIS X 0213, as [`PLANES`] has them.
fn planes_of(charset: Charset) -> Vec<Vec<u8>> {
    let places = || (0x21..=0x7E).flat_map(|row| (0x21..=0x7E).map(move |cell| [row, cell]));
    let behind = |set: u8| places().map(move |place| [&b"\x1B$("[..], &[set], &place[..], &b"\x1B(B"[..]].concat());
    match charset.name() {
        "iso-2022-jp-3" => behind(b'O').chain(behind(b'P')).collect(),
        "iso-2022-jp-2004" => behind(b'Q').chain(behind(b'P')).collect(),
        _ => places().map(|[row, cell]| vec![0x8F, row | 0x80, cell | 0x80]).collect(),
    }
}

/// Sums up what septet reads where it has to read what Python reads.
fn sum_of(row: &[String]) -> u64 {
    let (charset, explained) = (charset(&row[0]), Explained::of(&row[0], &row[1]));
    let all = match &*row[2] {
        "octets" => octets_of(charset),
        "planes" => planes_of(charset),
        _ => characters_of(charset),
    };
    let pairs = all.iter().map(|octets| [hex(octets), read(charset, octets).unwrap_or_default()]);
    let held: Vec<_> = pairs.filter(|[octets, _]| !explained.covers(octets)).collect();
    sum(held.iter().flatten().map(String::as_str))
}

/// `SEPTET_NIGHTLY=1 BLESS=1` writes the sums, once Python agrees; `SEPTET_NIGHTLY=1` says which octets differ.
#[test]
fn octets_mean_what_they_meant_when_python_agreed() {
    let codecs = rows("codecs.tsv").into_iter().filter(|row| row[2] != "iconv");
    let mut found = String::from("# Charset, Python's codec, and the sum of what septet read when both agreed.\n\n");
    for row in codecs {
        found += &format!("{}\t{}\t{:016x}\n", row[0], row[1], sum_of(&row));
    }
    let path = septet_support::fixture("coding/charset/python.tsv");
    match std::env::var_os("BLESS").is_some_and(|_| septet_support::nightly()) {
        true => std::fs::write(path, found).expect("it is written"),
        false => assert_eq!(std::fs::read_to_string(path).expect("the table"), found),
    }
}

/// Has iconv read octets; none where it isn't glibc's or lacks the charset.
fn iconv(codec: &str, octets: &[u8]) -> Option<String> {
    let mut child = Command::new("iconv")
        .args(["-f", codec, "-t", "UTF-8"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(octets).ok()?;
    let out = child.wait_with_output().ok()?;
    out.status.success().then(|| String::from_utf8(out.stdout).ok())?
}

#[test]
fn octets_mean_what_glibc_says() {
    for row in rows("codecs.tsv").iter().filter(|row| row[2] == "iconv") {
        let Some(_) = iconv(&row[1], b"") else { return println!("skipped: there is no iconv that has {}", row[1]) };
        let charset = charset(&row[0]);
        let known: Vec<u8> = (0..=255).filter(|octet| charset.decode(&[*octet]).is_ok()).collect();
        assert_eq!(charset.decode(&known).ok().as_deref(), iconv(&row[1], &known).as_deref(), "{charset}");
    }
}

/// The planes of CNS 11643 are read from Big5, by runs; glibc has tables of its own.
#[test]
fn cns_means_what_glibc_says() {
    if iconv("EUC-TW", b"").is_none() {
        return println!("skipped: there is no iconv that has EUC-TW");
    }
    let mut explained = Explained::of("iso-2022-cn", "EUC-TW");
    for (plane, before, after) in [(1, &b"\x1B$)G\x0E"[..], &b""[..]), (2, b"\x1B$*H", b"\x1BN")] {
        let mut known = 0;
        for row in 0x21..=0x7E {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for cell in 0x21..=0x7E {
                let octets = [before, after, &[row, cell]].concat();
                if let Some(text) = read(Charset::ISO_2022_CN, &octets) {
                    theirs.extend([0x8E, 0xA0 + plane, row | 0x80, cell | 0x80]);
                    ours.push((hex(&[plane, row, cell]), text));
                }
            }
            let theirs = iconv("EUC-TW", &theirs).expect("glibc has what we have");
            assert_eq!(theirs.chars().count(), ours.len());
            known += ours.len();
            for ((octets, ours), theirs) in ours.into_iter().zip(theirs.chars()) {
                explained.compare(octets, Some(&ours), Some(&format!("{:X}", u32::from(theirs))));
            }
        }
        // That many glibc has in each plane, 37 of them, which Big5 lacks, listed one by one.
        assert_eq!(known, if plane == 1 { 5867 } else { 7650 });
    }
    explained.check("EUC-TW");
}
