//! Mends a header that ends at a line which is no field: puts in the colons, or the empty line, that are missing.
//!
//! Readers differ on such a message: some end the header at the line, others step over it. What the parts are must not
//! depend on that, neither before nor after. So no field that says what a body is may stand where readers doubt whether
//! it counts; a message in which one does stays, and may be refused.

use super::Step;
use crate::edit::Span;
use crate::message::{Defect, DefectKind, Message, Part, is_mime_field};
use crate::rewrite::planner::Planner;
use crate::rewrite::{Change, Place, second_reader};

/// Plans what mends the end of the message's own header.
pub(super) fn plan(planner: &Planner, wanted: &[Defect]) -> Step {
    let mut step = Step::default();
    let message = planner.message;
    let ends = wanted.iter().filter(|it| matches!(it.kind, DefectKind::MissingColon | DefectKind::NoEmptyLine));
    for defect in ends {
        let with = match edit(planner, defect) {
            Ok(with) => with,
            Err(why) => {
                // Colons are put in everywhere or nowhere: with one missing, the header would end there.
                let mut left = Step::default();
                left.unfixed(defect.kind, why);
                return left;
            }
        };
        let is_colon = defect.kind == DefectKind::MissingColon;
        let at = if is_colon { defect.at.end } else { defect.at.start };
        // Each name, and the one empty line, has a place of its own.
        let _ = step.edits.push(Span::empty(at), with);
        let name = String::from_utf8_lossy(message.slice(defect.at)).into_owned();
        let place = if is_colon { Place::Field(name) } else { Place::Message };
        step.done(place, Change::Fixed { defect: defect.kind });
    }
    step
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
pub(super) fn prove(planner: &Planner, after: &Message) -> Result<(), &'static str> {
    let before = planner.message;
    let (Some(was), Some(is)) = (before.parts().first(), after.parts().first()) else { return Err("no part") };
    let same = |(old, new): (&Part, &Part)| {
        let alike =
            before.slice(old.header) == after.slice(new.header) && before.slice(old.body) == after.slice(new.body);
        super::same_part(old, new) && alike
    };
    match () {
        () if before.parts().len() != after.parts().len() => Err("the number of parts"),
        () if !super::same_part(was, is) => Err("the message's type"),
        () if !before.parts().iter().zip(after.parts()).skip(1).all(same) => Err("a part"),
        () if !before.slice(was.body).ends_with(after.slice(is.body)) => Err("the body"),
        () if is.header_doubt.is_some() => Err("where the header ends"),
        () if second_reader::tree_difference(after, &planner.profile.limits).is_some() => {
            Err("readers see different parts")
        }
        () => Ok(()),
    }
}
