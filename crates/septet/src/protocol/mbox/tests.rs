//! The splitter and the quoting: tables of files, and what holds of every file.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::edit::{EditList, Span};

fn starts_of_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u64> {
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    for piece in pieces {
        let settled = splitter.settled();
        let known = starts.len();
        splitter.feed(piece, &mut starts);
        assert!(starts[known..].iter().all(|&start| settled <= start && start < splitter.settled()));
    }
    splitter.finish(&mut starts);
    starts
}

fn starts(file: &[u8]) -> Vec<u64> {
    starts_of_pieces([file])
}

#[test]
fn the_first_from_of_a_message_that_starts_none_is_noted() {
    let file = b"From a\nA: b\n\nFrom now on, From then\n\nFrom b\nTo: d\n\nFrom c\nTo: f\n\n>From x\n";
    for pieces in 1..file.len() {
        let (mut splitter, mut starts) = (Splitter::new().noting_texts(), Vec::new());
        file.chunks(pieces).for_each(|piece| splitter.feed(piece, &mut starts));
        splitter.finish(&mut starts);
        assert_eq!(starts, [0, 37, 51]);
        assert_eq!(splitter.take_texts(37), Some(vec![13]));
        assert_eq!(splitter.take_texts(99), Some(vec![66]));
    }
    assert_eq!(Splitter::new().take_texts(99), None);
}

const DATED: &str = "From a@example.org Mon Jan  1 00:00:00 2007\n";

