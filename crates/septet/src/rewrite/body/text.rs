//! Converts a text: decode, unescape, rewrite links, declare, encode.

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};

use super::encode::{encode, first_lost};
use super::folds;
use super::transfer::{ReencodeInput, is_one_text, reencode, with_shown_line_ends};
use crate::coding::charset::Charset;
use crate::coding::evidence::{self, has_iso_2022_escape};
use crate::coding::iri::{Edits, apply};
use crate::coding::{escape, utf7};
use crate::message::irregular::Form;
use crate::message::with_line_ends;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::ensure::ensure;
use crate::rewrite::links::{self, LinkScope, LinkSettings, TextKind};
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::decode::SourceText;
use crate::rewrite::survey::form::TextForm;
use crate::rewrite::{BodyCharset, BodyLabel, Change, DoubleEncoded, Iris, Note, Outcome, Reason, Repair};

/// A text as it is changed, and what there is to say of that. The steps of [`Body::convert`] pass it on; each reads it
/// as the one before has left it, so that their order decides what is found.
pub(super) struct ChangedText<'t> {
    pub text: Cow<'t, str>,
    /// What was done.
    pub changes: Vec<Change>,
    /// What stays, and what is to be known.
    pub others: Vec<Outcome>,
}

impl Body<'_> {
    /// Converts the text: decode, change, encode, and write in a transfer encoding. `octets` are without the transfer
    /// encoding that came. The error says why the text stays, all of it. Whether it carries a file, and what the body
    /// repairs besides, is for the caller to see. The order of the steps matters: what was encoded twice is undone
    /// before escapes and links are looked for in it, the charset is chosen by what these have come to, and
    /// declarations name that charset.
    pub(super) fn convert(&self, form: TextForm, octets: &[u8]) -> Result<BodyPlan, Reason> {
        let refolded = self.with_whole_characters(octets);
        let source = self.read_text(form, refolded.as_deref().unwrap_or(octets))?;
        let mut changed = ChangedText { text: Cow::Borrowed(&source.text), changes: Vec::new(), others: Vec::new() };
        self.undo_double_encoding(&mut changed);
        self.expand_escapes(form, &mut changed);
        self.rewrite_links(form, &source, &mut changed)?;
        ensure(!self.frees_return(form, octets, &source, &changed.text), Reason::Control)?;
        let target = self.target(form, &source, &changed.text);
        self.write_closest_letters(form, target, &mut changed);
        self.declare_in_text(form, &source, target, &mut changed)?;
        let ChangedText { text, mut changes, others } = changed;
        let mut plan = BodyPlan { outcomes: others, ..BodyPlan::default() };
        let is_source = target == source.charset && !source.is_mixed;
        let same =
            is_source && source.lost == 0 && is_one_text(text.as_bytes(), source.text.as_bytes()) && refolded.is_none();
        // A text can be written in more than one way; the one it came in needs no reason.
        let (encoded, replaced) = match same {
            true => (Cow::Borrowed(octets), 0),
            false => encode(&text, target, form.is_markup(), self.profile, (&source, octets))?,
        };
        // What ASCII says is asked of its octets alone, so what was replaced in it does not matter.
        let can_be_asked = replaced == 0 || target == Charset::US_ASCII;
        if !same && (can_be_asked && !reads_back(&encoded, target, &text) || becomes_utf_8(octets, &encoded, target)) {
            return Err(Reason::Loss(first_lost(&text, target.decode(&encoded).as_deref().unwrap_or_default())));
        }
        let encoded = match source.charset.shows_line_ends() {
            true => with_shown_line_ends(&self.transfer, octets, encoded, self.line_end()),
            false => encoded,
        };
        // Escapes were expanded, and written again where the charset that stays has nothing else.
        if !same && *encoded == *octets {
            changes.clear();
        }
        let label_stays = self.label_may_stay(&source, target, &text);
        plan.charset = (!label_stays).then_some(target.name());
        // ASCII under a label that is true changed its links at most, whatever charset it goes out in.
        let only_links = label_stays && text.is_ascii() && octets.is_ascii();
        let recoded = !is_one_text(octets, &encoded) && !is_source && !only_links;
        changes.splice(0..0, charset_change(&source, target, recoded, label_stays));
        changes.extend(refolded.as_ref().map(|_| Change::Repaired { what: "fold" }));
        if source.lost + replaced > 0 {
            changes.push(Change::Replaced { count: source.lost + replaced });
        }
        if source.charset == Charset::UTF_7 && utf7::tolerated(octets).is_some() {
            plan.outcomes.push(Outcome::Noted(Note::Utf7Tolerated));
        }
        // What is written may be the text's own octets: they are moved and not copied, for a text may be large.
        let encoded = match encoded {
            Cow::Owned(encoded) => {
                drop(text);
                drop(source);
                Cow::Owned(encoded)
            }
            Cow::Borrowed(_) if same => Cow::Borrowed(octets),
            Cow::Borrowed(_) => Cow::Owned(match text {
                Cow::Owned(text) => text.into_bytes(),
                Cow::Borrowed(_) => source.text.into_owned().into_bytes(),
            }),
        };
        let input = ReencodeInput { encoded, relabelled: plan.charset.is_some(), ..self.to_reencode(octets) };
        self.add_reencoded(&mut plan, reencode(input)?, changes);
        Ok(plan)
    }

    /// Returns the octets of a calendar or a card with folds before the characters that they cut; none where nothing is
    /// cut, or nothing is to be repaired.
    fn with_whole_characters(&self, octets: &[u8]) -> Option<Vec<u8>> {
        let is_folded = matches!(&*self.part.content_type.sub, "calendar" | "vcard" | "x-vcard" | "directory");
        let is_wanted = is_folded && self.profile.repair != Repair::Keep && !octets.is_ascii();
        if is_wanted { folds::move_before_characters(octets) } else { None }
    }

    /// Writes a text that goes out in US-ASCII with the closest letters of ASCII, where the profile wants them. In
    /// markup a reference says more, and the text stays. What has no closest letter is left to the encoder. The target
    /// must be chosen by then.
    fn write_closest_letters(&self, form: TextForm, target: Charset, changed: &mut ChangedText) {
        let language = self.profile.closest_letters().filter(|_| target == Charset::US_ASCII && !form.is_markup());
        let Some(language) = language else { return };
        let (closest, count) = escape::closest(&changed.text, language);
        if count > 0 {
            changed.text = Cow::Owned(closest.into_owned());
            changed.changes.push(Change::Transliterated { count });
        }
    }

    /// Undoes what was encoded twice before it came, where that is to be fixed and the charset may change; else notes
    /// it.
    fn undo_double_encoding(&self, changed: &mut ChangedText) {
        let is_fixed = self.profile.double_encoded == DoubleEncoded::Fix && self.profile.charset != BodyCharset::Keep;
        match evidence::encoded_once(&changed.text) {
            Some(meant) if is_fixed => {
                changed.changes.push(Change::UNDOUBLED);
                changed.text = Cow::Owned(meant);
            }
            Some(_) => changed.others.push(Outcome::Noted(Note::DoubleEncoded)),
            None => {}
        }
    }

    /// Expands the escapes of a text, before links are looked for, which may hold some. Where escapes come out of them
    /// again, all stay, and that is reported.
    fn expand_escapes(&self, form: TextForm, changed: &mut ChangedText) {
        let unescaped = self.unescaped(form, &changed.text);
        match unescaped.count {
            0 => {}
            // What is escaped twice would lose one escape with each run.
            _ if self.unescaped(form, &unescaped.text).count > 0 => {
                changed.others.push(Outcome::Left(Reason::Irregular(Form::EscapeTwice)));
            }
            count => {
                changed.text = Cow::Owned(unescaped.text.into_owned());
                changed.changes.push(Change::Unescaped { count });
            }
        }
    }

    /// Rewrites the links of a text, in places that are all found before the first is written. The error is a fault of
    /// whoever found them.
    fn rewrite_links(&self, form: TextForm, source: &SourceText, changed: &mut ChangedText) -> Result<(), Reason> {
        let Some(kind) = self.link_kind(form) else { return Ok(()) };
        let found = links::plan_text_links(&changed.text, kind, self.link_settings(source), LinkScope::Odd);
        changed.others.extend(found.notes.into_iter().map(Outcome::Noted));
        if !found.edits.is_empty() {
            changed.changes.push(Change::Iris { count: found.rewritten });
            changed.text = Cow::Owned(splice(&changed.text, found.edits)?);
        }
        Ok(())
    }

    /// Expands the escapes of a text in the forms that the profile names; none is looked for in markup. What
    /// `frees_return` asks about must be expanded by this as the text itself is.
    fn unescaped<'t>(&self, form: TextForm, text: &'t str) -> escape::Unescaped<'t> {
        let forms: &[_] = if form.is_markup() { &[] } else { &self.profile.unescape };
        escape::unescape(text, forms)
    }

    /// Returns `true` if the octets hid a CR (in escapes, in a charset) that the new text has right before a line end:
    /// it would be a CR alone before CRLF, and be lost in a message that has LF.
    fn frees_return(&self, form: TextForm, octets: &[u8], source: &SourceText, text: &str) -> bool {
        if !source.charset.shows_line_ends() || all_returns(text.as_bytes()) <= all_returns(octets) {
            return false;
        }
        // On the way every line end is CRLF, and what was hidden stands before it.
        let wire = with_line_ends(octets, b"\r\n");
        let (read, _) = source.charset.decode_lossy(&wire);
        doubled_returns(self.unescaped(form, &read).text.as_bytes()) > doubled_returns(&wire)
    }

    /// Returns how links are found in a text of this form; none where they stay, or none is looked for. The forms in
    /// which some are must be those of [`TextForm::holds_links`].
    fn link_kind(&self, form: TextForm) -> Option<TextKind> {
        if self.profile.iris == Iris::Keep {
            return None;
        }
        match form {
            TextForm::Plain => {
                let (flowed, delsp) = (self.says("format", "flowed"), self.says("delsp", "yes"));
                Some(TextKind::Plain { flowed, delsp })
            }
            TextForm::Html => Some(TextKind::Html),
            TextForm::Calendar => Some(TextKind::Calendar),
            TextForm::Xml | TextForm::Css | TextForm::Other => None,
        }
    }

    /// Returns how links of a text are to be written, by the profile, the charset that the text was read in and the one
    /// that they are shown in.
    fn link_settings(&self, source: &SourceText) -> LinkSettings {
        LinkSettings {
            iris: self.profile.iris,
            in_text: self.profile.iris_in_text,
            schemeless: self.profile.iris_without_scheme,
            host: self.profile.iri_host,
            document: source.charset,
            target: self.charset_for_links(source),
        }
    }

    /// Returns the charset that links must fit in where they are shown as IRIs: the one that the profile asks for, with
    /// UTF-8 in place of UTF-7, which holds the same characters, or that of the text, if it stays. It is not `target`,
    /// which depends on what the links become.
    fn charset_for_links(&self, source: &SourceText) -> Charset {
        match self.profile.charset {
            BodyCharset::Keep => source.charset,
            BodyCharset::Utf8 | BodyCharset::Utf7 | BodyCharset::Unicode11Utf7 => Charset::UTF_8,
            BodyCharset::UsAscii => Charset::US_ASCII,
        }
    }

    /// Returns the charset that the text goes out in; US-ASCII only if it is ASCII or escapes may stand in it. `text`
    /// must have its links already, and its declarations not yet; `charset_for_links` says beforehand what it can come
    /// to.
    fn target(&self, form: TextForm, source: &SourceText, text: &str) -> Charset {
        match self.profile.charset {
            BodyCharset::Keep => source.charset,
            BodyCharset::Utf8 => Charset::UTF_8,
            // An ASCII text is as good in ASCII as in UTF-7, and its octets need no change.
            BodyCharset::Utf7 | BodyCharset::Unicode11Utf7 if text.is_ascii() => Charset::US_ASCII,
            BodyCharset::Utf7 => Charset::UTF_7,
            BodyCharset::Unicode11Utf7 => Charset::UNICODE_1_1_UTF_7,
            BodyCharset::UsAscii if text.is_ascii() || form.takes_escapes() => Charset::US_ASCII,
            // No escape may stand in it, so that ASCII can't hold it.
            BodyCharset::UsAscii => Charset::UTF_8,
        }
    }
}

