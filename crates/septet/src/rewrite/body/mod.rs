//! Plans one body: its charset, its links, its escapes, its transfer encoding, all in one decision.
//!
//! ```text
//! octets --undo transfer--> octets --decode--> text --unescape, links, declarations--> text
//!                                                                                       |
//! octets <---------reencode (transfer)----------- octets <---encode---------------------+
//! ```
//!
//! Each step may find that nothing is to be done; a body for which every step finds that is never copied. A
//! step that can't be done without loss ends the plan with a [`Reason`], and the body stays as it is, whole.
//!
//! What a change asks of the header (the charset parameter, the transfer encoding) is handed back in the
//! [`BodyPlan`]: the planner of fields writes it, so that no two planners edit one field.

mod declare;
mod embedded;
mod encode;
mod file;
mod fixed;
mod folds;
mod repairs;
mod report;
pub(super) mod report_type;
mod text;
mod transfer;

use std::borrow::Cow;

use transfer::{ReencodeInput, Reencoded, reencode};

use super::body_plan::BodyPlan;
use super::ensure::ensure;
use super::survey::body::Body;
use super::survey::form::TextForm;
use super::survey::reading::{TransferDecoded, decode_transfer};
use super::{BodyCharset, Change, Iris, Outcome, Reason, Transfer};
use crate::coding::charset::{Charset, is_plain_label};
use crate::coding::evidence::{begins_with_mark, has_iso_2022_escape, may_be_wide};
use crate::coding::transfer::TransferEncoding;
use crate::message::irregular::Form;
use crate::message::{Kind, LimitReached, Protection};

