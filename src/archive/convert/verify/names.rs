//! Names of files that mail-parser does not read whole. In UTF-7 it takes one octet more for the end of those in Base64,
//! whichever it is (RFC 2152: only `-` belongs to them); of two words in one pair of quotes it takes the second for something
//! else. It is shown the same names in UTF-8, before and after.

use std::borrow::Cow;

use crate::coding::encoded_word::{WordReader, words};
use crate::edit::{Edit, EditList, Span};
use crate::message::Message;
use crate::message::grammar::parameter::{Parameter, ParameterForm, Section, read, sections};
use crate::rewrite::Profile;

/// The fields whose parameters name files.
const FIELDS: [&str; 2] = ["content-type", "content-disposition"];

/// Writes the parameters of a message that are in UTF-7, or in words, in UTF-8; what can't be read stays.
pub fn with_plain_names<'m>(message: &'m [u8], profile: &Profile) -> Cow<'m, [u8]> {
    let view = Message::read(message, &profile.limits);
    let mut edits = EditList::new();
    for field in view.parts().iter().flat_map(|part| view.fields(part)) {
        if FIELDS.iter().any(|name| field.is(message, name)) {
            let found = of_field(view.slice(field.value), profile);
            for edit in found {
                // Neither parts overlap, nor the sections of a field.
                let _ = edits.push(field.value.within(edit.at.range()), edit.with);
            }
        }
    }
    if edits.is_empty() { Cow::Borrowed(message) } else { Cow::Owned(edits.apply(message)) }
}

/// Writes the parameters of a field in UTF-8, in the order of their sections.
fn of_field(value: &[u8], profile: &Profile) -> Vec<Edit> {
    let list = sections(value).list;
    let slices: Vec<(&[u8], &[u8])> = list.iter().map(|section| section.slices(value)).collect();
    let read = read(&slices, WordReader::new(&profile.labels));
    let mut edits: Vec<Edit> =
        read.iter().flat_map(|parameter| in_utf_8(value, &list, parameter, profile)).flatten().collect();
    edits.sort_by_key(|edit| edit.at);
    edits
}

/// Writes `name*0*=utf-7''+AOk-.txt` and `name="=?…?= =?…?="` as `name*=utf-8''%C3%A9%2E…`, and takes out the sections behind
/// the first. None for what can't be read, and for every other form, which mail-parser reads whole.
fn in_utf_8(value: &[u8], list: &[Section], parameter: &Parameter, profile: &Profile) -> Option<Vec<Edit>> {
    let text = parameter.outcome.as_ref().ok()?;
    let sections: Vec<&Section> = parameter.sections.iter().filter_map(|index| list.get(*index)).collect();
    let charset = || profile.labels.find(text.from.first()?.name.as_bytes());
    let is_quoted = || sections.iter().all(|section| section.slices(value).1.starts_with(b"\""));
    let is_written = match parameter.shape {
        ParameterForm::Extended => charset().is_some_and(|charset| charset.utf_7().is_some()),
        ParameterForm::Plain => is_quoted() && words(&parameter.octets).nth(1).is_some(),
    };
    let mut spans = sections.iter().map(|section| Span::new(section.name.start, section.value.end));
    let first = spans.next().filter(|_| is_written)?;
    let (name, language) = (&parameter.name, parameter.language.as_deref().unwrap_or_default());
    let octets: String = text.text.bytes().map(|octet| format!("%{octet:02X}")).collect();
    let with = format!("{name}*=utf-8'{language}'{octets}").into_bytes();
    let rest = spans.map(|at| Edit { at, with: Vec::new() });
    Some([Edit { at: first, with }].into_iter().chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn written(text: &str) -> String {
        String::from_utf8_lossy(&with_plain_names(text.as_bytes(), &Profile::default())).into_owned()
    }

    #[test]
    fn names_alone_are_written_anew() {
        for (utf_7, utf_8) in [
            (
                "Content-Type: a/b; x*=utf-7'de'+AOk.%74\n\nx*=utf-7''+AOk.\n",
                "Content-Type: a/b; x*=utf-8'de'%C3%A9%2E%74\n\nx*=utf-7''+AOk.\n",
            ),
            (
                "Content-Disposition: a; X*1*=+AOk-; y=z; X*0*=\"utf-7''+AOk-\"\n\n",
                "Content-Disposition: a; ; y=z; X*=utf-8''%C3%A9%C3%A9\n\n",
            ),
            (
                "Content-Type: a/b; x=\n \"=?iso-8859-1?Q?=E9?= =?us-ascii?Q?a?=\"; y=\"=?us-ascii?Q?a?=\"\n\n",
                "Content-Type: a/b; x*=utf-8''%C3%A9%61; y=\"=?us-ascii?Q?a?=\"\n\n",
            ),
        ] {
            assert_eq!(written(utf_7), utf_8);
        }
        for stays in [
            "Content-Type: a/b; x*=utf-7''+AO\n\n",
            "Content-Type: a/b; x*=utf-8''%C3%A9\n\n",
            "Content-Type: a/b; x*=utf-7\n\n",
            "Content-Type: a/b; x=\"x*=utf-7''+AOk-\"\n\n",
            "Content-Type: a/b; x*=",
            "Subject: x*=utf-7''+AOk-\nX-Type: a/b; x*=utf-7''+AOk-\n\n",
            "",
        ] {
            assert_eq!(written(stays), stays);
        }
    }

    /// A field that was full of `*=utf-7''` took the square of its length: three seconds for 42 KB.
    #[test]
    fn a_field_full_of_marks_takes_no_longer_than_another() {
        for field in ["*=utf-7''".repeat(20_000), ";x*=utf-7''+AOk-".repeat(20_000), "; x*1*=utf-7''".repeat(20_000)] {
            let began = Instant::now();
            written(&format!("Content-Type: a/b; x{field}\n\n"));
            assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        }
    }
}
