//! Links in HTML: attributes and style sheets, read as browsers read them (draft-ietf-iri-3987bis-06 §6.2).
//!
//! What is rewritten changes as little as it can: a character reference that stands elsewhere in the value stays
//! as it is written. White space around a reference is allowed in HTML and alone no reason for a change; a
//! reference that needs one for another reason is trimmed on the way. Brackets in a path or a query, which no
//! URI may have and every browser sends, are no reason either. References into the document itself (`#top`),
//! and those that carry content or code, stay.

use std::ops::Range;

use super::{GOOD, LinkEdits, LinkPlanner, LinkScope, Stays, is_plain};
use crate::coding::charset::Charset;
use crate::coding::html::{Attribute, HtmlValue, LinkPlaces, LinkSyntax, Quote, links, odd_links};
use crate::coding::iri::liberal::{self, Cleaned};
use crate::coding::iri::{Ampersands, Edits, Mapping, Reference, apply, is_local, may_hide};
use crate::coding::iri::{scheme, scheme_disguise, to_iri_edits, to_uri_edits};
use crate::coding::scan::start;
use crate::rewrite::ensure::ensure;
use crate::rewrite::{Iris, Note};

/// The longest reference that is read, in octets; a longer one is content, not an address.
const LONGEST: usize = 64 << 10;

/// Returns `true` if a reference is too long to be read. CRs do not count, so that it is the same with CRLF and with
/// LF.
fn is_too_long(reference: &str) -> bool {
    reference.len() > LONGEST && start(reference.as_bytes(), LONGEST).len() < reference.len()
}

impl LinkPlanner<'_> {
    /// Plans the links of a document in their order, as edits must be sorted; where its markup can't be read there is a
    /// note and no edit. Both scopes must plan the same: with [`LinkScope::Odd`] those links are passed over in which
    /// nothing may hide.
    pub(super) fn plan_html(mut self, scope: LinkScope) -> LinkEdits {
        let found = match scope {
            LinkScope::Odd => odd_links(self.text),
            LinkScope::All => links(self.text),
        };
        let Ok(found) = found else {
            self.plan.note(Note::Link("the markup can't be read"));
            return self.plan;
        };
        let base = base_scheme(self.text, &found);
        // Most mail has no base, and a relative reference leads nowhere. Read as one of a web page it keeps its meaning
        // when the charset of the text, in which its query is meant, changes.
        let mapping = Mapping { base: base.as_deref().or(Some("http")), ..self.mapping };
        let mut planner = LinkPlanner { mapping, ..self };
        found.attributes.iter().for_each(|attribute| planner.plan_attribute(attribute));
        planner.plan
    }

    /// Plans and counts the references of one attribute, but for a value in which surely nothing changes
    /// ([`is_plain`]). A usual web address goes a shorter way, which must make the edits of the long one. Edits are
    /// made in the attribute's own octets and moved to the document's afterwards.
    fn plan_attribute(&mut self, attribute: &Attribute) {
        let source = self.text.get(attribute.at.clone()).unwrap_or_default();
        if is_plain(source, self.settings.iris) {
            return;
        }
        // Raw text has no character references.
        let may_be_usual = attribute.kind == LinkSyntax::Url && attribute.quote != Quote::Raw && !is_too_long(source);
        if may_be_usual && self.add_edits_if_usual(attribute.at.clone(), Ampersands::Escaped) {
            return self.plan.count_link(Ok(()));
        }
        let value = HtmlValue::read(self.text, attribute);
        let offset = attribute.at.start;
        for (range, text) in value.references() {
            let done = self.plan.edits.len();
            let planned = HtmlReference { value: &value, range, text }.plan(self);
            self.plan.edits.move_since(done, |at| offset + at.start..offset + at.end);
            self.plan.count_link(planned);
        }
    }
}

/// Returns the scheme of the document's base, by which relative references are read; none where it has no base, or that
/// no scheme.
fn base_scheme(text: &str, found: &LinkPlaces) -> Option<String> {
    let at = found.base.clone()?;
    // A value is decoded alike in any quotes, and without.
    let attribute = Attribute { at, quote: Quote::Double, kind: LinkSyntax::Url };
    let cleaned = liberal::clean(HtmlValue::read(text, &attribute).text()).text;
    scheme(&cleaned).map(str::to_owned)
}

/// Marks that list programs put in links, and fill in later: Mustache and its kin, Mailchimp, JSP and ERB, ExactTarget.
const TEMPLATE_MARKS: [&str; 8] = ["{{", "}}", "{%", "${", "#{", "*|", "<%", "%%"];

/// A reference in the value of an attribute; its edits count octets of that value's source.
struct HtmlReference<'v> {
    value: &'v HtmlValue<'v>,
    /// Its place in the decoded value.
    range: Range<usize>,
    /// What stands there, decoded; white space may stand around it.
    text: &'v str,
}

