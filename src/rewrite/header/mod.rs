//! Plans header fields: which characters of a field are written otherwise, and how.
//!
//! One function plans one field ([`plan_field`]), so edits can't fight; where somebody else must set a parameter
//! of the same field, as the body's planner sets `charset`, it hands over the value and both changes come out of
//! one pass. Nothing here asks whether the field may be touched: protection and DKIM are the
//! caller's.
//!
//! How a field is planned:
//!
//! 1. A field with no octet over 127, no `=?` and, where it has parameters, no `*` has nothing to plan. That
//!    is one scan of the value, and nearly every field of nearly all mail ends here.
//! 2. [`FieldKind`](crate::message::FieldKind) says where text stands in it, [`segment`] finds those places, [`items`] reads them.
//! 3. [`replacement`] decides what is replaced, [`parameters`] does so for parameters.
//! 4. `fold.rs` writes it: columns, folds, limits.
//!
//! What stays, stays octet for octet, folds and odd white space too. A field planned twice is planned once: the
//! second plan is empty. What can't be read is left and reported, and so is a field that could not be written
//! without a line over 998 octets.
//!
//! **Limits:** none of its own; linear in the field.

mod ascii;
mod downgrade;
mod encapsulate;
mod file_beside;
mod fold;
mod from_a_person;
mod identifiers;
mod item;
mod items;
mod label;
mod meaning;
mod mime;
mod parameter_form;
mod parameters;
mod planned;
mod proof;
mod proved;
mod replacement;
mod report_value;
mod segment;
mod target;
mod typed_address;
mod uris;
mod value;

pub(in crate::rewrite) use encapsulate::encapsulated;
pub use encapsulate::{DOWNGRADED, is_encapsulable};
pub use from_a_person::{NotWritten, encode_value};
pub(in crate::rewrite) use label::is_usual_type;
pub(in crate::rewrite) use mime::{MimeFields, labelled_field};
pub use planned::FieldPlan;
pub use proof::FieldReading;
pub(in crate::rewrite) use proved::ProvedValue;
pub use report_value::{downgrade_report_value, own_ascii_form};

use self::target::{FieldTarget, reader};
use self::value::FieldValue;
use crate::coding::encoded_word::needs_words;
use crate::coding::evidence;
use crate::edit::EditList;
use crate::message::{CONTENT_TYPE, Field, Message, WITH_PARAMETERS};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{HeaderForm, Profile, Reason};

/// Plans one field of a message; total and pure. What has edits was proved to read as the field did: where that fails,
/// the field is left, with the reason.
///
/// `overrides` are parameters, and the ASCII values that they must have afterwards, for the planner of bodies: a
/// value that stands there is replaced, a parameter that does not is added at the end. They count in
/// Content-Type and Content-Disposition alone, whatever the profile, and are not reported.
pub fn plan_field(message: &Message<'_>, profile: &Profile, field: &Field, overrides: &[(&str, &str)]) -> FieldPlan {
    plan_field_beside(message, profile, field, overrides, Beside::default())
}

/// Plans one field as [`plan_field`] does, in a message whose parts may declare charsets (`beside`): mail programs read
/// raw 8-bit octets of the header in one of these.
pub fn plan_field_beside(
    message: &Message<'_>,
    profile: &Profile,
    field: &Field,
    overrides: &[(&str, &str)],
    beside: Beside,
) -> FieldPlan {
    let asked = FieldRequest { message, profile, field, overrides, beside };
    if let Some(plan) = asked.plan_charset_alone() {
        return plan;
    }
    let plan = asked.plan_value();
    if plan.edits.is_empty() {
        return plan;
    }
    asked.prove(plan).unwrap_or_else(FieldPlan::left)
}

/// What is asked of a field, and by what it is planned.
struct FieldRequest<'p, 'a> {
    message: &'p Message<'a>,
    profile: &'p Profile,
    field: &'p Field,
    overrides: &'p [(&'p str, &'p str)],
    beside: Beside<'p>,
}

impl FieldRequest<'_, '_> {
    /// Sets the charset of a Content-Type as most are, of which nothing else is asked; none where the field must be
    /// planned like any other. The gate isn't asked and nothing is proved: [`label::splice`] takes only values that all
    /// readers take alike, and in which nothing else could need a change.
    fn plan_charset_alone(&self) -> Option<FieldPlan> {
        let [("charset", charset)] = self.overrides else { return None };
        let value = self.message.slice(self.field.value);
        if !self.field.is_one_of(CONTENT_TYPE) {
            return None;
        }
        let indent = self.field.value.start.saturating_sub(self.field.line.start);
        let (at, with) = label::splice(value, indent, charset)?;
        let now = [&value[..at.start], with.as_bytes(), &value[at.end..]].concat();
        let mut edits = EditList::new();
        edits.push(self.field.value.within(at), with).ok()?;
        Some(FieldPlan {
            edits,
            proved: Some(Box::new(ProvedValue::new(now, self.beside.named, true))),
            ..FieldPlan::default()
        })
    }

