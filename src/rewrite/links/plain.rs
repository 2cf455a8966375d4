//! Links in running text.
//!
//! On the way to URIs a link in ASCII stays as it is, valid or not: a template or a pattern is no IRI, and a change
//! would only harm it.

use super::{LinkEdits, LinkSettings, mapping};
use crate::coding::iri::find::{Found, Options};
use crate::coding::iri::{Refused, Syntax, apply, find, to_iri_edits, to_uri_edits};
use crate::rewrite::{Iris, Note};

pub(super) fn plan(text: &str, options: Options, settings: LinkSettings) -> LinkEdits {
    let mut plan = LinkEdits::default();
    for found in find(text, options) {
        match found.disguise {
            Some(disguise) => plan.note(Note::Link(disguise)),
            None => link(&mut plan, text, options, settings, &found),
        }
    }
    plan
}

fn link(plan: &mut LinkEdits, text: &str, options: Options, settings: LinkSettings, found: &Found) {
    let iri = found.iri(text);
    plan.look_at(&iri);
    let edits = match settings.iris {
        Iris::Keep => return,
        Iris::ToIri => to_iri_edits(&iri),
        Iris::ToUri if iri.is_ascii() => return,
        Iris::ToUri => match to_uri_edits(&iri, &mapping(settings, Syntax::Iri, None)) {
            Ok(edits) => edits,
            Err(Refused::Untouched) => return,
            Err(refused) => return plan.note(Note::Link(refused.clause())),
        },
    };
    // A link that is shown must still end where it ended: what it shows may end links.
    let fits = settings.iris == Iris::ToUri || found.breaks.is_empty() && is_one_link(&apply(&iri, &edits), options);
    if fits {
        plan.take(edits.into_iter().flat_map(|(range, with)| found.place(range, with)));
    }
}

fn is_one_link(text: &str, options: Options) -> bool {
    find(text, options).next().is_some_and(|found| found.at == (0..text.len()) && found.disguise.is_none())
}
