//! Parameters that stand there, or what some readers take for one.

use super::section::Sections;
use super::section_name::SectionName;

impl Sections {
    /// Returns `true` if a parameter of this bare name stands there, or what some readers take for one.
    ///
    /// ```
    /// use septet::message::grammar::parameter::sections;
    ///
    /// for value in [&b"inline; filename*0=a"[..], b"inline;\x0Cfilename=a"] {
    ///     assert!(sections(value).may_have(value, "filename"));
    /// }
    /// assert!(!sections(b"inline; name=a").may_have(b"inline; name=a", "filename"));
    /// ```
    pub fn may_have(&self, value: &[u8], name: &str) -> bool {
        let mut marks = self.marks(value);
        marks.any(|mark| mark.is_of(name) || mark.is_nearly(name)) || self.in_passed_over(value, name)
    }

    /// Takes the names of all sections apart.
    fn marks<'v>(&self, value: &'v [u8]) -> impl Iterator<Item = SectionName<'v>> {
        self.list.iter().map(|section| SectionName::of(&value[section.name.clone()]))
    }

    /// Returns `true` if this name, or what some readers take for it, stands before a `=` where no parameter is read:
    /// in quotes, or behind another word.
    fn in_passed_over(&self, value: &[u8], name: &str) -> bool {
        let mut marks = self.not_parameters.iter().map(|at| SectionName::of(&value[at.clone()]));
        marks.any(|mark| mark.is_of(name) || mark.is_nearly(name))
    }
}
