//! What ends a message, and what is made of its lines.

use septet::protocol::smtp::{ContentFault, DataReader, DataWriter, LineEndPolicy};
use septet_support::escapes::octets;
use septet_support::smtp::fuzz_smtp_content;

/// What comes in behind DATA; what it is under `Repair`; the fault under `Reject`. `|` stands before what is not read.
const MESSAGES: &[(&str, &str, Option<ContentFault>)] = &[
    (r".\r\n|QUIT\r\n", "", None),
    (r"a\r\n.\r\n|.\r\n", r"a\r\n", None),
    (r"\r\n.\r\n|", r"\r\n", None),
    (r"..\r\n.\r\n|", r".\r\n", None),
    (r"...\r\n..a\r\n.a\r\n.\r\n|", r"..\r\n.a\r\na\r\n", None),
    (r"a\n.\n.\r\n.\r\n|", r"a\r\n.\r\n.\r\n", Some(ContentFault::BareLf)),
    (r"a\n.\r\n.\r\n|", r"a\r\n.\r\n", Some(ContentFault::BareLf)),
    (r"a\r\n.\nb\r\n.\r\n|", r"a\r\n.\r\nb\r\n", Some(ContentFault::BareLf)),
    (r"a\r.\rb\r\n.\r\n|", r"a\r\n.\r\nb\r\n", Some(ContentFault::BareCr)),
    (r"a\r.\r\nb\r\n.\r\n|", r"a\r\n.\r\nb\r\n", Some(ContentFault::BareCr)),
    (r"a\r\n.\rb\r\n.\r\n|", r"a\r\n.\r\nb\r\n", Some(ContentFault::BareCr)),
    (r"a\r\n.\r\r\nb\r\n.\r\n|", r"a\r\n.\r\n\r\nb\r\n", Some(ContentFault::BareCr)),
    (r"a\r\n.\r\r\n.\r\n|", r"a\r\n.\r\n\r\n", Some(ContentFault::BareCr)),
    (r"a\r\r\n.\r\n|", r"a\r\n\r\n", Some(ContentFault::BareCr)),
    (r"a\n\r\n.\r\n|", r"a\r\n\r\n", Some(ContentFault::BareLf)),
    (r"a\n..\r\n.\r\n|", r"a\r\n..\r\n", Some(ContentFault::BareLf)),
    (r"a\r\n..\n.\r\n.\r\n|", r"a\r\n.\r\n.\r\n", Some(ContentFault::BareLf)),
    (r".\n.\r.\r\n.\r\n|", r".\r\n.\r\n.\r\n", Some(ContentFault::BareLf)),
    (r"a\r\n. \r\n.\r\n|", r"a\r\n \r\n", None),
];

fn read(wire: &[u8], size: usize, policy: LineEndPolicy, limit: u64) -> (Vec<u8>, usize, DataReader) {
    let (mut reader, mut out, mut used) = (DataReader::data(policy, limit), Vec::new(), 0);
    for piece in wire.chunks(size) {
        used += reader.read(piece, &mut out);
    }
    (out, used, reader)
}

#[test]
fn a_message_ends_at_its_end_alone() {
    for (wire, content, fault) in MESSAGES {
        let (message, rest) = wire.split_once('|').expect("an end");
        let (message, all) = (octets(message), octets(&format!("{message}{rest}")));
        for size in 1..=all.len() {
            let (out, used, reader) = read(&all, size, LineEndPolicy::Repair, 0);
            assert_eq!(out.escape_ascii().to_string(), octets(content).escape_ascii().to_string(), "{wire} by {size}");
            assert_eq!((used, reader.fault()), (message.len(), None), "{wire} by {size}");
            assert_eq!(reader.size(), out.len() as u64);
            let (_, used, reader) = read(&all, size, LineEndPolicy::Reject, 0);
            assert_eq!((used, reader.fault(), reader.is_over()), (message.len(), *fault, true), "{wire} by {size}");
        }
    }
}

#[test]
fn no_message_ends_without_its_end() {
    for wire in
        [r"", r".", r".\r", r".\n", r"..\r\n", r"a.\r\n", r"a\r\n.\n", r"a\n.\r\n", r"a\r\n\0.\r\n", r"a\r\n.\r\r\n"]
    {
        let wire = octets(wire);
        for policy in [LineEndPolicy::Reject, LineEndPolicy::Repair] {
            let (_, used, reader) = read(&wire, 3, policy, 0);
            assert_eq!((used, reader.is_over()), (wire.len(), false), "{}", wire.escape_ascii());
        }
    }
}

#[test]
fn what_is_written_has_one_end() {
    for (content, wire) in [
        ("", r".\r\n"),
        (r"a", r"a\r\n.\r\n"),
        (r"a\r\n", r"a\r\n.\r\n"),
        (r".\r\n.", r"..\r\n..\r\n.\r\n"),
        (r"a\n.\nb", r"a\r\n..\r\nb\r\n.\r\n"),
        (r"a\r.\rb\r", r"a\r\n..\r\nb\r\n.\r\n"),
        (r"a\r\r\n.\r\r\n", r"a\r\n\r\n..\r\n\r\n.\r\n"),
        (r"\n.\n", r"\r\n..\r\n.\r\n"),
        (r"\0.\r\n\0\0.a", r".\0.\r\n.\0\0.a\r\n.\r\n"),
        (r"\0\r\n\0\0a\r\n\0", r"\0\r\n\0\0a\r\n\0\r\n.\r\n"),
    ] {
        let content = octets(content);
        for size in 1..=content.len().max(1) {
            let (mut writer, mut out) = (DataWriter::default(), Vec::new());
            content.chunks(size).for_each(|piece| writer.write(piece, &mut out));
            writer.finish(&mut out);
            assert_eq!(out.escape_ascii().to_string(), octets(wire).escape_ascii().to_string(), "by {size}");
        }
        fuzz_smtp_content(&content);
    }
}

/// Every content of these pieces, so that no combination is forgotten.
#[test]
fn every_combination_of_line_ends_and_dots_arrives() {
    const PIECES: [&[u8]; 5] = [b"\r", b"\n", b".", b"a", b"\0"];
    for number in 0..5usize.pow(6) {
        let digits = (0..6).map(|place| number / 5usize.pow(place) % 5);
        let content: Vec<u8> = digits.flat_map(|digit| PIECES[digit]).copied().collect();
        fuzz_smtp_content(&content);
    }
}

#[test]
fn content_is_measured() {
    let wire = octets(r"Subject: x\r\n\r\n..\{2000:y}\r\n\0\r\n.\r\n");
    for size in [1, 7, wire.len()] {
        let (out, _, reader) = read(&wire, size, LineEndPolicy::Reject, 0);
        assert_eq!((reader.size(), reader.longest_line(), reader.has_nul()), (out.len() as u64, 2001, true));
        let (out, used, reader) = read(&wire, size, LineEndPolicy::Reject, 100);
        assert_eq!((out.len(), used, reader.fault()), (100, wire.len(), Some(ContentFault::Size)));
    }
}
