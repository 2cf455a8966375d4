//! Links in running text.
//!
//! On the way to URIs a link in ASCII stays as it is, valid or not: a template or a pattern is no IRI, and a change
//! would only harm it.

use super::{GOOD, LinkEdits, LinkPlanner, LinkScope, Stays, is_plain};
use crate::coding::iri::find::{FindOptions, FoundLink};
use crate::coding::iri::{Ampersands, Mapping, Reference, apply, find, is_local, to_iri_edits};
use crate::coding::scan::head;
use crate::rewrite::ensure::ensure;
use crate::rewrite::{Iris, Note};

/// How much of the text behind a link is looked at, in octets, to see whether what is shown ends where it should.
const CONTEXT: usize = 256;

impl LinkPlanner<'_> {
    /// Plans the links of a running text. Where a bidi control cuts one, that is noted.
    pub(super) fn plan_plain(mut self, options: FindOptions, scope: LinkScope) -> LinkEdits {
        let finder = find(self.text, options);
        for found in if scope == LinkScope::Odd { finder.only_odd() } else { finder } {
            let planned = self.plan_link(options, &found);
            self.plan.count_link(planned);
            if let Some(control) = found.cut_by(self.text) {
                self.plan.note(Note::Bidi(control));
            }
        }
        self.plan
    }

    /// Adds the edits of one link, or returns why it stays; the caller counts it. A suspicious host is noted in either
    /// case, but the hosts of links that are disguised, usual, local or plain are not looked at.
    fn plan_link(&mut self, options: FindOptions, found: &FoundLink) -> Result<(), Stays> {
        if let Some(disguise) = found.disguise {
            return Err(Stays(Some(disguise)));
        }
        // Across a line break, or without a scheme, edits have to be placed by `FoundLink::add_uri_edits`. The host of
        // a usual link needs no look: it is ASCII without A-labels, or was seen before and looks like no other.
        let whole = found.breaks.is_empty() && !found.schemeless;
        if whole && self.add_edits_if_usual(found.at.clone(), Ampersands::Plain) {
            return Ok(());
        }
        let iri = found.reference(self.text);
        ensure(!is_local(&iri) && !is_plain(&iri, self.settings.iris), GOOD)?;
        let reference = Reference::split(&iri);
        self.note_suspicious_host(&reference);
        match self.settings.iris {
            // What has no scheme may be mere text, and text wins.
            Iris::ToIri if !found.schemeless => self.plan_shown(&iri, options, found),
            Iris::ToUri if !iri.is_ascii() => {
                let base = found.schemeless.then_some("http");
                Ok(found.add_uri_edits(&reference, &Mapping { base, ..self.mapping }, &mut self.plan.edits)?)
            }
            Iris::Keep | Iris::ToUri | Iris::ToIri => Err(GOOD),
        }
    }

    /// Adds the edits that show what is percent-encoded in a link, or returns why it stays: nothing can be shown, it
    /// goes on over a line end, or it would end elsewhere, since some characters end links, and others run into the
    /// text.
    fn plan_shown(&mut self, iri: &str, options: FindOptions, found: &FoundLink) -> Result<(), Stays> {
        let shown = to_iri_edits(iri, self.settings.target);
        let is_shown = found.breaks.is_empty() && !shown.is_empty();
        ensure(is_shown && is_one_link(self.text, &apply(iri, &shown), options, found), GOOD)?;
        shown.iter().for_each(|(range, with)| found.place(range, with, &mut self.plan.edits));
        Ok(())
    }
}

/// Returns `true` if a link that is put in the place of another is read as one, where it stands: it begins and ends
/// where it is put. The character before and [`CONTEXT`] octets behind are read with it.
fn is_one_link(text: &str, shown: &str, options: FindOptions, found: &FoundLink) -> bool {
    let before: String = text[..found.at.start].chars().next_back().into_iter().collect();
    let context = [&before, shown, head(&text[found.at.end..], CONTEXT)].concat();
    let (start, end) = (before.len(), before.len() + shown.len());
    find(&context, options).next().is_some_and(|found| found.at == (start..end) && found.disguise.is_none())
}
