//! What a new body repairs of its transfer encoding, and where that is not wanted.

use crate::coding::transfer::quoted_printable::{self, TrailingBlanks};
use crate::coding::transfer::{TransferEncoding, base64};
use crate::message::irregular::{self, Form};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::ensure::ensure;
use crate::rewrite::survey::body::Body;
use crate::rewrite::{Change, Reason, Repair};

impl Body<'_> {
    /// Reports what a new body repairs: `repairs` names a transfer encoding that had faults. A body that stays repairs
    /// nothing. Under `repair = "keep"` the plan ends instead, for the form that would be repaired; blanks that it
    /// loses may end it under any (`report_blanks`). The header may be asked for a plain name of the transfer encoding.
    /// What is reported stands in the order in which it is asked here.
    pub(super) fn report_repairs(&self, mut plan: BodyPlan, repairs: Option<&'static str>) -> Result<BodyPlan, Reason> {
        self.report_blanks(&mut plan)?;
        self.name_transfer_plainly(&mut plan)?;
        let repairs = match self.transfer {
            // Many readers stop at padding that comes early.
            TransferEncoding::Base64 => repairs.or_else(|| base64::behind_padding(self.raw).map(|_| "base64")),
            _ => repairs,
        };
        let Some(what) = repairs.filter(|_| plan.body.is_some()) else { return Ok(plan) };
        if self.profile.repair == Repair::Keep {
            let forms = irregular::body(&self.transfer, self.raw);
            return Err(forms.iter().next().map_or(Reason::Internal("a repair of no form"), Reason::Irregular));
        }
        plan.add_change(Change::Repaired { what });
        Ok(plan)
    }

    /// Returns `true` if everything that breaks a rule is repaired, whether readers stumble over it or not. Under the
    /// other settings a body is never written anew for a fault alone.
    pub(super) fn repairs_all(&self) -> bool {
        self.profile.repair == Repair::All
    }

    /// Asks the header for the standard name of a transfer encoding that it calls otherwise (`8-bit`), where everything
    /// is repaired.
    pub(super) fn name_known_transfer(&self, plan: &mut BodyPlan) {
        if self.repairs_all() && plan.transfer.is_none() && self.transfer != self.part.transfer {
            plan.name_transfer(&self.part.transfer, self.transfer.clone());
        }
    }

    /// Asks the header for the bare name of a transfer encoding that a new body is in, where more stands there, if only
    /// a blank: some readers don't know the name then, and would show the encoding that the body has only now. Under
    /// `repair = "keep"` the plan ends instead.
    fn name_transfer_plainly(&self, plan: &mut BodyPlan) -> Result<(), Reason> {
        if plan.body.is_none() || plan.transfer.is_some() || self.transfer.is_identity() || self.is_named_plainly() {
            return Ok(());
        }
        if self.profile.repair == Repair::Keep {
            let forms = irregular::part(self.message, self.part);
            let of_name = forms.iter().find(|form| matches!(form, Form::TransferComment | Form::TransferRepeated));
            return Err(Reason::Irregular(of_name.unwrap_or(Form::TransferOdd)));
        }
        plan.transfer = Some(self.part.transfer.clone());
        plan.add_change(Change::Repaired { what: "transfer-encoding" });
        Ok(())
    }

    /// Returns `true` if each Content-Transfer-Encoding of the part has the name of the encoding and nothing else;
    /// `true` where there is none.
    fn is_named_plainly(&self) -> bool {
        let (raw, name) = (self.message.raw(), self.part.transfer.name().as_bytes());
        let mut fields = self.message.fields(self.part).iter();
        fields.all(|field| {
            !field.is(raw, "Content-Transfer-Encoding") || field.solid_value(raw).slice(raw).eq_ignore_ascii_case(name)
        })
    }

    /// Reports the blanks at the ends of lines of quoted-printable, and those within soft line breaks, that a new body
    /// has no more: transport added them, and they go (RFC 2045 §6.7 (3)); lines that stay as they were written keep
    /// theirs. Many readers keep them all, so that a file would be another one to them, and lines of format=flowed (RFC
    /// 3676) would not flow: there the plan ends. `repair` is not asked, as these blanks are no fault of the sender's.
    fn report_blanks(&self, plan: &mut BodyPlan) -> Result<(), Reason> {
        let was_quoted = self.transfer == TransferEncoding::QuotedPrintable;
        let Some(body) = plan.body.as_ref().filter(|_| was_quoted) else { return Ok(()) };
        let stays_quoted = plan.transfer.as_ref().is_none_or(|to| *to == TransferEncoding::QuotedPrintable);
        let came = quoted_printable::trailing_blanks(self.raw);
        if came == TrailingBlanks::default() {
            return Ok(());
        }
        let kept = if stays_quoted { quoted_printable::trailing_blanks(body) } else { TrailingBlanks::default() };
        let (blanks, breaks) = (came.lines > kept.lines, came.soft_breaks > kept.soft_breaks);
        if !(blanks || breaks) {
            return Ok(());
        }
        let keeps_blanks = self.kind.is_none_or(|form| self.is_kept_file(form)) || self.says("format", "flowed");
        ensure(!keeps_blanks, Reason::Irregular(Form::QpBlanks))?;
        for what in [blanks.then_some("trailing-blanks"), breaks.then_some("soft-breaks")].into_iter().flatten() {
            plan.add_change(Change::Repaired { what });
        }
        Ok(())
    }
}
