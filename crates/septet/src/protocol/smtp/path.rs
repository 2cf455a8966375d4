//! A path: the address of MAIL and RCPT (RFC 5321 §4.1.2).

/// The octets of a path (RFC 5321 §4.5.3.1.3 has 256); longer ones in use are SRS and VERP.
const PATH_LIMIT: usize = 1024;

/// An address of the envelope, without angle brackets and source route; empty for `<>`.
///
/// What is in one can be written between angle brackets and is one address there: no control character, no space, no
/// bracket outside of quotes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Path {
    raw: Vec<u8>,
    /// Where the domain's `@` is.
    at: Option<usize>,
}

impl Path {
    /// Reads a path, with its angle brackets or without; `None` where it is malformed.
    ///
    /// ```
    /// use septet::protocol::smtp::Path;
    ///
    /// let path = Path::read(b"<@a.example,@b.example:\"x> y\"@c.example>").unwrap();
    /// assert_eq!((path.local(), path.domain()), (&b"\"x> y\""[..], Some(&b"c.example"[..])));
    /// assert!(Path::read(b"<a@b.example> SIZE=1").is_none());
    /// assert!(Path::read(b"<a@b.example\r\n>").is_none());
    /// assert!(Path::read(b"<>").unwrap().is_null());
    /// ```
    pub fn read(text: &[u8]) -> Option<Path> {
        let (path, rest) = Path::split(text)?;
        rest.is_empty().then_some(path)
    }

    /// Reads a path at the start of a text, and returns what follows it; whether that may follow, the caller decides.
    /// `None` where the path is malformed, or empty without brackets.
    pub(super) fn split(text: &[u8]) -> Option<(Path, &[u8])> {
        let bracketed = text.strip_prefix(b"<");
        let inner = bracketed.unwrap_or(text);
        let end = end_of(inner, bracketed.is_some())?;
        let path = Path::of(without_route(&inner[..end])?)?;
        let rest = &inner[end..];
        match bracketed.is_some() {
            true => Some((path, &rest[1..])),
            // Without brackets there is no way to write that there is no address.
            false => (!path.is_null()).then_some((path, rest)),
        }
    }

    /// Makes a path of an address without brackets and route; `None` where it is none.
    fn of(raw: &[u8]) -> Option<Path> {
        if raw.len() > PATH_LIMIT || !is_text(raw) {
            return None;
        }
        let at = if raw.is_empty() { None } else { local_end(raw)? };
        let domain = at.map(|at| &raw[at + 1..]);
        domain.is_none_or(is_domain).then(|| Path { raw: raw.to_vec(), at })
    }

    /// Returns the address as it stands between angle brackets.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Returns the local part, quoted if it is.
    pub fn local(&self) -> &[u8] {
        &self.raw[..self.at.unwrap_or(self.raw.len())]
    }

    /// Returns the domain, an address literal with its brackets; none in `<>`, `<Postmaster>` and the like.
    pub fn domain(&self) -> Option<&[u8]> {
        self.at.map(|at| &self.raw[at + 1..])
    }

    /// Returns `true` if it is `<>`, the sender of a bounce.
    pub fn is_null(&self) -> bool {
        self.raw.is_empty()
    }

    /// Returns `true` if nothing in it is beyond ASCII.
    pub fn is_ascii(&self) -> bool {
        self.raw.is_ascii()
    }

    /// Returns this address in another domain; `None` where that is none, or this is `<>`.
    pub fn with_domain(&self, domain: &[u8]) -> Option<Path> {
        Path::of(&[self.local(), b"@", domain].concat())
    }

    /// Writes it with its angle brackets.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(b'<');
        out.extend_from_slice(&self.raw);
        out.push(b'>');
    }
}

/// Returns `true` if a text is UTF-8 without control characters.
fn is_text(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.contains(char::is_control))
}

/// Returns `true` if a text is UTF-8 without spaces and control characters.
pub(super) fn is_graphic(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.contains(|c: char| c.is_control() || c == ' '))
}

/// Finds where a path ends, of which `text` is what follows its bracket: at `>` outside of quotes, or without brackets
/// at a space or at the end. None where it does not end, or a space or bracket stands in it outside of quotes. An octet
/// behind a backslash is not looked at.
fn end_of(text: &[u8], is_bracketed: bool) -> Option<usize> {
    let mut rest = text.iter().enumerate();
    let mut quoted = false;
    while let Some((at, &octet)) = rest.next() {
        match octet {
            b'\\' => drop(rest.next()),
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b' ' if !is_bracketed => return Some(at),
            b'>' if is_bracketed => return Some(at),
            b' ' | b'<' | b'>' => return None,
            _ => {}
        }
    }
    (!is_bracketed && !quoted).then_some(text.len())
}

/// Drops a source route, `@a,@b:` (RFC 5321 appendix C); `None` where there is no address behind it.
fn without_route(text: &[u8]) -> Option<&[u8]> {
    if !text.starts_with(b"@") {
        return Some(text);
    }
    let colon = memchr::memchr(b':', text)?;
    let mut hops = text[..colon].split(|&octet| octet == b',');
    let is_route = hops.all(|hop| hop.strip_prefix(b"@").is_some_and(is_domain));
    Some(&text[colon + 1..]).filter(|address| is_route && !address.is_empty())
}

/// Finds the `@` behind a local part; `Some(None)` where the whole is one, `None` where it is malformed.
fn local_end(raw: &[u8]) -> Option<Option<usize>> {
    let end = match raw.strip_prefix(b"\"") {
        Some(quoted) => end_of_quotes(quoted)? + 2,
        None => raw.iter().position(|octet| SPECIALS.contains(octet)).unwrap_or(raw.len()),
    };
    match raw.get(end) {
        _ if end == 0 => None,
        None => Some(None),
        Some(b'@') => Some(Some(end)),
        Some(_) => None,
    }
}

/// What stands for itself neither in a local part nor in a domain.
const SPECIALS: &[u8] = b" ()<>[]:;@\\,\"";

/// Finds the quote that ends a quoted local part, of which `text` is what follows the first quote; none where it does
/// not end.
fn end_of_quotes(text: &[u8]) -> Option<usize> {
    let mut octets = text.iter().enumerate();
    while let Some((at, octet)) = octets.next() {
        match octet {
            b'\\' => drop(octets.next()),
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns `true` if this can be a domain or an address literal; whether it is one, the next hop decides.
fn is_domain(domain: &[u8]) -> bool {
    let literal = domain.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]"));
    let inner = literal.unwrap_or(domain);
    let mut specials = inner.iter().filter(|octet| SPECIALS.contains(octet));
    !inner.is_empty() && specials.all(|octet| literal.is_some() && *octet == b':')
}
