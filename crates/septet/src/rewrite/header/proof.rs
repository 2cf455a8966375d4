//! Proves that a field that was rewritten reads as it read before.
//!
//! Both values are read as a mail program reads them: words decoded, quotes and folds undone, white space between words
//! dropped. What is left are the texts of the field, and the octets around them in which nothing may have changed
//! (addresses, commas, names of parameters).

use std::collections::HashSet;

use super::downgrade::kind_of;
use super::identifiers::normalized;
use super::item::with_single_spaces;
use super::meaning::{FieldMeaning, read_parameters, read_texts, shown_text};
use super::target::FieldTarget;
use crate::coding::charset::Charset;
use crate::coding::encoded_word::words;
use crate::coding::escape;
use crate::message::irregular::{self, Form};
use crate::message::{CONTENT_TYPE, FieldKind};
use crate::rewrite::ensure::ensure;
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{FileNames, HeaderForm, Profile};

/// How the fields of one header are read.
#[derive(Clone, Copy)]
pub struct FieldReading<'r> {
    /// What labels mean, and what else decides how text is read.
    pub profile: &'r Profile,
    /// What texts beside the header declare, by which its raw 8-bit octets are read.
    pub beside: Beside<'r>,
    /// Whether the body asks its Content-Type for another charset or media type.
    pub retyped: bool,
}

impl FieldReading<'_> {
    /// Returns `true` if a field is the Content-Type of which the body asks for something else.
    fn is_retyped(&self, name: &[u8]) -> bool {
        self.retyped && CONTENT_TYPE.names(name)
    }

    /// Proves that a field says what it said: its texts are the same, and so is what is around them; no word or charset
    /// came about that septet does not write, and no form that readers take differently. The error says what differs.
    /// Links and identifiers are compared by what they mean.
    pub fn prove(&self, name: &[u8], was: &[u8], now: &[u8]) -> Result<(), &'static str> {
        let profile = self.profile;
        let (was, now) = (normalized(name, was, &profile.labels), normalized(name, now, &profile.labels));
        let (was, now) = (&*was, &*now);
        ensure(str::from_utf8(was).is_err() || str::from_utf8(now).is_ok(), "octets that are no UTF-8")?;
        self.prove_forms(name, was, now)?;
        // Both values are read as the kind that the old one is of: a trace that was downgraded is ASCII now, and would
        // be read as another kind.
        let kind = kind_of(name, was, profile);
        let may_repeat = kind == FieldKind::Parameters && profile.file_names == FileNames::Both;
        let (old, new) = (self.meaning(name, was, kind), self.meaning(name, now, kind));
        // A word that came about between half a word and what was written beside it stood not there before, and is none
        // of ours: readers would differ about it.
        let stood: HashSet<&[u8]> = words(was).map(|word| &was[word.at]).collect();
        let are_written = words(now).all(|word| {
            let (label, word) = (&now[word.label], &now[word.at]);
            is_written_label(label, profile)
                || stood.contains(word)
                // The half of a character stays what it is.
                || str::from_utf8(word).is_ok_and(|word| old.labels.contains(word))
        });
        ensure(are_written, "a word in a charset that is not written")?;
        let mut came = new.labels.difference(&old.labels);
        ensure(came.all(|label| is_written_label(label.as_bytes(), profile)), "a charset that is not written")?;
        ensure(are_same(&old.texts, &new.texts, may_repeat, profile), "the text of a field")?;
        // What a Content-Type names is proved with the part.
        ensure(old.around == new.around || self.is_retyped(name), "what stands around the text of a field")
    }

    /// Reads what a field says; `kind` is that of the old value, for the old one and the new one.
    fn meaning(&self, name: &[u8], value: &[u8], kind: FieldKind) -> FieldMeaning {
        let target = FieldTarget::reading(self.profile, self.beside);
        match kind {
            FieldKind::Parameters => read_parameters(value, &target, self.is_retyped(name)),
            kind => read_texts(name, value, kind, target),
        }
    }

    /// Proves that only what is regular was changed, and that no other irregular form came about.
    ///
    /// Irregular is a form that readers take differently (`message/irregular/`). A parameter of such a form keeps no
    /// other from being written: of a field with parameters only the forms count that concern all of it. That the
    /// parameter stays is seen to by its planner (`parameters.rs`), and not proved here. A Content-Type that must name
    /// another charset may have an irregular form: that was asked before its body was planned.
    fn prove_forms(&self, name: &[u8], was: &[u8], now: &[u8]) -> Result<(), &'static str> {
        let kind = FieldKind::of(name);
        let (before, of_all) = match kind {
            FieldKind::Parameters => {
                let forms = irregular::parameters(was, CONTENT_TYPE.names(name));
                (forms.all().and(irregular::line_ends(was)), forms.of(""))
            }
            _ => [irregular::field(name, was); 2].into(),
        };
        let mut may_be = before;
        // The 7-bit form of an address has backslashes of its own (RFC 6533 §3).
        may_be.add_if(kind == FieldKind::TypedAddress, Form::AddressBackslash);
        // Of a label in `&quot;` the second half stays, which says nothing to anybody.
        may_be.add_if(before.has(Form::LabelEncoded), Form::ParameterStray);
        ensure(of_all.irregular().is_none() || self.is_retyped(name), "a field of irregular form")?;
        ensure(irregular::field(name, now).irregular_beside(may_be).is_none(), "a form that readers take differently")
    }
}

