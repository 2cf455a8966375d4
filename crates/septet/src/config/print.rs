//! The settings in writing: as TOML that reads back to them, and as JSON for scripts.

use serde_json::{Map, Value as Json, json};

use super::keys::{Held, Keys, SettingsTable};
use super::profile::ProfileTable;
use super::settings::{Origins, Settings};
use super::value::join;

impl Settings {
    /// Writes the settings as TOML that reads back to the same ones, with the `origins` of what is no default.
    ///
    /// Of the profiles it has those that somebody set, or that the root, a listener or a rule names.
    pub fn to_toml(&self, origins: &Origins) -> String {
        let mut copy = self.clone();
        let mut text = if self.listeners.is_empty() { "listener = []\n".to_owned() } else { String::new() };
        text += &keys("", &mut copy, origins);
        for (index, listener) in copy.listeners.iter_mut().enumerate() {
            text += &table("[[listener]]", &format!("listener[{index}]"), listener, origins);
        }
        for (index, rule) in copy.rules.iter_mut().enumerate() {
            text += &table("[[rule]]", &format!("rule[{index}]"), rule, origins);
        }
        for (name, profile) in self.shown_profiles(&mut copy, origins) {
            let path = join("profile", name);
            text += &table(&format!("[{path}]"), &path, profile, origins);
        }
        text
    }

    /// Returns the profiles of a copy of these settings that are shown: those that somebody set or names.
    fn shown_profiles<'c>(
        &self,
        copy: &'c mut Settings,
        origins: &Origins,
    ) -> impl Iterator<Item = (&'c String, &'c mut ProfileTable)> {
        let tables = copy.tables.iter_mut();
        tables.filter(|(name, _)| origins.contains_key(&join("profile", name)) || self.names_profile(name))
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
        let mut root = object("", &mut copy, origins);
        root.insert("listener".to_owned(), list("listener", &mut copy.listeners, origins));
        root.insert("rule".to_owned(), list("rule", &mut copy.rules, origins));
        let profiles = self.shown_profiles(&mut copy, origins);
        let profiles = profiles.map(|(name, table)| (name.clone(), object(&join("profile", name), table, origins)));
        root.insert("profile".to_owned(), profiles.collect());
        Json::Object(root)
    }
}

/// Writes the table at `path` under its `header`, and the tables inside it after it; `origins` says where keys were
/// made, by path.
fn table(header: &str, path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> String {
    format!("\n{header}\n{}", keys(path, section, origins))
}

/// Writes the keys at `path`, which is empty for the root, and the tables inside after them, where TOML has them. A key
/// that is set has its origin as a comment, unless it is a default.
fn keys(path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> String {
    let (mut keys, mut tables) = (String::new(), String::new());
    section.keys(&mut Keys(&mut |name, held| {
        let path = join(path, name);
        match held {
            Held::Table(section) => tables += &table(&format!("[{path}]"), &path, section, origins),
            Held::Value(setting) => {
                // A file's name may have control characters, which no comment of TOML may have.
                let origin = origins.get(&path).map(|origin| format!(" # {origin}").replace(char::is_control, "?"));
                let comment = origin.as_deref().unwrap_or("");
                keys += &setting.write().map_or_else(String::new, |value| format!("{name} = {value}{comment}\n"));
            }
        }
    }));
    keys + &tables
}

/// Makes the list of the tables of this name.
fn list<T: SettingsTable>(name: &str, tables: &mut [T], origins: &Origins) -> Json {
    let tables = tables.iter_mut().enumerate();
    tables.map(|(index, table)| object(&format!("{name}[{index}]"), table, origins)).collect()
}

/// Makes an object of the table at `path`, which is empty for the root, with the tables inside it; `origins` says where
/// keys were made, by path.
fn object(path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> Map<String, Json> {
    let mut object = Map::new();
    section.keys(&mut Keys(&mut |name, held| {
        let path = join(path, name);
        let value = match held {
            Held::Table(section) => Json::Object(self::object(&path, section, origins)),
            Held::Value(setting) => {
                let origin = origins.get(&path).map_or_else(|| "default".to_owned(), ToString::to_string);
                // A value of a setting has neither dates nor numbers that JSON lacks.
                let value = setting.write().and_then(|value| serde_json::to_value(value).ok());
                json!({"value": value, "origin": origin})
            }
        };
        object.insert(name.to_owned(), value);
    }));
    object
}
