//! The chain: tables of files, and that pieces and the whole are decided alike.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::{Dialect, Splitter};
use super::*;

/// Follows the chain through a file that comes in pieces, letting go of what is decided.
fn starts<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u64> {
    let (mut splitter, mut chain, mut found, mut starts) = (Splitter::new(), Chain::new(), Vec::new(), Vec::new());
    let (mut held, mut base) = (Vec::new(), 0);
    for piece in pieces.into_iter().map(Some).chain([None]) {
        match piece {
            Some(piece) => splitter.feed(piece, &mut found),
            None => splitter.finish(&mut found),
        }
        held.extend_from_slice(piece.unwrap_or_default());
        chain.add(found.drain(..));
        let known = starts.len();
        let decided = chain.decide(&held, base, splitter.settled(), piece.is_none(), &mut starts);
        assert!(decided >= base, "what was let go is wanted again");
        assert!(starts[known..].iter().all(|&start| base <= start));
        held.drain(..usize::try_from(decided - base).expect("an offset in memory"));
        base = decided;
    }
    starts
}

const FROM: &str = "From a Mon Jan  1 00:00:00 2007\n";

/// Writes a file: `@N` is a From_ line and a Content-Length of N, `@` a From_ line alone.
fn file(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match line.strip_prefix('@').map(str::trim_end) {
            Some("") => out += &format!("{FROM}A: b\n"),
            Some(octets) => out += &format!("{FROM}Content-Length: {octets}\n"),
            None => out += line,
        }
    }
    out
}

