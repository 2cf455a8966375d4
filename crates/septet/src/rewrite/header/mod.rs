//! Plans header fields: which characters of a field are written otherwise, and how.
//!
//! One function plans one field ([`HeaderPlanner::plan`]), so edits can't fight; where the body's planner must set the
//! charset of the same field, it hands over the value and both changes come out of one pass. Protection and DKIM are
//! the caller's to ask; whether the form of a value can be changed at all is asked here.
//!
//! How a field is planned:
//!
//! 1. A field with no octet over 127, no `=?` and, where it has parameters, no `*` has nothing to plan. That
//!    is one scan of the value, and nearly every field of nearly all mail ends here.
//! 2. [`FieldKind`](crate::message::FieldKind) says where text stands in it, [`segment`] finds those places, [`items`]
//!    reads them.
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
mod parameter_form;
mod parameters;
mod planned;
mod proof;
mod replacement;
mod segment;
mod target;
mod value;

pub use ascii::{Downgrade, behind_type, own_ascii_form};
pub(in crate::rewrite) use encapsulate::MovedField;
pub use encapsulate::{DOWNGRADED, is_encapsulable};
pub use from_a_person::{EncodeError, encode_value};
pub(in crate::rewrite) use parameter_form::names_a_file;
pub use planned::FieldPlan;
pub(in crate::rewrite) use planned::{changes_once, each_once};
pub use proof::{FieldReading, is_same_text};

use self::planned::ValuePlan;
use self::target::FieldTarget;
use self::value::FieldValue;
use crate::coding::encoded_word::needs_words;
use crate::coding::evidence;
use crate::message::{CONTENT_TYPE, Field, Message, WITH_PARAMETERS};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{HeaderForm, Profile, Reason};

/// Plans the fields of one header.
#[derive(Clone, Copy)]
pub struct HeaderPlanner<'p> {
    /// The message that the header stands in.
    pub message: &'p Message<'p>,
    /// What is wanted of its fields.
    pub profile: &'p Profile,
    /// What stands beside the header: the charsets in one of which mail programs read its raw 8-bit octets, and the
    /// fields that name a file.
    pub beside: Beside<'p>,
}

