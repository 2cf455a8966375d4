//! TOML text to a tree with lines; a file with faults gives all of them, and what could be read beside them.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Origin};
use super::tree::{Node, Table, Value};

/// One file of settings, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its path, as messages show it.
    pub path: String,
    /// Its octets.
    pub bytes: Vec<u8>,
}

/// Reads a file's text.
pub fn parse(source: &Source, faults: &mut Vec<Fault>) -> Table {
    let path: Arc<str> = source.path.as_str().into();
    let text = match std::str::from_utf8(&source.bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = source.bytes.get(..error.valid_up_to()).unwrap_or_default();
            let origin = Origin::File { path, line: 1 + good.iter().filter(|&&octet| octet == b'\n').count() };
            faults.push(Fault { origin, key: String::new(), what: "not UTF-8; TOML is written in UTF-8".to_owned() });
            return Table::new();
        }
    };
    let lines = Lines { path, starts: line_starts(text) };
    let (table, errors) = DeTable::parse_recoverable(text);
    faults.extend(errors.iter().map(|error| Fault {
        origin: lines.at(error.span().map_or(0, |span| span.start)),
        key: String::new(),
        what: error.message().replace('\n', ", "),
    }));
    lines.table(table.into_inner())
}

/// Reads one value of TOML, as the command line may hold it.
pub fn value(text: &str, origin: &Origin) -> Option<Value> {
    let value = DeValue::parse(text).ok()?.into_inner();
    let lines = Lines { path: "".into(), starts: vec![0] };
    let mut value = lines.value(value);
    stamp(&mut value, origin);
    Some(value)
}

/// Says of every value below that it comes from `origin`.
fn stamp(value: &mut Value, origin: &Origin) {
    let children: Vec<&mut Node> = match value {
        Value::List(nodes) => nodes.iter_mut().collect(),
        Value::Table(table) => table.values_mut().collect(),
        _ => return,
    };
    for node in children {
        node.origin = origin.clone();
        stamp(&mut node.value, origin);
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|&(_, octet)| octet == b'\n');
    [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect()
}

/// A file's name and where its lines start.
struct Lines {
    path: Arc<str>,
    starts: Vec<usize>,
}

impl Lines {
    fn at(&self, offset: usize) -> Origin {
        let line = self.starts.partition_point(|&start| start <= offset);
        Origin::File { path: Arc::clone(&self.path), line }
    }

    fn table(&self, table: DeTable<'_>) -> Table {
        table
            .into_iter()
            .map(|(key, value)| {
                let origin = self.at(key.span().start);
                (key.into_inner().into_owned(), Node { origin, value: self.value(value.into_inner()) })
            })
            .collect()
    }

    fn value(&self, value: DeValue<'_>) -> Value {
        match value {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(integer) => Value::Integer(integer),
                Err(_) => Value::Other("an integer beyond 64 bits"),
            },
            DeValue::Boolean(boolean) => Value::Boolean(boolean),
            DeValue::Float(_) => Value::Other("a number with a fraction"),
            DeValue::Datetime(_) => Value::Other("a date"),
            DeValue::Array(list) => Value::List(list.into_iter().map(|item| self.item(item)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
        }
    }

    fn item(&self, item: Spanned<DeValue<'_>>) -> Node {
        let origin = self.at(item.span().start);
        Node { origin, value: self.value(item.into_inner()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n\n[b.c]\nlist = [\n  'x',\n  'y',\n]\n\n[[d]]\n[[d]]\ne = 0x10\n";

    fn lines_of(table: &Table, found: &mut Vec<(String, usize)>) {
        for (key, node) in table {
            let Origin::File { line, .. } = node.origin else { panic!("{key} has no line") };
            found.push((key.clone(), line));
            match &node.value {
                Value::Table(table) => lines_of(table, found),
                Value::List(items) => items.iter().for_each(|item| {
                    let Origin::File { line, .. } = item.origin else { panic!("an item has no line") };
                    found.push(("-".to_owned(), line));
                    if let Value::Table(table) = &item.value {
                        lines_of(table, found);
                    }
                }),
                _ => {}
            }
        }
    }

    #[test]
    fn every_value_knows_its_line() {
        let mut faults = Vec::new();
        let table = parse(&Source { path: "f".into(), bytes: TEXT.into() }, &mut faults);
        assert_eq!(faults, []);
        let mut found = Vec::new();
        lines_of(&table, &mut found);
        let found: Vec<_> = found.iter().map(|(key, line)| (key.as_str(), *line)).collect();
        let wanted =
            [("a", 1), ("b", 3), ("c", 3), ("list", 4), ("-", 5), ("-", 6), ("d", 9), ("-", 9), ("-", 10), ("e", 11)];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_broken_file_gives_every_fault_and_its_line() {
        let mut faults = Vec::new();
        parse(&Source { path: "f".into(), bytes: b"a = \nb = 2\nc = 'x\n".to_vec() }, &mut faults);
        let lines: Vec<String> = faults.iter().map(|fault| fault.origin.to_string()).collect();
        assert_eq!(lines, ["f:1", "f:3"], "{faults:?}");
    }

    #[test]
    fn text_in_another_charset_names_the_line() {
        let mut faults = Vec::new();
        parse(&Source { path: "f".into(), bytes: b"a = 1\n# M\xFCller\n".to_vec() }, &mut faults);
        assert_eq!(faults[0].to_string(), "f:2: not UTF-8; TOML is written in UTF-8");
    }
}
