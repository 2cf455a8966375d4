//! What servers offer in their reply to EHLO and LHLO, and what we offer in front of one.

use super::attributes::OF_XFORWARD;
use super::event::SessionOptions;
use super::parameters::number;
use super::reply::Reply;

/// The keywords of a server, each with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keywords(Vec<(String, Vec<u8>)>);

impl Keywords {
    /// Reads the reply to EHLO or LHLO, the first line of which is the server's name; a refusal offers nothing.
    pub fn of(reply: &Reply) -> Keywords {
        if !reply.is_positive() {
            return Keywords::default();
        }
        Keywords(reply.lines.iter().skip(1).filter_map(|line| read_line(line)).collect())
    }

    /// Returns `true` if a keyword is offered.
    pub fn has(&self, name: &str) -> bool {
        self.arguments(name).is_some()
    }

    /// Returns the arguments of a keyword, empty without any; none where it is not offered.
    pub fn arguments(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(name)).map(|(_, arguments)| &arguments[..])
    }

    /// Returns the octets of a message that the server takes; none where it has or names no limit, or what it names is
    /// no number.
    pub fn size(&self) -> Option<u64> {
        self.arguments("SIZE").and_then(number).filter(|&size| size > 0)
    }

    /// Lists the mechanisms of a login that are offered, in upper case, each once. Old servers have a second line,
    /// `AUTH=LOGIN`, for old clients (RFC 4954 says nothing of it).
    pub fn mechanisms(&self) -> Vec<String> {
        let lines = self.iter().filter(|(name, _)| *name == "AUTH").map(|(_, arguments)| arguments);
        let mut mechanisms: Vec<String> = Vec::new();
        for word in lines.flat_map(|line| line.split(|octet| octet.is_ascii_whitespace())) {
            let word = String::from_utf8_lossy(word).to_ascii_uppercase();
            if !word.is_empty() && !mechanisms.contains(&word) {
                mechanisms.push(word);
            }
        }
        mechanisms
    }

    /// Lists the keywords in their order, in upper case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, arguments)| (name.as_str(), &arguments[..]))
    }
}

/// Reads a keyword and its arguments; none where the line has no keyword.
fn read_line(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let line = line.trim_ascii();
    // Old servers write `AUTH=LOGIN`.
    let end = line.iter().position(|octet| matches!(octet, b' ' | b'=' | b'\t')).unwrap_or(line.len());
    let name = std::str::from_utf8(&line[..end]).ok().filter(|name| !name.is_empty())?;
    Some((name.to_ascii_uppercase(), line[end..].get(1..).unwrap_or_default().trim_ascii().to_vec()))
}

/// Lists what we offer in front of a next hop to a client that is served so, as the lines of our reply below our name.
///
/// What the next hop can't take we can turn into what it can (SMTPUTF8, 8BITMIME), or do by ourselves (PIPELINING,
/// CHUNKING, SIZE, status codes); DSN only it can do. STARTTLS and AUTH are between the client and the MTA in front
/// of us, BINARYMIME would need what SMTP can't carry on.
pub fn offer(next_hop: &Keywords, options: &SessionOptions) -> Vec<String> {
    let own = Some(options.max_size).filter(|&size| size > 0);
    let size = own.into_iter().chain(next_hop.size()).min();
    let mut lines = vec!["PIPELINING".to_owned(), size.map_or("SIZE".to_owned(), |size| format!("SIZE {size}"))];
    lines.extend(["ENHANCEDSTATUSCODES", "8BITMIME", "SMTPUTF8", "CHUNKING"].map(str::to_owned));
    if next_hop.has("DSN") {
        lines.push("DSN".to_owned());
    }
    if options.trusted {
        lines.push(format!("XFORWARD {}", OF_XFORWARD.join(" ")));
        // REVERSE_NAME is read, and goes no further.
        lines.push("XCLIENT NAME ADDR PORT PROTO HELO LOGIN DESTADDR DESTPORT".to_owned());
    }
    lines
}
