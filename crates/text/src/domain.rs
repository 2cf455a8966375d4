//! Domain names: the ASCII form of one that people wrote in their own script (RFC 5891, UTS #46).
//!
//! The mapping is that of links ([`super::iri`]), so that an address and a link to the same host agree: UTS #46 without
//! its transitional rules, `ß` stays `ß`. Nothing here undoes `%HH`: it is no part of a domain in mail.

use thiserror::Error;

use super::iri::punycode;

/// Returns a domain with its U-labels as A-labels; one in ASCII as it is, without a look at it.
///
/// # Errors
///
/// It is no domain name: a label is empty, too long, or holds what no label may hold.
///
/// ```
/// use septet_text::domain::to_ascii;
///
/// assert_eq!(to_ascii("bücher.example").unwrap(), "xn--bcher-kva.example");
/// assert_eq!(to_ascii("Example.ORG").unwrap(), "Example.ORG");
/// assert!(to_ascii("bü_:cher.example").is_err());
/// ```
pub fn to_ascii(domain: &str) -> Result<String, DomainError> {
    match domain {
        ascii if ascii.is_ascii() => Ok(ascii.to_owned()),
        coded if coded.contains('%') => Err(DomainError("a percent sign stands in it")),
        _ => punycode(domain).map_err(DomainError),
    }
}

/// Why a text is no domain name, as a lower-case clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DomainError(&'static str);
