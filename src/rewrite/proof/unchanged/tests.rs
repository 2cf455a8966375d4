//! What may be left out of a rewritten text, and what a sender could do to have more left out.

use std::collections::BTreeMap;

use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::coding::transfer::quoted_printable;
use crate::edit::EditList;
use crate::rewrite::Profile;
use crate::rewrite::step::Step;

/// Enough lines to be left out.
fn lines(count: usize) -> String {
    (0..count).map(|number| format!("The line {number:03} of a letter that says nothing else.\n")).collect()
}

fn left_out<'t>(was: &str, is: &'t str) -> Vec<&'t str> {
    unchanged_lines(was.as_bytes(), is.as_bytes()).into_iter().map(|at| &is[at]).collect()
}

/// Returns the text without its first and last line.
fn inside(text: &str) -> &str {
    let (start, end) = (text.find('\n').unwrap() + 1, text.trim_end().rfind('\n').unwrap() + 1);
    &text[start..end]
}

#[test]
fn what_stands_is_left_out_but_for_a_line_on_either_side() {
    let (same, was) = (lines(20), "http://example.org/=C3=A9\n");
    let before = [&*same, was, &same, "end"].concat();
    let after = [&*same, "http://example.org/=25C3=\n=25A9\n", &same, "end"].concat();
    assert_eq!(left_out(&before, &after), [inside(&same), inside(&same)]);
}

#[test]
fn what_is_short_stays() {
    let same = lines(5);
    assert_eq!(left_out(&[&*same, "a\n"].concat(), &[&*same, "b\n"].concat()), [""; 0]);
}

#[test]
fn a_line_with_dashes_is_shown_and_so_are_those_beside_it() {
    let same = lines(20);
    let text = [&*same, "not --b\n", &same, "end"].concat();
    assert_eq!(left_out(&text, &text), [inside(&same), inside(&same)]);
}

#[test]
fn nothing_is_found_behind_a_line_that_came() {
    let same = lines(20);
    let (before, after) = (["a\n", &*same].concat(), ["a\nb\n", &*same].concat());
    assert_eq!(left_out(&before, &after), [""; 0]);
}

#[test]
fn lines_that_leave_something_open_are_no_edge() {
    let same = lines(20);
    for open in
        ["the half of an octet =C", "the same, and blanks =A \t", "a soft break behind blanks = B", "=", "1 == 2=4"]
    {
        let text = [open, "\n", &same, open, "\n", &same, "end"].concat();
        for at in unchanged_lines(text.as_bytes(), text.as_bytes()) {
            assert!(
                leaves_nothing_open(text[..at.start].split_inclusive('\n').next_back().unwrap().as_bytes()),
                "{open}"
            );
            assert!(leaves_nothing_open(text[at].split_inclusive('\n').next_back().unwrap().as_bytes()), "{open}");
        }
    }
}

#[test]
fn an_empty_line_closes_nothing() {
    let same = lines(20);
    let text = ["half an octet =C\n\n", &same, "\n", &same, "end"].concat();
    assert_eq!(left_out(&text, &text), [inside(&[&*same, "\n", &same].concat())]);
}

#[test]
fn a_line_that_a_soft_break_before_it_drew_in_is_another() {
    let same = lines(20);
    let (before, after) = (["a\n", &*same, "end"].concat(), ["a=\n", &*same, "end"].concat());
    assert_eq!(left_out(&before, &after), [""; 0]);
}

/// Makes a message of a text, and asks what of it is left out when one word of its first line is another.
fn of_message(header: &str, text: &str, charset: Option<&str>) -> usize {
    let raw = format!("MIME-Version: 1.0\n{header}\n\nold\n{text}");
    let mut new = raw.replace("\nold\n", "\nnew\n");
    if let Some(charset) = charset {
        new = new.replacen("utf-8", charset, 1);
    }
    let profile = Profile::built_in("utf8").unwrap();
    let (message, after) =
        (Message::read(raw.as_bytes(), &profile.limits), Message::read(new.as_bytes(), &profile.limits));
    let (edits, step, proved) = (EditList::new(), Step::default(), BTreeMap::new());
    let claim =
        Claim { message: &message, profile: &profile, edits: &edits, step: &step, hint: &|_| None, proved: &proved };
    claim.unchanged(0, &after).len()
}

