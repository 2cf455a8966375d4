//! Plans one body: its charset, its links, its escapes, its transfer encoding, all in one decision.
//!
//! ```text
//! octets --undo transfer--> octets --decode--> text --unescape, links, declarations--> text
//!                                                                                       |
//! octets <-----------carry (transfer)------------ octets <---encode---------------------+
//! ```
//!
//! Each step may find that nothing is to be done; a body for which every step finds that is never copied. A
//! step that can't be done without loss ends the plan with a [`Reason`], and the body stays as it is, whole.
//!
//! What a change asks of the header (the charset parameter, the transfer encoding) is handed back in the
//! [`BodyPlan`]: the planner of fields writes it, so that no two planners edit one field.

use std::borrow::Cow;
use std::ops::Range;

use super::carry::{self, Carried, Load, Undone};
use super::encode::{Encoded, encode};
use super::links::{self, LinkSettings, LinkText, TextKind};
use super::source::{self, Source};
use super::{BodyCharset, Change, Iris, Note, Outcome, Profile, Reason, Signed, Transfer};
use crate::coding::charset::Charset;
use crate::coding::iri::apply;
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::coding::{escape, html, utf7};
use crate::message::{Kind, Message, Part};

/// What becomes of one body, and what that asks of its header.
#[derive(Debug, Default)]
pub(super) struct BodyPlan {
    /// The new body; none when it stays.
    pub body: Option<Vec<u8>>,
    /// The charset that Content-Type must name; none when it stays.
    pub charset: Option<&'static str>,
    /// The transfer encoding that the header must name; none when it stays.
    pub transfer: Option<TransferEncoding>,
    /// What goes into the report, in order.
    pub outcomes: Vec<Outcome>,
}

impl BodyPlan {
    /// Tells whether anything changes, in the body or in what its header says of it.
    pub fn changes(&self) -> bool {
        self.body.is_some() || self.charset.is_some() || self.transfer.is_some()
    }

    /// Tells whether something should have been changed and was not.
    pub fn leaves(&self) -> bool {
        self.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Left(_)))
    }

    /// Tells whether the header must say something else of the body.
    pub fn asks(&self) -> bool {
        self.charset.is_some() || self.transfer.is_some()
    }

    /// Reports one more change of the same body.
    fn also(&mut self, change: Change) {
        match self.outcomes.iter_mut().find_map(|outcome| match outcome {
            Outcome::Done(changes) => Some(changes),
            _ => None,
        }) {
            Some(changes) => changes.push(change),
            None => self.outcomes.push(Outcome::Done(vec![change])),
        }
    }

    /// Asks the header to name another transfer encoding for a body that stays.
    pub fn name_transfer(&mut self, from: &TransferEncoding, to: TransferEncoding) {
        let (from, name) = (from.name().to_owned(), to.name().to_owned());
        self.also(Change::Label { what: "transfer", from, to: name });
        self.transfer = Some(to);
    }

    /// Makes the plan that leaves a body, and says why.
    pub fn left(reason: Reason) -> BodyPlan {
        BodyPlan { outcomes: vec![Outcome::Left(reason)], ..BodyPlan::default() }
    }
}

/// Plans the body of one part; a part that is no leaf, or empty, needs nothing.
pub(super) fn plan_body(message: &Message, part: &Part, profile: &Profile) -> BodyPlan {
    let raw = message.slice(part.body);
    if part.kind != Kind::Leaf || raw.is_empty() {
        return BodyPlan::default();
    }
    let body = Body { message, part, profile, raw, kind: TextForm::of(part) };
    let planned = match body.kind {
        Some(form) => body.plan_text(form),
        None => body.plan_data(),
    };
    planned.unwrap_or_else(BodyPlan::left)
}

