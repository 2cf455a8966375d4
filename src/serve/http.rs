//! HTTP/1.1 as far as a scraper and a health check need it (RFC 9112): one GET or HEAD, one answer, no more.
//!
//! Reading the head is left to [`httparse`]; what is here is what a server decides on it. A whole server such as
//! hyper would bring chunked bodies, pipelines, upgrades and their history of holes, none of which a few
//! pages want. Every answer closes its connection: a scrape every fifteen seconds saves nothing by keeping it
//! open, and where nothing follows nothing can be smuggled.
//!
//! **Limits**: a head has at most [`HEAD_LIMIT`] octets and [`FIELD_LIMIT`] fields. A body is never read.

/// The octets that a request's head may have.
pub const HEAD_LIMIT: usize = 8 << 10;

/// The fields that a request's head may have.
pub const FIELD_LIMIT: usize = 64;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The path, without scheme, host and query.
    pub path: String,
    /// Whether the answer is wanted without its body.
    pub head: bool,
    /// The host that was asked for, in small letters, without its port and brackets; empty where none was named.
    pub host: String,
}

/// How a request ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Status {
    Ok = 200,
    BadRequest = 400,
    NotFound = 404,
    MethodNotAllowed = 405,
    Misdirected = 421,
    HeadTooLarge = 431,
    Unavailable = 503,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// How it ends.
    pub status: Status,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

/// The media type of plain text.
pub const PLAIN: &str = "text/plain; charset=utf-8";

/// The media type of a page.
pub const HTML: &str = "text/html; charset=utf-8";

impl Request {
    /// Reads the request at the start of `input`; `None` means that more octets are needed, an error how to refuse it.
    pub fn read(input: &[u8]) -> Result<Option<Request>, Status> {
        let mut fields = [httparse::EMPTY_HEADER; FIELD_LIMIT];
        let mut head = httparse::Request::new(&mut fields);
        match head.parse(input.get(..HEAD_LIMIT).unwrap_or(input)) {
            Ok(httparse::Status::Complete(_)) => Request::of_head(&head).map(Some),
            Ok(httparse::Status::Partial) if input.len() < HEAD_LIMIT => Ok(None),
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => Err(Status::HeadTooLarge),
            Err(_) => Err(Status::BadRequest),
        }
    }

    /// Makes a request of a head that is whole, or returns how to refuse it.
    fn of_head(head: &httparse::Request<'_, '_>) -> Result<Request, Status> {
        let hosts = head.headers.iter().filter(|field| field.name.eq_ignore_ascii_case("host")).count();
        // RFC 9112, 3.2: exactly one, but HTTP/1.0 knows none.
        if hosts > 1 || (hosts == 0 && head.version == Some(1)) {
            return Err(Status::BadRequest);
        }
        let path = head.path.and_then(path).ok_or(Status::BadRequest)?;
        let host = head.headers.iter().find(|field| field.name.eq_ignore_ascii_case("host"));
        let host = host_of(host.map_or(&b""[..], |field| field.value));
        match head.method {
            Some(method @ ("GET" | "HEAD")) => Ok(Request { path: path.to_owned(), head: method == "HEAD", host }),
            _ => Err(Status::MethodNotAllowed),
        }
    }
}

/// Returns the path of a target, which may be a whole URI (RFC 9112, 3.2.2); none of a target without one, such as `*`.
fn path(target: &str) -> Option<&str> {
    let path = match target.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest.find('/').map_or("/", |at| &rest[at..]),
        _ => target,
    };
    path.starts_with('/').then(|| path.split_once('?').map_or(path, |(path, _)| path))
}

/// Returns the host of `HOST:PORT` or `[NUMBER]:PORT` (RFC 9110 §7.2).
fn host_of(value: &[u8]) -> String {
    let value = String::from_utf8_lossy(value.trim_ascii()).to_ascii_lowercase();
    match value.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((number, _)) => number.to_owned(),
        None => value.split_once(':').map_or(&value[..], |(host, _)| host).to_owned(),
    }
}

impl Status {
    /// Returns the reason phrase (RFC 9110 §15).
    fn reason(self) -> &'static str {
        match self {
            Status::Ok => "OK",
            Status::BadRequest => "Bad Request",
            Status::NotFound => "Not Found",
            Status::MethodNotAllowed => "Method Not Allowed",
            Status::Misdirected => "Misdirected Request",
            Status::HeadTooLarge => "Request Header Fields Too Large",
            Status::Unavailable => "Service Unavailable",
        }
    }
}

impl Response {
    /// Makes an answer of one line of text.
    pub fn line(status: Status, line: &str) -> Response {
        Response { status, content_type: PLAIN, body: format!("{line}\n") }
    }

