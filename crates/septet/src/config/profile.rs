//! `[profile.NAME]`: a profile of one's own, or a built-in one changed.
//!
//! A profile starts as another one, its `base`, and changes what it names. A built-in profile that is
//! configured starts as it is built in; any other starts as `utf8` unless it says otherwise. So
//! `[profile.utf8]` changes the default profile for everybody who builds on it.

use std::collections::{BTreeMap, BTreeSet};

use ::config::{Value, ValueKind};

use super::keys::{Keys, SettingsTable, values};
use super::layers::Table;
use super::quantity::Amount;
use super::reader::Findings;
use super::setting::{Setting, words};
use super::value::join;
use crate::rewrite::{
    Addresses, Attachments, BodyCharset, Conformance, Dkim, Dkim2, DoubleEncoded, EscapeForm, FileNames, HeaderForm,
    HostForm, InText, Iris, LabelTable, Labels, Language, Limits, OnLoss, Profile, Repair, Schemeless, Signed,
    Transfer, Unlabelled,
};

words!(
    HeaderForm, FileNames, Addresses, BodyCharset, Transfer, EscapeForm, Language, Iris, InText, Schemeless, HostForm,
    Attachments, Repair, Signed, Dkim, Dkim2, DoubleEncoded, OnLoss
);

/// The most octets that `dkim2_field` may allow: MTAs take no longer field of a milter.
const LONGEST_INSTANCE: usize = 59_000;

/// A profile as the settings hold it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileTable {
    /// The profile that it starts as.
    pub base: String,
    /// What labels mean, before what the built-in tables say.
    pub charset_alias: LabelTable,
    /// What octets without a good label are tried as: labels, or `detect`.
    pub unlabelled: Vec<String>,
    /// The profile itself; its `labels` and `unlabelled` follow from the tables above.
    pub profile: Profile,
}

impl ProfileTable {
    /// Returns every key in the order of the documentation, with its value; none for one that is not set.
    pub fn values(&self) -> Vec<(&'static str, Option<toml::Value>)> {
        values(&mut self.clone())
    }

    /// Returns the table of a built-in profile.
    pub(super) fn built_in(name: &str) -> Option<ProfileTable> {
        Some(ProfileTable { base: name.to_owned(), profile: Profile::built_in(name)?, ..ProfileTable::default() })
    }
}

impl Default for ProfileTable {
    /// Returns the profile `utf8`.
    fn default() -> ProfileTable {
        ProfileTable {
            base: "utf8".to_owned(),
            charset_alias: LabelTable::new(),
            unlabelled: vec!["utf-8".to_owned()],
            profile: Profile::default(),
        }
    }
}

impl SettingsTable for ProfileTable {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        let profile = &mut self.profile;
        keys.key("base", &mut self.base);
        keys.key("headers", &mut profile.headers);
        keys.key("file_names", &mut profile.file_names);
        keys.key("addresses", &mut profile.addresses);
        keys.key("charset", &mut profile.charset);
        keys.key("transfer", &mut profile.transfer);
        keys.key("escape", &mut EscapeKey { form: &mut profile.escape, closest: &mut profile.closest });
        keys.key("language", &mut profile.language);
        keys.key("unescape", &mut profile.unescape);
        keys.key("iris", &mut profile.iris);
        keys.key("iris_in_text", &mut profile.iris_in_text);
        keys.key("iris_without_scheme", &mut profile.iris_without_scheme);
        keys.key("iri_host", &mut profile.iri_host);
        keys.key("attachments", &mut profile.attachments);
        keys.key("repair", &mut profile.repair);
        keys.key("signed", &mut profile.signed);
        keys.key("dkim", &mut profile.dkim);
        keys.key("dkim2", &mut profile.dkim2);
        let dkim2_field = Amount::octets(&mut profile.dkim2_field);
        keys.key("dkim2_field", &mut dkim2_field.at_most(LONGEST_INSTANCE, "MTAs cut longer fields of a filter"));
        keys.key("authserv_id", &mut profile.authserv_id);
        keys.key("unlabelled", &mut self.unlabelled);
        keys.key("unknown_8bit", &mut profile.unknown_8bit);
        keys.key("charset_alias", &mut self.charset_alias);
        keys.key("double_encoded", &mut profile.double_encoded);
        keys.key("on_loss", &mut profile.on_loss);
        keys.section("conformance", &mut profile.conformance);
    }
}

