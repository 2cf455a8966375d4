//! Addresses that are given where a file is wanted, as `s3://bucket/all.mbox`: what to type instead.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::shell;

/// Returns the address that a path is, `scheme://…` (RFC 3986 section 3.1); none where it is none, or a file has that
/// name.
pub fn address_of(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let rest_fits = scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
    let is_address = scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && rest_fits;
    (is_address && !path.exists()).then_some(text)
}

/// Returns the error of a file that can't be opened: where it is an address, one that says how its octets come in
/// through a pipe; any other is returned as it is.
pub fn opening_error(path: &Path, error: io::Error) -> io::Error {
    match address_of(path) {
        Some(address) if error.kind() == ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, way_in(address)),
        _ => error,
    }
}

/// Says how the octets at an address come in.
fn way_in(address: &str) -> String {
    let scheme = address.split(':').next().map(str::to_ascii_lowercase);
    let quoted = shell::word(address);
    let program = match scheme.as_deref() {
        Some("s3") => format!("aws s3 cp {quoted} -"),
        Some("gs") => format!("gcloud storage cat {quoted}"),
        Some("http" | "https" | "ftp") => format!("curl -fsSL {quoted}"),
        Some("file") => return "only files can be opened, by their paths: leave out file://".to_owned(),
        _ => "PROGRAM".to_owned(),
    };
    format!("only files can be opened; pipe it in: {program} | septet … -")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(path: &str) -> String {
        opening_error(Path::new(path), ErrorKind::NotFound.into()).to_string()
    }

    #[test]
    fn an_address_is_no_name_of_a_file() {
        for (address, wanted) in [
            ("s3://mail/a b.mbox", "aws s3 cp 's3://mail/a b.mbox' - | septet … -"),
            ("gs://mail/a", "gcloud storage cat gs://mail/a | septet … -"),
            ("HTTPS://example.org/a?b", "curl -fsSL 'HTTPS://example.org/a?b' | septet … -"),
            ("abfs+x://mail/a", "PROGRAM | septet … -"),
            ("file:///tmp/none", "leave out file://"),
        ] {
            assert!(error(address).ends_with(wanted), "{address}: {}", error(address));
        }
        for path in ["none.mbox", "://a", "1s3://a", "a/b://c", "s3:/a"] {
            assert!(!error(path).contains("only files"), "{path}");
        }
        let denied = opening_error(Path::new("s3://a"), ErrorKind::PermissionDenied.into());
        assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
    }
}