/// A file and the lines (from 0) at which its messages start.
const FILES: &[(&str, &str, &[usize])] = &[
    ("empty", "", &[]),
    ("one empty line", "\n", &[]),
    ("no From_ line", "Subject: x\n\nFrom now on\n", &[]),
    ("one message", "From a Mon Jan  1 00:00:00 2007\nSubject: x\n\nbody\n", &[0]),
    ("first line, whatever it says", "From now on\ntext\n", &[0]),
    ("a From_ line alone, no line end", "From a", &[0]),
    ("only From", "From", &[]),
    ("two", "From a\nA: b\n\nFrom b Mon Jan  1 00:00:00 2007\nC: d\n\n", &[0, 3]),
    ("after an empty first line", "\nFrom a\nTo: b\n", &[1]),
    ("no empty line before, a field follows", "From a\nA: b\n\ntext\nFrom b Mon Jan  1 00:00:00 2007\nC: d\n", &[0, 4]),
    ("no empty line before, text follows", "From a\nA: b\n\ntext\nFrom b Mon Jan  1 00:00:00 2007\nC d\n", &[0]),
    ("no empty line before, another date", "From a\nA: b\n\ntext\nFrom b Mon, 1 Jan 2007 00:00:00\nC: d\n", &[0]),
    ("no empty line before, a zone", "From a\nA: b\n\ntext\nFrom b Mon Jan 1 00:00:00 +0100 2007\nC: d\n", &[0, 4]),
    ("right behind a header", "From a\nA: b\nFrom b Mon Jan  1 00:00 2007\nC: d\n", &[0, 2]),
    ("a line of a space is not empty", "From a\nA: b\n \nFrom b Mon Jan  1 00:00:00 2007\nC d\n", &[0]),
    ("prose after an empty line", "From a\nA: b\n\nFrom now on it is well\nNote: this\n\nFrom here: there\nx\n", &[0]),
    ("one word, a field of mail follows", "From a\nA: b\n\nFrom MAILER-DAEMON\nTo: d\n\n", &[0, 3]),
    ("one word, a field of mail and text follow", "From a\nA: b\n\nFrom MAILER-DAEMON\nTo: d\ntext\n", &[0]),
    ("one word, a line with a colon follows", "From a\nA: b\n\nFrom home\nNote: bring pens\nand paper\n", &[0]),
    ("a time in prose, a line with a colon follows", "From a\nA: b\n\nFrom 10:30 to 12:00\nNote: pens\n\n", &[0]),
    ("one word, text follows", "From a\nA: b\n\nFrom MAILER-DAEMON\nHello there: d\n", &[0]),
    ("one word, nothing follows", "From a\nA: b\n\nFrom b\n", &[0]),
    ("no word, a field follows", "From a\nA: b\n\nFrom \nTo: d\n", &[0, 3]),
    ("one word, a quoted From_ line follows", "From a\nA: b\n\nFrom b\n>From c\n", &[0]),
    ("a date in digits, a field follows", "From a\nA: b\n\nFrom b at c 2007-01-01 00:00:00\nTo: d\n", &[0, 3]),
    ("a date of ISO 8601, a field follows", "From a\nA: b\n\nFrom b 2007-01-01T00:00:00Z\nTo: d\n", &[0, 3]),
    ("Thunderbird's", "From a\nA: b\n\nFrom - Mon Jan  1 00:00:00 2007\nX-Mozilla-Status: 0001\n", &[0, 3]),
    ("Eudora's", "From a\nA: b\n\nFrom ???@??? Mon Jan 01 00:00:00 2007\nC: d\n", &[0, 3]),
    (
        "Google Takeout's",
        "From a\nA: b\n\nFrom 1494287492842439811@xxx Tue Mar 15 10:51:34 +0000 2016\nX-GM-THRID: 1\n",
        &[0, 3],
    ),
    ("two digits of a year", "From a\nA: b\n\nFrom a@b Mon Jan  1 00:00 97\nTo: d\n", &[0, 3]),
    ("a time in prose, text follows", "From a\nA: b\n\nFrom 10:30 to 12:00 in 2007\nwe met\n", &[0]),
    ("RFC 5322 date, text follows", "From a\nA: b\n\nFrom b  Thu, 22 Aug 2002 12:36:23 +0100\n\nx\n", &[0, 3]),
    ("list archive's address", "From a\nA: b\n\nFrom joe at example.org  Thu Aug 22 2:36:23 2002\nx\n", &[0, 3]),
    ("remote from", "From a\nA: b\n\nFrom joe Thu Aug 22 12:36 2002 remote from bar\nx\n", &[0, 3]),
    ("time zone", "From a\nA: b\n\nFrom joe Thu Aug 22 12:36:00 MET DST 2002\nx\n", &[0, 3]),
    ("dated, ends the file without line end", "From a\nA: b\n\nFrom b Mon Jan  1 00:00:00 2007", &[0, 3]),
    ("quoted", "From a\nA: b\n\n>From b Mon Jan  1 00:00:00 2007\nC: d\n", &[0]),
    ("no body, no separator", "From a\n\nFrom b\nTo: b\n\n", &[0, 2]),
    ("in lower case", "From a\nA: b\n\nfrom b Mon Jan  1 00:00:00 2007\nC: d\n", &[0]),
    ("byte order mark", "\u{feff}From a\nA: b\n\nFrom b Mon Jan  1 00:00:00 2007\nC: d\n", &[0, 3]),
    ("byte order mark, then text", "\u{feff}x\nFrom b Mon Jan  1 00:00:00 2007\nC d\n", &[]),
    ("byte order mark later", "From a\nA: b\n\n\u{feff}From b Mon Jan  1 00:00:00 2007\nC: d\n", &[0]),
    ("Thunderbird's of today, no empty line", "From a\nA: b\n\nc\nFrom \nX-Mozilla-Status: 0001\nTo: d\n", &[0, 4]),
    ("the same, one field", "From a\nA: b\n\nc\nFrom \nX-Mozilla-Status: 0001\nd\n", &[0]),
    ("the same, no field of mail", "From a\nA: b\n\nc\nFrom \nNote: 1\nOther: 2\n", &[0]),
    (
        "no empty line before, another date, a header",
        "From a\nA: b\n\nc\nFrom b@c Mon, 1 Jan 2007 00:00:00\nTo: c\nC: d\n",
        &[0, 4],
    ),
    ("a date that is none", "From a\nA: b\n\nFrom b@c Dienstag\nTo: c\n d\nC: d\n", &[0, 3]),
    ("a date that is none, a field of mail alone", "From a\nA: b\n\nFrom b@c Dienstag\nTo: c\n\nd\n", &[0]),
    ("prose, and a header", "From a\nA: b\n\nFrom Bob I have this:\nSubject: x\nTo: c\n", &[0]),
    ("a name, and a header, no empty line", "From a\nA: b\n\nc\nFrom Bob\nSubject: x\nTo: c\n", &[0]),
    ("a line of UUCP between", "From a\nA: b\n\nc\nFrom u@v\n>From w Mon remote from x\nSubject: x\nTo: c\n", &[0, 4]),
    ("octets 0 and prose", "From a\nA: b\n\ntex\0\0From now on\nTo: c\nC: d\n", &[0]),
    ("a tab before it folds a field", "From a\nA: b\n\tFrom b@c Mon Jan  1 00:00:00 2007\nTo: c\nC: d\n", &[0]),
    ("a field of an odd form", "From a\nTo: b\nFrom : c\nTo: c\nC: d\n", &[0]),
    (
        "a patch of git in a message",
        "From a\nA: b\n\nFrom 1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\nFrom: d\nSubject: x\n",
        &[0],
    ),
    (
        "patches of git",
        "From 1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\nFrom: d\n\nFrom \
         2f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\nFrom: d\n",
        &[0, 3],
    ),
    ("NUL and 8-bit", "From a\nA: \0\n\nFrom \u{fc}@\0 Mon Jan  1 00:00:00 2007\nC: d\n", &[0, 3]),
];

