//! Content, from a client through both ends of a relay.

use septet::protocol::smtp::{
    Client, DataReader, DataWriter, Event, Expected, LineEndPolicy, MailCommand, Path, RcptCommand, Reply, Session,
    SessionOptions, SmtpDialect,
};

/// Sends content whatever it is through a client, a session and a writer, and panics where it does not arrive. For
/// fuzzing.
pub fn fuzz_smtp_content(input: &[u8]) {
    let meant = with_crlf(input);
    for size in [input.len().max(1), 1, 5] {
        let wire = written(input, size);
        assert_one_end(&wire);
        for policy in [LineEndPolicy::Reject, LineEndPolicy::Repair] {
            assert_eq!(read(&wire, size, policy).escape_ascii().to_string(), meant.escape_ascii().to_string());
        }
        assert_eq!(through_session(&wire, size).escape_ascii().to_string(), meant.escape_ascii().to_string());
    }
}

/// Checks that the end of a message stands at the end alone, also for a server that drops NULs, and no CR or LF by
/// itself.
pub(super) fn assert_one_end(wire: &[u8]) {
    let shown = wire.escape_ascii();
    assert!(wire.ends_with(b".\r\n"), "{shown}");
    let lines = [b"\r\n", wire].concat();
    let without_nuls: Vec<u8> = lines.iter().copied().filter(|&octet| octet != 0).collect();
    for read in [&lines, &without_nuls] {
        let ends = read.windows(5).filter(|window| window == b"\r\n.\r\n").count();
        assert_eq!(ends, 1, "{shown}");
    }
    let octets: Vec<&[u8]> = lines.split(|&octet| octet == b'\n').collect();
    let (last, before) = octets.split_last().expect("one at least");
    assert!(last.is_empty(), "{shown}");
    for line in before {
        let at = line.iter().position(|&octet| octet == b'\r');
        assert_eq!(at, line.len().checked_sub(1), "{shown}");
    }
}

/// Makes every line end CRLF and adds a last one, octet by octet.
fn with_crlf(input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, &octet) in input.iter().enumerate() {
        match octet {
            b'\r' => out.extend(b"\r\n"),
            b'\n' if at > 0 && input[at - 1] == b'\r' => {}
            b'\n' => out.extend(b"\r\n"),
            other => out.push(other),
        }
    }
    if !out.is_empty() && !out.ends_with(b"\n") {
        out.extend(b"\r\n");
    }
    out
}

fn written(content: &[u8], size: usize) -> Vec<u8> {
    let (mut writer, mut out) = (DataWriter::default(), Vec::new());
    content.chunks(size).for_each(|piece| writer.write(piece, &mut out));
    writer.finish(&mut out);
    out
}

fn read(wire: &[u8], size: usize, policy: LineEndPolicy) -> Vec<u8> {
    let (mut reader, mut out, mut used) = (DataReader::data(policy, 0), Vec::new(), 0);
    wire.chunks(size).for_each(|piece| used += reader.read(piece, &mut out));
    assert!(reader.is_over() && used == wire.len() && reader.fault().is_none() && reader.size() == out.len() as u64);
    out
}

/// Sends a message with our client to our session, and returns the content that the session gave.
fn through_session(wire: &[u8], size: usize) -> Vec<u8> {
    let mut session = Session::new(SmtpDialect::Lmtp, SessionOptions::default());
    let (mut client, mut commands) = (Client::new(SmtpDialect::Lmtp), Vec::new());
    let path = Path::read(b"<a@b.example>").expect("an address");
    client.hello("c.example", &mut commands);
    client.mail(&MailCommand { path: path.clone(), ..MailCommand::default() }, &mut commands);
    client.rcpt(&RcptCommand { path, ..RcptCommand::default() }, &mut commands);
    client.data(&mut commands);
    let mut replies = Vec::new();
    session.greeting().write(&mut replies);
    let mut content = Vec::new();
    let mut steps = vec![&commands[..]];
    steps.extend(wire.chunks(size));
    steps.iter().for_each(|piece| feed(&mut session, piece, &mut replies, &mut content));
    let mut codes = Vec::new();
    while !replies.is_empty() {
        let (used, answer) = client.receive(&replies).expect("replies of ours");
        codes.push(answer.as_ref().expect("a reply").1.code);
        if answer.expect("a reply").0 == Expected::Data {
            client.end(&mut Vec::new());
        }
        replies.drain(..used);
    }
    assert_eq!((codes, client.expected()), (vec![220, 250, 250, 250, 354, 250], 0));
    content
}

fn feed(session: &mut Session, piece: &[u8], replies: &mut Vec<u8>, content: &mut Vec<u8>) {
    let mut used = 0;
    loop {
        let received = session.receive(&piece[used..], replies);
        used += received.used;
        match received.event {
            None => break,
            Some(Event::Content(piece)) => content.extend(piece),
            Some(Event::Data) => session.answer(&Reply::new(354, "go on"), replies),
            Some(Event::End(end)) => {
                assert!(end.fault.is_none() && end.size == content.len() as u64, "{end:?}");
                session.answer(&Reply::new(250, "taken"), replies);
            }
            Some(_) => session.answer(&Reply::new(250, "well"), replies),
        }
    }
    assert_eq!(used, piece.len());
}
