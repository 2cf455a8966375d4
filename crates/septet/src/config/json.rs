//! Prints sections as JSON for scripts: every key with its value and where it was made.

use serde_json::{Map, Value, json};

use super::keys::{Held, Keys, SettingsTable};
use super::settings::Origins;
use super::value::join;

/// Makes an object of the table at `path`, which is empty for the root, with the tables inside it; `origins` says where
/// keys were made, by path.
pub fn object(path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> Map<String, Value> {
    let mut object = Map::new();
    section.keys(&mut Keys(&mut |name, held| {
        let path = join(path, name);
        let value = match held {
            Held::Table(section) => Value::Object(self::object(&path, section, origins)),
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
