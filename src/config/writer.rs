//! Prints sections as TOML that reads back to the same settings, with the origin of what is no default.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fault::Origin;
use super::keys::{Keys, Section};
use super::setting::Setting;
use super::value::join;

/// Prints tables one after another.
#[derive(Debug)]
pub struct Writer<'a> {
    origins: &'a BTreeMap<String, Origin>,
    text: String,
}

impl<'a> Writer<'a> {
    /// Starts with nothing; `origins` says where keys were made, by path.
    pub fn new(origins: &'a BTreeMap<String, Origin>) -> Writer<'a> {
        Writer { origins, text: String::new() }
    }

    /// Prints one line.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints the table at `path` under its `header`, and the tables inside it after it.
    pub fn table(&mut self, header: &str, path: &str, section: &mut dyn Section) {
        self.line(&format!("\n{header}"));
        self.keys(path, section);
    }

    /// Prints the keys at `path`, which is empty for the root, and the tables inside after them.
    pub fn keys(&mut self, path: &str, section: &mut dyn Section) {
        let mut lines = Lines { origins: self.origins, path, keys: String::new(), tables: String::new() };
        section.keys(&mut lines);
        self.text.push_str(&lines.keys);
        self.text.push_str(&lines.tables);
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Prints the keys of one table, and apart from them the tables inside it.
struct Lines<'a> {
    origins: &'a BTreeMap<String, Origin>,
    path: &'a str,
    keys: String,
    tables: String,
}

impl Keys for Lines<'_> {
    fn key(&mut self, name: &'static str, setting: &mut dyn Setting) {
        let Some(value) = setting.write() else { return };
        let origin = self.origins.get(&join(self.path, name));
        let comment = origin.map(|origin| format!(" # {origin}").replace(char::is_control, "?")).unwrap_or_default();
        // A String takes everything.
        let _ = writeln!(self.keys, "{name} = {value}{comment}");
    }

    fn required(&mut self, name: &'static str, setting: &mut dyn Setting) {
        self.key(name, setting);
    }

    fn section(&mut self, name: &'static str, section: &mut dyn Section) {
        let path = join(self.path, name);
        let mut writer = Writer::new(self.origins);
        writer.table(&format!("[{path}]"), &path, section);
        self.tables.push_str(&writer.finish());
    }
}
