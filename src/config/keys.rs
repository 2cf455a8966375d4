//! A section names its keys once, and everything else follows from that one list.
//!
//! [`Section::keys`] shows every key, with the place that holds its value, to whoever comes along: the reader
//! ([`super::reader`]) fills the places from a tree, the writer ([`super::writer`]) prints them, [`Names`]
//! collects what there is. So reading, printing, the hint for a wrong key and the test of the sample file
//! can't drift apart. A key's doc stands at its field, its default in `Default`, its check in its type.

use super::setting::Setting;

/// A table of settings.
pub trait Section {
    /// Shows every key to `keys`, in the order of the documentation.
    fn keys(&mut self, keys: &mut dyn Keys);
}

/// Somebody who comes along the keys.
pub trait Keys {
    /// Takes a key that may be absent.
    fn key(&mut self, name: &'static str, setting: &mut dyn Setting);
    /// Takes a key that must be there.
    fn required(&mut self, name: &'static str, setting: &mut dyn Setting);
    /// Takes a table inside this one.
    fn section(&mut self, name: &'static str, section: &mut dyn Section);
}

/// Collects the names of a section's own keys.
#[derive(Debug, Default)]
pub struct Names(pub Vec<&'static str>);

impl Names {
    /// Gives the names of the keys of `section`.
    pub fn of(section: &mut dyn Section) -> Vec<&'static str> {
        let mut names = Names::default();
        section.keys(&mut names);
        names.0
    }
}

impl Keys for Names {
    fn key(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.0.push(name);
    }

    fn required(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.0.push(name);
    }

    fn section(&mut self, name: &'static str, _: &mut dyn Section) {
        self.0.push(name);
    }
}