#[test]
fn tells_from_lines_from_text_in_lf_crlf_and_mixtures() {
    for (name, file, lines) in FILES {
        let crlf = file.replace('\n', "\r\n");
        let mixed: String = file.split_inclusive('\n').enumerate().map(|(i, line)| every_second(i, line)).collect();
        for (form, file) in [("LF", *file), ("CRLF", &crlf), ("mixed", &mixed)] {
            let at: Vec<u64> = file.split_inclusive('\n').scan(0, |at, line| Some(offset(at, line))).collect();
            let mark: u64 = if file.starts_with('\u{feff}') { 3 } else { 0 };
            let expected: Vec<u64> = lines.iter().map(|&line| at[line].max(mark)).collect();
            assert_eq!(starts(file.as_bytes()), expected, "{name}, {form}");
            assert_eq!(starts_of_pieces(file.as_bytes().chunks(1)), expected, "{name}, {form}, one by one");
            assert_eq!(starts_of_pieces(file.as_bytes().chunks(7)), expected, "{name}, {form}, by sevens");
        }
    }
}

fn every_second(i: usize, line: &str) -> String {
    if i.is_multiple_of(2) { line.replace('\n', "\r\n") } else { line.to_owned() }
}

fn offset(at: &mut u64, line: &str) -> u64 {
    let start = *at;
    *at += line.len() as u64;
    start
}

/// No writer quotes `From ` there, so a sender could make a message of his own text.
#[test]
fn behind_octets_that_nobody_quotes_nothing_starts() {
    for before in ["text\0\0\0", "text\n\0", "text\n\x0c", "text\n\n\x0c\x0c", "text\x0c", "text\n\t"] {
        let file = format!("{DATED}A: b\n\n{before}{DATED}To: c\nC: d\n\n");
        assert_eq!(starts(file.as_bytes()).len(), 1, "{before:?}");
    }
}

#[test]
fn takes_no_line_over_1000_octets_for_a_from_line() {
    for (length, expected) in [(1000, 2), (1001, 1)] {
        let line = format!("{:x<1$}", "From a Mon Jan  1 00:00:00 2007 ", length - 1);
        let file = format!("{DATED}A: b\n\n{line}\nC: d\n");
        assert_eq!(starts(file.as_bytes()).len(), expected, "{length} octets");
        assert_eq!(starts_of_pieces(file.as_bytes().chunks(1)).len(), expected, "{length} octets, one by one");
    }
}

#[test]
fn finds_a_start_far_behind_a_giant_line() {
    let file = [DATED.as_bytes(), b"A: b\n\n", &vec![b'x'; 3 << 20], b"\n\n", DATED.as_bytes(), b"A: b\n"].concat();
    let expected = [0, (file.len() - DATED.len() - 5) as u64];
    assert_eq!(starts(&file), expected);
    assert_eq!(starts_of_pieces(file.chunks(4097)), expected);
}

#[test]
fn parts_an_item_into_from_line_content_and_separator() {
    for (raw, from_line, content, separator) in [
        ("From a\nA: b\n\nc\n\n", "From a\n", "A: b\n\nc\n", "\n"),
        ("From a\r\nA: b\r\n\r\nc\r\n\r\n", "From a\r\n", "A: b\r\n\r\nc\r\n", "\r\n"),
        ("From a\nA: b\n\nc\n\n\n", "From a\n", "A: b\n\nc\n\n", "\n"),
        ("From a\nA: b\n\nc\n", "From a\n", "A: b\n\nc\n", ""),
        ("From a\nA: b\n\nc", "From a\n", "A: b\n\nc", ""),
        ("From a\nA: b\n\n", "From a\n", "A: b\n", "\n"),
        ("From a\n\n", "From a\n", "", "\n"),
        ("From a\n", "From a\n", "", ""),
        ("From a", "From a", "", ""),
        ("A: b\n\nc\n\n", "", "A: b\n\nc\n", "\n"),
        ("\u{feff}From a\nA: b\n", "\u{feff}From a\n", "A: b\n", ""),
        ("\u{feff}A: b\n", "", "\u{feff}A: b\n", ""),
    ] {
        let item = MboxMessage::of(raw.as_bytes());
        let pieces = [item.from_line, item.content, item.separator].map(|piece| str::from_utf8(piece).expect("text"));
        assert_eq!(pieces, [from_line, content, separator], "{raw:?}");
    }
}

