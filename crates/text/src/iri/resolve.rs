//! References against a base (draft-ietf-iri-3987bis-06 §5.5; RFC 3986 §5.2, strict).

use std::borrow::Cow;

use super::component::{Reference, ReferenceError};

/// Resolves a reference; both must be valid, and the base must have a scheme.
///
/// Characters outside ASCII count as unreserved, so nothing is encoded or decoded.
///
/// ```
/// use septet_text::iri::resolve;
///
/// assert_eq!(resolve("http://example.org/a/b", "../é").unwrap(), "http://example.org/é");
/// assert!(resolve("no/scheme", "x").is_err());
/// ```
pub fn resolve(base: &str, reference: &str) -> Result<String, ReferenceError> {
    let base = Reference::parse(base)?;
    if base.scheme.is_none() {
        return Err(ReferenceError { offset: 0, rule: "the base has no scheme" });
    }
    let reference = Reference::parse(reference)?;
    Ok(transform(&base, &reference))
}

/// Puts the target together of what the reference has and what it takes from the base (RFC 3986 §5.2.2).
fn transform(base: &Reference<'_>, reference: &Reference<'_>) -> String {
    let (scheme, authority, path, query) = if reference.scheme.is_some() {
        (reference.scheme(), reference.authority(), without_dots(reference.path()), reference.query())
    } else if reference.host.is_some() {
        (base.scheme(), reference.authority(), without_dots(reference.path()), reference.query())
    } else if reference.path().is_empty() {
        let query = reference.query().or(base.query());
        (base.scheme(), base.authority(), base.path().into(), query)
    } else {
        (base.scheme(), base.authority(), without_dots(&merged(base, reference.path())), reference.query())
    };
    recompose(scheme, authority, &path, query, reference.fragment())
}

/// Returns the reference's path in the place of the base's last segment (RFC 3986 §5.2.3); one that starts with a slash
/// as it is.
fn merged<'a>(base: &Reference<'_>, path: &'a str) -> Cow<'a, str> {
    if path.starts_with('/') {
        return path.into();
    }
    if base.host.is_some() && base.path().is_empty() {
        return format!("/{path}").into();
    }
    let folder = base.path().rfind('/').and_then(|slash| base.path().get(..=slash)).unwrap_or_default();
    format!("{folder}{path}").into()
}

/// Returns a path without its segments `.` and `..` (RFC 3986 §5.2.4), in one pass over the segments.
fn without_dots(path: &str) -> String {
    let mut rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." => {
                // The slash after a first segment stays when the segment goes.
                rooted |= kept.pop().is_some();
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    let joined = kept.join("/");
    if rooted { format!("/{joined}") } else { joined }
}

/// Writes a reference of its components (RFC 3986 §5.3).
fn recompose(
    scheme: Option<&str>,
    authority: Option<&str>,
    path: &str,
    query: Option<&str>,
    fragment: Option<&str>,
) -> String {
    let mut out = String::new();
    // Without an authority a path must not start with two slashes: dots may have stood between them.
    let before_path = if authority.is_none() && path.starts_with("//") { "/." } else { "" };
    let components = [
        ("", scheme, ":"),
        ("//", authority, ""),
        (before_path, Some(path), ""),
        ("?", query, ""),
        ("#", fragment, ""),
    ];
    for (before, component, after) in components {
        if let Some(text) = component {
            out.extend([before, text, after]);
        }
    }
    out
}
