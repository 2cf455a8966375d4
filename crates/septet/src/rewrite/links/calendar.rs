//! Links of calendars: properties whose value is a URI (RFC 5545 §3.3.13, RFC 7986 §5), which an IRI is not.
//!
//! A calendar is made of content lines, `NAME;PARAMETER=VALUE:VALUE`, that are folded after 75 octets (§3.1): a line
//! end and one blank are no part of the value, wherever they stand. A value that changes is written over as many lines
//! as it needs; the others stay as they are. Addresses (ORGANIZER, ATTENDEE) are what programs compare to tell who
//! answers: they stay, and so does all prose.

use std::ops::Range;

use super::{GOOD, LinkEdits, LinkPlanner, Stays};
use crate::coding::iri::{Reference, is_local, to_uri};
use crate::message::LineEnd;
use crate::rewrite::Iris;
use crate::rewrite::ensure::ensure;

/// The properties whose value is a URI, if no parameter says otherwise.
const PROPERTIES: [&str; 6] = ["URL", "TZURL", "SOURCE", "ATTACH", "CONFERENCE", "IMAGE"];

/// The longest line that is written, in octets (RFC 5545 §3.1).
const LONGEST: usize = 75;

impl LinkPlanner<'_> {
    /// Plans the links of a calendar. Nothing but a URI may stand in one, so that only [`Iris::ToUri`] has anything to
    /// do.
    pub(super) fn plan_calendar(mut self) -> LinkEdits {
        if self.settings.iris != Iris::ToUri || self.text.is_ascii() {
            return self.plan;
        }
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        let mut start = 0;
        for folded in lines.chunk_by(|_, next| next.starts_with([' ', '\t'])) {
            let end = start + folded.iter().map(|line| line.len()).sum::<usize>();
            if let Some(value) = link_value(self.text, start..end) {
                let planned = self.plan_value(start, value);
                self.plan.count_link(planned);
            }
            start = end;
        }
        self.plan
    }

    /// Adds the edit of the value of the content line that starts at `line`, or returns why it stays; the caller counts
    /// it. A suspicious host is noted in either case, unless the link is local or can't be parsed.
    fn plan_value(&mut self, line: usize, value: Range<usize>) -> Result<(), Stays> {
        let iri = unfolded(self.text.get(value.clone()).unwrap_or_default());
        ensure(!is_local(&iri), GOOD)?;
        let reference = Reference::parse(&iri).map_err(|_| Stays(Some("a value that is no IRI")))?;
        self.note_suspicious_host(&reference);
        let uri = to_uri(&iri, &self.mapping)?;
        let before = self.text.get(line..value.start).unwrap_or_default();
        let indent = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1);
        // A fold ends as the lines around it do; the last one may have no end.
        let lines = self.text.get(line..).filter(|lines| lines.contains('\n')).unwrap_or(self.text);
        self.plan.edits.push(value, &folded(&uri, indent, LineEnd::of(lines.as_bytes()).as_str()));
        Ok(())
    }
}

/// Returns where the value of a content line stands in the text, if it is a link that is not ASCII: its property is one
/// of [`PROPERTIES`], and no parameter gives it another type than URI. `line` covers all of the line with its folds and
/// its line end, which is no part of the value; a fold within a name hides it.
fn link_value(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    let content = text.get(line.clone())?;
    let content = content.strip_suffix('\n').map_or(content, |content| content.strip_suffix('\r').unwrap_or(content));
    let name = content.get(..content.find([';', ':'])?)?;
    if content.is_ascii() || !PROPERTIES.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return None;
    }
    let colon = colon_outside_quotes(content)?;
    // Quotes may hold anything.
    let unquoted: String = content.get(name.len()..colon)?.split('"').step_by(2).collect();
    let parameters = unquoted.to_ascii_uppercase();
    let other = parameters.split_once(";VALUE=").is_some_and(|(_, value)| !value.starts_with("URI"));
    let value = line.start + colon + 1..line.start + content.len();
    (!other && !text.get(value.clone())?.is_ascii()).then_some(value)
}

/// Returns where the colon before the value of a content line stands: the first outside of quotes, in which parameters
/// may have some; none where all stand in quotes.
fn colon_outside_quotes(content: &str) -> Option<usize> {
    let mut quoted = false;
    content.bytes().position(|octet| {
        quoted ^= octet == b'"';
        octet == b':' && !quoted
    })
}

/// Returns a value without its folds: a line end and one blank each (RFC 5545 §3.1).
fn unfolded(value: &str) -> String {
    let lines = value.split_inclusive('\n').enumerate();
    let texts = lines.filter_map(|(at, line)| line.get(usize::from(at > 0)..));
    texts.map(|text| text.strip_suffix('\n').map_or(text, |text| text.trim_end_matches('\r'))).collect()
}

/// Folds a value in ASCII, at any octet, that starts after `indent` octets of its line, so that no line has more than
/// [`LONGEST`] octets; each line end that it writes is `end`, and a blank follows.
fn folded(value: &str, indent: usize, end: &str) -> String {
    let (first, rest) = value.split_at_checked(LONGEST.saturating_sub(indent)).unwrap_or((value, ""));
    let lines = rest.as_bytes().chunks(LONGEST - 1).map(String::from_utf8_lossy);
    lines.fold(first.to_owned(), |folded, line| folded + end + " " + &line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_named_outside_quotes() {
        for (line, is_link) in [
            ("URL:http://é.example/", true),
            ("URL;VALUE=URI:http://é.example/", true),
            ("URL;X=\";VALUE=TEXT\":http://é.example/", true),
            ("URL;X=\";VALUE=URI\";VALUE=TEXT:http://é.example/", false),
            ("URL;VALUE=TEXT:http://é.example/", false),
        ] {
            assert_eq!(link_value(line, 0..line.len()).is_some(), is_link, "{line}");
        }
    }
}
