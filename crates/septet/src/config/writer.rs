//! Prints sections as TOML that reads back to the same settings, with the origin of what is no default.

use super::keys::{Held, Keys, SettingsTable};
use super::settings::Origins;
use super::value::join;

/// Prints the table at `path` under its `header`, and the tables inside it after it; `origins` says where keys were
/// made, by path.
pub fn table(header: &str, path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> String {
    format!("\n{header}\n{}", keys(path, section, origins))
}

/// Prints the keys at `path`, which is empty for the root, and the tables inside after them, where TOML has them. A key
/// that is set has its origin as a comment, unless it is a default.
pub fn keys(path: &str, section: &mut dyn SettingsTable, origins: &Origins) -> String {
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