#[test]
fn takes_one_mark_and_gives_it_back() {
    for (quoted, unquoted) in [
        ("a\n>From b\n>>From c\n>from d\n> From e\n>From\n", "a\nFrom b\n>From c\n>from d\n> From e\n>From\n"),
        (">From a\n", "From a\n"),
        ("a >From b\n", "a >From b\n"),
        ("a\r\n>From b\r\n", "a\r\nFrom b\r\n"),
        (">>>>From ", ">>>From "),
    ] {
        assert_eq!(unquote(quoted.as_bytes()), unquoted.as_bytes());
        assert_eq!(quote(unquoted.into()), quoted.as_bytes());
    }
}

fn edit(message: &[u8], old: &str, new: &str) -> EditList {
    let mut edits = EditList::new();
    let at = memchr::memmem::find(message, old.as_bytes()).expect("the text to edit is there");
    edits.push(Span::new(at, at + old.len()), new).expect("one edit");
    edits
}

#[test]
fn quotes_what_an_edit_set_free_and_keeps_the_rest() {
    for (raw, old, new, expected) in [
        ("From a\nA: b\n\n>From x\nc\n\n", "c", "From c", "From a\nA: b\n\n>From x\n>From c\n\n"),
        ("From a\nA: b\n\nxy\n\n", "x", "From ", "From a\nA: b\n\n>From y\n\n"),
        ("From a\nA: b\n\nxFrom y\n\n", "x", "", "From a\nA: b\n\n>From y\n\n"),
        ("From a\nA: b\n\nc\n\n", "c\n", "d", "From a\nA: b\n\nd\n\n"),
        ("From a\r\nA: b\r\n\r\nc\r\n\r\n", "c\r\n", "d", "From a\r\nA: b\r\n\r\nd\r\n\r\n"),
        ("From a\nA: b\n\nc", "c", "d", "From a\nA: b\n\nd"),
        // Not mboxrd: the bare line stays bare, the quoted one quoted.
        ("From a\nA: b\n\nFrom now on\n>From x\nc\n\n", "c", "d", "From a\nA: b\n\nFrom now on\n>From x\nd\n\n"),
        // Not mboxrd, and what the edit sets free is quoted, whatever a reader takes for a From_ line.
        (
            "From a\nA: b\n\nFrom now on\n>From x\nc\n\n",
            "c",
            "From x@y",
            "From a\nA: b\n\nFrom now on\n>From x\n>From x@y\n\n",
        ),
        ("From a\nA: b\n\nFrom now on\n=From x\n\n", "=", "", "From a\nA: b\n\nFrom now on\n>From x\n\n"),
        ("From a\nA: b\n\nFrom now on\nxFrom y\n\n", "x", "\n", "From a\nA: b\n\nFrom now on\n\n>From y\n\n"),
        (
            "From a\nA: b\n\nFrom now on\nc\n\n",
            "c",
            "From x@y Sat Nov 21 10:00:00 2026\n",
            "From a\nA: b\n\nFrom now on\n>From x@y Sat Nov 21 10:00:00 2026\n\n\n",
        ),
        // A field of this odd form stays one; a line that is another one now is quoted, and so is one that comes twice.
        ("From a\nFrom : b\n\nc\n\n", "b", "d", "From a\nFrom : d\n\nc\n\n"),
        ("From a\nFrom : b\n\nc\n\n", "From : b", "From : d", "From a\nFrom : d\n\nc\n\n"),
        ("From a\nA: b\n\nx\nFrom now on\nc\n\n", "now", "then", "From a\nA: b\n\nx\n>From then on\nc\n\n"),
        (
            "From a\nA: b\n\nFrom x\nc\n\n",
            "From x\nc",
            "From x\nd\n\nFrom x",
            "From a\nA: b\n\nFrom x\nd\n\n>From x\n\n",
        ),
        ("From a\nA: b\n\nx\nFrom x\nc\n\n", "c", "\nFrom x", "From a\nA: b\n\nx\nFrom x\n\n>From x\n\n"),
        // Not mboxrd, and the edit would make a second message of it.
        ("From a\nA: b\n\nFrom now\nc\n\n", "c", "To: c", "From a\nA: b\n\n>From now\nTo: c\n\n"),
    ] {
        let item = MboxMessage::of(raw.as_bytes());
        let message = item.message();
        let out = item.rewritten(&message, &edit(&message, old, new));
        assert_eq!(String::from_utf8_lossy(&out), expected, "{raw:?}");
    }
}

