//! Fields that count or sum up the octets of a body: true, or gone.
//!
//! An mbox reader that believes a stale Content-Length cuts the next message in two; a stale Content-MD5 (RFC 1864)
//! says that the body was damaged on the way; Lines (RFC 1036 §2.2.12) is merely wrong. All three are optional, what
//! they say can be told from the body, and a field that nobody wrote is better than one that septet signs for. So they
//! are taken out of the header of every part in whose body an octet changes, those around it too.

use super::Writer;
use crate::message::{Known, SIZES};
use crate::rewrite::Change;

impl Writer<'_, '_, '_> {
    /// Takes out the fields that the edits so far made untrue. It may be called again when there are more edits; a
    /// field that went by an earlier call is passed over.
    pub(in crate::rewrite) fn remove_stale_sizes(&mut self) {
        for (index, part) in self.survey.message.parts().iter().enumerate() {
            if self.edits.within(part.body).is_empty() {
                continue;
            }
            for field in self.survey.message.fields(part) {
                let Some(name) = field.known.filter(|_| field.is_one_of(SIZES)).map(Known::name) else { continue };
                if self.edits.within(field.line).iter().any(|edit| edit.at == field.line) {
                    continue;
                }
                // No signature is asked: one that is kept and covers the field has kept the bodies as well.
                self.edit(field.line, "");
                self.report_change(index, name, Change::Removed { field: name.into() });
            }
        }
    }
}
