//! Layers of settings, each a [`Source`] laid over what is there.
//!
//! A later layer wins, key by key. Tables are joined. `[[listener]]` and `[[rule]]`, the lists of tables, add
//! up over the files, so that a file in conf.d can bring its own; any other list is replaced whole.
//!
//! `config` puts a source's values in place by way of paths: a key `"a.b"` of the root would become two, `"a[9]"` a
//! list, a table would lose its origin and a list of tables what it had. So both sources here lay their values down
//! themselves, in `collect_to`, and [`lay_all`] goes through them as its builder would.

use ::config::{ConfigError, Map, Source, Value, ValueKind};

/// A table: key to value.
pub type Table = Map<String, Value>;

/// The values of one file.
#[derive(Debug, Clone)]
pub struct Layer(pub Table);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Table, ConfigError> {
        Ok(self.0.clone())
    }

    fn collect_to(&self, under: &mut Value) -> Result<(), ConfigError> {
        lay(under, Value::new(None, self.0.clone()));
        Ok(())
    }
}

/// One value, by its path: `limits parts`, or `listener 0 socket`, where a number counts in a list.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The keys, from the root.
    pub path: Vec<String>,
    /// What the last of them gets.
    pub value: Value,
}

impl Source for Assignment {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Table, ConfigError> {
        let mut alone = Value::new(None, Table::new());
        self.collect_to(&mut alone)?;
        alone.into_table()
    }

    fn collect_to(&self, under: &mut Value) -> Result<(), ConfigError> {
        set(under, &self.path, &self.value);
        Ok(())
    }
}

/// Lays all sources over each other; the first is the lowest.
pub fn lay_all<'a>(sources: impl IntoIterator<Item = &'a dyn Source>) -> Result<Table, ConfigError> {
    let mut values = Value::new(None, Table::new());
    for source in sources {
        source.collect_to(&mut values)?;
    }
    values.into_table()
}

/// Lays one value over another: tables are joined, lists of tables add up, anything else is replaced. Depth is bounded:
/// the TOML reader takes 80 levels at most.
fn lay(old: &mut Value, new: Value) {
    let lists = is_list_of_tables(old) && is_list_of_tables(&new);
    match (&mut old.kind, &new.kind) {
        (ValueKind::Table(under), ValueKind::Table(_)) => lay_table(under, new),
        (ValueKind::Array(under), ValueKind::Array(over)) if lists => under.extend(over.iter().cloned()),
        _ => *old = new,
    }
}

/// Lays a table over another, key by key.
fn lay_table(under: &mut Table, over: Value) {
    // It is a table.
    for (key, value) in over.into_table().unwrap_or_default() {
        match under.get_mut(&key) {
            Some(old) => lay(old, value),
            None => drop(under.insert(key, value)),
        }
    }
}

/// Returns `true` for a list that has items, all of them tables.
fn is_list_of_tables(value: &Value) -> bool {
    match &value.kind {
        ValueKind::Array(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item.kind, ValueKind::Table(_)))
        }
        _ => false,
    }
}

/// Sets what stands at a path below `at`. A number past a list's end, however far, adds one item to the list; a table
/// takes numbers as keys. What can't take the next key is replaced by an empty list or table that can. Depth is that of
/// the path, which [`environment`](super::environment) bounds.
fn set(at: &mut Value, path: &[String], value: &Value) {
    let [key, rest @ ..] = path else { return lay(at, value.clone()) };
    let index = key.parse::<usize>().ok();
    let empty = |kind: ValueKind| Value::new(value.origin().map(str::to_owned).as_ref(), kind);
    match (&at.kind, index) {
        (ValueKind::Table(_), _) | (ValueKind::Array(_), Some(_)) => {}
        (_, Some(_)) => *at = empty(ValueKind::Array(Vec::new())),
        (_, None) => *at = empty(ValueKind::Table(Table::new())),
    }
    match &mut at.kind {
        ValueKind::Table(table) => set(table.entry(key.clone()).or_insert_with(|| empty(ValueKind::Nil)), rest, value),
        ValueKind::Array(items) => {
            let index = index.filter(|index| *index < items.len()).unwrap_or_else(|| {
                items.push(empty(ValueKind::Nil));
                items.len() - 1
            });
            set(&mut items[index], rest, value);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::toml_lines::{SettingsFile, TomlLines};

    fn layer(path: &str, text: &str) -> Layer {
        Layer(TomlLines::default().file(&SettingsFile { path: path.to_owned(), bytes: text.as_bytes().to_vec() }))
    }

    fn assignment(path: &[&str]) -> Assignment {
        let path = path.iter().map(|key| (*key).to_owned()).collect();
        Assignment { path, value: Value::new(Some(&"here".to_owned()), "x") }
    }

    fn lay(sources: &[&dyn Source]) -> Vec<String> {
        fn walk(path: &str, value: &Value, found: &mut Vec<String>) {
            found.push(format!("{path} {}", value.origin().unwrap_or("-")));
            match &value.kind {
                ValueKind::Table(table) => table.iter().for_each(|(key, it)| walk(&format!("{path}/{key}"), it, found)),
                ValueKind::Array(items) => items.iter().for_each(|item| walk(&format!("{path}/-"), item, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        let table = lay_all(sources.iter().copied()).expect("a table");
        table.iter().for_each(|(key, value)| walk(key, value, &mut found));
        found.sort();
        found
    }

    #[test]
    fn tables_join_lists_of_tables_add_up_and_the_rest_is_replaced() {
        let (first, second) =
            (layer("a", "t.x = 1\nt.y = [1]\n[[r]]\nx = 1\n"), layer("b", "t.y = [2]\n[[r]]\nx = 2\n"));
        let wanted =
            ["r a:3", "r/- a:3", "r/- b:2", "r/-/x a:4", "r/-/x b:3", "t a:1", "t/x a:1", "t/y b:1", "t/y/- b:1"];
        assert_eq!(lay(&[&first, &second]), wanted);
    }

    #[test]
    fn keys_that_look_like_paths_are_keys() {
        let file = layer("a", "'b.c' = 1\n'd[99999999999]' = 2\n");
        assert_eq!(lay(&[&file]), ["b.c a:1", "d[99999999999] a:2"]);
    }

    #[test]
    fn an_assignment_finds_its_place() {
        let file = layer("a", "[[l]]\nx = 1\n[t]\n");
        for (path, wanted) in [
            (&["l", "0", "x"][..], &["l a:1", "l/- a:1", "l/-/x here", "t a:3"][..]),
            (&["l", "7", "x"], &["l a:1", "l/- a:1", "l/- here", "l/-/x a:2", "l/-/x here", "t a:3"]),
            (&["t", "0"], &["l a:1", "l/- a:1", "l/-/x a:2", "t a:3", "t/0 here"]),
            (&["l", "x"], &["l here", "l/x here", "t a:3"]),
        ] {
            assert_eq!(lay(&[&file, &assignment(path)]), wanted, "{path:?}");
        }
    }
}
