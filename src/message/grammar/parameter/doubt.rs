//! Why independent readers may take a parameter differently.
//!
//! What is asked, in this order: whether everybody finds the same sections (a quote that never closes, a comment in
//! the middle, a `;` that is missing), whether everybody joins them alike (sections that are missing, numbers that
//! stand twice, two forms of one name), and, for what machines compare, whether everybody reads the same octets. Last
//! comes half an encoded-word, which some readers read on through quotes and names until they find its other half,
//! so that it concerns every parameter of the field.

use memchr::memmem;

use super::mark::{Form, Mark, is_machine};
use super::read::{Fault, read};
use super::section::{Flaw, Section, Sections};
use super::value::{Head, has_whole_percents, unquote};
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{Reader, words};

/// The sections of one parameter, with their marks.
type Named<'s, 'a> = [(&'s Section, Mark<'a>)];

const TWICE: &str = "it stands twice and says different things";
const TWO_FORMS: &str = "it stands in two forms that say different things";
const MISSING: &str = "a section is missing";
const EMPTY: &str = "an empty section";
const HALF_WORD: &str = "an encoded-word that begins in one value and ends in another";

impl Sections {
    /// Says why independent readers could take a parameter of this bare name differently; none where they agree,
    /// and where it does not stand there for any of them.
    ///
    /// Linear but for the sorting of sections.
    pub fn doubt(&self, value: &[u8], name: &str) -> Option<&'static str> {
        if self.list.is_empty() && self.passed_over.is_empty() && self.open.is_none() {
            return None;
        }
        let named: Vec<(&Section, Mark)> = self.named(value, name).collect();
        let nearly =
            || self.marks(value).find_map(|mark| mark.nearly(name)).or_else(|| self.in_passed_over(value, name));
        let found = self.open_before(value, &named);
        let found =
            found.or_else(|| named.iter().find_map(|(section, mark)| section.flaw.map(Flaw::text).or(mark.odd)));
        let found = found.or_else(nearly);
        let found = found.or_else(|| of_order(value, &named)).or_else(|| of_forms(value, &named));
        let found = found.or_else(|| is_machine(name).then(|| self.of_machine(value, name, &named)).flatten());
        found.or_else(|| self.half_word(value))
    }

    /// Tells whether a parameter of this bare name stands there, or what some readers take for one.
    ///
    /// ```
    /// use septet::message::grammar::parameter::sections;
    ///
    /// let found = |value: &[u8]| sections(value).may_have(value, "filename");
    /// assert!(found(b"inline; filename*0=a") && found(b"inline;\x0Cfilename=a") && !found(b"inline; name=a"));
    /// ```
    pub fn may_have(&self, value: &[u8], name: &str) -> bool {
        let mut marks = self.marks(value);
        marks.any(|mark| mark.is_of(name) || mark.nearly(name).is_some()) || self.in_passed_over(value, name).is_some()
    }

    /// Takes the names of all sections apart.
    fn marks<'v>(&self, value: &'v [u8]) -> impl Iterator<Item = Mark<'v>> {
        self.list.iter().map(|section| Mark::of(&value[section.name.clone()]))
    }

    /// Says so where a name stands before a `=` and is none, as in quotes or behind another word.
    fn in_passed_over(&self, value: &[u8], name: &str) -> Option<&'static str> {
        let mut marks = self.passed_over.iter().map(|at| Mark::of(&value[at.clone()]));
        marks
            .any(|mark| mark.is_of(name) || mark.nearly(name).is_some())
            .then_some("its name stands where no name does")
    }

    /// Says so where some readers part the whole list otherwise: a name or a value stands where none can, so that they join to
    /// it what belongs to its neighbours, or take a piece of it for a parameter.
    pub fn irregular(&self, value: &[u8]) -> Option<&'static str> {
        let misplaced = || (!self.passed_over.is_empty()).then_some("a name stands where no name does");
        let open = || self.open.map(|_| Flaw::Open.text());
        let escaped = || self.ends_in_backslash(value).then_some("a backslash at the end of a value without quotes");
        self.half_word(value).or_else(|| self.empty_section(value)).or_else(misplaced).or_else(open).or_else(escaped)
    }

    /// Tells whether a value without quotes ends in a backslash: some readers take the semicolon behind it for more of it.
    fn ends_in_backslash(&self, value: &[u8]) -> bool {
        let text = |section: &Section| &value[section.value.clone()];
        self.list.iter().map(text).any(|text| !text.starts_with(b"\"") && text.ends_with(b"\\"))
    }

    /// Says so where an encoded-word begins in a value and could end behind it.
    ///
    /// ```
    /// use septet::message::grammar::parameter::sections;
    ///
    /// let value = b"inline; filename=\"=?utf-8\"; x=\"?Q?a?=\"";
    /// assert!(sections(value).half_word(value).is_some());
    /// ```
    pub fn half_word(&self, value: &[u8]) -> Option<&'static str> {
        let last = memmem::rfind(value, b"?=")?;
        let mut open = self.list.iter().filter(|section| section.value.end <= last);
        open.any(|section| begins_a_word(&value[section.value.clone()])).then_some(HALF_WORD)
    }

    /// Says so where a section stands for nothing: some readers take what is behind it for more of the same.
    fn empty_section(&self, value: &[u8]) -> Option<&'static str> {
        self.list.iter().any(|section| is_empty(value, section)).then_some(EMPTY)
    }

    /// Says so where readers may find or read a value otherwise that machines compare.
    fn of_machine(&self, value: &[u8], name: &str, named: &Named) -> Option<&'static str> {
        of_octets(value, named).or_else(|| self.behind_empty(value, name))
    }

    /// Says so where a parameter of this name stands right behind sections that stand for nothing, of which one has a
    /// mark: it is more of the same to mail-parser.
    fn behind_empty(&self, value: &[u8], name: &str) -> Option<&'static str> {
        let mut is_open = false;
        for section in &self.list {
            if is_open && Mark::of(&value[section.name.clone()]).is_of(name) {
                return Some(EMPTY);
            }
            let is_nothing = unquote(&value[section.value.clone()]).is_empty();
            is_open = is_empty(value, section) || is_open && is_nothing;
        }
        None
    }

    /// Says so where something opens before the parameter, or before a `;` behind which it could stand, and never
    /// closes.
    fn open_before(&self, value: &[u8], named: &Named) -> Option<&'static str> {
        let open = self.open?;
        let behind = named.iter().any(|(section, _)| section.value.end > open);
        let hidden = named.is_empty() && memchr::memchr(b';', &value[open..]).is_some();
        (behind || hidden).then_some(Flaw::Open.text())
    }
}

