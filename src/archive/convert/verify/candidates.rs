//! What old octets may have meant, where mail-parser can't say: one text for each charset that they may be in.

use std::borrow::Cow;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};
use memchr::memmem;

use crate::coding::charset::{Charset, is_media_type};
use crate::coding::encoded_word::{WordReader, decode_unstructured, unfold, words};
use crate::coding::evidence::{self, Because, Elsewhere, Neighbour, Unlabelled, Utf8Verdict, Witnesses};
use crate::coding::transfer::{base64, quoted_printable};
use crate::message::Message as OwnMessage;
use crate::message::grammar::parameter::{read, sections};
use crate::rewrite::{Beside, DoubleEncoded, Profile, by_statistics};

/// The octets of a text in which it says its charset, if it does.
const SAYS_SO: usize = 8 << 10;

/// Reads a body in every way in which it may be meant: in the charset of its label, in one that it says of itself, and
/// in those that it may be in, with those of the texts `beside` it where its label tells nothing; line by line, where
/// some are UTF-8; and as UTF-8 once its lines are unfolded. Each of these is there a second time without the second
/// encoding where the profile undoes that and there is one.
pub fn of_body(body: &[u8], part: &MessagePart, beside: &[Charset], profile: &Profile) -> Vec<String> {
    let octets = without_transfer(body, part);
    let mut tried = declared(&octets, part, profile);
    let label = label(part);
    tried.extend(likely(&octets, label, profile));
    // What no label tells may be in the charset of another text.
    let tells = label.and_then(|label| profile.labels.find(label.as_bytes())).is_some_and(|it| it != Charset::US_ASCII);
    tried.extend(beside.iter().filter(|_| !tells));
    tried.dedup();
    let unfolded = without_folds(&octets);
    // Some lines may be in UTF-8, and others in the charset of another text, or of signs of Windows.
    let others = tried.iter().chain(beside).chain([&Charset::WINDOWS_1252]).filter(|_| has_lines_in_utf_8(&octets));
    let by_lines: Vec<String> = others.map(|charset| by_lines(&octets, *charset)).collect();
    let beside_utf_7 = label.and_then(|label| lines_beside_utf_7(&octets, profile.labels.find(label.as_bytes())?));
    let texts = tried.into_iter().map(|charset| charset.decode_lossy(&octets).0.into_owned());
    // A fold of a calendar may stand within a character.
    let texts: Vec<String> = texts.chain(by_lines).chain(beside_utf_7).chain(String::from_utf8(unfolded)).collect();
    let is_undone = profile.double_encoded == DoubleEncoded::Fix;
    let once: Vec<String> =
        texts.iter().filter(|_| is_undone).filter_map(|text| evidence::encoded_once(text)).collect();
    texts.into_iter().chain(once).collect()
}

/// Returns `true` if some lines that are not ASCII are UTF-8, and others are not.
fn has_lines_in_utf_8(octets: &[u8]) -> bool {
    let mut lines = octets.split(|octet| *octet == b'\n').filter(|line| !line.is_ascii());
    str::from_utf8(octets).is_err() && lines.any(|line| str::from_utf8(line).is_ok())
}

/// Reads each line in UTF-8, and in a charset what is none.
fn by_lines(octets: &[u8], charset: Charset) -> String {
    let lines = octets.split_inclusive(|octet| *octet == b'\n');
    lines.map(|line| str::from_utf8(line).map_or_else(|_| charset.decode_lossy(line).0, Cow::Borrowed)).collect()
}

/// Reads each line in UTF-7 that is ASCII, and the others as UTF-8 or in the charset of Western Europe; none under another
/// label.
fn lines_beside_utf_7(octets: &[u8], label: Charset) -> Option<String> {
    label.utf_7()?;
    let read = |line| match line {
        ascii if <[u8]>::is_ascii(ascii) => label.decode_lossy(ascii).0,
        other => str::from_utf8(other).map_or_else(|_| Charset::WINDOWS_1252.decode_lossy(other).0, Cow::Borrowed),
    };
    Some(octets.split_inclusive(|octet| *octet == b'\n').map(read).collect())
}

