//! Replies, written and read.

use septet::protocol::smtp::{Keywords, Reply, ReplyError, ReplyReader, SessionOptions, offer};
use septet_support::escapes::octets;

fn read(text: &str, size: usize) -> Result<Option<Reply>, ReplyError> {
    let mut reader = ReplyReader::default();
    for piece in octets(text).chunks(size) {
        let (used, reply) = reader.read(piece)?;
        assert!(used == piece.len() || reply.is_some());
        if reply.is_some() {
            return Ok(reply);
        }
    }
    Ok(None)
}

#[test]
fn replies_are_read_however_they_are_cut() {
    for (text, code, lines) in [
        (r"250 ok\r\n", 250, vec!["ok"]),
        (r"250\r\n", 250, vec![""]),
        (r"250 \r\nrest", 250, vec![""]),
        (r"250 bare\n", 250, vec!["bare"]),
        (r"250-a\r\n250-\r\n250 b\r\n", 250, vec!["a", "", "b"]),
        (r"554-5.7.1 no\n554 5.7.1  way\r\n", 554, vec!["5.7.1 no", "5.7.1  way"]),
    ] {
        for size in [1, 4, 100] {
            let lines = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
            assert_eq!(read(text, size), Ok(Some(Reply { code, lines })), "{text}");
        }
    }
}

#[test]
fn garbage_is_an_error() {
    for (text, clause) in [
        (r"HTTP/1.1 400 Bad Request\r\n", "no reply"),
        (r"\r\n", "no reply"),
        (r"25\r\n", "no reply"),
        (r"250:ok\r\n", "no reply"),
        (r"2500 ok\r\n", "no reply"),
        (r"\xB2\xB50 ok\r\n", "no reply"),
        (r"150 ok\r\n", "the code 150"),
        (r"600 ok\r\n", "the code 600"),
        (r"250-a\r\n251 b\r\n", "the codes 250 and 251"),
        (r"250 \{2100:x}", "a line of a reply over 2048"),
        (r"\{60:250-\{1800:x}\r\n}", "a reply over 65536"),
        (r"\{201:250-x\r\n}", "over 200 lines"),
    ] {
        for size in [1, 700, 1 << 20] {
            let error = read(text, size).expect_err(text).to_string();
            assert!(error.contains(clause), "{text}: {error}");
        }
    }
}

#[test]
fn what_is_written_can_be_said() {
    for (reply, written) in [
        (Reply::new(250, "ok"), r"250 ok\r\n"),
        (Reply::with_status(554, "5.6.0", "a\nb"), r"554-5.6.0 a\r\n554 5.6.0 b\r\n"),
        (Reply::new(250, octets(r"a\r\0\x7F\xFF\xC3\xA9\xC3")), r"250 a????\xC3\xA9?\r\n"),
        (Reply::new(250, octets(r"\{600:x}")), r"250 \{506:x}\r\n"),
        (Reply::new(250, octets(r"x\{300:\xC3\xA9}")), r"250 x\{252:\xC3\xA9}\r\n"),
        (Reply { code: 250, lines: Vec::new() }, r"250 \r\n"),
        (Reply::new(7, "odd"), r"200 odd\r\n"),
    ] {
        let mut out = Vec::new();
        reply.write(&mut out);
        assert_eq!(out.escape_ascii().to_string(), octets(written).escape_ascii().to_string());
    }
}

#[test]
fn keywords_are_read_and_offered() {
    let hop = Keywords::of(&Reply::new(
        250,
        "hop.example hello\nsize 1000\n8BITMIME\nAUTH=LOGIN PLAIN\ndsn\nXFORWARD NAME ADDR",
    ));
    assert!(hop.has("Size") && hop.has("DSN") && !hop.has("hop.example"));
    assert_eq!((hop.size(), hop.arguments("AUTH")), (Some(1000), Some(&b"LOGIN PLAIN"[..])));
    let options = SessionOptions { max_size: 2000, trusted: true, ..SessionOptions::default() };
    let all = offer(&hop, &options).join(", ");
    assert!(all.contains("SIZE 1000, ") && all.contains("DSN, XFORWARD NAME") && !all.contains("AUTH"), "{all}");
    let none = Keywords::of(&Reply::new(250, "hop.example\nSIZE 0\nSTARTTLS\nBINARYMIME\nREQUIRETLS"));
    let all = offer(&none, &SessionOptions::default()).join(", ");
    assert_eq!(all, "PIPELINING, SIZE, ENHANCEDSTATUSCODES, 8BITMIME, SMTPUTF8, CHUNKING");
    assert_eq!(Keywords::of(&Reply::new(502, "no\nSIZE 1")), Keywords::default());
}
