//! The tree of a message before and after: what must be the same.

use septet::message::{Kind, Message, Part};

/// The fields that a change of a body may ask for, where they were missing.
const MAY_COME: [&str; 3] = ["mime-version", "content-type", "content-transfer-encoding"];
/// The fields that count or sum up the octets of a body, and go when it changes.
const MAY_GO: [&str; 3] = ["content-length", "content-md5", "lines"];

/// What stands before the names of fields that moved, in lower case.
const MOVED: &str = "downgraded-";

/// Finds the first difference between the trees of two messages, and says what it is.
pub fn difference(before: &Message, after: &Message) -> Option<String> {
    if before.parts().len() != after.parts().len() {
        return Some(format!("{} parts, and then {}", before.parts().len(), after.parts().len()));
    }
    let pairs = before.parts().iter().zip(after.parts()).enumerate();
    let part = |(index, (was, is)): (usize, (&Part, &Part))| {
        let seen = (Seen::of(before, was), Seen::of(after, is));
        let differs = (seen.0 != seen.1).then(|| format!("{:?}, and then {:?}", seen.0, seen.1));
        let differs = differs.or_else(|| fields(&names(before, was), &names(after, is)));
        differs.map(|what| format!("part {}: {what}", before.number(index)))
    };
    pairs.filter_map(part).next()
}

/// What readers see of one part.
#[derive(Debug, PartialEq)]
struct Seen {
    depth: usize,
    kind: Kind,
    media: String,
    boundary: Option<String>,
    disposition: Option<String>,
}

impl Seen {
    fn of(message: &Message, part: &Part) -> Seen {
        let boundary = (part.kind == Kind::Multipart).then(|| part.content_type.parameter(message.raw(), "boundary"));
        Seen {
            depth: part.depth,
            kind: part.kind,
            media: media(part),
            boundary: boundary.flatten().map(|boundary| boundary.escape_ascii().to_string()),
            disposition: disposition(message, part),
        }
    }
}

/// A message whose header becomes raw UTF-8, or is so no more, is named anew (RFC 6532 §3.7), and so is a report (RFC
/// 6533).
fn media(part: &Part) -> String {
    match (&*part.content_type.main, &*part.content_type.sub) {
        ("message", "rfc822" | "global") => "message/rfc822 or message/global".to_owned(),
        ("text", "rfc822-headers") => "message/global-headers".to_owned(),
        ("message", sub @ ("delivery-status" | "disposition-notification")) => format!("message/global-{sub}"),
        (main, sub) => format!("{main}/{sub}"),
    }
}

/// Reads the first word of a Content-Disposition, in lower case.
pub fn disposition(message: &Message, part: &Part) -> Option<String> {
    let value = message.slice(message.field(part, "Content-Disposition")?.value);
    let word = value.split(|&octet| octet == b';').next().unwrap_or_default();
    Some(String::from_utf8_lossy(word.trim_ascii()).to_ascii_lowercase())
}

fn names(message: &Message, part: &Part) -> Vec<String> {
    let name = |span| String::from_utf8_lossy(message.slice(span)).to_ascii_lowercase();
    message.fields(part).iter().map(|field| name(field.name)).collect()
}

/// Fields stay, in their order, but for those that a change of the body may add or take away, and those that move to
/// `Downgraded-NAME` at the end.
fn fields(before: &[String], after: &[String]) -> Option<String> {
    let came = |name: &&String| before.contains(name) || !MAY_COME.contains(&name.as_str());
    let gone = |name: &&String| after.contains(name) || !MAY_GO.contains(&name.as_str());
    let (was, is): (Vec<&String>, Vec<&String>) =
        (before.iter().filter(gone).collect(), after.iter().filter(came).collect());
    let at_end = is.iter().rev().take_while(|name| name.starts_with(MOVED)).count();
    let mut splits = (is.len() - at_end..=is.len()).rev().map(|stay| is.split_at(stay));
    let kept = was.len() == is.len() && splits.any(|(stayed, moved)| is_moved(&was, stayed, moved));
    (!kept).then(|| format!("fields {before:?}, and then {after:?}"))
}

/// Returns `true` if each of the fields stayed or moved, all in their order. Of two with one name either may be the one
/// that moved, so every way to get so far is followed: as how many fields stayed.
fn is_moved(was: &[&String], stayed: &[&String], moved: &[&String]) -> bool {
    let mut ways = vec![0];
    for (at, name) in was.iter().enumerate() {
        let stays = |&way: &usize| (stayed.get(way) == Some(name)).then_some(way + 1);
        let moves = |&way: &usize| {
            let is_it = moved.get(at - way).is_some_and(|moved| moved.strip_prefix(MOVED) == Some(name));
            is_it.then_some(way)
        };
        let mut next: Vec<usize> = ways.iter().filter_map(stays).chain(ways.iter().filter_map(moves)).collect();
        next.sort_unstable();
        next.dedup();
        ways = next;
    }
    !ways.is_empty()
}