/// Takes out the folds of a calendar: a line end and one blank (RFC 5545 §3.1).
fn without_folds(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some((first, behind)) = rest.split_first() {
        let fold = [&b"\r\n "[..], b"\r\n\t", b"\n ", b"\n\t"].into_iter().find_map(|fold| rest.strip_prefix(fold));
        if fold.is_none() {
            out.push(*first);
        }
        rest = fold.unwrap_or(behind);
    }
    out
}

/// Returns the lines of a body that is made of fields, each with the lines that it is folded over.
pub fn fields(body: &[u8]) -> Vec<Vec<u8>> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for line in body.split_inclusive(|octet| *octet == b'\n') {
        match fields.last_mut().filter(|_| line.starts_with(b" ") || line.starts_with(b"\t")) {
            Some(field) => field.extend_from_slice(line),
            None => fields.push(line.to_vec()),
        }
    }
    fields
}

/// Reads a body in the charset of its label alone; none without a label that is known, and where mail-parser reads
/// that: UTF-7 it does not read whole, and what is encoded where a multipart never closes it leaves as it is.
pub fn of_label(body: &[u8], part: &MessagePart, text: &str, profile: &Profile) -> Option<String> {
    let octets = without_transfer(body, part);
    let charset = labelled(part, profile)?;
    let unread = octets != body && text.trim_ascii_end().as_bytes() == body.trim_ascii_end();
    (unread || charset.utf_7().is_some()).then(|| charset.decode_lossy(&octets).0.into_owned())
}

/// Returns the octets of a body without their transfer encoding, their line ends LF, without white space at the end.
pub fn plain_octets(body: &[u8], part: &MessagePart) -> Vec<u8> {
    let octets = without_transfer(body, part);
    let is_cr_lf = |at: usize| octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
    let mut plain: Vec<u8> = (0..octets.len()).filter(|&at| !is_cr_lf(at)).map(|at| octets[at]).collect();
    plain.truncate(plain.trim_ascii_end().len());
    plain
}

/// Returns the charsets that the parts of a message declare, those of messages in it too, and those that statistics name.
pub fn charsets_of(message: &Message, raw: &[u8], profile: &Profile) -> Vec<Charset> {
    let mut found = by_statistics(&OwnMessage::read(raw, &profile.limits), profile);
    let mut open = vec![message];
    while let Some(message) = open.pop() {
        charsets_of_parts(message, raw, profile, &mut found);
        open.extend(message.parts.iter().filter_map(|part| match &part.body {
            PartType::Message(inner) => Some(inner),
            _ => None,
        }));
    }
    found
}

/// Adds the charsets that the parts of one message declare, each once; only a text is looked into for what it says
/// itself.
fn charsets_of_parts(message: &Message, raw: &[u8], profile: &Profile, found: &mut Vec<Charset>) {
    for part in &message.parts {
        let body = raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
        let text = match part.body {
            PartType::Text(_) | PartType::Html(_) => without_transfer(body, part),
            _ => Default::default(),
        };
        for charset in declared(&text, part, profile) {
            if !found.contains(&charset) {
                found.push(charset);
            }
        }
    }
}

/// Returns the charsets that a part declares, in its label, and in the first [`SAYS_SO`] octets of its text.
pub fn declared(octets: &[u8], part: &MessagePart, profile: &Profile) -> Vec<Charset> {
    const MARK: &[u8] = b"charset=";
    let head = octets.get(..octets.len().min(SAYS_SO)).unwrap_or_default().to_ascii_lowercase();
    let in_text = memmem::find_iter(&head, MARK).filter_map(|at| {
        let label = head[at + MARK.len()..].trim_ascii_start();
        let label = label.strip_prefix(b"\"").or_else(|| label.strip_prefix(b"'")).unwrap_or(label);
        let end = label.iter().position(|octet| !octet.is_ascii_alphanumeric() && !b"-_.:".contains(octet));
        profile.labels.find(&label[..end.unwrap_or(label.len())])
    });
    labelled(part, profile).into_iter().chain(in_text).collect()
}

