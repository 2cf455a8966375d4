//! Mends a header that ends at a line which is no field: puts in the colons, or the empty line, that are missing.
//!
//! Readers differ on such a message: some end the header at the line, others step over it. What the parts are must not
//! depend on that, neither before nor after. So no field that says what a body is may stand where readers doubt whether
//! it counts; a message in which one does stays, and may be refused.

use std::collections::BTreeMap;

use crate::edit::{Edit, EditList, Span};
use crate::message::{Defect, DefectKind, Message, Part, is_mime_field};
use crate::rewrite::planner::Planner;
use crate::rewrite::{Change, Place, Plan, Profile};

/// Plans what mends the end of the message's own header.
pub(super) fn plan(planner: &Planner, wanted: &[Defect]) -> Plan {
    let mut step = Plan::default();
    let message = planner.message;
    let ends = wanted.iter().filter(|it| matches!(it.kind, DefectKind::MissingColon | DefectKind::NoEmptyLine));
    for defect in ends {
        let with = match edit(planner, defect) {
            Ok(with) => with,
            Err(why) => {
                // Colons are put in everywhere or nowhere: with one missing, the header would end there.
                let mut left = Plan::default();
                left.unfixed(defect.kind, why);
                return left;
            }
        };
        let is_colon = defect.kind == DefectKind::MissingColon;
        // Each name, and the one empty line, has a place of its own.
        let _ = step.edits.push(place(defect), with);
        let name = String::from_utf8_lossy(message.slice(defect.at)).into_owned();
        let place = if is_colon { Place::Field(name) } else { Place::Message };
        step.done(place, Change::Fixed { defect: defect.kind });
    }
    step
}

/// Returns where a colon or an empty line is put in.
fn place(defect: &Defect) -> Span {
    Span::empty(if defect.kind == DefectKind::MissingColon { defect.at.end } else { defect.at.start })
}

/// Returns what is put in; why not, where nothing may be.
fn edit(planner: &Planner, defect: &Defect) -> Result<&'static str, &'static str> {
    let message = planner.message;
    let Some(root) = message.parts().first().filter(|_| defect.part == 0) else { return Err("the header of a part") };
    if root.header.is_empty() {
        return Err("there is no header");
    }
    let mut lines = lines_of(message, root);
    if defect.kind == DefectKind::NoEmptyLine {
        let looks_like_field = |line: &[u8]| line.starts_with(b"--") || first_word(line).ends_with(b":");
        return match lines.any(looks_like_field) {
            true => Err("a line behind it may be a field"),
            false => Ok(message.line_end().as_str()),
        };
    }
    if lines.any(|line| is_mime_field(line) || first_word(line).to_ascii_lowercase().starts_with(b"mime-version")) {
        return Err("a field behind it says what the parts are");
    }
    if planner.cover.field(message.slice(defect.at)) {
        return Err("dkim");
    }
    Ok(":")
}

/// Returns the lines from where a header ends to the first empty one.
fn lines_of<'a>(message: &Message<'a>, part: &Part) -> impl Iterator<Item = &'a [u8]> {
    let body = message.slice(part.body);
    body.split(|octet| *octet == b'\n').take_while(|line| !line.trim_ascii().is_empty())
}

/// Returns the first word of a line, with the colon behind it and before any white space; it may be empty, which some
/// readers take for a name.
fn first_word(line: &[u8]) -> &[u8] {
    let name = line.iter().position(|octet| matches!(octet, b':' | b' ' | b'\t')).unwrap_or(line.len());
    let colon = line[name..].iter().position(|octet| !matches!(octet, b' ' | b'\t')).map_or(line.len(), |at| name + at);
    if line.get(colon) == Some(&b':') { &line[..=colon] } else { &line[..name] }
}

/// Proves that the parts are the same, that the header ends where all readers see it, and that the second reader sees
/// what septet sees.
pub(super) fn prove(
    before: &Message,
    after: &Message,
    edits: &EditList,
    profile: &Profile,
) -> Result<(), &'static str> {
    let lacking: BTreeMap<Span, &str> =
        super::wanted(before, profile).iter().filter_map(|defect| lacking(before, defect)).collect();
    let mends = |edit: &Edit| lacking.get(&edit.at).is_some_and(|lacking| edit.with == lacking.as_bytes());
    let (Some(was), Some(is)) = (before.parts().first(), after.parts().first()) else { return Err("no part") };
    let same = |(old, new): (&Part, &Part)| {
        let alike =
            before.slice(old.header) == after.slice(new.header) && before.slice(old.body) == after.slice(new.body);
        super::same_part(old, new) && alike
    };
    match () {
        () if !edits.as_slice().iter().all(mends) => Err("an edit that mends nothing"),
        () if before.parts().len() != after.parts().len() => Err("the number of parts"),
        () if !super::same_part(was, is) => Err("the message's type"),
        () if !before.parts().iter().zip(after.parts()).skip(1).all(same) => Err("a part"),
        () if !before.slice(was.body).ends_with(after.slice(is.body)) => Err("the body"),
        () if is.header_doubt.is_some() => Err("where the header ends"),
        () => Ok(()),
    }
}

/// Returns where a header lacks something, and what.
fn lacking(message: &Message, defect: &Defect) -> Option<(Span, &'static str)> {
    match defect.kind {
        DefectKind::MissingColon => Some((place(defect), ":")),
        DefectKind::NoEmptyLine => Some((place(defect), message.line_end().as_str())),
        _ => None,
    }
}