/// Returns `true` if a text that is unstructured says what stood in a structured value. In that no word is read, for
/// words in it became text, too; how much white space stands between is not compared.
pub fn is_same_text(was: &[u8], text: &[u8], profile: &Profile, beside: Beside) -> bool {
    let target = FieldTarget::reading(profile, beside);
    let was = shown_text(was, FieldTarget { literal: true, ..target });
    is_same(&was, &shown_text(text, target), profile)
}

/// Returns `true` if a text says what another said: the same, or the same in the escapes or the closest letters that
/// the profile writes. What closest letters stand for can't be told from them, so that both texts are compared as
/// these.
fn is_same(was: &str, now: &str, profile: &Profile) -> bool {
    if was == now {
        return true;
    }
    if profile.headers != HeaderForm::Ascii {
        return false;
    }
    // White space at an end is written as an escape, and is no part of a text: it goes once the escape is expanded.
    let now = with_single_spaces(&escape::unescape(now, &[profile.escape]).text);
    now == was || (profile.closest && now == with_single_spaces(&escape::closest(was, profile.language).0))
}

/// Returns `true` if words and parameters are written under a label, by this profile or any other: each charset that
/// [`Profile::headers_charset`] returns must be here. `8bit` is the label of raw octets; `unknown-8bit` is written only
/// by a profile that says so.
fn is_written_label(label: &[u8], profile: &Profile) -> bool {
    let unknown = profile.names_unknown_8bit().then_some(Charset::UNKNOWN_8BIT);
    let written = [Charset::UTF_8, Charset::UTF_7, Charset::UNICODE_1_1_UTF_7, Charset::US_ASCII].into_iter();
    let mut names = written.chain(unknown).map(Charset::name).chain(["8bit"]);
    names.any(|name| label.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns `true` if the texts of a field say the same, one by one. In ASCII those that are nothing but white space
/// count for none; where a parameter may get a second form (`may_repeat`), what says the same as the text before it
/// counts for none.
fn are_same(was: &[String], now: &[String], may_repeat: bool, profile: &Profile) -> bool {
    let was: Vec<&String> = was.iter().filter(|text| is_text(text, profile)).collect();
    let mut rest = was.iter();
    let mut last = None;
    for now in now.iter().filter(|text| is_text(text, profile)) {
        match rest.as_slice().first() {
            Some(was) if is_same(was, now, profile) => last = rest.next(),
            _ if may_repeat && last.is_some_and(|was| is_same(was, now, profile)) => {}
            _ => return false,
        }
    }
    rest.next().is_none()
}

/// Returns `true` if a text counts for one: in ASCII one of nothing but white space does not, in escapes or not.
fn is_text(text: &str, profile: &Profile) -> bool {
    profile.headers != HeaderForm::Ascii
        || !with_single_spaces(&escape::unescape(text, &[profile.escape]).text).is_empty()
}
