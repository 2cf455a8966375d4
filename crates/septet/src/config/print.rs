//! The settings in writing: as TOML that reads back to them, and as JSON for scripts.

use serde_json::Value as Json;

use super::json::Objects;
use super::settings::{Origins, Settings};
use super::value::join;
use super::writer::SettingsWriter;

impl Settings {
    /// Writes the settings as TOML that reads back to the same ones, with the `origins` of what is no default.
    ///
    /// Of the profiles it has those that somebody set, or that the root, a listener or a rule names.
    pub fn to_toml(&self, origins: &Origins) -> String {
        let mut copy = self.clone();
        let mut writer = SettingsWriter::new(origins);
        if self.listeners.is_empty() {
            writer.line("listener = []");
        }
        writer.keys("", &mut copy);
        for (index, listener) in copy.listeners.iter_mut().enumerate() {
            writer.table("[[listener]]", &format!("listener[{index}]"), listener);
        }
        for (index, rule) in copy.rules.iter_mut().enumerate() {
            writer.table("[[rule]]", &format!("rule[{index}]"), rule);
        }
        for (name, table) in &mut copy.tables {
            let path = join("profile", name);
            if origins.contains_key(&path) || self.names_profile(name) {
                writer.table(&format!("[{path}]"), &path, table);
            }
        }
        writer.finish()
    }

    /// Returns `true` if the root, a listener or a rule names a profile; that another is built on it does not count.
    fn names_profile(&self, name: &str) -> bool {
        self.default_profile == name
            || self.listeners.iter().any(|listener| listener.profile.as_deref() == Some(name))
            || self.rules.iter().any(|rule| rule.profile == name)
    }

    /// Writes the settings as JSON: objects and lists nested as in TOML, and for each key its value and its origin,
    /// which is `default` for what nobody has set.
    ///
    /// A key that has neither value nor default is `null`. Of the profiles it has those that [`to_toml`](Self::to_toml)
    /// has.
    pub fn to_json(&self, origins: &Origins) -> Json {
        let mut copy = self.clone();
        let objects = Objects::new(origins);
        let mut root = objects.table("", &mut copy);
        let listeners = copy.listeners.iter_mut().enumerate();
        let listeners = listeners.map(|(index, it)| Json::Object(objects.table(&format!("listener[{index}]"), it)));
        root.insert("listener".to_owned(), listeners.collect());
        let rules = copy.rules.iter_mut().enumerate();
        let rules = rules.map(|(index, it)| Json::Object(objects.table(&format!("rule[{index}]"), it)));
        root.insert("rule".to_owned(), rules.collect());
        let tables = copy.tables.iter_mut().map(|(name, table)| (name, join("profile", name), table));
        let profiles = tables.filter(|(name, path, _)| origins.contains_key(path) || self.names_profile(name));
        let profiles = profiles.map(|(name, path, table)| (name.clone(), Json::Object(objects.table(&path, table))));
        root.insert("profile".to_owned(), profiles.collect());
        Json::Object(root)
    }
}