impl HtmlReference<'_> {
    /// Adds the edits of the reference, or returns why it stays. What is odd about its scheme and host is noted in
    /// either case, unless it is empty, points into the document or is too long to be read.
    fn plan(&self, planner: &mut LinkPlanner<'_>) -> Result<(), Stays> {
        let trimmed = self.text.trim_matches(liberal::is_edge);
        ensure(!trimmed.is_empty() && !trimmed.starts_with('#'), GOOD)?;
        ensure(!is_too_long(trimmed), Stays(Some("a reference is too long")))?;
        let head = trimmed.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some(disguise) = head.split_once(':').and_then(|(scheme, _)| scheme_disguise(scheme)) {
            planner.plan.note(Note::Link(disguise));
        }
        if may_hide(trimmed.as_bytes()) {
            planner.note_suspicious_host(&Reference::split(trimmed));
        }
        // A scheme of one letter is a drive: `C:\`.
        let is_drive = head.as_bytes().get(1) == Some(&b':');
        ensure(!is_drive && !is_local(trimmed) && !is_local(&liberal::cleaned(head)), GOOD)?;
        let LinkPlanner { settings, mapping, plan, .. } = planner;
        match settings.iris {
            Iris::ToIri => self.plan_iri(settings.target, &mut plan.edits),
            _ => self.plan_uri(mapping, &mut plan.edits),
        }
    }

    /// Adds the edits that show what is percent-encoded in the reference, or returns why it stays: nothing can be
    /// shown, or the value would be read otherwise then.
    fn plan_iri(&self, target: Charset, edits: &mut Edits) -> Result<(), Stays> {
        let shown = to_iri_edits(self.text, target);
        ensure(!shown.is_empty(), GOOD)?;
        let start = self.range.start;
        let shown: Edits = shown.iter().map(|(at, with)| (start + at.start..start + at.end, with)).collect();
        let escaped: Edits =
            shown.iter().map(|(at, with)| (self.value.source_range(at), self.value.escape(with))).collect();
        ensure(self.value.reads_with(&self.range, &escaped, &shown), GOOD)?;
        edits.extend(escaped.iter());
        Ok(())
    }

    /// Adds the edits that make the reference a URI, or returns why it stays.
    fn plan_uri(&self, mapping: &Mapping<'_>, edits: &mut Edits) -> Result<(), Stays> {
        // Without a character outside ASCII it is no IRI; a space or a quote too many is the author's affair, and
        // fixing it would change octets that need no change.
        ensure(!self.text.is_ascii(), GOOD)?;
        ensure(
            !TEMPLATE_MARKS.iter().any(|mark| self.text.contains(mark)),
            Stays(Some("it holds a mark of a template, which would be encoded")),
        )?;
        let cleaned = liberal::clean(self.text);
        let stays = cleaned.text == self.text.trim_matches(liberal::is_edge);
        let mapped = to_uri_edits(&cleaned.text, mapping)?;
        ensure(!stays || !mapped.is_empty(), GOOD)?;
        edits.push(self.value.source_range(self.range.clone()), &self.rewritten(&cleaned, &mapped));
        Ok(())
    }

    /// Returns the source of the reference after the edits of its cleaned text: what does not change stays as it was
    /// written.
    ///
    /// Cleaning may join what must not be joined (`&am⏎p;`), so the result is read again; when it is something
    /// else, the whole reference is escaped anew.
    fn rewritten(&self, cleaned: &Cleaned, edits: &Edits) -> String {
        let mut out = String::new();
        let mut at = 0;
        for (range, with) in edits.iter() {
            self.copy_source(cleaned, at..range.start, &mut out);
            out.push_str(&self.value.escape(with));
            at = range.end;
        }
        self.copy_source(cleaned, at..cleaned.text.len(), &mut out);
        let uri = apply(&cleaned.text, edits);
        if self.value.reads_as(&out, &uri) { out } else { self.value.escape(&uri) }
    }

    /// Writes a range of the cleaned reference to `out` as its source has it, character references and all; a character
    /// that cleaning changed is escaped anew.
    fn copy_source(&self, cleaned: &Cleaned, range: Range<usize>, out: &mut String) {
        for (at, character) in cleaned.text.get(range.clone()).unwrap_or_default().char_indices() {
            let from = cleaned.from.get(range.start + at).copied().unwrap_or_default();
            let was = self.text.get(from..).and_then(|rest| rest.chars().next()).unwrap_or(character);
            let source = self.range.start + from..self.range.start + from + was.len_utf8();
            match was == character {
                true => out.push_str(self.value.source(source)),
                false => out.push_str(&self.value.escape(character.encode_utf8(&mut [0; 4]))),
            }
        }
    }
}