/// Returns the charset of a part's label; none where it has none, or one that is unknown.
fn labelled(part: &MessagePart, profile: &Profile) -> Option<Charset> {
    profile.labels.find(label(part)?.as_bytes())
}

/// Returns the label of a part: the first that is no media type, of several.
fn label<'p>(part: &'p MessagePart) -> Option<&'p str> {
    let declared = part.content_type()?;
    let values =
        declared.attributes().unwrap_or_default().iter().filter(|it| it.name == "charset").map(|it| &*it.value);
    let mut labels = values.filter(|value| !is_media_type(value.as_bytes()));
    labels.next().or_else(|| declared.attribute("charset"))
}

/// Returns `true` if a body in quoted-printable has faults; of any other body it is `false`.
pub fn has_faults(body: &[u8], part: &MessagePart) -> bool {
    let named = part.content_transfer_encoding().unwrap_or_default().trim();
    named.eq_ignore_ascii_case("quoted-printable") && quoted_printable::decode(body).faults > 0
}

/// Decodes the transfer encoding of a body, base64 or quoted-printable; in any other it is as it stands.
pub fn without_transfer<'b>(body: &'b [u8], part: &MessagePart) -> Cow<'b, [u8]> {
    // Where it finds a fault, mail-parser says that there is none.
    let named = part.content_transfer_encoding().unwrap_or_default().trim();
    match named.to_ascii_lowercase().as_str() {
        "base64" => base64::decode(body).bytes,
        "quoted-printable" => quoted_printable::decode(body).bytes,
        _ => Cow::Borrowed(body),
    }
}

/// Returns the charsets that the value of a field may be in: those of the bodies beside it, those of its own words, and those
/// that it may be in alone.
pub fn charsets_of_field(value: &[u8], beside: &[Charset], profile: &Profile) -> Vec<Charset> {
    let words = words(value).filter_map(|word| profile.labels.find(value.get(word.label)?));
    beside.iter().copied().chain(words).chain(likely(&unfold(value), None, profile)).collect()
}

/// Reads the value of a field: its words decoded, what is raw in each charset of `tried` in their order, and then as
/// the profile reads it without any, other words in the message telling nothing or that theirs are UTF-8. Where the profile
/// undoes a second encoding, each is there once more without one. So the texts of two values that are read with the same
/// `tried` can be compared by their places.
pub fn of_field(value: &[u8], tried: &[Charset], profile: &Profile) -> Vec<String> {
    let value = unfold(value);
    let raw = tried.iter().map(|charset| decoded(charset.decode_lossy(&value).0.as_bytes(), profile));
    // Words under a label that says nothing are read by the text beside them.
    let readers = readers(profile).into_iter().chain(tried.iter().map(|charset| reader_beside(*charset, profile)));
    let told = readers.map(|reader| decode_unstructured(&value, reader).text);
    // Some write an underscore for itself and not for a space.
    let underscored = String::from_utf8_lossy(&value).replace('_', "=5F");
    let others = [decoded(&value, profile), decoded(underscored.as_bytes(), profile)];
    let texts: Vec<String> = raw.chain(told).chain(others).collect();
    let is_undone = profile.double_encoded == DoubleEncoded::Fix;
    let once: Vec<String> = texts.iter().filter(|_| is_undone).map(|text| names_encoded_once(text)).collect();
    texts.into_iter().chain(once).collect()
}