/// Octets out of the words that matter, so that random files have every kind of From_ line.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "From ",
        ">",
        "From",
        "F",
        "\n",
        "\n\n",
        "\r\n",
        "\r\n\r\n",
        "\r",
        "a@example.org",
        " Mon Jan  1 00:00:00 2007",
        "Subject: x\n",
        "Name",
        ":",
        " ",
        "\0",
        "\x0c",
        "From ann@x.org Dienstag\n",
        "From 1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\n",
        "X-Mozilla-Status: 0001\n folded\n",
        "From \n",
        "\u{feff}",
        "text\n",
        "From a\nA: b\n\n",
        "12:00",
    ];
    let long = "x".repeat(1100);
    let word = prop_oneof![
        30 => select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => Just(long.into_bytes()),
        1 => vec(any::<u8>(), 0..4),
    ];
    vec(word, 0..60).prop_map(|words| words.concat())
}

/// Says the rule of the splitter again, slowly, over a file held whole.
fn slow_starts(file: &[u8]) -> Vec<u64> {
    let (mut starts, mut after_patch) = (Vec::new(), false);
    for at in (0..file.len()).filter(|at| file[*at..].starts_with(b"From ")) {
        if super::from_line::starts_message(file, at, true, true, after_patch) == Some(true) {
            after_patch = super::from_line::is_patch(file[at..].split(|octet| *octet == b'\n').next().unwrap());
            starts.push(at as u64);
        }
    }
    starts
}

proptest! {
    #[test]
    fn pieces_give_the_same_starts_as_the_whole(file in file(), cuts in vec(1usize..1500, 1..40)) {
        let mut pieces = Vec::new();
        let mut rest = file.as_slice();
        for cut in cuts.iter().cycle() {
            let (piece, after) = rest.split_at(rest.len().min(*cut));
            pieces.push(piece);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        let expected = slow_starts(&file);
        prop_assert_eq!(starts_of_pieces(pieces), expected.clone());
        prop_assert_eq!(starts_of_pieces(file.chunks(1)), expected);
    }

    #[test]
    fn items_are_all_of_the_file(file in file()) {
        let bounds: Vec<usize> = starts(&file).into_iter().map(|start| start as usize).chain([file.len()]).collect();
        let mut out = file[..bounds[0]].to_vec();
        for ends in bounds.windows(2) {
            let item = MboxMessage::of(&file[ends[0]..ends[1]]);
            prop_assert!(!item.from_line.is_empty());
            let message = item.message();
            out.extend(item.rewritten(&message, &EditList::new()));
        }
        prop_assert_eq!(out, file);
    }

    #[test]
    fn quoting_is_undone(content in file()) {
        let quoted = quote(content.clone());
        prop_assert!(!super::quote::has_bare_line(&quoted));
        prop_assert_eq!(&*unquote(&quoted), &content[..]);
    }

    #[test]
    fn an_edited_item_stays_one_message(content in file(), with in file(), at in any::<prop::sample::Index>()) {
        let raw = [DATED.as_bytes(), &content].concat();
        let starts = starts(&raw);
        let raw = &raw[..starts.get(1).map_or(raw.len(), |&next| next as usize)];
        let item = MboxMessage::of(raw);
        let message = item.message();
        let mut edits = EditList::new();
        edits.push(Span::empty(at.index(message.len() + 1)), with).expect("one edit");
        let out = item.rewritten(&message, &edits);
        prop_assert_eq!(starts_of_pieces([&out[..]]), [0]);
        if !item.separator.is_empty() {
            prop_assert_eq!(starts_of_pieces([&out[..], DATED.as_bytes()]), [0, out.len() as u64]);
        }
    }
}
