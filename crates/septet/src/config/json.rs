//! Prints sections as JSON for scripts: every key with its value and where it was made.

use serde_json::{Map, Value, json};

use super::keys::{Keys, SettingsTable};
use super::setting::Setting;
use super::settings::Origins;
use super::value::join;

/// Makes objects of tables.
#[derive(Debug, Clone, Copy)]
pub struct Objects<'a> {
    origins: &'a Origins,
}

impl<'a> Objects<'a> {
    /// Starts; `origins` says where keys were made, by path.
    pub fn new(origins: &'a Origins) -> Objects<'a> {
        Objects { origins }
    }

    /// Makes an object of the table at `path`, which is empty for the root, with the tables inside it.
    pub fn table(self, path: &str, section: &mut dyn SettingsTable) -> Map<String, Value> {
        let mut object = Object { objects: self, path, keys: Map::new() };
        section.keys(&mut object);
        object.keys
    }
}

/// The object of one table.
struct Object<'a> {
    objects: Objects<'a>,
    path: &'a str,
    keys: Map<String, Value>,
}

impl Keys for Object<'_> {
    fn key(&mut self, name: &'static str, setting: &mut dyn Setting) {
        let origin = self.objects.origins.get(&join(self.path, name));
        let origin = origin.map_or_else(|| "default".to_owned(), ToString::to_string);
        // A value of a setting has neither dates nor numbers that JSON lacks.
        let value = setting.write().and_then(|value| serde_json::to_value(value).ok());
        self.keys.insert(name.to_owned(), json!({"value": value, "origin": origin}));
    }

    fn required(&mut self, name: &'static str, setting: &mut dyn Setting) {
        self.key(name, setting);
    }

    fn section(&mut self, name: &'static str, section: &mut dyn SettingsTable) {
        let table = self.objects.table(&join(self.path, name), section);
        self.keys.insert(name.to_owned(), Value::Object(table));
    }
}
