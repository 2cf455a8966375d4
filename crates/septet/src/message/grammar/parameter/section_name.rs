//! The names of sections, taken apart (RFC 2231 §3, §4), and what names mean.

/// Parameters whose values machines compare: they are never text.
const MACHINE: [&str; 14] = [
    "access-type", "boundary", "charset", "delsp", "format", "micalg", "mode", "protocol", "report-type", "reply-type",
    "size", "smime-type", "start", "type",
];

/// Returns `true` if machines compare the values of the parameter of this bare name, in any case of letters, so that
/// they are no text for people.
pub fn is_machine(name: impl AsRef<[u8]>) -> bool {
    MACHINE.iter().any(|machine| machine.as_bytes().eq_ignore_ascii_case(name.as_ref()))
}

/// A section's name, taken apart: `name*1*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::message) struct SectionName<'a> {
    /// The parameter's name.
    pub base: &'a [u8],
    /// The number of the section.
    pub number: Option<usize>,
    /// Whether its value has percent signs to undo.
    pub extended: bool,
    /// Whether a reader may understand the mark otherwise, or not at all: it is no number, or one with a zero in front.
    pub is_odd: bool,
}

/// The forms in which one name may stand side by side: each makes a parameter of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::message) enum NameForm {
    /// `name`.
    Plain,
    /// `name*`.
    Single,
    /// `name*0`, `name*1*`.
    Numbered,
}

/// Returns the name of a parameter out of that of a section, without the marks of RFC 2231.
pub fn base(section: &[u8]) -> &[u8] {
    SectionName::of(section).base
}

impl<'a> SectionName<'a> {
    /// Takes a name apart; a mark that is none of RFC 2231's belongs to the name. A number too great for any list of
    /// sections is still one.
    pub fn of(name: &'a [u8]) -> SectionName<'a> {
        let whole = SectionName { base: name, number: None, extended: false, is_odd: false };
        let Some(star) = memchr::memchr(b'*', name) else { return whole };
        let (base, mark) = (&name[..star], &name[star + 1..]);
        let (digits, extended) = mark.strip_suffix(b"*").map_or((mark, false), |digits| (digits, true));
        match digits {
            [] if !extended => SectionName { base, extended: true, ..whole },
            [_, ..] if digits.iter().all(u8::is_ascii_digit) => {
                let zeros = digits.len() > 1 && digits[0] == b'0';
                SectionName { base, number: Some(number(digits)), extended, is_odd: zeros }
            }
            _ => SectionName { is_odd: true, ..whole },
        }
    }

    /// Returns the form that the name stands in.
    pub fn form(&self) -> NameForm {
        match (self.number, self.extended) {
            (None, false) => NameForm::Plain,
            (None, true) => NameForm::Single,
            (Some(_), _) => NameForm::Numbered,
        }
    }

    /// Returns `true` if this is a section of a parameter, by its bare name.
    pub fn is_of(&self, name: &str) -> bool {
        self.base.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns `true` if some readers may find a section of this parameter in it, though it is none: the name goes on
    /// in some other way, or stands between octets that no name has and that some of them strip as white space.
    pub fn is_nearly(&self, name: &str) -> bool {
        let goes_on = self
            .base
            .split_at_checked(name.len())
            .is_some_and(|(base, rest)| base.eq_ignore_ascii_case(name.as_bytes()) && rest.starts_with(b"*"));
        let stripped = stripped(self.base);
        self.is_odd && goes_on || stripped.len() < self.base.len() && SectionName::of(stripped).is_of(name)
    }
}

/// Returns a name without the octets at its ends that are no letters or digits, nor the mark of a section.
fn stripped(name: &[u8]) -> &[u8] {
    let start = name.iter().position(is_kept).unwrap_or(name.len());
    let end = name.iter().rposition(is_kept).map_or(start, |last| last + 1);
    name.get(start..end).unwrap_or_default()
}

/// Returns `true` for a letter, a digit, or the star of a mark.
fn is_kept(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric() || *octet == b'*'
}

/// Reads digits, which must be nothing else, as a number; one that is too great becomes the greatest.
fn number(digits: &[u8]) -> usize {
    digits.iter().fold(0_usize, |sum, digit| sum.saturating_mul(10).saturating_add(usize::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_names_apart() {
        for (name, wanted) in [
            ("name", (4, None, false, false)),
            ("name*", (4, None, true, false)),
            ("name*0", (4, Some(0), false, false)),
            ("name*10*", (4, Some(10), true, false)),
            ("name*00*", (4, Some(0), true, true)),
            ("name*99999999999999999999", (4, Some(usize::MAX), false, false)),
            ("name**", (6, None, false, true)),
            ("name*x", (6, None, false, true)),
        ] {
            let mark = SectionName::of(name.as_bytes());
            assert_eq!((mark.base.len(), mark.number, mark.extended, mark.is_odd), wanted, "{name}");
        }
    }

    #[test]
    fn names_that_some_readers_take_for_another() {
        for near in
            [&b"Name*x"[..], b"\x0Cname", b"name\x1F", b"\xC2\xA0Name", b"\xEF\xBB\xBFname", b"\xFFname", b"\0name*"]
        {
            assert!(SectionName::of(near).is_nearly("name"), "{}", near.escape_ascii());
        }
        for other in [&b"names*x"[..], b"name", b"name*0*", b"filename", b"\x0Cnames", b"x-name", b"\xA0"] {
            assert!(!SectionName::of(other).is_nearly("name"), "{}", other.escape_ascii());
        }
    }
}
