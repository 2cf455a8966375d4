//! What a label, and a text itself, say of the text's charset.

use super::body::Body;
use super::form::TextForm;
use super::reading::decoded;
use crate::coding::charset::Charset;
use crate::coding::evidence::Because;
use crate::coding::scan::{head, start};

/// In so many octets at its start a text is asked for its own charset. Only where its label changes are all
/// declarations looked for.
const HEAD: usize = 4096;

/// Returns the first [`HEAD`] octets of a text, CRs not counted: where the label stays, declarations behind them stay
/// too. It must be what [`Body::declared_in`] looks at, so that what was believed is what is written anew, and a second
/// run finds no other declaration than this one.
pub(in crate::rewrite) fn head_of(text: &str) -> &str {
    head(text, start(text.as_bytes(), HEAD).len())
}

impl Body<'_> {
    /// Returns what HTML, XML or CSS says of its own charset, and what kind of declaration says it. None where the
    /// label tells a charset, the text is ASCII, or its transfer encoding is unknown. Who has the octets already asks
    /// [`declared_in`](Self::declared_in), for this undoes the transfer encoding once more.
    pub fn declared(&self) -> Option<(Vec<u8>, Because)> {
        let form = self.kind.filter(|form| form.may_declare())?;
        self.declared_in(form, &decoded(self.message, self.part).ok()?)
    }

    /// Reads the charset that HTML, XML or CSS declares first within [`HEAD`] octets, CRs not counted, of the text
    /// without its transfer encoding. None for ASCII, which needs no charset, and under a label that is known, unless
    /// it is US-ASCII: 8-bit octets disprove that.
    pub fn declared_in(&self, form: TextForm, octets: &[u8]) -> Option<(Vec<u8>, Because)> {
        let tells = self.charset().is_some_and(|charset| charset != Charset::US_ASCII);
        if !form.may_declare() || octets.is_ascii() || tells {
            return None;
        }
        let head = start(octets, HEAD);
        // Declarations are ASCII; one character an octet keeps the offsets.
        let latin: String = head.iter().map(|&octet| if octet.is_ascii() { char::from(octet) } else { '?' }).collect();
        let declared = form.declarations(&latin).first().map(|at| latin.as_bytes()[at.clone()].to_vec())?;
        Some((declared, form.because()))
    }
}
