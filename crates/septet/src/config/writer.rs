//! Prints sections as TOML that reads back to the same settings, with the origin of what is no default.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fault::SettingOrigin;
use super::keys::{Keys, SettingsTable};
use super::setting::Setting;
use super::value::join;

/// Prints tables one after another.
#[derive(Debug)]
pub struct SettingsWriter<'a> {
    origins: &'a BTreeMap<String, SettingOrigin>,
    text: String,
}

impl<'a> SettingsWriter<'a> {
    /// Starts with nothing; `origins` says where keys were made, by path.
    pub fn new(origins: &'a BTreeMap<String, SettingOrigin>) -> SettingsWriter<'a> {
        SettingsWriter { origins, text: String::new() }
    }

    /// Prints one line.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints the table at `path` under its `header`, and the tables inside it after it.
    pub fn table(&mut self, header: &str, path: &str, section: &mut dyn SettingsTable) {
        self.line(&format!("\n{header}"));
        self.keys(path, section);
    }

    /// Prints the keys at `path`, which is empty for the root, and the tables inside after them.
    pub fn keys(&mut self, path: &str, section: &mut dyn SettingsTable) {
        let mut lines = TableWriter { origins: self.origins, path, keys: String::new(), tables: String::new() };
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
struct TableWriter<'a> {
    origins: &'a BTreeMap<String, SettingOrigin>,
    path: &'a str,
    keys: String,
    tables: String,
}

impl Keys for TableWriter<'_> {
    /// Prints a key that is set, with its origin as a comment unless it is a default.
    fn key(&mut self, name: &'static str, setting: &mut dyn Setting) {
        let Some(value) = setting.write() else { return };
        let origin = self.origins.get(&join(self.path, name));
        // A file's name may have control characters, which no comment of TOML may have.
        let comment = origin.map(|origin| format!(" # {origin}").replace(char::is_control, "?")).unwrap_or_default();
        // A String takes everything.
        let _ = writeln!(self.keys, "{name} = {value}{comment}");
    }

    fn required(&mut self, name: &'static str, setting: &mut dyn Setting) {
        self.key(name, setting);
    }

    /// Prints a table inside this one apart: in TOML it must stand behind all keys of this one.
    fn section(&mut self, name: &'static str, section: &mut dyn SettingsTable) {
        let path = join(self.path, name);
        let mut writer = SettingsWriter::new(self.origins);
        writer.table(&format!("[{path}]"), &path, section);
        self.tables.push_str(&writer.finish());
    }
}
