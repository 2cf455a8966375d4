//! What the public interface can't show: the table is Unicode's, and the classes are mail's.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::class::{class, opening};
use super::term::LinkTerm;
use super::{FindOptions, find};

/// Where Unicode's files are, if they are anywhere.
fn data() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var("SEPTET_DATA").unwrap_or_else(|_| beside.to_owned());
    let folder = PathBuf::from(folder).join("unicode");
    folder.is_dir().then_some(folder)
}

/// Returns the lines of a Unicode data file: the code points of its first field, and its second field.
fn rows(name: &str) -> Option<Vec<(u32, u32, String)>> {
    let text = std::fs::read_to_string(data()?.join(name)).ok()?;
    Some(text.lines().filter_map(row).collect())
}

fn row(line: &str) -> Option<(u32, u32, String)> {
    let (codes, value) = line.split('#').next().and_then(|line| line.split_once(';'))?;
    let (first, last) = codes.split_once("..").unwrap_or((codes, codes));
    let [first, last] = [first, last].map(|code| u32::from_str_radix(code.trim(), 16).expect("a code point"));
    Some((first, last, value.trim().to_owned()))
}

/// Writes the table's source from Unicode's files.
fn generated() -> Option<String> {
    let mut ranges = rows("LinkTerm.txt")?;
    ranges.sort();
    let mut soft: Vec<(u32, u32)> = Vec::new();
    for (first, last, _) in ranges.into_iter().filter(|(first, _, class)| *first >= 0x80 && class == "Soft") {
        match soft.last_mut() {
            Some(previous) if previous.1 + 1 == first => previous.1 = last,
            _ => soft.push((first, last)),
        }
    }
    let mut brackets = rows("LinkBracket.txt")?;
    brackets.sort();
    let mut out = String::from(HEAD);
    writeln!(out, "#[rustfmt::skip]\npub(super) const SOFT: [(u32, u32); {}] = [", soft.len()).ok()?;
    for row in soft.chunks(6) {
        let cells: Vec<_> = row.iter().map(|(first, last)| format!("(0x{first:X}, 0x{last:X})")).collect();
        writeln!(out, "    {},", cells.join(", ")).ok()?;
    }
    writeln!(out, "];\n\n/// Closing brackets, in order, and what opens them.").ok()?;
    writeln!(out, "#[rustfmt::skip]\npub(super) const BRACKETS: [(char, char); {}] = [", brackets.len()).ok()?;
    for row in brackets.chunks(4) {
        let cells: Vec<_> =
            row.iter().map(|(close, _, open)| format!("('\\u{{{close:X}}}', '\\u{{{open}}}')")).collect();
        writeln!(out, "    {},", cells.join(", ")).ok()?;
    }
    writeln!(out, "];").ok()?;
    Some(out)
}

const HEAD: &str = "//! What no category says of Link_Term of UTS #58, Unicode 17.0, outside ASCII, and Link_Bracket.
//!
//! Made from LinkTerm.txt and LinkBracket.txt by the test `the_table_is_unicodes` beside it (`BLESS=1`, with
//! `SEPTET_DATA` naming the folder that has `unicode/`).
//!
//! © 2025 Unicode®, Inc. Unicode and the Unicode Logo are registered trademarks of Unicode, Inc. in the U.S. and
//! other countries. Used under the Unicode License V3; NOTICE has its text.

/// First and last code point of what is Soft; sorted.
";

#[test]
fn the_table_is_unicodes() {
    let Some(generated) = generated() else { return println!("skipped: Unicode's files are not here") };
    if std::env::var_os("BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/iri/find/table.rs");
        std::fs::write(path, &generated).expect("the table is written");
    } else {
        assert!(generated == include_str!("table.rs"), "table.rs is not what the files give; run with BLESS=1");
    }
}

/// Where mail differs from UTS #58, by range: everything else must be as the table says.
#[test]
fn the_classes_differ_only_where_mail_does() {
    let Some(rows) = rows("LinkTerm.txt") else { return println!("skipped: Unicode's files are not here") };
    let mut unicode = vec!["Hard".to_owned(); 0x11_0000];
    for (first, last, class) in rows {
        unicode[first as usize..=last as usize].fill(class);
    }
    // The categories are those of Unicode 18.0.
    let mut new = 0;
    for character in '\0'..=char::MAX {
        let code = u32::from(character);
        match (class(character), unicode[code as usize].as_str()) {
            _ if is_other_in_mail(code) => {}
            (LinkTerm::Include, "Hard") => new += 1,
            (is, unicodes) => assert_eq!(format!("{is:?}"), unicodes, "U+{code:04X}"),
        }
    }
    assert_eq!(new, 13_007);
    assert_eq!(class('\u{E0100}'), LinkTerm::Include);
    assert_eq!(class('\u{2026}'), LinkTerm::Soft);
    assert_eq!(opening('）'), Some('（'));
}

fn is_other_in_mail(code: u32) -> bool {
    matches!(code, 0x22 | 0x3C | 0x3E | 0x5B..=0x5E | 0x60 | 0x7B..=0x7D | 0xAD | 0x61C | 0x200B | 0x200E | 0x200F | 0x2026 | 0x202A..=0x202E
        | 0x2060 | 0x2066..=0x2069 | 0x3001 | 0x3002 | 0xFEFF | 0xFF01 | 0xFF0C | 0xFF0E | 0xFF1A | 0xFF1B | 0xFF1F
        | 0xFFF9..=0xFFFD | 0xE0001 | 0xE0020..=0xE007F)
}

#[test]
fn a_text_of_soft_breaks_is_no_link() {
    let options = FindOptions { flowed: true, delsp: true, ..FindOptions::default() };
    for (count, breaks) in [(3, Some(3)), (16, Some(16)), (17, None), (20_000, None)] {
        let lines = format!("http://é.org/é{}\nend\n", " \nhttp".repeat(count));
        assert_eq!(find(&lines, options).next().map(|found| found.breaks.len()), breaks, "{count}");
    }
}

fn odd(text: &str, options: FindOptions) -> Vec<String> {
    find(text, options).only_odd().map(|found| found.iri(text).into_owned()).collect()
}

#[test]
fn what_is_passed_over_is_plain() {
    for (text, links) in [
        ("http://e.org/a é https://e.org/?a&amp;b\tx", &[][..]),
        ("http://e.org/é http://e.org/a", &["http://e.org/é"]),
        ("http://e.org/a,http://e.org/é", &["http://e.org/a", "http://e.org/é"]),
        ("é:http://e.org (http://e.org)", &["http://e.org", "http://e.org"]),
        ("http://xn--9ca.org/ http://a%C3%A9.org/", &["http://xn--9ca.org/", "http://a%C3%A9.org/"]),
        ("http://e.org<http://a\n/é>", &["http://e.org", "http://a/é"]),
        ("<URL:http://a\n/é>", &["http://a/é"]),
    ] {
        assert_eq!(odd(text, FindOptions::default()), links, "{text}");
    }
    let flowed = FindOptions { flowed: true, delsp: true, ..FindOptions::default() };
    assert_eq!(odd("http://e.org/ \né", flowed), ["http://e.org/é"]);
}
