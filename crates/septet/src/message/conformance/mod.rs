//! Defects that have a name in the settings: what an operator may want fixed or refused.
//!
//! Reading a message finds the defects that matter to reading it ([`Message::defects`]); these here are looked for on
//! demand, by one more pass over the octets, since most messages are converted without anybody asking for them.
//!
//! What concerns a header (fields that are missing, twice, or badly written) is looked for in the message's own header
//! and in those of its MIME parts, and not in the messages that it holds: a bounce is no worse for the mail that it
//! returns. What concerns octets (long lines, octets 0, …) is looked for everywhere, for it hurts on the way.

mod fields;
mod octets;

pub use fields::{is_mime_field, means_the_same, repeated_by};
pub use octets::base64_footer;

use super::{Defect, DefectKind, Kind, Message};

/// The defects that have a name in the settings, in the order of the documentation.
pub const NAMED: [DefectKind; 14] = [
    DefectKind::MissingMimeVersion,
    DefectKind::MissingDate,
    DefectKind::MissingMessageId,
    DefectKind::UnreadableDate,
    DefectKind::MissingColon,
    DefectKind::SpaceBeforeColon,
    DefectKind::NoEmptyLine,
    DefectKind::RepeatedField,
    DefectKind::LongLine,
    DefectKind::BareLineEnd,
    DefectKind::Undeclared8Bit,
    DefectKind::Nul,
    DefectKind::UnusedBoundary,
    DefectKind::Base64Footer,
];

/// Finds the defects that have a name in the settings, in the order of the message; linear in it.
///
/// Of a message that was not read, being beyond a limit, only lines and octets are looked at, and count as part 0; of a
/// header beyond a limit these, and how it ends.
///
/// ```
/// use septet::message::{DefectKind, Limits, Message, named_defects};
///
/// let message = Message::read(b"Date: 21 Nov 2026 10:00 +0000\nMessage-ID: <a@b>\nSubject : hello\n\nbody\n", &Limits::default());
/// let found = named_defects(&message);
/// assert_eq!((found.len(), found[0].kind), (1, DefectKind::SpaceBeforeColon));
/// ```
pub fn named_defects(message: &Message) -> Vec<Defect> {
    let mut found = Vec::new();
    fields::find(message, &mut found);
    octets::find(message, &mut found);
    found.sort_by_key(|defect| (defect.at.start, defect.at.end));
    found
}

/// Returns `true` if a part's header is the message's own, or that of a MIME part in it: no message inside stands
/// around it. An index of no part counts as that of the message.
pub fn is_own_header(message: &Message, index: usize) -> bool {
    let parts = message.parts();
    let parent = parts.get(index).and_then(|part| part.parent);
    std::iter::successors(parent, |at| parts.get(*at)?.parent).all(|at| parts[at].kind != Kind::Message)
}