/// Tells whether a section of a value in sections, or with a charset, stands for nothing.
fn is_empty(value: &[u8], section: &Section) -> bool {
    let mark = Mark::of(&value[section.name.clone()]);
    mark.form() != Form::Plain && says_nothing(&unquote(&value[section.value.clone()]), &mark)
}

/// Says so where one of the values that make a parameter holds the beginning of an encoded-word and not its end: few
/// readers look for words in what RFC 2231 has joined.
pub fn cut_word<'v>(mut written: impl Iterator<Item = &'v [u8]>) -> Option<&'static str> {
    written.any(begins_a_word).then_some(HALF_WORD)
}

/// Tells whether `=?` stands in a value outside of the encoded-words that are whole in it.
fn begins_a_word(written: &[u8]) -> bool {
    let mut at = 0;
    let opens = |between: &[u8]| memmem::find(between, b"=?").is_some();
    let before = words(written).any(|word| opens(&written[std::mem::replace(&mut at, word.at.end)..word.at.start]));
    before || opens(&written[at..])
}

/// Says so where a section stands twice with different values, or one is missing.
fn of_order(value: &[u8], named: &Named) -> Option<&'static str> {
    let mut sorted: Vec<(Form, Option<usize>, &[u8])> =
        named.iter().map(|(section, mark)| (mark.form(), mark.number, &value[section.value.clone()])).collect();
    sorted.sort_by_key(|(form, number, _)| (*form, *number));
    let is_same = |pair: &[(Form, Option<usize>, &[u8])]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
    if sorted.windows(2).any(|pair| is_same(pair) && unquote(pair[0].2) != unquote(pair[1].2)) {
        return Some(TWICE);
    }
    sorted.dedup_by_key(|(form, number, _)| (*form, *number));
    let mut numbers = sorted.iter().filter_map(|(_, number, _)| *number).enumerate();
    numbers.any(|(expected, number)| expected != number).then_some(MISSING)
}

/// Says so where plain and extended forms stand side by side and differ in text.
fn of_forms(value: &[u8], named: &Named) -> Option<&'static str> {
    let first = named.first()?.1.form();
    if named.iter().all(|(_, mark)| mark.form() == first) {
        return of_mark(value, named);
    }
    let sections: Vec<(&[u8], &[u8])> = named.iter().map(|(section, _)| section.slices(value)).collect();
    let labels = Labels::default();
    let found = read(&sections, Reader::new(&labels));
    let found = found.iter().filter(|parameter| parameter.outcome != Err(Fault::Repeated));
    let texts: Vec<Option<&str>> = found.map(|it| it.outcome.as_ref().ok().map(|it| &*it.text)).collect();
    let alike = texts.windows(2).all(|pair| pair[0].is_some() && pair[0] == pair[1]);
    (!alike).then_some(TWO_FORMS).or_else(|| of_mark(value, named))
}

/// Says so where some sections are extended and the first, which must name the charset, is not one of them.
fn of_mark(value: &[u8], named: &Named) -> Option<&'static str> {
    let Some((section, _)) = named.iter().find(|(_, mark)| names_charset(mark)) else {
        let extended = named.iter().any(|(_, mark)| mark.extended);
        return extended.then_some("its first section names no charset");
    };
    broken_mark(&value[section.value.clone()])
}