    /// Proves that the field reads after its plan as it did before, and adds the proved value to the plan; the error is
    /// the reason for which the field stays. The plan must have edits.
    fn prove(&self, plan: FieldPlan) -> Result<FieldPlan, Reason> {
        let FieldRequest { message, profile, field, overrides, beside } = *self;
        let now = plan.edits.apply_within(message.raw(), field.value);
        let reading = FieldReading { profile, beside, retyped: !overrides.is_empty(), transfer: None };
        let (name, was) = (message.slice(field.name), message.slice(field.value));
        // Nobody reads canonical words otherwise, so they are taken for proved. No field with parameters has such a
        // plan, so that none is retyped.
        if plan.canonical {
            return Ok(FieldPlan { proved: Some(Box::new(ProvedValue::new(now, beside.named, false))), ..plan });
        }
        let proved = reading.proved(name, was, now).map_err(Reason::Unproved)?;
        Ok(FieldPlan { proved: Some(Box::new(proved)), ..plan })
    }

    /// Plans the field without a proof: the caller proves what has edits. Identifiers in words come first; links are
    /// planned apart from the comments beside them, and all else in one pass ([`FieldValue`]).
    fn plan_value(&self) -> FieldPlan {
        let FieldRequest { message, profile, field, overrides, beside } = *self;
        let (name, value) = (message.slice(field.name), message.slice(field.value));
        let indent = field.value.start.saturating_sub(field.line.start);
        let end = message.line_end_at(field.line.start).as_str();
        // The gate is not asked of this: nothing stands in such a value but words that decode to what its grammar
        // wants.
        if let Some(plan) = identifiers::plan(name, value, indent, profile, end) {
            return plan.into_field_plan(field);
        }
        let links = uris::plan(name, value, indent, profile);
        if links.is_none() && overrides.is_empty() && !may_need_change(message, profile, field) {
            return FieldPlan::default();
        }
        // A field of links is no address list, no typed address and no trace: nothing in it is downgraded.
        let addresses = if links.is_some() { None } else { profile.downgraded_addresses() };
        let named =
            beside.naming.and_then(|fields| file_beside::named_beside(message, field, fields, reader(profile, beside)));
        let plan = with_target(end, profile, beside, |target| {
            let target = FieldTarget { named_beside: named.as_deref(), ..target };
            FieldValue { name, value, indent, target, addresses }.plan(overrides)
        });
        // A value that was given up stays whole, its links too.
        let plan = match links {
            Some(links) if !plan.is_given_up() => {
                links.join_comments(plan, value, indent).left_if_irregular(name, value)
            }
            _ => plan,
        };
        identifiers::report_words_that_stay(plan, name, value, profile).into_field_plan(field)
    }
}

/// Calls `look` with the target for which a profile plans the fields of a message; `end` is the line end of folds. The
/// proof reads values by the same keys (`reading_target` in `meaning.rs`).
fn with_target<T>(end: &str, profile: &Profile, beside: Beside, look: impl FnOnce(FieldTarget<'_>) -> T) -> T {
    let reader = reader(profile, beside);
    look(FieldTarget {
        form: profile.headers,
        charset: profile.headers_charset(),
        file_names: profile.file_names,
        named_beside: None,
        escape: profile.escape,
        closest: profile.closest_letters(),
        reader,
        fold: Some(end),
        literal: false,
        unescape: profile.unescape_in_headers(),
        once: profile.headers != HeaderForm::Utf8,
        undo_double: profile.undoes_double_in_headers(),
        repair: profile.repair,
        keep_raw: false,
        most: Some(profile.limits.field_bytes),
    })
}

/// Returns `true` if, by one scan, a field can hold text that a profile wants otherwise. Links and overrides are not
/// looked at: these are planned even where headers are kept.
pub fn may_need_change(message: &Message<'_>, profile: &Profile, field: &Field) -> bool {
    let is_plain = is_plain(message.slice(field.value), profile);
    profile.headers != HeaderForm::Keep && (!is_plain || may_have_sections(message, field))
}

/// Returns `true` if, by one scan, octets have nothing to plan but overrides and parameters with `*`: no octet over 127, no
/// word, no ISO-2022-JP, and nothing that begins an escape where escapes are expanded. So are nearly all headers, and the
/// fields of these are passed over: whatever [`plan_field`] may change has to be looked for here.
pub fn is_plain(octets: &[u8], profile: &Profile) -> bool {
    let is_expanded = !profile.unescape_in_headers().is_empty();
    let may_hold_escapes = is_expanded && memchr::memchr2(b'\\', b'&', octets).is_some();
    !(needs_words(octets) || evidence::has_iso_2022_escape(octets) || may_hold_escapes)
}

/// Returns `true` if a field has parameters, of which some may be extended or in sections (RFC 2231).
pub fn may_have_sections(message: &Message<'_>, field: &Field) -> bool {
    // `*` alone is common in text, so the name is looked up only where there is one.
    memchr::memchr(b'*', message.slice(field.value)).is_some() && field.is_one_of(WITH_PARAMETERS)
}
