//! A section names its keys once, and everything else follows from that one list.
//!
//! [`SettingsTable::keys`] shows every key, with the place that holds its value, to whoever comes along: the reader
//! ([`super::reader`]) fills the places from a tree, [`super::print`] writes them, [`names`] collects
//! what there is. So reading, printing, the hint for a wrong key and the test of the sample file can't drift apart. A
//! key's doc stands at its field, its default in `Default`, its check in its type.

use super::setting::Setting;

/// A table of settings.
pub trait SettingsTable {
    /// Shows every key to `keys`, in the order of the documentation.
    fn keys(&mut self, keys: &mut Keys<'_>);
}

/// What a key holds.
pub enum Held<'h> {
    /// A value.
    Value(&'h mut dyn Setting),
    /// A table inside the one that has the key.
    Table(&'h mut dyn SettingsTable),
}

/// Somebody who comes along the keys, and is shown the name of each and what it holds.
pub struct Keys<'v>(pub &'v mut dyn FnMut(&'static str, Held<'_>));

impl Keys<'_> {
    /// Shows a key.
    pub fn key(&mut self, name: &'static str, setting: &mut dyn Setting) {
        (self.0)(name, Held::Value(setting));
    }

    /// Shows a table inside this one.
    pub fn section(&mut self, name: &'static str, section: &mut dyn SettingsTable) {
        (self.0)(name, Held::Table(section));
    }
}

/// Returns the names of a table's own keys.
pub fn names(section: &mut dyn SettingsTable) -> Vec<&'static str> {
    let mut names = Vec::new();
    section.keys(&mut Keys(&mut |name, _| names.push(name)));
    names
}

/// Returns a table's own keys, each with its value; none for one that is not set.
pub fn values(section: &mut dyn SettingsTable) -> Vec<(&'static str, Option<toml::Value>)> {
    let mut values = Vec::new();
    section.keys(&mut Keys(&mut |name, held| match held {
        Held::Value(setting) => values.push((name, setting.write())),
        Held::Table(_) => {}
    }));
    values
}

/// What stands in a path for a name of one's own, or for a number.
pub const ANY: &str = "*";

/// The paths of all keys, as `limits`, `parts`.
#[derive(Debug, Default)]
pub struct Paths(Vec<Vec<&'static str>>);

impl Paths {
    /// Adds the keys of the section at a path, and of the tables inside it; [`ANY`] stands for a name or number.
    pub fn add(&mut self, at: &[&'static str], section: &mut dyn SettingsTable) {
        section.keys(&mut Keys(&mut |name, held| {
            let path = [at, &[name]].concat();
            match held {
                Held::Value(_) => self.0.push(path),
                Held::Table(section) => self.add(&path, section),
            }
        }));
    }

    /// Returns the names of the root's keys and tables, in the order in which they were added.
    pub fn root(&self) -> Vec<&'static str> {
        let mut root: Vec<&'static str> = self.0.iter().filter_map(|path| path.first().copied()).collect();
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
        let having = self.0.iter().filter(|path| path.len() > 1 && path.last() == Some(&key));
        having.map(|path| heading(&path[..path.len() - 1])).collect()
    }

    /// Returns `true` if a table of the root holds tables by number or by names of one's own.
    pub fn holds_tables(&self, table: &str) -> bool {
        self.0.iter().any(|path| path.first() == Some(&table) && path.contains(&ANY))
    }

    /// Finds the key below the root whose path is `word` when all its words are joined with one underscore; its path
    /// comes back joined with two.
    pub fn with_underscores(&self, word: &str) -> Option<String> {
        self.0.iter().find_map(|path| meant(path, word))
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