/// Undoes the second encoding of a value's texts, each name in a list by itself.
fn names_encoded_once(text: &str) -> String {
    let names = text.split_inclusive(|octet: char| "<>,;:\"()".contains(octet));
    names.map(|name| evidence::encoded_once(name).unwrap_or_else(|| name.to_owned())).collect()
}

/// Reads the names of files in the value of a field: what is raw in each of some charsets, labels that are untrue as the profile
/// guesses.
pub fn names(value: &[u8], tried: &[Charset], profile: &Profile) -> Vec<String> {
    let list = sections(value).list;
    let slices: Vec<(&[u8], &[u8])> = list.iter().map(|section| section.slices(value)).collect();
    let beside = tried.iter().map(|charset| reader_beside(*charset, profile));
    let found = beside.chain(readers(profile)).flat_map(|reader| read(&slices, reader));
    let named = found.filter(|it| ["name", "filename"].iter().any(|name| it.name.eq_ignore_ascii_case(name)));
    let texts: Vec<String> = named.filter_map(|parameter| Some(parameter.outcome.ok()?.text)).collect();
    let is_undone = profile.double_encoded == DoubleEncoded::Fix;
    let once: Vec<String> =
        texts.iter().filter(|_| is_undone).filter_map(|text| evidence::encoded_once(text)).collect();
    texts.into_iter().chain(once).collect()
}

/// Returns how a profile reads fields beside a text in a charset.
fn reader_beside(charset: Charset, profile: &Profile) -> WordReader<'_> {
    let plain = reader(profile);
    let neighbours = [Some(Neighbour { charset, because: Because::Part, has_testified: true }), None, None, None];
    WordReader { witnesses: Witnesses { neighbours, ..plain.witnesses }, ..plain }
}

/// Reads the value of a field in which encoded-words are text like any other.
pub fn literal(value: &[u8], charset: Charset) -> String {
    charset.decode_lossy(&unfold(value)).0.into_owned()
}

/// Decodes the words of a field, as far as they can be.
pub fn decoded(value: &[u8], profile: &Profile) -> String {
    let reader = WordReader { lossy: true, ..WordReader::new(&profile.labels) };
    decode_unstructured(&unfold(value), reader).text
}

/// Returns how a profile reads fields beside which nothing is known, and where other words of the message are UTF-8.
fn readers(profile: &Profile) -> [WordReader<'_>; 2] {
    let plain = reader(profile);
    [plain, WordReader { witnesses: Witnesses { elsewhere: Some(&InUtf8), ..plain.witnesses }, ..plain }]
}

/// A message in which words are UTF-8, whatever their label says.
struct InUtf8;

impl Elsewhere for InUtf8 {
    fn verdict(&self, _: Charset) -> Option<(Utf8Verdict, Because)> {
        Some((Utf8Verdict::Utf8, Because::Word))
    }

    fn detected(&self, _: &[u8]) -> Option<Charset> {
        None
    }
}

/// Returns how a profile reads fields beside which nothing is known.
fn reader(profile: &Profile) -> WordReader<'_> {
    WordReader { lossy: true, witnesses: Beside::default().witnesses(profile), ..WordReader::new(&profile.labels) }
}

/// Returns the charsets that octets may be in, whether their label is true or not: UTF-8, those of the profile for
/// octets without one, that of the label, and what the octets show.
fn likely(octets: &[u8], label: Option<&str>, profile: &Profile) -> Vec<Charset> {
    let named = profile.unlabelled.iter().filter_map(Unlabelled::charset);
    let found = label.and_then(|label| profile.labels.find(label.as_bytes()));
    let witnesses = Beside::default().witnesses(profile);
    let meant = evidence::judge(octets, label.map(str::as_bytes), &witnesses).ok().map(|read| read.charset);
    let alone = evidence::judge_raw(octets, &witnesses).ok().map(|(charset, _)| charset);
    let all = [Charset::UTF_8].into_iter().chain(named).chain(found).chain(meant).chain(alone);
    all.chain(evidence::escaped(octets)).collect()
}