impl Body<'_> {
    /// Plans the body. One beyond a limit is left, whatever it is; else a part that is no leaf, or empty, needs
    /// nothing. Rules ask afterwards whether the part is protected, or of a form that readers take differently
    /// (`agree/alone.rs`): what is planned shows whether that matters. Whether it is a report is asked first, for by
    /// its kind that is no text, and would be planned as data.
    pub fn plan(&self) -> BodyPlan {
        if let Some(limit) = self.part.limit.or_else(|| self.limit_of_label()) {
            return BodyPlan::left(Reason::Limit(limit));
        }
        if self.part.kind != Kind::Leaf || self.raw.is_empty() {
            return BodyPlan::default();
        }
        let planned = report::plan(self).unwrap_or_else(|| match self.kind {
            Some(form) => self.plan_text(form, |octets| self.convert(form, octets)),
            None => self.plan_data(),
        });
        planned.unwrap_or_else(BodyPlan::left)
    }

    /// Plans once more a text whose charset was to change and must stay for a reason of its message: its transfer
    /// encoding alone, as of any text that stays. What is no text, or can't be planned so, is left for this reason.
    pub fn plan_with_charset_kept(&self, reason: Reason) -> BodyPlan {
        let plan = self.kind.and_then(|form| self.plan_text(form, |_| Err(reason.clone())).ok());
        // A charset that the header would name after all would be the hint to other texts from then on.
        plan.filter(|plan| plan.charset.is_none()).unwrap_or_else(|| BodyPlan::left(reason))
    }

    /// Returns the limit that the Content-Type of the part is beyond, if it is: then its label is not read. The planner
    /// of fields leaves such a field for the same limit.
    fn limit_of_label(&self) -> Option<LimitReached> {
        let field = self.message.field(self.part, "Content-Type")?;
        self.profile.limits.reached_by_field(self.message.slice(field.value), 0)
    }

    /// Plans a body that is no text: only its transfer encoding can need a change, and only down to 7 bits. The error
    /// says why its 8-bit octets stay. A multipart or a message is planned here where it was not looked into
    /// ([`Kind::Leaf`]), and stays.
    fn plan_data(&self) -> Result<BodyPlan, Reason> {
        if self.profile.transfer != Transfer::SevenBit || self.raw.is_ascii() {
            return Ok(BodyPlan::default());
        }
        // RFC 2045 §6.4: what is made of parts or is a message may not be encoded itself. `message/global` may (RFC
        // 6532 §3.7), but stays as well.
        if matches!(&*self.part.content_type.main, "multipart" | "message") {
            let encoded = Reason::Irregular(Form::CompositeEncoded);
            return Err(if self.transfer.is_identity() { Reason::Stray } else { encoded });
        }
        // 8-bit octets amid base64 are damage: readers skip them or give up, and written anew it would be hidden.
        ensure(self.transfer != TransferEncoding::Base64, Reason::Irregular(Form::BaseDamaged))?;
        let TransferDecoded { octets, repairs } = decode_transfer(&self.transfer, self.raw)?;
        self.report_repairs(self.reencode_octets(&octets)?, repairs)
    }

    /// Plans a text, of which `convert` plans the characters: it is given the octets without the transfer encoding, and
    /// not asked where the profile wants nothing of characters. Its error says why they stay; the transfer encoding is
    /// planned all the same. Only a text that would change, or is left, is asked whether it is signed or carries a
    /// file; the names that its header must have come last, for they go by what the plan asks by then.
    fn plan_text(
        &self,
        form: TextForm,
        convert: impl FnOnce(&[u8]) -> Result<BodyPlan, Reason>,
    ) -> Result<BodyPlan, Reason> {
        if self.needs_nothing(form) {
            return Ok(BodyPlan::default());
        }
        let TransferDecoded { octets, repairs } = decode_transfer(&self.transfer, self.raw)?;
        // The label names UTF-16 or UTF-32, and the octets do not show that they are UTF-8.
        let is_wide = self.is_in_transit() && self.charset().is_some_and(|charset| may_be_wide(charset, &octets));
        ensure(!is_wide, Reason::Irregular(Form::WideLines))?;
        let mut plan = match self.wants_text() {
            true => self.converted_or_reencoded(convert(&octets), &octets)?,
            false => self.plan_reencoded(self.to_reencode(&octets))?,
        };
        // A mark of UTF-16 or UTF-32 means nothing among line ends of the message, and would in base64.
        let is_hidden = plan.transfer.as_ref() == Some(&TransferEncoding::Base64);
        let gets_mark = is_hidden && plan.leaves() && self.is_in_transit() && begins_with_mark(&octets);
        ensure(!gets_mark, Reason::Irregular(Form::WideLines))?;
        // A text that stays as it is can't be harmed, whatever it carries.
        if !plan.changes() && !plan.leaves() {
            self.name_known_transfer(&mut plan);
            return Ok(plan);
        }
        let is_file = self.is_kept_file(form);
        let seen = embedded::without_zeros(&octets);
        // A patch may be signed as any text; a file that is attached goes by its octets.
        ensure(is_file || !embedded::has_inline_pgp(&seen), Reason::Protected(Protection::InlinePgp))?;
        if is_file || embedded::must_keep_octets(&seen) || self.is_no_text(&octets) {
            return self.report_repairs(self.keep_octets(&octets, plan, is_file)?, repairs);
        }
        let mut plan = self.report_repairs(plan, repairs)?;
        self.name_charset_of_encoded(form, &octets, &mut plan);
        self.name_type_in_digest(&octets, &mut plan);
        self.name_known_transfer(&mut plan);
        Ok(plan)
    }

    /// Returns `true` if octets are none of a text, though their type says so: they begin with the signature of a file,
    /// or have octets 0, which no text in a charset of single octets has (RFC 2046 §4.1.2).
    fn is_no_text(&self, octets: &[u8]) -> bool {
        file::begins_as_a_file(octets)
            || (memchr::memchr(0, octets).is_some() && !self.is_wide() && !begins_with_mark(octets))
    }

    /// Returns `true` if the label names a charset in which a line end is no single octet: UTF-16, UTF-32. What the
    /// octets are is not asked.
    fn is_wide(&self) -> bool {
        self.charset().is_some_and(|charset| !charset.shows_line_ends())
    }

    /// Returns the plan of a text that was converted; of one that stays, plans the transfer encoding alone, and reports
    /// why. To such a text 8 bits are no gain, so its body is written anew only under `transfer = "7bit"`. A reason
    /// that only who has read the text can have must be reported under `charset = "keep"`, too (`was_read`).
    fn converted_or_reencoded(&self, converted: Result<BodyPlan, Reason>, octets: &[u8]) -> Result<BodyPlan, Reason> {
        converted.or_else(|reason| {
            let mut plan = self.plan_reencoded(self.to_reencode(octets))?;
            if self.profile.transfer != Transfer::SevenBit && plan.body.is_some() {
                plan = BodyPlan::default();
            }
            // Where the charset stays, only links were looked for, and what can't be read has none that anybody could
            // read.
            let was_read = matches!(reason, Reason::Loss(_) | Reason::Internal(_));
            if self.profile.charset != BodyCharset::Keep || was_read {
                plan.outcomes.push(Outcome::Left(reason));
            }
            Ok(plan)
        })
    }

    /// Plans what is written in a transfer encoding and changes nothing else. An empty plan where nothing is to be
    /// written; the error is that of [`reencode`]. Of a file [`reencode_octets`](Self::reencode_octets) asks this, by
    /// which its line ends stay, too.
    fn plan_reencoded(&self, input: ReencodeInput) -> Result<BodyPlan, Reason> {
        let mut plan = BodyPlan::default();
        self.add_reencoded(&mut plan, reencode(input)?, Vec::new());
        Ok(plan)
    }

    /// Returns `true` if a body can't need a change: ASCII as it stands, plainly labelled, with no escapes or links to
    /// look for. `false` decides nothing. It is there for speed alone, and must never be `true` of a body for which the
    /// rest of [`plan_text`](Self::plan_text) would plan or report anything.
    fn needs_nothing(&self, form: TextForm) -> bool {
        // Under `transfer = "7bit"` a body in ASCII that is called 8bit or binary is called 7bit.
        let keeps_name = self.profile.transfer != Transfer::SevenBit || self.transfer == TransferEncoding::SevenBit;
        let plain = keeps_name && self.transfer.is_identity() && self.raw.is_ascii();
        plain
            && !has_iso_2022_escape(self.raw)
            && !(self.repairs_all() && self.transfer != self.part.transfer)
            && self.profile.unescape.is_empty()
            && self.profile.iris != Iris::ToIri
            // A link in ASCII is a URI, but in HTML it may have character references.
            && (form != TextForm::Html || self.profile.iris == Iris::Keep)
            && match self.profile.charset {
                // ASCII may be other characters: UTF-7, HZ.
                BodyCharset::Keep => self.profile.iris == Iris::Keep || self.charset().is_none_or(Charset::keeps_ascii),
                _ => self.label().is_none_or(|label| is_plain_label(&label)),
            }
    }

    /// Returns `true` if the profile asks for another charset, other links or expanded escapes, for which the text must
    /// be decoded; `false` if nothing but its transfer encoding may change. A new key that changes characters must be
    /// asked about here and in `needs_nothing`, or bodies are passed over.
    fn wants_text(&self) -> bool {
        self.profile.charset != BodyCharset::Keep
            || self.profile.iris != Iris::Keep
            || !self.profile.unescape.is_empty()
    }

    /// Returns what there is to write in the transfer encoding where nothing else changes: `octets`, which came without
    /// theirs, are those that it shall mean. Whoever changes more puts that in. Where everything is repaired it is
    /// written anew for faults of the transfer encoding alone.
    fn to_reencode<'i>(&'i self, octets: &'i [u8]) -> ReencodeInput<'i> {
        let anew = self.repairs_all() && decode_transfer(&self.transfer, self.raw).is_ok_and(|it| it.repairs.is_some());
        ReencodeInput { body: self, octets, encoded: Cow::Borrowed(octets), relabelled: false, anew, exact: false }
    }

    /// Adds to a plan the body as it was reencoded, the transfer encoding that the header must name, and, before all
    /// other outcomes, `changes` with that of the transfer encoding. That is one of the label alone where the body
    /// stays, or was in the encoding before, under another name. `plan` must have no changes yet.
    fn add_reencoded(&self, plan: &mut BodyPlan, reencoded: Option<Reencoded>, mut changes: Vec<Change>) {
        if let Some(reencoded) = reencoded {
            if reencoded.transfer != self.part.transfer {
                let (from, to) = (self.part.transfer.clone(), reencoded.transfer.clone());
                changes.push(match reencoded.body.is_some() && to != self.transfer {
                    true => Change::Transfer { from, to },
                    false => Change::transfer_label(&from, &to),
                });
                plan.transfer = Some(reencoded.transfer);
            }
            plan.body = reencoded.body;
        }
        if !changes.is_empty() {
            plan.outcomes.insert(0, Outcome::Done(changes));
        }
    }
}
