//! The names of sections, taken apart (RFC 2231 §3, §4), and what names mean.

/// Parameters whose values machines compare: they are never text.
const MACHINE: [&str; 14] = [
    "access-type",
    "boundary",
    "charset",
    "delsp",
    "format",
    "micalg",
    "mode",
    "protocol",
    "report-type",
    "reply-type",
    "size",
    "smime-type",
    "start",
    "type",
];

/// Tells whether machines compare the values of this parameter, so that they are no text for people.
pub fn is_machine(name: &str) -> bool {
    MACHINE.iter().any(|machine| machine.eq_ignore_ascii_case(name))
}

/// A section's name, taken apart: `name*1*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    /// The parameter's name.
    pub base: &'a [u8],
    /// The number of the section.
    pub number: Option<usize>,
    /// Whether its value has percent signs to undo.
    pub extended: bool,
    /// Whether a reader may understand the mark otherwise, or not at all: why.
    pub odd: Option<&'static str>,
}

/// The forms in which one name may stand side by side: each makes a parameter of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Form {
    /// `name`.
    Plain,
    /// `name*`.
    Single,
    /// `name*0`, `name*1*`.
    Numbered,
}

/// Returns the name of a parameter out of that of a section, without the marks of RFC 2231.
pub fn base(section: &[u8]) -> &[u8] {
    Mark::of(section).base
}

impl<'a> Mark<'a> {
    /// Takes a name apart; a mark that is none of RFC 2231's belongs to the name. A number too great for any list of
    /// sections is still one.
    pub fn of(name: &'a [u8]) -> Mark<'a> {
        let whole = Mark { base: name, number: None, extended: false, odd: None };
        let Some(star) = memchr::memchr(b'*', name) else { return whole };
        let (base, mark) = (&name[..star], &name[star + 1..]);
        let (digits, extended) = mark.strip_suffix(b"*").map_or((mark, false), |digits| (digits, true));
        match digits {
            [] if !extended => Mark { base, extended: true, ..whole },
            [_, ..] if digits.iter().all(u8::is_ascii_digit) => {
                let zeros = digits.len() > 1 && digits[0] == b'0';
                let odd = zeros.then_some("the number of a section has a zero in front");
                Mark { base, number: Some(number(digits)), extended, odd }
            }
            _ => Mark { odd: Some("a section has a mark that is no number"), ..whole },
        }
    }

    /// Returns the form that the name stands in.
    pub fn form(&self) -> Form {
        match (self.number, self.extended) {
            (None, false) => Form::Plain,
            (None, true) => Form::Single,
            (Some(_), _) => Form::Numbered,
        }
    }

    /// Tells whether this is a section of a parameter, by its bare name.
    pub fn is_of(&self, name: &str) -> bool {
        self.base.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Tells whether the name begins as that of a section of this parameter would, and goes on in some other way.
    pub fn is_nearly_of(&self, name: &str) -> bool {
        let head = self.base.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()));
        self.odd.is_some() && head && self.base.get(name.len()) == Some(&b'*')
    }
}

fn number(digits: &[u8]) -> usize {
    let add = |sum: usize, digit: &u8| sum.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    digits.iter().fold(0, add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_names_apart() {
        let mark = |name: &'static str| {
            let mark = Mark::of(name.as_bytes());
            (mark.base.len(), mark.number, mark.extended, mark.odd.is_some())
        };
        assert_eq!(mark("name"), (4, None, false, false));
        assert_eq!(mark("name*"), (4, None, true, false));
        assert_eq!(mark("name*0"), (4, Some(0), false, false));
        assert_eq!(mark("name*10*"), (4, Some(10), true, false));
        assert_eq!(mark("name*00*"), (4, Some(0), true, true));
        assert_eq!(mark("name*99999999999999999999"), (4, Some(usize::MAX), false, false));
        assert_eq!(mark("name**"), (6, None, false, true));
        assert_eq!(mark("name*x"), (6, None, false, true));
        assert!(Mark::of(b"Name*x").is_nearly_of("name") && !Mark::of(b"names*x").is_nearly_of("name"));
    }
}
