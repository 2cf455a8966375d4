//! Fills sections from a tree; collects every fault, and where each key was made.

use std::collections::{BTreeMap, BTreeSet};

use ::config::{Value, ValueKind};

use super::fault::{SettingError, SettingOrigin};
use super::keys::{Held, Keys, Paths, SettingsTable};
use super::layers::Table;
use super::near::{hint, nearest};
use super::value::{join, origin_of, shown};

/// What reading finds beside the values.
#[derive(Debug, Default)]
pub struct Findings {
    /// The faults.
    pub faults: Vec<SettingError>,
    /// The origin of every key that was there, by its path.
    pub origins: BTreeMap<String, SettingOrigin>,
    /// The paths of all keys, for the hint that one of them stands in the wrong table.
    pub known: Paths,
}

impl Findings {
    /// Adds a fault of the key `path`, in the place of the key or of the nearest table around it that was set. Where
    /// nothing of these was, it is a default, and no fault is added.
    pub fn fault(&mut self, path: &str, what: impl Into<String>) {
        if let Some(origin) = self.origin(path) {
            self.faults.push(SettingError { origin, key: path.to_owned(), what: what.into() });
        }
    }

    /// Returns `true` if the key `path` has a fault of its own: then it is there, and what it would say is not known.
    pub fn is_faulty(&self, path: &str) -> bool {
        self.faults.iter().any(|fault| fault.key == path)
    }

    /// Keeps where a key was made, and each entry of its list or table, but not what stands in these.
    fn note_origins(&mut self, path: &str, value: &Value) {
        self.note(path, value);
        let entries: Vec<(String, &Value)> = match &value.kind {
            ValueKind::Array(items) => {
                items.iter().enumerate().map(|(i, item)| (format!("{path}[{i}]"), item)).collect()
            }
            ValueKind::Table(table) => table.iter().map(|(key, item)| (join(path, key), item)).collect(),
            _ => Vec::new(),
        };
        entries.iter().for_each(|(path, item)| self.note(path, item));
    }

    /// Keeps where the value at `path` was made.
    pub fn note(&mut self, path: &str, value: &Value) {
        self.origins.insert(path.to_owned(), origin_of(value));
    }

    /// Returns the origin of a key, or of the nearest table around it that has one; none for a default.
    fn origin(&self, path: &str) -> Option<SettingOrigin> {
        let around = path.match_indices(['.', '[']).map(|(at, _)| &path[..at]).rev();
        [path].into_iter().chain(around).find_map(|path| self.origins.get(path)).cloned()
    }

    /// Reads the table `value` at `path` into `section`.
    pub fn read(&mut self, path: &str, value: &Value, section: &mut dyn SettingsTable) {
        self.note(path, value);
        match &value.kind {
            ValueKind::Table(table) => self.read_table(path, table, section, &[]),
            _ => self.fault(path, format!("{}; write a table, [{path}]", shown(value))),
        }
    }

    /// Reads a table whose own origin is known, or the root, and adds a fault for each key that `section` does not
    /// have; keys in `elsewhere` are read by others.
    pub fn read_table(
        &mut self,
        path: &str,
        table: &Table,
        section: &mut dyn SettingsTable,
        elsewhere: &[&'static str],
    ) {
        let mut known = elsewhere.to_vec();
        section.keys(&mut Keys(&mut |name, held| {
            known.push(name);
            if let Some(value) = table.get(name) {
                self.read_key(&join(path, name), value, held);
            }
        }));
        for (key, value) in table.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let key_path = join(path, key);
            self.note(&key_path, value);
            let hint = self.hint_for(key, path.is_empty(), &known);
            self.fault(&key_path, format!("unknown key; {hint}"));
        }
    }

    /// Reads a key that is there, and keeps where it was made; a fault stands where its item does.
    fn read_key(&mut self, path: &str, value: &Value, held: Held<'_>) {
        match held {
            Held::Table(section) => self.read(path, value, section),
            Held::Value(setting) => {
                self.note_origins(path, value);
                setting.read(value, &mut |item, what| {
                    self.faults.push(SettingError { origin: origin_of(item), key: path.to_owned(), what });
                });
            }
        }
    }

    /// Says what helps who wrote a key in a table, or at the root, that has only the `known` ones: where the key
    /// belongs, or which one was meant.
    fn hint_for(&self, key: &str, at_root: bool, known: &[&'static str]) -> String {
        if self.known.is_root(key) && !at_root {
            return "it belongs at the top of the file, above every [table]".to_owned();
        }
        let (near, elsewhere) = (nearest(key, known.iter().copied()), self.known.headings_with(key).join(" or "));
        match near {
            _ if elsewhere.is_empty() => hint(key, known.iter().copied()),
            Some(word) => format!("did you mean {word:?}? {key:?} belongs in {elsewhere}"),
            None => format!("it belongs in {elsewhere}"),
        }
    }

    /// Adds a fault of the key `path`, which names a profile, if its name is none of the `good` ones.
    pub fn check_profile(&mut self, path: &str, name: &str, good: &BTreeSet<&str>) {
        if !good.contains(name) {
            self.fault(path, format!("no profile is named {name:?}; {}", hint(name, good.iter().copied())));
        }
    }
}