/// The place of `escape`: a form, or `closest`, which has the first form for the rest.
struct EscapeKey<'a> {
    form: &'a mut EscapeForm,
    closest: &'a mut bool,
}

impl Setting for EscapeKey<'_> {
    /// Reads a form, or `closest`.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        // A wrong word clears it, which does no harm: settings with a fault are never used.
        *self.closest = matches!(&value.kind, ValueKind::String(word) if word == CLOSEST);
        // The words that a fault lists end with `java`; here is one more.
        match *self.closest {
            true => *self.form = EscapeForm::Rfc5137,
            false => self.form.read(value, &mut |value, what| wrong(value, what.replace("java", "java, closest"))),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        if *self.closest { Some(toml::Value::String(CLOSEST.to_owned())) } else { self.form.write() }
    }
}

/// The word of `escape` that is no form.
const CLOSEST: &str = "closest";

/// Returns every profile that there is, by name: the built-in ones, with `tables` from the settings laid over them, and
/// adds the faults of these. All start with `conformance`, what they make of defects, and have the same `limits`.
pub fn profiles(
    tables: &Table,
    limits: Limits,
    conformance: Conformance,
    found: &mut Findings,
) -> BTreeMap<String, ProfileTable> {
    let mut done: BTreeMap<String, ProfileTable> = BTreeMap::new();
    let names: BTreeSet<&String> = tables.keys().collect();
    for name in names {
        for name in with_bases_first(name, tables, &done, found) {
            let Some(node) = tables.get(&name) else { continue };
            let base = base_of(&name, node);
            // Only a built-in profile may be its own base, and then is not done.
            let start = done.get(&base).cloned().or_else(|| built_in(&base, conformance));
            // A base that is not there has its fault by now.
            let profile = read(&name, node, start.unwrap_or_default(), found);
            done.insert(name, profile);
        }
    }
    for name in Profile::BUILT_IN {
        if let Some(profile) = built_in(name, conformance) {
            done.entry(name.to_owned()).or_insert(profile);
        }
    }
    done.values_mut().for_each(|table| table.profile.limits = limits);
    done
}

/// Returns a built-in profile that does with defects what the settings say.
fn built_in(name: &str, conformance: Conformance) -> Option<ProfileTable> {
    let mut table = ProfileTable::built_in(name)?;
    table.profile.conformance = conformance;
    Some(table)
}

/// Returns the profiles that `name` is built on and that are not `done`, deepest first, and itself last; a base that is
/// not there or leads back to one of them ends the chain, and adds a fault.
fn with_bases_first(
    name: &str,
    tables: &Table,
    done: &BTreeMap<String, ProfileTable>,
    found: &mut Findings,
) -> Vec<String> {
    let mut chain = vec![name.to_owned()];
    let mut next = name.to_owned();
    while !done.contains_key(&next) {
        let Some(node) = tables.get(&next) else { break };
        let base = base_of(&next, node);
        found.note(&path(&next), node);
        if base == next {
            check_own_base(&next, node, found);
            break;
        }
        if !tables.contains_key(&base) {
            let names = Profile::BUILT_IN.into_iter().chain(tables.keys().map(String::as_str)).collect();
            let key = note_base(&next, node, found);
            found.check_profile(&key, &base, &names);
            break;
        }
        if chain.contains(&base) {
            found.fault(&path(&next), format!("its base is {base:?}, which is built on {next:?} itself"));
            break;
        }
        chain.push(base.clone());
        next = base;
    }
    chain.retain(|name| !done.contains_key(name));
    chain.reverse();
    chain
}

