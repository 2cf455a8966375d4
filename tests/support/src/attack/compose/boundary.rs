//! Boundaries: legal ones that look like something else, prefixes of one another, and some that are not legal.

use super::Choices;

const ODD: [&str; 22] = [
    "b", "bb", "b--", "-", "--", "=_x", "'()+_,-./:=?", "From ann", "Subject: x", "Subject", ".", "a b", "b ", "b\t",
    "=2Db", "+AC0-", "\\u'002D'", "&#45;", "b(x)", "a\"b", "0", "abc",
];
const LEGAL: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'()+_,-./:=?";

/// Makes a boundary for a multipart that lies in those of `around`.
pub fn boundary(choices: &mut Choices, around: &[String]) -> String {
    match (choices.below(8), around.last()) {
        (0, Some(outer)) => format!("{outer}x"),
        (1, Some(outer)) => format!("{outer}--"),
        (2, Some(outer)) if outer.len() > 1 && outer.is_ascii() => outer[..outer.len() - 1].to_owned(),
        (3, Some(outer)) => outer.clone(),
        (4, _) => {
            let length = [1, 8, 30, 68, 70, 71, 120][choices.below(7)];
            (0..length).map(|_| char::from(LEGAL[choices.below(LEGAL.len())])).collect()
        }
        _ => choices.of(&ODD).to_owned(),
    }
}
