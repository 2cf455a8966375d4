//! What a next hop might say.

use super::assert_replies;
use septet::protocol::smtp::{Client, Expected, MailCommand, Path, RcptCommand, Reply, ReplyReader, SmtpDialect};

/// What came of a connection: the answers, what was written, and how it ended.
#[derive(Debug, Default, PartialEq)]
struct Played {
    answers: Vec<(Expected, Reply)>,
    out: Vec<u8>,
    error: Option<String>,
}

/// Feeds a client whatever this is, whole and in pieces, and panics where a promise is broken. For fuzzing.
///
/// The first octet chooses the dialect, and whether commands are pipelined.
pub fn fuzz_smtp_client(input: &[u8]) {
    let Some((&setup, input)) = input.split_first() else { return };
    let whole = play(setup, input, input.len().max(1));
    for size in [1, 7, 4096] {
        assert_eq!(play(setup, input, size), whole, "in pieces of {size}");
    }
    whole.answers.iter().for_each(|(_, reply)| assert_handed_on(reply));
    let closes = |(_, (expected, reply)): &(usize, &(Expected, Reply))| reply.closes() || *expected == Expected::Quit;
    if let Some((at, _)) = whole.answers.iter().enumerate().find(closes) {
        assert_eq!(at + 1, whole.answers.len(), "an answer behind the end");
    }
}

fn play(setup: u8, input: &[u8], size: usize) -> Played {
    let mut client = Client::new(if setup & 1 != 0 { SmtpDialect::Lmtp } else { SmtpDialect::Smtp });
    let (mut played, mut unread) = (Played::default(), Vec::new());
    for piece in input.chunks(size) {
        unread.extend_from_slice(piece);
        while !unread.is_empty() {
            match client.receive(&unread) {
                Err(error) => {
                    played.error = Some(error.to_string());
                    return played;
                }
                Ok((used, answer)) => {
                    unread.drain(..used);
                    let Some((expected, reply)) = answer else { break };
                    go_on(&mut client, setup, expected, &reply, &mut played.out);
                    played.answers.push((expected, reply));
                }
            }
        }
    }
    played
}

/// Says what follows a reply: one message after the other.
fn go_on(client: &mut Client, setup: u8, expected: Expected, reply: &Reply, out: &mut Vec<u8>) {
    let path = Path::read(b"<a@b.example>").expect("an address");
    match expected {
        Expected::Greeting => client.hello("c.example", out),
        Expected::Hello | Expected::Reset if client.expected() == 0 => {
            client.mail(&MailCommand { path: path.clone(), ..MailCommand::default() }, out);
            let recipients = if setup & 2 != 0 { 3 } else { 1 };
            let rcpt = RcptCommand { path, ..RcptCommand::default() };
            (0..recipients).for_each(|_| client.rcpt(&rcpt, out));
            client.data(out);
        }
        Expected::Data if reply.is_intermediate() => {
            let accepted = client.accepted();
            client.content(b"Subject: x\r\n\r\n.\r\n", out);
            client.end(out);
            let replies = if setup & 1 != 0 { accepted } else { 1 };
            assert_eq!(client.expected(), replies);
            if replies == 0 {
                client.quit(out);
            }
        }
        Expected::Data => client.reset(out),
        Expected::End(_) if client.expected() == 0 && setup & 4 != 0 => client.quit(out),
        Expected::End(_) if client.expected() == 0 => client.reset(out),
        _ => {}
    }
}

/// Checks that a reply is handed on as one, and that what was made of it stays as it is.
fn assert_handed_on(reply: &Reply) {
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    reply.write(&mut once);
    assert_replies(&once);
    let (used, again) = ReplyReader::default().read(&once).expect("a reply");
    let again = again.expect("a whole one");
    assert_eq!((used, again.code, again.lines.len()), (once.len(), reply.code, reply.lines.len()));
    again.write(&mut twice);
    assert_eq!(once, twice);
}