/// Reads the text of a part that may hold links, and what decides about them; none for other parts.
pub(super) fn link_text(message: &Message, part: &Part, profile: &Profile) -> Option<Result<LinkText, Reason>> {
    let body = Body { message, part, profile, raw: message.slice(part.body), kind: TextForm::of(part) };
    let form = body.kind.filter(|_| part.kind == Kind::Leaf)?;
    let kind = body.link_kind(form)?;
    let read = |octets: &[u8]| {
        let label = body.label();
        let declared = body.declared_in_text(form, label.is_some(), octets);
        let source = source::read(octets, label.as_deref(), declared.as_deref(), profile)?;
        Ok(LinkText { text: source.text.clone().into_owned(), kind, settings: body.link_settings(&source) })
    };
    Some(carry::undo(&part.transfer, body.raw).and_then(|undone| read(&undone.octets)))
}

/// What kind of text a part holds, which decides how links and characters are written in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextForm {
    /// text/plain.
    Plain,
    /// text/html and application/xhtml+xml: links in attributes, a charset declaration, `&#x…;`.
    Html,
    /// text/xml: a charset declaration, `&#x…;`.
    Xml,
    /// Any other text.
    Other,
}

impl TextForm {
    fn of(part: &Part) -> Option<TextForm> {
        let ty = &part.content_type;
        match (&*ty.main, &*ty.sub) {
            // A header on show is not a text in a charset (RFC 6522 §4).
            ("text", "rfc822-headers") => None,
            ("text", "plain") => Some(TextForm::Plain),
            ("text", "html") | ("application", "xhtml+xml") => Some(TextForm::Html),
            ("text", "xml") => Some(TextForm::Xml),
            ("text", sub) if sub.ends_with("+xml") => Some(TextForm::Xml),
            ("text", _) => Some(TextForm::Other),
            _ => None,
        }
    }

    fn is_markup(self) -> bool {
        matches!(self, TextForm::Html | TextForm::Xml)
    }
}

struct Body<'a> {
    message: &'a Message<'a>,
    part: &'a Part,
    profile: &'a Profile,
    raw: &'a [u8],
    kind: Option<TextForm>,
}

impl<'a> Body<'a> {
    /// Plans a body that is no text: only its transfer encoding can need a change, and only downwards.
    fn plan_data(&self) -> Result<BodyPlan, Reason> {
        if self.profile.transfer != Transfer::SevenBit || self.raw.is_ascii() {
            return Ok(BodyPlan::default());
        }
        // RFC 2045 §6.4: what is made of parts or is a message may not be encoded itself.
        if matches!(&*self.part.content_type.main, "multipart" | "message") {
            return Err(Reason::Syntax("a composite body may not be encoded"));
        }
        if self.part.transfer == TransferEncoding::Base64 {
            return Err(Reason::DamagedTransfer("8-bit in base64"));
        }
        let Undone { octets, repairs } = carry::undo(&self.part.transfer, self.raw)?;
        self.settle(self.recarry(&octets), repairs)
    }

    fn plan_text(&self, form: TextForm) -> Result<BodyPlan, Reason> {
        if self.needs_nothing(form) {
            return Ok(BodyPlan::default());
        }
        let Undone { octets, repairs } = carry::undo(&self.part.transfer, self.raw)?;
        let plan = if self.wants_text() { self.convert_or_recarry(form, &octets) } else { self.recarry(&octets) };
        if (plan.changes() || plan.leaves()) && self.profile.signed == Signed::Keep && source::has_inline_pgp(&octets) {
            return Err(Reason::InlinePgp);
        }
        self.settle(plan, repairs)
    }

    /// Reports what a new body repairs; where readers differ about the old one, writing it anew would decide for
    /// one of them, so it stays. Lines that are kept as they were decide nothing.
    fn settle(&self, mut plan: BodyPlan, repairs: Option<&'static str>) -> Result<BodyPlan, Reason> {
        let (Some(what), Some(body)) = (repairs, &plan.body) else { return Ok(plan) };
        if self.part.transfer == TransferEncoding::Base64 && base64::has_words(self.raw) {
            return Err(Reason::DamagedTransfer("words among base64"));
        }
        if self.part.transfer == TransferEncoding::QuotedPrintable {
            let disputed = quoted_printable::disputed(self.raw);
            let kept = plan.transfer.is_none() && disputed == quoted_printable::disputed(body);
            if disputed > 0 && !kept {
                return Err(Reason::DamagedTransfer(
                    "\"==\" or \"=\" before a lone CR, which readers read differently",
                ));
            }
        }
        plan.also(Change::Repaired { what });
        Ok(plan)
    }

