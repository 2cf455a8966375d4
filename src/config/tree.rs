//! Settings as a tree in which every value knows where it was made, and how layers are laid over each other.
//!
//! A later layer wins, key by key. Tables are joined. `[[listener]]` and `[[rule]]`, the lists of tables, add
//! up over the files, so that a file in conf.d can bring its own; any other list is replaced whole.

use std::collections::BTreeMap;

use super::fault::Origin;

/// A table: key to value.
pub type Table = BTreeMap<String, Node>;

/// A value and its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where its key stands.
    pub origin: Origin,
    /// The value.
    pub value: Value,
}

/// A value of the settings, before anyone has looked at what it means.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string of TOML.
    Text(String),
    /// What the environment or the command line says: it stands for a string, a number, a boolean or a list.
    Loose(String),
    /// An integer.
    Integer(i64),
    /// A boolean.
    Boolean(bool),
    /// A value of a type that no key takes, by the type's name.
    Other(&'static str),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

impl Value {
    /// Names the type, as a message about a wrong one does.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Text(_) | Value::Loose(_) => "a string",
            Value::Integer(_) => "an integer",
            Value::Boolean(_) => "a boolean",
            Value::Other(name) => name,
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    fn is_list_of_tables(&self) -> bool {
        match self {
            Value::List(nodes) => !nodes.is_empty() && nodes.iter().all(|node| matches!(node.value, Value::Table(_))),
            _ => false,
        }
    }
}

/// Lays one table over another. Depth is bounded: the TOML reader takes 80 levels at most.
pub fn merge(under: &mut Table, over: Table) {
    for (key, node) in over {
        match under.get_mut(&key) {
            Some(old) => lay(old, node),
            None => drop(under.insert(key, node)),
        }
    }
}

fn lay(old: &mut Node, new: Node) {
    let lists = old.value.is_list_of_tables() && new.value.is_list_of_tables();
    match (&mut old.value, new.value) {
        (Value::Table(under), Value::Table(over)) => merge(under, over),
        (Value::List(under), Value::List(over)) if lists => under.extend(over),
        (_, value) => *old = Node { origin: new.origin, value },
    }
}

/// Makes one setting by its path: `limits parts`, or `listener 0 socket`, where a number counts in a list.
///
/// A number one past the end adds to the list. What is no table or list on the way is replaced by one.
pub fn set(table: &mut Table, path: &[String], node: Node) {
    let [key, rest @ ..] = path else { return };
    let [next, ..] = rest else {
        let mut layer = Table::new();
        layer.insert(key.clone(), node);
        return merge(table, layer);
    };
    let empty = if next.parse::<usize>().is_ok() { Value::List(Vec::new()) } else { Value::Table(Table::new()) };
    let child = table.entry(key.clone()).or_insert_with(|| Node { origin: node.origin.clone(), value: empty.clone() });
    if std::mem::discriminant(&child.value) != std::mem::discriminant(&empty) {
        *child = Node { origin: node.origin.clone(), value: empty };
    }
    match &mut child.value {
        Value::Table(table) => set(table, rest, node),
        Value::List(list) => set_in_list(list, rest, node),
        _ => {}
    }
}

fn set_in_list(list: &mut Vec<Node>, path: &[String], node: Node) {
    let [index, rest @ ..] = path else { return };
    let index = index.parse::<usize>().unwrap_or(usize::MAX).min(list.len());
    let empty = Node { origin: node.origin.clone(), value: Value::Table(Table::new()) };
    if index == list.len() {
        list.push(empty.clone());
    }
    let Some(child) = list.get_mut(index) else { return };
    if rest.is_empty() {
        *child = node;
        return;
    }
    if !matches!(child.value, Value::Table(_)) {
        *child = empty;
    }
    if let Value::Table(table) = &mut child.value {
        set(table, rest, node);
    }
}
