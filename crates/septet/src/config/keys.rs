//! A section names its keys once, and everything else follows from that one list.
//!
//! [`SettingsTable::keys`] shows every key, with the place that holds its value, to whoever comes along: the reader
//! ([`super::reader`]) fills the places from a tree, the writer ([`super::writer`]) prints them, [`KeyNames`]
//! collects what there is. So reading, printing, the hint for a wrong key and the test of the sample file
//! can't drift apart. A key's doc stands at its field, its default in `Default`, its check in its type.

use super::setting::Setting;

/// A table of settings.
pub trait SettingsTable {
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
    fn section(&mut self, name: &'static str, section: &mut dyn SettingsTable);
}

/// Collects the names of a section's own keys.
#[derive(Debug, Default)]
pub struct KeyNames(pub Vec<&'static str>);

impl KeyNames {
    /// Returns the names of the keys of `section`.
    pub fn of(section: &mut dyn SettingsTable) -> Vec<&'static str> {
        let mut names = KeyNames::default();
        section.keys(&mut names);
        names.0
    }
}

impl Keys for KeyNames {
    fn key(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.0.push(name);
    }

    fn required(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.0.push(name);
    }

    fn section(&mut self, name: &'static str, _: &mut dyn SettingsTable) {
        self.0.push(name);
    }
}

/// Collects a section's own keys with their values.
#[derive(Debug, Default)]
pub struct Values(Vec<(&'static str, Option<toml::Value>)>);

impl Values {
    /// Returns the keys of `section`, each with its value; none for one that is not set.
    pub fn of(section: &mut dyn SettingsTable) -> Vec<(&'static str, Option<toml::Value>)> {
        let mut values = Values::default();
        section.keys(&mut values);
        values.0
    }
}

impl Keys for Values {
    fn key(&mut self, name: &'static str, setting: &mut dyn Setting) {
        self.0.push((name, setting.write()));
    }

    fn required(&mut self, name: &'static str, setting: &mut dyn Setting) {
        self.key(name, setting);
    }

    fn section(&mut self, _: &'static str, _: &mut dyn SettingsTable) {}
}

/// What stands in a path for a name of one's own, or for a number.
pub const ANY: &str = "*";

/// The paths of all keys, as `limits`, `parts`.
#[derive(Debug, Default)]
pub struct Paths {
    /// The tables that are being looked at.
    at: Vec<&'static str>,
    paths: Vec<Vec<&'static str>>,
}

impl Paths {
    /// Adds the keys of the section at a path; [`ANY`] stands for a name or number.
    pub fn add(&mut self, at: &[&'static str], section: &mut dyn SettingsTable) {
        self.at = at.to_vec();
        section.keys(self);
        self.at.clear();
    }

    /// Returns the names of the root's keys and tables, in the order in which they were added.
    pub fn root(&self) -> Vec<&'static str> {
        let mut root: Vec<&'static str> = self.paths.iter().filter_map(|path| path.first().copied()).collect();
        // The keys of one table were added one after the other.
        root.dedup();
        root
    }

    /// Returns `true` if it is a key or a table of the root.
    pub fn is_root(&self, word: &str) -> bool {
        self.root().contains(&word)
    }

    /// Returns the headings of the tables below the root that have a key, as `[limits]`, `[[listener]]` and
    /// `[profile.NAME]`.
    pub fn headings_with(&self, key: &str) -> Vec<String> {
        let having = self.paths.iter().filter(|path| path.len() > 1 && path.last() == Some(&key));
        having.map(|path| heading(&path[..path.len() - 1])).collect()
    }

    /// Returns `true` if a table of the root holds tables by number or by names of one's own.
    pub fn holds_tables(&self, table: &str) -> bool {
        self.paths.iter().any(|path| path.first() == Some(&table) && path.contains(&ANY))
    }

    /// Finds the key below the root whose path is `word` when all its words are joined with one underscore; its path
    /// comes back joined with two.
    pub fn with_underscores(&self, word: &str) -> Option<String> {
        self.paths.iter().find_map(|path| meant(path, word))
    }

    fn push(&mut self, name: &'static str) {
        self.paths.push(self.at.iter().copied().chain([name]).collect());
    }
}

/// Returns the path of a key joined with two underscores, if it is `word` when it is joined with one.
fn meant(path: &[&str], word: &str) -> Option<String> {
    match path {
        [table, ANY, key] => {
            let name = word.strip_prefix(table)?.strip_prefix('_')?.strip_suffix(key)?.strip_suffix('_')?;
            (!name.is_empty()).then(|| format!("{table}__{name}__{key}"))
        }
        path => (path.len() > 1 && path.join("_") == word).then(|| path.join("__")),
    }
}

/// Returns the heading of a table by its path; what stands in a list is written as the list has it.
fn heading(table: &[&str]) -> String {
    match table {
        ["profile", ANY, below @ ..] => format!("[{}]", [&["profile", "NAME"], below].concat().join(".")),
        [list, ANY] => format!("[[{list}]]"),
        path => format!("[{}]", path.iter().filter(|word| **word != ANY).copied().collect::<Vec<_>>().join(".")),
    }
}

impl Keys for Paths {
    fn key(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.push(name);
    }

    fn required(&mut self, name: &'static str, _: &mut dyn Setting) {
        self.push(name);
    }

    fn section(&mut self, name: &'static str, section: &mut dyn SettingsTable) {
        self.at.push(name);
        section.keys(self);
        self.at.pop();
    }
}
