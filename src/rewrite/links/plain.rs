//! Links in running text.
//!
//! On the way to URIs a link in ASCII stays as it is, valid or not: a template or a pattern is no IRI, and a change
//! would only harm it.

use super::{LinkEdits, LinkSettings, Stays, mapping};
use crate::coding::iri::find::{Found, Options};
use crate::coding::iri::{Edits, Reference, Syntax, apply, find, may_hide, to_iri_edits};
use crate::rewrite::Iris;

pub(super) fn plan(text: &str, options: Options, settings: LinkSettings) -> LinkEdits {
    let mut plan = LinkEdits::default();
    for found in find(text, options) {
        let planned = link(&mut plan, text, options, settings, &found);
        plan.settle(planned);
    }
    plan
}

fn link(
    plan: &mut LinkEdits,
    text: &str,
    options: Options,
    settings: LinkSettings,
    found: &Found,
) -> Result<Edits, Stays> {
    if let Some(disguise) = found.disguise {
        return Err(Stays::Refused(disguise));
    }
    let iri = found.iri(text);
    if !may_hide(&iri) {
        return Err(Stays::Good);
    }
    let reference = Reference::split(&iri);
    plan.look_at(&reference);
    match settings.iris {
        Iris::ToIri => show(&iri, options, settings, found),
        Iris::ToUri if !iri.is_ascii() => Ok(found.to_uri(&reference, &mapping(settings, Syntax::Iri, None))?),
        Iris::Keep | Iris::ToUri => Err(Stays::Good),
    }
}

/// Shows what is percent-encoded, if the link still ends where it ended: some characters end links.
fn show(iri: &str, options: Options, settings: LinkSettings, found: &Found) -> Result<Edits, Stays> {
    let edits = to_iri_edits(iri, settings.target);
    if found.breaks.is_empty() && !edits.is_empty() && is_one_link(&apply(iri, &edits), options) {
        return Ok(edits.into_iter().flat_map(|(range, with)| found.place(range, with)).collect());
    }
    Err(Stays::Good)
}

fn is_one_link(text: &str, options: Options) -> bool {
    find(text, options).next().is_some_and(|found| found.at == (0..text.len()) && found.disguise.is_none())
}
