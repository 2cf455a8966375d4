//! The parts of a message: whether every reader finds the same ones. Where one may not, the structure has a *form*, a
//! row of the [`table`](super::table).
//!
//! A part begins behind a delimiter, `--` and the boundary at the start of a line with nothing but blanks behind.
//! Readers differ where such a line stands and begins no part, and some take the octets for a delimiter wherever they
//! stand: in mid-line, with text behind. So every place behind the header of a multipart where its delimiter occurs is
//! looked at, and must be one of the delimiters that the tree is made of.
//!
//! To find them all, each `--` is looked up among the boundaries, which are sorted: the last that is not greater than
//! what stands behind the `--` is its longest candidate, and each knows the longest of the others that it begins with.
//! Since a boundary of more than 200 octets is irregular by itself, that is linear.

use std::collections::HashMap;

use memchr::memmem;

use super::forms::Forms;
use super::parameters::parameters;
use super::parts;
use super::table::Form;
use crate::message::delimiters::closes;
use crate::message::grammar::parameter::base;
use crate::message::header::FROM_LINE;
use crate::message::{DefectKind, Message, Part};

/// The most octets of a boundary that are looked for.
const BOUNDARY_LIMIT: usize = 200;

/// Returns the forms of the structure of a message: its delimiters, and where its headers end.
///
/// ```
/// use septet::message::irregular::{Form, structure};
/// use septet::message::{Limits, Message};
///
/// let raw = b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nsee --a\n--a--\n";
/// let message = Message::read(raw, &Limits::default());
/// assert_eq!(structure(&message).irregular(), Some(Form::DelimiterInText));
/// ```
pub fn structure(message: &Message) -> Forms {
    let mut forms = of_defects(message);
    for part in message.parts() {
        forms.extend(of_header(message, part));
        forms.extend(of_multipart(message, part));
    }
    forms.extend(delimiters(message));
    forms
}

/// Returns the forms that reading the message has found already, as defects of its parts.
fn of_defects(message: &Message) -> Forms {
    let mut forms = Forms::default();
    for defect in message.defects() {
        match defect.kind {
            DefectKind::NoBoundary | DefectKind::BoundaryNotFound => forms.add(Form::BoundaryMissing),
            DefectKind::NoClosingBoundary => forms.add(Form::PartsUnclosed),
            DefectKind::FromLineInHeader => {
                let is_first = message.parts().get(defect.part).is_some_and(|it| it.header.start == defect.at.start);
                forms.add(if is_first { Form::HeaderFromLine } else { Form::HeaderEnd });
            }
            _ => {}
        }
    }
    forms
}

/// Returns the forms of a header that decide where it ends, and of two types of which one would hide parts.
fn of_header(message: &Message, part: &Part) -> Forms {
    let mut forms = Forms::default();
    let raw = message.raw();
    // The defect of that line gives it a form of its own.
    let is_sure = part.header_irregularity == Some(FROM_LINE) && raw[part.header.start..].starts_with(b">From ");
    forms.add_if(part.header_irregularity.is_some() && !is_sure, Form::HeaderEnd);
    // No empty line was read behind it: the part was cut.
    let is_cut = part.parent.is_some() && part.header.end == part.body.start && part.header_irregularity.is_none();
    forms.add_if(is_cut, Form::PartCut);
    // Where another one follows, its header is the rest of this one to some.
    forms.add_if(is_cut && has_part_behind(message, part), Form::HeaderEnd);
    for field in message.fields(part) {
        forms.add_if(field.name.end + 1 != field.value.start, Form::HeaderWhite);
        forms.extend(super::line_ends(message.slice(field.value)));
    }
    let hides_parts = parts::conflict(message, part) && parts::types(message, part).any(|it| is_composite(&it.main));
    forms.add_if(hides_parts, Form::TypeConflict);
    forms
}

/// Returns `true` if a part has another one behind it that is not inside of it.
fn has_part_behind(message: &Message, part: &Part) -> bool {
    let at = message.parts().partition_point(|it| it.header.start <= part.header.start);
    message.parts()[at..].iter().any(|it| it.depth <= part.depth)
}

/// Returns `true` if a part of this type has parts to some reader, whatever its subtype and encoding.
fn is_composite(main: &str) -> bool {
    matches!(main, "multipart" | "message")
}

/// Returns the forms of what a multipart says of its boundary, if one of them is irregular; others leave the parts what
/// they are, and are those of the field.
fn of_multipart(message: &Message, part: &Part) -> Forms {
    if part.content_type.main != "multipart" {
        return Forms::default();
    }
    let value = message.slice(part.content_type.value);
    let mut forms = parameters(value, true).of("boundary");
    // Where no semicolon stands behind the type, some take the first section for a part of that, and find another
    // boundary.
    let sections = part.content_type.sections.list.iter();
    let of_boundary = sections.filter(|it| base(it.slices(value).0).eq_ignore_ascii_case(b"boundary"));
    forms.add_if(forms.has(Form::TypeUnseparated) && of_boundary.count() > 1, Form::BoundaryMissing);
    if forms.is_regular() { Forms::default() } else { forms }
}

/// A boundary of the message.
struct Boundary<'m> {
    octets: &'m [u8],
    /// Where the header of the first multipart that has it ends.
    from: usize,
    /// The longest of the other boundaries that it begins with, as an index.
    prefix: Option<usize>,
}

/// Returns the forms of the delimiters, those of the tree and all others.
fn delimiters(message: &Message) -> Forms {
    let mut forms = Forms::default();
    let boundaries = boundaries(message, &mut forms);
    if boundaries.is_empty() {
        return forms;
    }
    let known = of_tree(message);
    // At `at + 1` too, for the occurrences in `---` overlap.
    for at in memmem::find_iter(message.raw(), b"--").flat_map(|at| [at, at + 1]) {
        forms.extend(at_dashes(message.raw(), at, &boundaries, &known));
    }
    forms
}