    /// Makes the answer to a request that can't be served.
    pub fn refusal(status: Status) -> Response {
        Response::line(status, &status.reason().to_lowercase())
    }

    /// Writes it; `head` leaves the body out.
    pub fn write(&self, head: bool) -> Vec<u8> {
        let (code, reason) = (self.status as u16, self.status.reason());
        let allow = if self.status == Status::MethodNotAllowed { "Allow: GET, HEAD\r\n" } else { "" };
        let mut out = format!(
            "HTTP/1.1 {code} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{allow}\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            self.content_type,
            self.body.len(),
        )
        .into_bytes();
        if !head {
            out.extend_from_slice(self.body.as_bytes());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Option<(String, bool)>, Status> {
        Request::read(text.as_bytes()).map(|request| request.map(|request| (request.path, request.head)))
    }

    #[test]
    fn reads_what_scrapers_send() {
        for (text, path, head) in [
            ("GET /metrics HTTP/1.1\r\nHost: localhost:9891\r\nAccept: text/plain\r\n\r\n", "/metrics", false),
            ("HEAD /health HTTP/1.1\r\nhost: x\r\n\r\n", "/health", true),
            ("GET /health HTTP/1.0\r\n\r\n", "/health", false),
            ("GET /metrics?name[]=up HTTP/1.0\n\n", "/metrics", false),
            ("GET http://localhost:9891/metrics HTTP/1.1\r\nHost: localhost:9891\r\n\r\n", "/metrics", false),
            ("GET http://localhost HTTP/1.0\r\n\r\n", "/", false),
            ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nbody!", "/", false),
        ] {
            assert_eq!(read(text), Ok(Some((path.to_owned(), head))), "{text:?}");
            for cut in 0..text.trim_end_matches("body!").len() {
                assert_eq!(read(&text[..cut]), Ok(None), "{:?}", &text[..cut]);
            }
        }
    }

    #[test]
    fn refuses_the_rest() {
        for (text, status) in [
            ("\0\0\0\x0dO\0\0\0\x06\0\0\x01\u{7f}", Status::BadRequest),
            ("GET /metrics\r\n\r\n", Status::BadRequest),
            ("GET /metrics HTTP/2.0\r\n\r\n", Status::BadRequest),
            ("GET /metrics HTTP/1.1\r\n\r\n", Status::BadRequest),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", Status::BadRequest),
            ("GET metrics HTTP/1.0\r\n\r\n", Status::BadRequest),
            ("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", Status::MethodNotAllowed),
            ("CONNECT localhost:25 HTTP/1.1\r\nHost: x\r\n\r\n", Status::BadRequest),
        ] {
            assert_eq!(read(text), Err(status), "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(HEAD_LIMIT));
        assert_eq!(read(&long), Err(Status::HeadTooLarge));
        let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(FIELD_LIMIT));
        assert_eq!(read(&many), Err(Status::HeadTooLarge));
    }

    #[test]
    fn answers_with_a_length_and_an_end() {
        let answer = Response::refusal(Status::MethodNotAllowed);
        let text = String::from_utf8(answer.write(false)).expect("UTF-8");
        assert!(text.starts_with("HTTP/1.1 405 Method Not Allowed\r\n"), "{text}");
        assert!(text.contains("\r\nAllow: GET, HEAD\r\n") && text.contains("\r\nContent-Length: 19\r\n"), "{text}");
        assert!(text.ends_with("\r\nConnection: close\r\n\r\nmethod not allowed\n"), "{text}");
        assert!(answer.write(true).ends_with(b"\r\n\r\n"));
    }

    proptest! {
        #[test]
        fn takes_whatever_comes(input in proptest::collection::vec(any::<u8>(), 0..9000)) {
            let _ = Request::read(&input);
        }

        #[test]
        fn gives_every_target_a_path_or_a_refusal(target in "[ -~]{0,40}") {
            if let Ok(Some(request)) = Request::read(format!("GET {target} HTTP/1.0\r\n\r\n").as_bytes()) {
                prop_assert!(request.path.starts_with('/') && !request.path.contains('?'));
            }
        }
    }

    #[test]
    fn a_host_is_read_without_its_port() {
        for (value, host) in [
            ("localhost:9891", "localhost"),
            ("MX.example.org", "mx.example.org"),
            ("[::1]:9891", "::1"),
            ("[::1]", "::1"),
            ("127.0.0.1:80", "127.0.0.1"),
            ("", ""),
        ] {
            let head = format!("GET / HTTP/1.1\r\nHost: {value}\r\n\r\n");
            assert_eq!(Request::read(head.as_bytes()).expect("good").expect("whole").host, host, "{value}");
        }
    }
}