/// Says so where the value of a first extended section has one apostrophe alone, so that some find a charset in it, or a
/// language with octets above 127.
pub fn broken_mark(written: &[u8]) -> Option<&'static str> {
    let text = unquote(written);
    let is_broken = match Head::of(&text) {
        Some(head) => !head.language.is_ascii(),
        None => text.contains(&b'\''),
    };
    is_broken.then_some("its charset mark is broken")
}

/// Says so where an extended value holds what could be an encoded-word: some readers decode it, in either coding or in
/// both.
pub fn word_in_extended(written: &[u8]) -> Option<&'static str> {
    memmem::find(written, b"=?").map(|_| "an encoded-word in the percent form")
}

/// Says so where an extended value has white space within and no quotes: it ends there to some, and text stands behind it.
pub fn space_in_extended(written: &[u8]) -> Option<&'static str> {
    let bare = written.trim_ascii();
    let is_split = !bare.starts_with(b"\"") && bare.iter().any(u8::is_ascii_whitespace);
    is_split.then_some("white space in the percent form")
}

/// Says so where a percent form begins in a section and ends in the next: those that decode before they join find none.
/// A section is its name and its value, as written.
///
/// ```
/// use septet::message::grammar::parameter::cut_percent;
///
/// let sections: [(&[u8], &[u8]); 2] = [(b"filename*0*", b"utf-8''%C3%B"), (b"filename*1*", b"Cber")];
/// assert!(cut_percent(&sections).is_some());
/// ```
pub fn cut_percent(sections: &[(&[u8], &[u8])]) -> Option<&'static str> {
    let goes_on = |pair: &[(&[u8], &[u8])]| {
        let (text, next) = (unquote(pair[0].1), unquote(pair[1].1));
        let open = text.len() - text.len().min(2);
        pair[0].0.ends_with(b"*")
            && !has_whole_percents(&text[open..])
            && next.first().is_some_and(u8::is_ascii_hexdigit)
    };
    sections.windows(2).any(goes_on).then_some("a percent sign and its digits in two sections")
}

/// Tells whether a section is the one whose value begins with the charset.
fn names_charset(mark: &Mark) -> bool {
    mark.extended && matches!(mark.number, None | Some(0))
}

/// Says so where a value that machines compare holds what readers treat differently.
fn of_octets(value: &[u8], named: &Named) -> Option<&'static str> {
    named.iter().find_map(|(section, mark)| of_value(&value[section.value.clone()], mark)).or_else(|| {
        let first = named.iter().find(|(_, mark)| names_charset(mark))?;
        let label = Head::of(&value[first.0.value.clone()])?.label.to_vec();
        let known = label.is_empty() || Labels::default().find(&label).is_some_and(|charset| charset.keeps_ascii());
        (!known).then_some("its charset is unknown or does not keep ASCII")
    })
}

fn of_value(written: &[u8], mark: &Mark) -> Option<&'static str> {
    let text = unquote(written);
    let quoted = written.starts_with(b"\"");
    let odd_octet = |octet: &u8| !octet.is_ascii() || octet.is_ascii_control();
    let blank = |octet: &u8| matches!(octet, b' ' | b'\t');
    let checks = [
        (mark.number.is_some() && says_nothing(&text, mark), EMPTY),
        (written.contains(&b'\n'), "a fold inside of the value"),
        (text.iter().any(odd_octet), "an 8-bit or control octet in it"),
        (quoted && has_idle_backslash(written), "a backslash before an octet that needs none"),
        (!quoted && written.contains(&b'\\'), "a backslash without quotes"),
        (!quoted && text.iter().any(blank), "white space without quotes"),
        (words(&text).next().is_some(), "an encoded-word in it"),
        (mark.extended && !has_whole_percents(&text), "a percent sign without two digits"),
        (mark.extended && has_odd_percent(&text), "an 8-bit or control octet in it"),
    ];
    checks.into_iter().find(|(is, _)| *is).map(|(_, why)| why)
}

/// Tells whether nothing stands in a section, or nothing behind what may be a charset and a language: some readers look
/// for them in each section.
fn says_nothing(text: &[u8], mark: &Mark) -> bool {
    let head = if mark.extended { Head::of(text) } else { None };
    head.map_or(text, |head| head.rest).is_empty()
}

/// Tells whether a quoted-string has a backslash before something else than a quote or a backslash.
fn has_idle_backslash(quoted: &[u8]) -> bool {
    let mut octets = quoted.iter();
    while octets.by_ref().any(|octet| *octet == b'\\') {
        if !matches!(octets.next(), Some(b'"' | b'\\')) {
            return true;
        }
    }
    false
}

/// Tells whether a percent sign writes an octet that is no graphic ASCII or space, or an apostrophe or percent sign,
/// which a reader that decodes before it splits takes for marks.
fn has_odd_percent(text: &[u8]) -> bool {
    let octet = |at: usize| match text[at + 1..] {
        [high, low, ..] => crate::coding::hex::octet(high, low),
        _ => None,
    };
    let odd = |octet: u8| !(octet.is_ascii_graphic() || octet == b' ') || matches!(octet, b'\'' | b'%');
    memchr::memchr_iter(b'%', text).filter_map(octet).any(odd)
}