    /// Converts the text; what can't be read as text is still carried as the profile wants it.
    fn convert_or_recarry(&self, form: TextForm, octets: &[u8]) -> BodyPlan {
        self.convert(form, octets).unwrap_or_else(|reason| {
            let mut plan = self.recarry(octets);
            // What is no text is not better off without its transfer encoding, unless the next hop needs that.
            if self.profile.transfer != Transfer::SevenBit && plan.body.is_some() {
                plan = BodyPlan::default();
            }
            // Where the charset stays, only links were looked for, and there are none that anybody could read.
            if self.profile.charset != BodyCharset::Keep {
                plan.outcomes.push(Outcome::Left(reason));
            }
            plan
        })
    }

    /// Plans the transfer encoding alone.
    fn recarry(&self, octets: &[u8]) -> BodyPlan {
        let mut plan = BodyPlan::default();
        self.finish(&mut plan, self.carry(octets, octets, false), Vec::new());
        plan
    }

    /// Tells, by one scan at most, that a body can't need a change: ASCII, plainly labelled, without links.
    fn needs_nothing(&self, form: TextForm) -> bool {
        let low = self.profile.transfer != Transfer::SevenBit || self.part.transfer == TransferEncoding::SevenBit;
        let plain = low && is_identity(&self.part.transfer) && self.raw.is_ascii();
        plain
            && self.profile.unescape.is_empty()
            && self.profile.iris != Iris::ToIri
            && (form != TextForm::Html || self.profile.iris == Iris::Keep)
            && (self.profile.charset == BodyCharset::Keep || self.label().is_none_or(|label| source::is_plain(&label)))
    }

    /// Tells whether the characters of the text matter to the profile, or only its octets.
    fn wants_text(&self) -> bool {
        self.profile.charset != BodyCharset::Keep
            || self.profile.iris != Iris::Keep
            || !self.profile.unescape.is_empty()
    }