/// Returns the boundaries, sorted, each once, and adds the forms of those that stand twice or begin with another. Those
/// that are too long are left out, being irregular by themselves.
fn boundaries<'m>(message: &'m Message, forms: &mut Forms) -> Vec<Boundary<'m>> {
    let parts = message.parts().iter();
    let mut all: Vec<_> = parts.filter_map(|part| Some((part.boundary.as_deref()?, part.body.start))).collect();
    all.retain(|(octets, _)| octets.len() <= BOUNDARY_LIMIT);
    all.sort_unstable();
    forms.add_if(all.windows(2).any(|pair| pair[0].0 == pair[1].0), Form::BoundaryRepeated);
    // The first of equal ones stays: that of the body that starts first, by which they are sorted too.
    all.dedup_by_key(|(octets, _)| *octets);
    let mut found: Vec<Boundary> = Vec::with_capacity(all.len());
    for (octets, from) in all {
        // What it begins with stands before it, and so does all that begins with that.
        let mut prefix = found.len().checked_sub(1);
        while let Some(index) = prefix
            && !octets.starts_with(found[index].octets)
        {
            prefix = found[index].prefix;
        }
        forms.add_if(prefix.is_some(), Form::BoundaryPrefix);
        found.push(Boundary { octets, from, prefix });
    }
    found
}

/// Finds the delimiters that the tree is made of: where each stands, and its boundary.
fn of_tree<'m>(message: &'m Message) -> HashMap<usize, &'m [u8]> {
    let raw = message.raw();
    let mut found = HashMap::new();
    let mut last: HashMap<usize, usize> = HashMap::new();
    for part in message.parts() {
        let Some((index, parent)) = part.parent.and_then(|index| Some((index, message.parts().get(index)?))) else {
            continue;
        };
        let Some(boundary) = parent.boundary.as_deref() else { continue };
        found.insert(line_before(raw, part.header.start), boundary);
        last.insert(index, part.body.end);
    }
    for (index, end) in last {
        // The line end before a delimiter is the delimiter's; an empty part has none.
        let line_end = [&b"\r\n"[..], b"\n"].into_iter().find(|it| raw[end..].starts_with(it)).map_or(0, <[u8]>::len);
        let start = end + line_end;
        if let Some(boundary) = message.parts()[index].boundary.as_deref().filter(|it| closes(&raw[start..], it)) {
            found.insert(start, boundary);
        }
    }
    found
}

/// Returns where the line begins that ends right before `at`, or before the byte order mark there.
fn line_before(raw: &[u8], at: usize) -> usize {
    let end = raw[..at].strip_suffix(b"\xEF\xBB\xBF").map_or(at, <[u8]>::len);
    let line = raw[..end].strip_suffix(b"\n").unwrap_or(&raw[..end]);
    memchr::memrchr(b'\n', line).map_or(0, |before| before + 1)
}

/// Returns the forms of `--` at a place, none where it does not stand there: if a boundary stands behind it, the
/// longest must be one of the tree's there. The boundary of a multipart whose body begins further on does not count:
/// nothing can be parted by it yet.
fn at_dashes(raw: &[u8], at: usize, boundaries: &[Boundary], known: &HashMap<usize, &[u8]>) -> Forms {
    let Some(text) = raw.get(at..).and_then(|rest| rest.strip_prefix(b"--")) else { return Forms::default() };
    let end = text.len().min(BOUNDARY_LIMIT);
    let text_start = &text[..end];
    let mut candidate = boundaries.partition_point(|it| it.octets <= text_start).checked_sub(1);
    while let Some(index) = candidate {
        let boundary = &boundaries[index];
        if text_start.starts_with(boundary.octets) && boundary.from <= at {
            if is_within_closing(raw, at, boundary.octets, known) {
                return Forms::default();
            }
            return occurrence(raw, at, boundary.octets, known);
        }
        candidate = boundary.prefix;
    }
    Forms::default()
}

/// Returns `true` if a delimiter at a place is the rest of a closing one of the tree: `---` in the `-----` that closes
/// a multipart with the boundary `-`. A boundary of dashes alone has such a rest, one or two octets on.
fn is_within_closing(raw: &[u8], at: usize, boundary: &[u8], known: &HashMap<usize, &[u8]>) -> bool {
    let mut starts = [1, 2].into_iter().filter_map(|back| at.checked_sub(back));
    starts.any(|start| known.get(&start) == Some(&boundary) && closes(&raw[start..], boundary))
}

/// Returns the forms of a delimiter that stands at a place: none if it is one of the tree's and alone in its line.
fn occurrence(raw: &[u8], at: usize, boundary: &[u8], known: &HashMap<usize, &[u8]>) -> Forms {
    let behind = raw.get(at + 2 + boundary.len()..).unwrap_or_default();
    let behind = behind.strip_prefix(b"--").unwrap_or(behind);
    // No more of a line is looked at than its blanks: it may hold as many delimiters as it has octets.
    let blanks = behind.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
    let is_alone = matches!(behind[blanks..], [] | [b'\n', ..] | [b'\r', b'\n', ..]);
    let is_at_start = at == 0 || raw[at - 1] == b'\n';
    match known.get(&at) {
        // That of another multipart, which begins with this one.
        Some(of_tree) if *of_tree != boundary || is_alone => Forms::default(),
        _ if is_at_start && is_alone => Forms::of(Form::DelimiterStray),
        _ => Forms::of(Form::DelimiterInText),
    }
}