/// Counts the CRs, alone or before an LF.
fn all_returns(text: &[u8]) -> usize {
    memchr_iter(b'\r', text).count()
}

/// Counts the CRs that stand right before a CRLF. Two of them before one CRLF count once.
fn doubled_returns(text: &[u8]) -> usize {
    memmem::find_iter(text, b"\r\r\n").count()
}

/// Returns `true` if octets in a charset other than UTF-8 are valid UTF-8 beyond ASCII by now and were not before:
/// readers who look at octets would believe no label then. A link that was mapped may have held the only octet that was
/// no UTF-8.
fn becomes_utf_8(before: &[u8], after: &[u8], charset: Charset) -> bool {
    charset != Charset::UTF_8
        && !after.is_ascii()
        && simdutf8::basic::from_utf8(after).is_ok()
        && simdutf8::basic::from_utf8(before).is_err()
}

/// Returns `true` if octets read as a text in a charset. In ASCII, escapes stand for what the text says, so that the
/// two are not compared.
fn reads_back(octets: &[u8], charset: Charset, text: &str) -> bool {
    match charset {
        utf8 if utf8 == Charset::UTF_8 => octets == text.as_bytes(),
        // Sequences of ISO 2022 stood beside 8-bit text and meant nothing; in ASCII they would.
        ascii if ascii == Charset::US_ASCII => octets.is_ascii() && !has_iso_2022_escape(octets),
        _ => charset.decode(octets).is_ok_and(|read| read == text),
    }
}

