//! What the header and the text itself say of a text's charset, before and after; and its type, where only a charset
//! makes the header name one.

use std::borrow::Cow;

use super::text::{ChangedText, splice};
use crate::coding::charset::{Charset, is_plain_label};
use crate::coding::evidence::Origin;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::declaration::head_of;
use crate::rewrite::survey::decode::SourceText;
use crate::rewrite::survey::form::TextForm;
use crate::rewrite::{BodyCharset, BodyLabel, Change, Note, Outcome, Reason};

impl Body<'_> {
    /// Makes the charset declarations inside HTML, XML and CSS name the charset that the text goes out in: all of them
    /// where the label changes with the text. Where the text keeps its charset, only those at its start that name
    /// another one. Links must be written by now: `text` must be as it goes out but for this. An error is a fault of
    /// whoever found the declarations.
    pub(super) fn declare_in_text(
        &self,
        form: TextForm,
        source: &SourceText,
        target: Charset,
        changed: &mut ChangedText,
    ) -> Result<(), Reason> {
        let text = &*changed.text;
        let changes_label = target != source.charset && !self.label_may_stay(source, target, text);
        if !form.may_declare() || !changes_label && !self.misleads_beyond_ascii(source, text) {
            return Ok(());
        }
        let mut wrong = form.declarations(if changes_label { text } else { head_of(text) });
        wrong.retain(|at| self.is_wrong_name(&text[at.clone()], target, changes_label));
        if let Some(first) = wrong.first() {
            let from = text[first.clone()].to_owned();
            // That the label and the text named two charsets is noted, unless the text is ASCII, the same in both.
            let differs = self.profile.labels.find(from.as_bytes()).is_some_and(|named| named != source.charset);
            let is_doubtful = differs && self.label().is_some() && !source.text.is_ascii();
            changed.others.extend(is_doubtful.then(|| Outcome::Noted(Note::Meta(from.clone()))));
            changed.changes.push(Change::Meta { from, to: target });
            changed.text = Cow::Owned(splice(text, wrong.into_iter().map(|at| (at, target.name())).collect())?);
        }
        Ok(())
    }

    /// Returns `true` if the name in a declaration is to become that of `target`: it names another charset, or the same
    /// in other words where the label changes. What names no charset is the remains of something else, and stays.
    fn is_wrong_name(&self, name: &str, target: Charset, changes_label: bool) -> bool {
        let named = self.profile.labels.find(name.as_bytes());
        let is_other = changes_label || named != Some(target);
        !name.eq_ignore_ascii_case(target.name()) && named.is_some() && is_other
    }

    /// Returns `true` if a declaration of another charset misleads whoever believes it, though the label stays: the
    /// label is true, or is made true where it named the charset already that the text is only now in. A text in ASCII
    /// reads the same by any, and under `charset = "keep"` nothing is declared anew.
    fn misleads_beyond_ascii(&self, source: &SourceText, text: &str) -> bool {
        self.profile.charset != BodyCharset::Keep && !(source.text.is_ascii() && text.is_ascii())
    }

    /// Names the charset of an 8-bit text that had no label, or US-ASCII, and goes into a transfer encoding: what was
    /// raw could be guessed at, and what is encoded asks for a label (RFC 1428 §3, RFC 2045 §6.4). UTF-8 is plain to
    /// see; any other charset becomes `unknown-8bit`, and that only with `unknown_8bit`, by which `text_of_body`
    /// (`evidence/doubtful.rs`) goes, too. The plan must be complete but for this and for
    /// [`name_type_in_digest`](Self::name_type_in_digest).
    pub(super) fn name_charset_of_encoded(&self, form: TextForm, octets: &[u8], plan: &mut BodyPlan) {
        let becomes_encoded = self.transfer.is_identity() && plan.encodes();
        let label = self.label();
        // A text that was written in another charset is called what it is now, or needs no name.
        let is_named = plan.charset.is_some()
            || plan.recodes()
            || label.as_deref().is_some_and(|label| self.profile.labels.find(label) != Some(Charset::US_ASCII));
        // What the text itself says was not understood, and may be understood by whoever reads it.
        if is_named || octets.is_ascii() || !becomes_encoded || self.declared_in(form, octets).is_some() {
            return;
        }
        let charset = match simdutf8::basic::from_utf8(octets).is_ok() {
            true => Charset::UTF_8,
            false if self.profile.unknown_8bit => Charset::UNKNOWN_8BIT,
            false => return,
        };
        let from = label.map_or_else(String::new, |label| String::from_utf8_lossy(&label).to_ascii_lowercase());
        let (from, to) = (Origin::label(from), charset.name().to_owned());
        plan.add_change(Change::Label { what: BodyLabel::Charset, from, to });
        plan.charset = Some(charset.name());
    }

    /// Names the type of a text in ASCII without one that goes into a transfer encoding, by its charset: a header
    /// without a type then gets `text/plain; charset=us-ascii`, which whoever writes it reports (`write/mime.rs`). It
    /// does so in a message with a multipart/digest, where what has no type is a message (RFC 2046 §5.1.5): readers
    /// open a message though it is encoded, and one that sees other parts than septet may take this text for a part of
    /// the digest. The plan must be complete but for this.
    pub(super) fn name_type_in_digest(&self, octets: &[u8], plan: &mut BodyPlan) {
        let has_type = self.part.content_type.declared || plan.charset.is_some();
        // What is recoded and needs no label is ASCII.
        let is_ascii = plan.recodes() || octets.is_ascii();
        let mut parts = self.message.parts().iter();
        if is_ascii && plan.encodes() && !has_type && parts.any(|part| part.content_type.is("multipart", "digest")) {
            plan.charset = Some(Charset::US_ASCII.name());
        }
    }

    /// Returns `true` if the header's label, or its absence, may stay with the text as it goes out: under `charset =
    /// "keep"`, where it is that of `target`, or where all is ASCII and every program reads it as such. It is asked of
    /// the text before the declarations in it are written anew and after, and these change no answer, being ASCII.
    pub(super) fn label_may_stay(&self, source: &SourceText, target: Charset, text: &str) -> bool {
        // Where the charset stays so does the label, even a wrong one.
        if self.profile.charset == BodyCharset::Keep {
            return true;
        }
        // Every program reads ASCII under a well-known label of a charset that keeps ASCII.
        let ascii = text.is_ascii() && source.text.is_ascii();
        let plain = ascii && source.charset.is_ascii_compatible() && target.is_ascii_compatible();
        match self.label() {
            None => target == Charset::US_ASCII || plain,
            Some(label) => {
                label.trim_ascii().eq_ignore_ascii_case(target.name().as_bytes()) || (plain && is_plain_label(&label))
            }
        }
    }
}