#[test]
fn only_lines_that_are_read_for_themselves_and_as_before_are_left_out() {
    let (text, transfer) = (lines(20), "Content-Transfer-Encoding");
    let plain = "Content-Type: text/plain";
    assert_eq!(of_message(&format!("{plain}; charset=utf-8"), &text, None), 1);
    assert_eq!(of_message(&format!("{plain}; charset=utf-8\n{transfer}: quoted-printable"), &text, None), 1);
    assert_eq!(of_message(plain, &text, None), 1);
    for charset in ["iso-2022-jp", "utf-7", "hz-gb-2312", "utf-16", "iso-8859-1", "x-unheard-of"] {
        assert_eq!(of_message(&format!("{plain}; charset={charset}"), &text, None), 0, "{charset}");
        assert_eq!(of_message(&format!("{plain}; charset=utf-8"), &text, Some(charset)), 0, "{charset} after");
    }
    for name in ["base64", "x-uuencode"] {
        assert_eq!(of_message(&format!("{plain}; charset=utf-8\n{transfer}: {name}"), &text, None), 0, "{name}");
    }
    let retyped = format!("{plain}; charset=utf-8; was=utf-8");
    assert_eq!(of_message(&retyped.replace("plain;", "utf-8;"), &text, Some("html")), 0);
}

/// Lines that a sender could set beside lines that stay.
const LINES: [&str; 16] = [
    "a line that says nothing else, and goes on for a while until it ends\n",
    "another one of =C3=A9t=C3=A9, in CRLF, that goes on for a while as well\r\n",
    "http://example.org/=C3=A9\n",
    "soft =\n",
    "soft, with blanks = \t\r\n",
    "half an octet =C\n",
    "half an octet behind blanks = C\r\n",
    "3 of it\n",
    "=3D\n",
    "1==2\n",
    "=G, no digit\n",
    "blanks \t\n",
    "a--b\n",
    "\n",
    "a CR \r alone\n",
    "=\n",
];

fn text() -> impl Strategy<Value = Vec<&'static str>> {
    let stays = prop_oneof![4 => select(&LINES[..2]), 1 => select(&LINES[..])];
    prop::collection::vec(stays, 0..40)
}

/// Reads quoted-printable as either reader does; line ends and blanks before them are compared by nobody.
fn read(text: &[u8]) -> [Option<String>; 2] {
    let ours = quoted_printable::decode(text).bytes.into_owned();
    let shown = |octets: Vec<u8>| String::from_utf8_lossy(&octets).replace('\r', "");
    [Some(shown(ours)), quoted_printable_decode(text).map(shown)]
}

proptest! {
    #[test]
    fn what_is_left_out_is_read_for_itself(was in text(), at in any::<prop::sample::Index>(), new in select(&LINES[..])) {
        let mut is = was.clone();
        if !is.is_empty() {
            let at = at.index(is.len());
            is[at] = new;
        }
        let (was, is) = (was.concat(), is.concat());
        for at in unchanged_lines(was.as_bytes(), is.as_bytes()) {
            let cut = &is[at.clone()];
            prop_assert!(was.contains(cut) && !cut.contains("--"));
            prop_assert!(at.start > 0 && is[..at.start].ends_with('\n') && cut.ends_with('\n') && at.end < is.len());
            let pieces = [&is[..at.start], cut, &is[at.end..]].map(|piece| read(piece.as_bytes()));
            for (reader, whole) in read(is.as_bytes()).into_iter().enumerate() {
                let of = |piece: &[Option<String>; 2]| piece[reader].clone();
                let joined: Option<String> = pieces.iter().map(of).collect();
                prop_assert!(whole.is_none() || joined == whole, "{:?}\n{:?}", joined, whole);
            }
        }
    }
}
