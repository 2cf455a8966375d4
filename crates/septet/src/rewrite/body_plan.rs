//! What is planned for one body: what is written in its place, what that asks of its header, and what there is to say
//! of it. The planners of bodies fill it (`body/`, `conformance/fixer.rs`), the writer adds what follows for parts
//! around (`write/composite.rs`) and empties it into edits and report, and what is left of it is what the proof holds
//! the result to ([`Step`](super::step::Step)).

use super::octet_sum::OctetSum;
use super::{BodyLabel, Change, Outcome, Reason};
use crate::coding::evidence::Origin;
use crate::coding::transfer::TransferEncoding;
use crate::message::{Message, Part};

/// What is planned for one body, and what that asks of its header.
#[derive(Debug, Clone, Default)]
pub(super) struct BodyPlan {
    /// The sum of the body as it came; none where it holds parts, or is not to be proved yet.
    pub came: Option<OctetSum>,
    /// The new body; none when it stays.
    pub body: Option<Vec<u8>>,
    /// The charset that Content-Type must name; none when it stays.
    pub charset: Option<&'static str>,
    /// The transfer encoding that the header must name; none when it stays.
    pub transfer: Option<TransferEncoding>,
    /// The media type that Content-Type must name; none when it stays.
    pub media: Option<&'static str>,
    /// The sum of the new body, once it was handed over to the edits.
    pub written: Option<OctetSum>,
    /// What goes into the report, in order.
    pub outcomes: Vec<Outcome>,
}

impl BodyPlan {
    /// Returns `true` if this may be the part that the plan was made for: a leaf with the same body, or for a plan of a
    /// part made of parts, any such part. Its `came` must be known.
    pub fn is_of(&self, message: &Message, part: &Part) -> bool {
        self.came == OctetSum::of_body(message, part)
    }

    /// Returns `true` if anything changes, in the body or in what its header says of it. Not to be asked once the
    /// writer has taken `body` out ([`written`](Self::written) tells by then).
    pub fn changes(&self) -> bool {
        self.body.is_some() || self.changes_header()
    }

    /// Returns `true` if the new body has 8-bit octets. Not to be asked once the writer has taken it out.
    pub fn is_eight_bit(&self) -> bool {
        self.body.as_ref().is_some_and(|body| !body.is_ascii())
    }

    /// Returns `true` if something should have been changed and was not. Notes don't count.
    pub fn leaves(&self) -> bool {
        self.outcomes.iter().any(Outcome::is_left)
    }

    /// Returns what is changed, as it is reported. Of a body whose outcomes the writer has taken there is nothing.
    pub fn reported_changes(&self) -> impl Iterator<Item = &Change> {
        self.outcomes.iter().flat_map(Outcome::changes)
    }

    /// Returns `true` if the text goes out in another charset than it came in. That is known by what is reported, so
    /// that whoever recodes a text must report [`Change::Charset`].
    pub fn recodes(&self) -> bool {
        self.reported_changes().any(|change| matches!(change, Change::Charset { .. }))
    }

    /// Returns `true` if the header must name another transfer encoding, and that is one in which octets are encoded.
    pub fn encodes(&self) -> bool {
        self.transfer.as_ref().is_some_and(|to| !to.is_identity())
    }

    /// Returns `true` if the header must say something else of the body. Whatever else a plan may come to ask of the
    /// header must be asked about here: a plan that neither writes a body nor asks for anything is not handed to the
    /// proof ([`Step::of`](super::step::Step::of)), which then allows no such change.
    pub fn changes_header(&self) -> bool {
        self.charset.is_some() || self.transfer.is_some() || self.media.is_some()
    }

    /// Reports one more change of the same body: in the first outcome that was done, else in a new one behind all. So a
    /// body has one line of changes in the report, in the order in which they were added.
    pub fn add_change(&mut self, change: Change) {
        for outcome in &mut self.outcomes {
            if let Outcome::Done(changes) = outcome {
                return changes.push(change);
            }
        }
        self.outcomes.push(Outcome::Done(vec![change]));
    }

    /// Asks the header to name another transfer encoding, and reports that as a change of the label alone. The plan
    /// must ask for none yet, or both are reported.
    pub fn name_transfer(&mut self, from: &TransferEncoding, to: TransferEncoding) {
        self.add_change(Change::transfer_label(from, &to));
        self.transfer = Some(to);
    }

    /// Asks the header to name another media type, and reports that as a change of the label; the first to ask decides,
    /// since every header that becomes 8-bit asks for it of the message around. `to` must be `main/sub`: the proof
    /// takes it apart there.
    pub fn name_media(&mut self, from: &str, to: &'static str) {
        if self.media.is_none() {
            self.add_change(Change::Label { what: BodyLabel::Type, from: Origin::label(from), to: to.to_owned() });
            self.media = Some(to);
        }
    }

    /// Makes the plan that leaves a body, and says why.
    pub fn left(reason: Reason) -> BodyPlan {
        BodyPlan { outcomes: vec![Outcome::Left(reason)], ..BodyPlan::default() }
    }
}