impl HeaderPlanner<'_> {
    /// Plans one field of the header; total and pure. What has edits was proved to read as the field did, or is
    /// canonical (`ValuePlan::canonical`); where the proof fails, the field is left, with the reason.
    ///
    /// `charset` is what a Content-Type must name afterwards, for the planner of bodies: what stands there is replaced,
    /// and where none stands it is added at the end, whatever the profile; that is not reported. For any other field it
    /// must be none, since every field with parameters would get it. How many octets the field may have, and whether a
    /// new value holds a delimiter, is for the caller to ask.
    pub fn plan(&self, field: &Field, charset: Option<&str>) -> FieldPlan {
        let HeaderPlanner { message, profile, beside } = *self;
        let (name, was) = (message.slice(field.name), message.slice(field.value));
        let labelled = charset.filter(|_| field.is_one_of(CONTENT_TYPE));
        let plan = match labelled.and_then(|charset| label::splice(was, indent_of(message, field), charset)) {
            // Neither is the gate asked of a Content-Type as most are, nor is it proved.
            Some(edit) => ValuePlan { edits: vec![edit], canonical: true, ..ValuePlan::default() },
            None => self.plan_value(field, charset),
        };
        let (is_canonical, plan) = (plan.canonical, plan.into_field_plan(field));
        if plan.edits.is_empty() {
            return plan;
        }
        let now = plan.edits.apply_within(message.raw(), field.value);
        let reading = FieldReading { profile, beside, retyped: charset.is_some() };
        // Nobody reads otherwise what is canonical, so it is taken for proved.
        match if is_canonical { Ok(()) } else { reading.prove(name, was, &now) } {
            Ok(()) => FieldPlan { proved: Some(now.into()), ..plan },
            Err(why) => FieldPlan::left(Reason::Unproved(why)),
        }
    }

    /// Plans a field without a proof: the caller proves what has edits. Identifiers in words come first, and all else
    /// in one pass ([`FieldValue`]).
    fn plan_value(&self, field: &Field, charset: Option<&str>) -> ValuePlan {
        let HeaderPlanner { message, profile, beside } = *self;
        let (name, value, indent) = (message.slice(field.name), message.slice(field.value), indent_of(message, field));
        let end = message.line_end_at(field.line.start).as_str();
        // The gate is not asked of this: nothing stands in such a value but words that decode to what its grammar
        // wants.
        if let Some(plan) = identifiers::plan_words(name, value, indent, profile, end) {
            return plan;
        }
        if charset.is_none() && !self.may_need_change(field) {
            return ValuePlan::default();
        }
        let target = FieldTarget::writing(profile, beside, end);
        let named = self.named_beside(field, &target);
        let target = FieldTarget { named_beside: named.as_deref(), ..target };
        let mut plan = FieldValue { name, value, indent, target }.plan(charset);
        identifiers::report_words_that_stay(&mut plan, name, value, profile);
        // A word that touched the type would be none (RFC 2047 §5 (1)).
        let first = plan.edits.first_mut().filter(|(at, with)| at.start == 0 && with.starts_with("=?"));
        if let Some((_, with)) = first.filter(|_| touches_type(message, field)) {
            with.insert(0, ' ');
        }
        plan
    }

    /// Returns `true` if, by one scan, a field can hold what the profile wants otherwise. A charset that is asked for
    /// is not looked at: it is written even where headers are kept. Where none is asked for, `false` means that the
    /// plan is empty.
    pub fn may_need_change(&self, field: &Field) -> bool {
        let HeaderPlanner { message, profile, .. } = *self;
        let value = message.slice(field.value);
        match profile.headers {
            // Links become URIs even so.
            HeaderForm::Keep => !identifiers::uris(message.slice(field.name), value, profile).is_empty(),
            _ => !is_plain(value, profile) || may_have_sections(message, field),
        }
    }
}

/// Returns how many octets stand on the line of a field before its value: the name, what stands before the colon, and
/// the colon; with the type of a report's field ([`behind_type`]) that, too, and the space that words behind it get.
fn indent_of(message: &Message, field: &Field) -> usize {
    field.value.start.saturating_sub(field.line.start) + usize::from(touches_type(message, field))
}

/// Returns `true` if a value begins right behind the type of a report's field, without white space between. Only a
/// value that [`behind_type`] returns has a `;` before it.
fn touches_type(message: &Message, field: &Field) -> bool {
    message.raw()[..field.value.start].ends_with(b";") && message.slice(field.value).first().is_some_and(item::is_solid)
}

/// Returns `true` if, by one scan, octets have nothing to plan but a charset that is asked for and parameters with `*`:
/// no octet over 127, no word, no ISO-2022-JP, and nothing that begins an escape where escapes are expanded. So are
/// nearly all headers, and the fields of these are passed over: whatever [`HeaderPlanner::plan`] may change has to be
/// looked for here.
pub fn is_plain(octets: &[u8], profile: &Profile) -> bool {
    let is_expanded = !profile.unescape_in_headers().is_empty();
    let may_hold_escapes = is_expanded && memchr::memchr2(b'\\', b'&', octets).is_some();
    !(needs_words(octets) || evidence::has_iso_2022_escape(octets) || may_hold_escapes)
}

/// Returns `true` if a field has parameters, of which some may be extended or in sections (RFC 2231). Whoever passes
/// over a field because it [is plain](is_plain) asks this, too: such parameters are ASCII.
pub fn may_have_sections(message: &Message<'_>, field: &Field) -> bool {
    field.is_one_of(WITH_PARAMETERS) && memchr::memchr(b'*', message.slice(field.value)).is_some()
}