/// Adds a fault for a profile that is its own base, but for a built-in one, which starts as it is built in.
fn check_own_base(name: &str, node: &Value, found: &mut Findings) {
    if !Profile::BUILT_IN.contains(&name) {
        let key = note_base(name, node, found);
        let built_in = Profile::BUILT_IN.join(", ");
        found.fault(&key, format!("a profile of one's own can't start as itself; write another one, as {built_in}"));
    }
}

/// Keeps where a profile's base was set, so that a fault of it has a place before the profile is read; returns the path
/// of that key.
fn note_base(name: &str, node: &Value, found: &mut Findings) -> String {
    let key = join(&path(name), "base");
    if let Some(base) = base_node(node) {
        found.note(&key, base);
    }
    key
}

/// Returns the path of a profile's table, as faults and origins have it.
fn path(name: &str) -> String {
    join("profile", name)
}

/// Returns what a profile's table has for `base`; none where it has none, or is no table.
fn base_node(node: &Value) -> Option<&Value> {
    match &node.kind {
        ValueKind::Table(table) => table.get("base"),
        _ => None,
    }
}

/// Returns the name of the profile that `name` starts as, whether there is one or not.
fn base_of(name: &str, node: &Value) -> String {
    match base_node(node).map(|base| &base.kind) {
        Some(ValueKind::String(base)) => base.clone(),
        _ if Profile::BUILT_IN.contains(&name) => name.to_owned(),
        _ => "utf8".to_owned(),
    }
}

/// Reads one profile over the one that it starts as.
fn read(name: &str, node: &Value, start: ProfileTable, found: &mut Findings) -> ProfileTable {
    let path = path(name);
    let mut table = ProfileTable { base: base_of(name, node), ..start };
    table.profile.name = name.to_owned();
    found.read(&path, node, &mut table);
    if name.is_empty() || !name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"._-".contains(&octet)) {
        found.fault(&path, "a profile's name has letters, digits, '.', '-' and '_' alone: it stands in every log line");
    }
    // Where the base has the fault, it was found there.
    let dkim = join(&path, "dkim");
    let needs_id = table.profile.dkim == Dkim::Verified && table.profile.authserv_id.is_none();
    if needs_id && found.origins.contains_key(&dkim) {
        found.fault(
            &dkim,
            "\"verified\" needs authserv_id, the name that your verifier's Authentication-Results begin with",
        );
    }
    table.profile.labels = labels(&path, &table, found);
    table.profile.unlabelled = unlabelled(&path, &table, found);
    table
}

/// Makes the table of labels; an entry that means nothing is a fault, and left out. What is wrong in the base is said
/// there.
fn labels(path: &str, table: &ProfileTable, found: &mut Findings) -> Labels {
    let mut good = LabelTable::new();
    for (label, meaning) in &table.charset_alias {
        let path = join(&join(path, "charset_alias"), label);
        match Labels::new(&LabelTable::from([(label.clone(), meaning.clone())])) {
            Ok(_) => drop(good.insert(label.clone(), meaning.clone())),
            Err(bad) if found.origins.contains_key(&path) => found.fault(&path, unknown_charset(&bad.0)),
            Err(_) => {}
        }
    }
    // All of them are good one by one, and so together.
    Labels::new(&good).unwrap_or_default()
}

/// Makes the list for octets without a label; a label that no charset has is a fault, and left out.
fn unlabelled(path: &str, table: &ProfileTable, found: &mut Findings) -> Vec<Unlabelled> {
    let path = join(path, "unlabelled");
    // What is wrong in the base was found there.
    let is_own = found.origins.contains_key(&path);
    let mut list = Vec::new();
    for (index, entry) in table.unlabelled.iter().enumerate() {
        let read = Unlabelled::of(entry, &table.profile.labels);
        if read.is_none() && is_own {
            found.fault(&format!("{path}[{index}]"), unknown_charset(entry));
        }
        list.extend(read);
    }
    list
}

/// Says what is wrong with a label that no charset has.
fn unknown_charset(label: &str) -> String {
    format!("no charset is known by the label {label:?}; `septet charsets` lists the known ones")
}