/// A file, and which of its From_ lines start a message.
const FILES: &[(&str, &str, &[usize])] = &[
    ("right, nothing hidden", "@4\n\none\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("a message in a message", "@49\n\n@\nfrom inside\n\n@4\n\ntwo\n\n", &[0, 2]),
    ("a message in one whose length is wrong", "@47\n\n@\nfrom inside\n\n@4\n\ntwo\n\n", &[0, 1, 2]),
    ("hidden, and the separator is counted", "@50\n\n@\nfrom inside\n\n@4\n\ntwo\n\n", &[0, 2]),
    ("hidden, up to the end", "@50\n\n@\nfrom inside\n\n", &[0]),
    ("the separator is counted", "@5\n\none\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("no separator", "@4\n\none\n@4\n\ntwo\n", &[0, 1]),
    ("an empty line more", "@4\n\none\n\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("too short", "@3\n\none\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("too long", "@6\n\none\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("beyond the end", "@999999999999999999\n\none\n\n@4\n\ntwo\n\n", &[0, 1]),
    ("no number", "@x\n\none\n\n@\n\ntwo\n\n", &[0, 1]),
    ("an empty body", "@0\n\n\n@0\n\n\n", &[0, 1]),
    ("a header alone", "@4\n@4\n\ntwo\n", &[0, 1]),
    ("a header that ends the file", "@4\n", &[0]),
    ("in mid-message", "@4\n\non", &[0]),
    ("nothing", "", &[]),
];

#[test]
fn follows_lengths_that_are_right_and_no_others() {
    for (name, text, expected) in FILES {
        for text in [file(text), file(text).replace('\n', "\r\n")] {
            if text.contains('\r') && *name != "no number" && *name != "nothing" {
                // The lengths are those of LF.
                continue;
            }
            let lines: Vec<u64> = text.match_indices("From a").map(|(at, _)| at as u64).collect();
            let expected: Vec<u64> = expected.iter().map(|&line| lines[line]).collect();
            assert_eq!(starts([text.as_bytes()]), expected, "{name}");
            assert_eq!(starts(text.as_bytes().chunks(1)), expected, "{name}, one by one");
            assert_eq!(starts(text.as_bytes().chunks(7)), expected, "{name}, by sevens");
        }
    }
}

/// A header that is longer than what is looked at stated a length where a read ended behind it, and none elsewhere.
#[test]
fn how_much_is_there_decides_nothing() {
    let inside = format!("x\n\n{FROM}A: b\n\nfrom inside\n");
    let header = format!("{FROM}Content-Length: {}\n{}\n", inside.len(), "X: y\n".repeat(HEADER / 5));
    let text = format!("{header}{inside}\n{FROM}A: b\n\ntwo\n");
    let lines: Vec<u64> = text.match_indices(FROM).map(|(at, _)| at as u64).collect();
    for size in [text.len(), 100_000, header.len() - 100] {
        assert_eq!(starts(text.as_bytes().chunks(size)), lines, "{size}");
    }
}

#[test]
fn a_doubt_that_is_given_up_ends_as_the_caller_wants() {
    let head = file("@999999\n\n@\nfrom inside\n\n");
    for (believe, expected) in [(false, 2), (true, 1)] {
        let (mut splitter, mut chain, mut found, mut starts) = (Splitter::new(), Chain::new(), Vec::new(), Vec::new());
        let text = format!("{head}{}", "more\n".repeat(1000));
        splitter.feed(text.as_bytes(), &mut found);
        chain.add(found);
        let decided = chain.decide(text.as_bytes(), 0, splitter.settled(), false, &mut starts);
        assert!(chain.is_in_doubt() && decided == head.rfind("From a").expect("a line") as u64);
        chain.give_up(believe);
        chain.decide(text.as_bytes(), 0, splitter.settled(), false, &mut starts);
        assert_eq!(starts.len(), expected);
        assert!(!chain.is_in_doubt());
    }
}

#[test]
fn recognises_what_a_file_shows() {
    let line = "From now on\n";
    for (name, text, expected) in [
        ("nothing", String::new(), Dialect::Mboxrd),
        ("no lengths", file("@\n\none\n\n@\n\ntwo\n\n"), Dialect::Mboxrd),
        ("lengths", file("@4\n\none\n\n@4\n\ntwo\n\n"), Dialect::Mboxcl),
        ("lengths, and a line that is not quoted", file(&format!("@12\n\n{line}\n@4\n\ntwo\n\n")), Dialect::Mboxcl2),
        ("lengths, and one that is", file(&format!("@13\n\n>{line}\n@12\n\n{line}\n")), Dialect::Mboxcl),
        ("a message in a message", file("@50\n\n@\nfrom inside\n\n@4\n\ntwo\n\n"), Dialect::Mboxcl2),
        (
            "one that hides the next, among others",
            file("@50\n\n@\nfrom inside\n\n@\n\none\n\n@\n\ntwo\n\n"),
            Dialect::Mboxrd,
        ),
        ("as many wrong as right", file("@4\n\none\n\n@9\n\ntwo\n\n@4\n\none\n\n"), Dialect::Mboxcl),
        ("more wrong than right", file("@4\n\none\n\n@9\n\ntwo\n\n@9\n\ntwo\n\n"), Dialect::Mboxrd),
    ] {
        assert_eq!(Dialect::recognise(text.as_bytes(), true), expected, "{name}");
    }
    let long = file(&format!("@1000000\n\n{}", "text\n".repeat(1000)));
    assert_eq!(Dialect::recognise(long.as_bytes(), false), Dialect::Mboxcl, "it will be seen whether it is right");
    assert_eq!(Dialect::recognise(long.as_bytes(), true), Dialect::Mboxrd);
}

/// Files out of messages, lengths and lines, right and wrong.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "@4\n\none\n\n", "@9\n\none\n\n", "@50\n\n@\nfrom inside\n\n", "@\n\n", "@0\n\n", "text\n", "\n", "@120\n",
        "\r\n",
    ];
    vec(select(words.to_vec()), 0..30).prop_map(|words| file(&words.concat()).into_bytes())
}

proptest! {
    #[test]
    fn pieces_are_decided_as_the_whole(file in any_file(), size in 1usize..2000) {
        let whole = starts([&file[..]]);
        prop_assert_eq!(starts(file.chunks(size)), whole.clone());
        prop_assert_eq!(starts(file.chunks(1)), whole.clone());
        let (mut splitter, mut lines) = (Splitter::new(), Vec::new());
        splitter.feed(&file, &mut lines);
        splitter.finish(&mut lines);
        prop_assert!(whole.first() == lines.first());
    }
}