/// Returns the change of a text's charset, if it was recoded, or else of its label, if that does not stay. That a text
/// was recoded is known by this from then on ([`BodyPlan::recodes`]).
fn charset_change(source: &SourceText, target: Charset, recoded: bool, label_stays: bool) -> Option<Change> {
    let from = source.from.clone();
    match (recoded, label_stays) {
        (true, _) => Some(Change::Charset { from, to: target }),
        (false, false) => Some(Change::Label { what: BodyLabel::Charset, from, to: target.name().to_owned() }),
        (false, true) => None,
    }
}

/// Applies edits whose places count octets of the text; two that overlap, or one that cuts a character, end the plan,
/// as a fault of septet's own.
pub(super) fn splice(text: &str, edits: Edits) -> Result<String, Reason> {
    let edits = edits.sorted();
    let mut done = 0;
    for (at, _) in edits.iter() {
        // The finders promise disjoint ranges of whole characters.
        let is_apart = at.start >= done && text.get(at.clone()).is_some();
        ensure(is_apart, Reason::Internal("two changes of the same octets of a text"))?;
        done = at.end;
    }
    Ok(apply(text, &edits).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_overlap_end_the_plan() {
        assert_eq!(splice("abcd", [(2..3, "x"), (0..1, "x")].into_iter().collect()), Ok("xbxd".to_owned()));
        for bad in [vec![(0..2, "x"), (1..3, "x")], vec![(3..9, "x")], vec![(0..1, "x"), (0..1, "x")]] {
            assert!(splice("abcd", bad.into_iter().collect()).is_err_and(|reason| reason.is_ours()));
        }
        assert!(splice("é", [(0..1, "x")].into_iter().collect()).is_err());
    }
}
