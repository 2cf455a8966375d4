//! Links in running text.
//!
//! On the way to URIs a link in ASCII stays as it is, valid or not: a template or a pattern is no IRI, and a change
//! would only harm it.

use super::{LinkEdits, LinkScope, LinkSettings, Stays, is_plain, mapping};
use crate::coding::iri::find::{FindOptions, FoundLink};
use crate::coding::iri::{
    Ampersands, Edits, KnownHosts, Mapping, Reference, Syntax, add_usual_edits, apply, find, is_local, to_iri_edits,
};
use crate::coding::scan::head;
use crate::rewrite::{Iris, Note};

/// How much of the text behind a link is looked at, in octets, to see whether what is shown ends where it should.
const CONTEXT: usize = 256;

/// Plans the links of a running text, in their order. Of one that a bidi control cuts that is noted.
pub(super) fn plan(text: &str, options: FindOptions, settings: LinkSettings, scope: LinkScope) -> LinkEdits {
    let mut plan = LinkEdits::default();
    let hosts = KnownHosts::default();
    let mapping = mapping(settings, Syntax::Iri, None, &hosts);
    let finder = find(text, options);
    for found in if scope == LinkScope::Odd { finder.only_odd() } else { finder } {
        let planned = plan_link(&mut plan, text, options, settings, &mapping, &found);
        plan.count_link(planned);
        if let Some(control) = found.cut_by(text) {
            plan.note(Note::Bidi(control));
        }
    }
    plan
}

/// Adds the edits of one link, or returns why it stays; the caller counts it. A suspicious host is noted in either
/// case, but the hosts of links that are disguised, usual, local or plain are not looked at.
fn plan_link(
    plan: &mut LinkEdits,
    text: &str,
    options: FindOptions,
    settings: LinkSettings,
    mapping: &Mapping<'_>,
    found: &FoundLink,
) -> Result<(), Stays> {
    if let Some(disguise) = found.disguise {
        return Err(Stays::Refused(disguise));
    }
    if settings.iris == Iris::ToUri && add_edits_if_usual(text, mapping, found, &mut plan.edits) {
        return Ok(());
    }
    let iri = found.reference(text);
    if is_local(&iri) {
        return Err(Stays::Local);
    }
    if is_plain(&iri, settings.iris) {
        return Err(if found.prose { Stays::Prose } else { Stays::Good });
    }
    let reference = Reference::split(&iri);
    plan.note_suspicious_host(&reference, mapping);
    match settings.iris {
        // What has no scheme may be mere text, and text wins.
        Iris::ToIri if !found.schemeless => plan_shown(text, &iri, options, settings, found, &mut plan.edits),
        Iris::ToUri if !iri.is_ascii() => {
            let base = found.schemeless.then_some("http");
            Ok(found.add_uri_edits(&reference, &Mapping { base, ..*mapping }, &mut plan.edits)?)
        }
        Iris::Keep | Iris::ToUri | Iris::ToIri => Err(Stays::Good),
    }
}

/// Adds the edits that map a link to a URI, if it is a usual web address on one line, as most are, and returns `true`;
/// where it returns `false` no edit is added, and the link must be planned as any other.
fn add_edits_if_usual(text: &str, mapping: &Mapping<'_>, found: &FoundLink, edits: &mut Edits) -> bool {
    // Across a line break, or without a scheme, edits have to be placed by `FoundLink::add_uri_edits`.
    let whole = found.breaks.is_empty() && !found.schemeless;
    let iri = text.get(found.at.clone()).filter(|_| whole);
    iri.is_some_and(|iri| add_usual_edits(iri, found.at.start, Ampersands::Plain, mapping, edits))
}

/// Adds the edits that show what is percent-encoded in a link, or returns why it stays: nothing can be shown, it goes
/// on over a line end, or it would end elsewhere, since some characters end links, and others run into the text.
fn plan_shown(
    text: &str,
    iri: &str,
    options: FindOptions,
    settings: LinkSettings,
    found: &FoundLink,
    edits: &mut Edits,
) -> Result<(), Stays> {
    let shown = to_iri_edits(iri, settings.target);
    if !found.breaks.is_empty() || shown.is_empty() || !is_one_link(text, &apply(iri, &shown), options, found) {
        return Err(Stays::Good);
    }
    shown.iter().for_each(|(range, with)| found.place(range, with, edits));
    Ok(())
}

/// Returns `true` if a link that is put in the place of another is read as one, where it stands.
fn is_one_link(text: &str, shown: &str, options: FindOptions, found: &FoundLink) -> bool {
    let before = text.get(..found.at.start).and_then(|before| before.chars().next_back());
    let after = text.get(found.at.end..).unwrap_or_default();
    let after = head(after, CONTEXT);
    let mut context: String = before.into_iter().collect();
    let start = context.len();
    context.push_str(shown);
    let end = context.len();
    context.push_str(after);
    find(&context, options).next().is_some_and(|found| found.at == (start..end) && found.disguise.is_none())
}