    /// The charset parameter as written; an empty one counts as none.
    fn label(&self) -> Option<Cow<'a, [u8]>> {
        let label = self.part.content_type.parameter(self.message.raw(), "charset")?;
        (!label.trim_ascii().is_empty()).then_some(label)
    }

    /// Converts the text: decode, change, encode, carry.
    fn convert(&self, form: TextForm, octets: &[u8]) -> Result<BodyPlan, Reason> {
        let label = self.label();
        let declared = self.declared_in_text(form, label.is_some(), octets);
        let source = source::read(octets, label.as_deref(), declared.as_deref(), self.profile)?;
        let mut plan = BodyPlan::default();
        let mut changes = Vec::new();
        let text = self.change_text(form, &source, &mut plan, &mut changes);
        let target = self.target(&source, &text);
        let text = self.declare_in_text(form, text, &source, target, &mut changes);
        plan.outcomes.extend(self.doubt_of_label(&source, &changes).map(Outcome::Noted));
        let same = target == source.charset && source.lost == 0 && text == source.text;
        // A text can be written in more than one way; the one it came in needs no reason.
        let Encoded { octets: encoded, replaced } = match same {
            true => Encoded { octets: Cow::Borrowed(octets), replaced: 0 },
            false => encode(&text, target, form.is_markup(), self.profile, &source)?,
        };
        self.relabel(&source, target, octets, &encoded, &text, &mut plan, &mut changes);
        if source.lost + replaced > 0 {
            changes.push(Change::Replaced { count: source.lost + replaced });
        }
        if source.charset == Charset::UTF_7 && utf7::tolerated(octets).is_some() {
            plan.outcomes.push(Outcome::Noted(Note::Utf7Tolerated));
        }
        let carried = self.carry(octets, &encoded, plan.charset.is_some());
        self.finish(&mut plan, carried, changes);
        Ok(plan)
    }

    /// Reads what an unlabelled HTML or XML text says of its own charset.
    fn declared_in_text(&self, form: TextForm, labelled: bool, octets: &[u8]) -> Option<Vec<u8>> {
        if labelled || !form.is_markup() || octets.is_ascii() {
            return None;
        }
        let head = &octets[..octets.len().min(4096)];
        // Declarations are ASCII; one character an octet keeps the offsets.
        let latin: String = head.iter().map(|&octet| if octet.is_ascii() { char::from(octet) } else { '?' }).collect();
        html::charset_declarations(&latin).first().map(|at| latin.as_bytes()[at.clone()].to_vec())
    }

    /// Expands escapes and rewrites links.
    fn change_text<'t>(
        &self,
        form: TextForm,
        source: &'t Source,
        plan: &mut BodyPlan,
        changes: &mut Vec<Change>,
    ) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(&*source.text);
        if !self.profile.unescape.is_empty() && !form.is_markup() {
            let unescaped = escape::unescape(&text, &self.profile.unescape);
            if unescaped.count > 0 {
                changes.push(Change::Unescaped { count: unescaped.count });
                text = Cow::Owned(unescaped.text.into_owned());
            }
        }
        let Some(kind) = self.link_kind(form) else { return text };
        let found = links::plan_text_links(&text, kind, self.link_settings(source));
        plan.outcomes.extend(found.notes.into_iter().map(Outcome::Noted));
        if found.edits.is_empty() {
            return text;
        }
        changes.push(Change::Iris { count: found.rewritten });
        Cow::Owned(splice(&text, found.edits))
    }

    fn link_kind(&self, form: TextForm) -> Option<TextKind> {
        if self.profile.iris == Iris::Keep {
            return None;
        }
        let says = |name: &str, value: &str| {
            let found = self.part.content_type.parameter(self.message.raw(), name);
            found.is_some_and(|found| found.eq_ignore_ascii_case(value.as_bytes()))
        };
        match form {
            TextForm::Plain => Some(TextKind::Plain { flowed: says("format", "flowed"), delsp: says("delsp", "yes") }),
            TextForm::Html => Some(TextKind::Html),
            TextForm::Xml | TextForm::Other => None,
        }
    }

    fn link_settings(&self, source: &Source) -> LinkSettings {
        LinkSettings {
            iris: self.profile.iris,
            host: self.profile.iri_host,
            document: source.charset,
            target: self.shown_in(source),
        }
    }

    /// Gives the charset that shown links must fit in: every form of Unicode holds them all.
    fn shown_in(&self, source: &Source) -> Charset {
        match self.profile.charset {
            BodyCharset::Keep => source.charset,
            BodyCharset::Utf8 | BodyCharset::Utf7 => Charset::UTF_8,
            BodyCharset::UsAscii => Charset::US_ASCII,
        }
    }

    /// Gives the charset that the text goes out in.
    fn target(&self, source: &Source, text: &str) -> Charset {
        match self.profile.charset {
            BodyCharset::Keep => source.charset,
            BodyCharset::Utf8 => Charset::UTF_8,
            // An ASCII text is as good in ASCII as in UTF-7, and its octets need no change.
            BodyCharset::Utf7 if text.is_ascii() => Charset::US_ASCII,
            BodyCharset::Utf7 => Charset::UTF_7,
            BodyCharset::UsAscii => Charset::US_ASCII,
        }
    }

    /// Makes the charset declarations inside HTML and XML true to the charset that the text goes out in.
    fn declare_in_text<'t>(
        &self,
        form: TextForm,
        text: Cow<'t, str>,
        source: &Source,
        target: Charset,
        changes: &mut Vec<Change>,
    ) -> Cow<'t, str> {
        if !form.is_markup() || target == source.charset || self.label_is_true(source, target, &text) {
            return text;
        }
        let declared = html::charset_declarations(&text);
        // What names no charset is the remains of something else, and stays.
        let wrong = |at: &Range<usize>| {
            let name = &text[at.clone()];
            !name.eq_ignore_ascii_case(target.name()) && self.profile.labels.find(name.as_bytes()).is_some()
        };
        let wrong: Vec<_> = declared.into_iter().filter(wrong).collect();
        let Some(first) = wrong.first() else { return text };
        changes.push(Change::Meta { from: text[first.clone()].to_owned(), to: target.name().to_owned() });
        let edits: Vec<_> = wrong.into_iter().map(|at| (at, target.name().to_owned())).collect();
        Cow::Owned(splice(&text, edits))
    }

    /// Tells a reader that the header and the text named two different charsets: the header was believed.
    fn doubt_of_label(&self, source: &Source, changes: &[Change]) -> Option<Note> {
        let declared = changes.iter().find_map(|change| match change {
            Change::Meta { from, .. } => Some(from),
            _ => None,
        })?;
        let differs = self.profile.labels.find(declared.as_bytes()).is_some_and(|charset| charset != source.charset);
        (differs && self.label().is_some() && !source.text.is_ascii()).then(|| Note::Meta(declared.clone()))
    }

    /// Tells whether the header's label will be true of the text as it goes out.
    fn label_is_true(&self, source: &Source, target: Charset, text: &str) -> bool {
        if self.profile.charset == BodyCharset::Keep {
            return true;
        }
        // Every program reads ASCII under a well-known label of a charset that keeps ASCII.
        let ascii = text.is_ascii() && source.text.is_ascii();
        let plain = ascii && source.charset.is_ascii_compatible() && target.is_ascii_compatible();
        match self.label() {
            None => target == Charset::US_ASCII || plain,
            Some(label) => {
                label.trim_ascii().eq_ignore_ascii_case(target.name().as_bytes()) || (plain && source::is_plain(&label))
            }
        }
    }

    /// Decides whether the header must name another charset, and reports the change of charset.
    #[allow(clippy::too_many_arguments)]
    fn relabel(
        &self,
        source: &Source,
        target: Charset,
        octets: &[u8],
        encoded: &[u8],
        text: &str,
        plan: &mut BodyPlan,
        changes: &mut Vec<Change>,
    ) {
        let true_already = self.label_is_true(source, target, text);
        let recoded =
            octets != encoded && source.charset != target && !(text.is_ascii() && true_already && octets.is_ascii());
        let (from, to) = (source.from.clone(), target.name().to_owned());
        if recoded {
            changes.insert(0, Change::Charset { from, to });
        } else if !true_already {
            changes.insert(0, Change::Label { what: "charset", from, to });
        }
        if !true_already {
            plan.charset = Some(target.name());
        }
    }

    fn carry(&self, octets: &[u8], encoded: &[u8], relabelled: bool) -> Option<Carried> {
        carry::carry(&Load {
            raw: self.raw,
            from: &self.part.transfer,
            octets,
            encoded,
            goal: self.profile.transfer,
            readable: matches!(self.profile.charset, BodyCharset::Utf7 | BodyCharset::UsAscii),
            relabelled,
            line_end: self.message.line_end(),
            text: self.kind.is_some(),
            last: self.part.body.end == self.message.raw().len(),
        })
    }

    /// Puts the carried body and the report together.
    fn finish(&self, plan: &mut BodyPlan, carried: Option<Carried>, mut changes: Vec<Change>) {
        if let Some(carried) = carried {
            if carried.transfer != self.part.transfer {
                let (from, to) = (self.part.transfer.name().to_owned(), carried.transfer.name().to_owned());
                changes.push(if carried.body.is_some() {
                    Change::Transfer { from, to }
                } else {
                    Change::Label { what: "transfer", from, to }
                });
                plan.transfer = Some(carried.transfer);
            }
            plan.body = carried.body;
        }
        if !changes.is_empty() {
            plan.outcomes.insert(0, Outcome::Done(changes));
        }
    }
}

/// Tells whether octets stand in the message as they are.
pub(super) fn is_identity(transfer: &TransferEncoding) -> bool {
    matches!(transfer, TransferEncoding::SevenBit | TransferEncoding::EightBit | TransferEncoding::Binary)
}

/// Applies edits that count octets of the text; of two that overlap only the first is made.
fn splice(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    // The finders promise disjoint ranges; one that breaks its promise costs the link and not the mail.
    edits.sort_by_key(|(at, _)| at.start);
    apply(text, &edits).into_owned()
}
