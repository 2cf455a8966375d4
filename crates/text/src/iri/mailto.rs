//! Addresses in mailto (RFC 6068): UTF-8 everywhere, never the document's charset.

use std::ops::Range;

/// Finds the domains of a mailto's addresses, as ranges of the path; nothing between two commas is no address. One
/// without `@` is an error, a lower-case clause.
pub(super) fn domains(path: &str) -> Result<Vec<Range<usize>>, &'static str> {
    let mut domains = Vec::new();
    let mut start = 0;
    for address in path.split(',') {
        match address.rfind('@') {
            Some(at) => domains.push(start + at + 1..start + address.len()),
            None if address.is_empty() => {}
            None => return Err("a mailto address has no \"@\""),
        }
        start += address.len() + 1;
    }
    Ok(domains)
}

#[cfg(test)]
mod tests {
    use super::domains;

    #[test]
    fn finds_the_domain_of_every_address() {
        assert_eq!(domains("a@b.org,\"x@y\"@c.d"), Ok(vec![2..7, 14..17]));
        assert_eq!(domains(""), Ok(vec![]));
        assert!(domains("jörg").is_err());
    }
}
