//! What a text was read from, as reports say it.

use super::{Because, Reading};
use crate::charset::Charset;

/// What a text was read from: its label, and who overruled it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The label as it stands there, `8bit` for raw octets, `none`; with the charset in parentheses that the text was
    /// read in, where that is not what the label says.
    pub name: String,
    /// The witness that was followed, where it is not the label.
    pub because: Option<Because>,
}

impl Origin {
    /// Returns the origin of a text that is what its label says.
    pub fn label(name: impl Into<String>) -> Origin {
        Origin { name: name.into(), because: None }
    }

    /// Returns the origin of a text that was judged under a label, or under none, an empty one. A text of nothing but
    /// ASCII is what its label says.
    ///
    /// ```
    /// use septet_text::charset::Labels;
    /// use septet_text::evidence::{Because, Origin, Witnesses, judge};
    ///
    /// let labels = Labels::default();
    /// let read = judge("Grüße".as_bytes(), Some(b"ISO-8859-2"), &Witnesses::none(&labels)).unwrap();
    /// let origin = Origin::of("ISO-8859-2", &read);
    /// assert_eq!((&*origin.name, origin.because), ("ISO-8859-2(utf-8)", Some(Because::Octets)));
    /// ```
    pub fn of(label: &str, read: &Reading<'_>) -> Origin {
        if read.text.is_ascii() || read.because == Because::Label {
            return Origin::label(label);
        }
        let shown = if label.is_empty() { "none" } else { label };
        let name = match read.second {
            Some(second) => format!("{shown}({}+{})", read.charset.name(), second.name()),
            None if shown.eq_ignore_ascii_case(read.charset.name()) => shown.to_owned(),
            None => format!("{shown}({})", read.charset.name()),
        };
        Origin { name, because: Some(read.because) }
    }

    /// Returns the origin of raw octets, which have no label: that of octets in UTF-8 goes without saying, and
    /// so does that of octets that nobody knows.
    pub fn raw(read: Option<(Charset, Because)>) -> Origin {
        match read.filter(|(charset, _)| ![Charset::UTF_8, Charset::UNKNOWN_8BIT].contains(charset)) {
            Some((charset, because)) => Origin { name: format!("{RAW}({})", charset.name()), because: Some(because) },
            None => Origin::label(RAW),
        }
    }

    /// Returns `true` if it is raw octets.
    pub fn is_raw(&self) -> bool {
        self.name.strip_prefix(RAW).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
    }

    /// Returns it in lower case, as reports have labels.
    pub fn in_lower_case(&self) -> Origin {
        Origin { name: self.name.to_ascii_lowercase(), because: self.because }
    }

    /// Returns `true` if its name is this one, whatever the case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

const RAW: &str = "8bit";
