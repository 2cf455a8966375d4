//! What of the settings says how a message is converted, as TOML that stands alone: no listener, no log, no default.

use super::keys::{SettingsTable, values};
use super::profile::ProfileTable;
use super::rule::Rule;
use super::settings::Settings;
use super::value::join;
use crate::rewrite::Conformance;

impl Settings {
    /// Writes the limits and what becomes of defects, as far as these are no defaults.
    pub fn basics_to_toml(&self) -> String {
        let (mut own, mut default) = (self.clone(), Settings::default());
        let limits = differing(&mut own.limits, &mut default.limits);
        let conformance = differing(&mut own.conformance, &mut default.conformance);
        table("[limits]", &limits) + &table("[conformance]", &conformance)
    }
}

impl ProfileTable {
    /// Writes the tables of a profile: of a built-in one what was changed, of any other every key, and of what becomes
    /// of defects what differs from `conformance`, which the excerpt says of all profiles. It is empty where nothing
    /// was changed.
    pub fn to_toml(&self, name: &str, conformance: Conformance) -> String {
        let path = join("profile", name);
        let mut own = self.clone();
        let keys = match ProfileTable::built_in(name) {
            Some(mut built_in) => differing(&mut own, &mut built_in),
            // Every key is written, so that `utf8` will do for a base: its own might not stand in the excerpt.
            None => lines(values(&mut ProfileTable { base: "utf8".to_owned(), ..own.clone() })),
        };
        let mut usual = conformance;
        let defects = differing(&mut own.profile.conformance, &mut usual);
        table(&format!("[{path}]"), &keys) + &table(&format!("[{path}.conformance]"), &defects)
    }
}

impl Rule {
    /// Writes the table of a rule.
    pub fn to_toml(&self) -> String {
        table("[[rule]]", &lines(self.values()))
    }
}

/// Writes a table, with an empty line before it; nothing without keys.
fn table(header: &str, keys: &str) -> String {
    if keys.is_empty() { String::new() } else { format!("\n{header}\n{keys}") }
}

/// Writes the keys of a section whose values differ from those of another; the tables inside it are left out.
fn differing(own: &mut dyn SettingsTable, other: &mut dyn SettingsTable) -> String {
    let (own, other) = (values(own), values(other));
    lines(own.into_iter().filter(|key| !other.contains(key)).collect())
}

/// Writes a line for each key that is set.
fn lines(values: Vec<(&'static str, Option<toml::Value>)>) -> String {
    values.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}\n", value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SettingsFile;

    fn read(text: &str) -> Settings {
        let source = SettingsFile { path: String::new(), bytes: text.as_bytes().to_vec() };
        Settings::read(&[source], [], &[]).expect("settings").0
    }

    #[test]
    fn what_is_written_reads_back() {
        let settings = read(
            "[limits]\nparts = 7\n[conformance]\nnul = \"reject\"\n[profile.utf8]\niris = \"keep\"\n\
             [profile.deep]\nbase = \"utf8\"\ncharset_alias = { \"x.y\" = \"koi8-r\" }\n\
             [profile.mine]\nbase = \"deep\"\nescape = \"closest\"\nconformance = { nul = \"keep\" }\n\
             [[rule]]\nprofile = \"mine\"\nsender = [\"a@example.org\", \"<>\"]\nlarger_than = 7\n",
        );
        let mut text = settings.basics_to_toml();
        for name in ["utf8", "mine", "ascii"] {
            text += &settings.profile_table(name).expect("a profile").to_toml(name, settings.conformance);
        }
        settings.rules.iter().for_each(|rule| text += &rule.to_toml());
        let again = read(&text);
        assert!(!text.contains("ascii") && text.contains("[profile.utf8]\niris = \"keep\"\n"), "{text}");
        assert_eq!(
            (&again.limits, &again.conformance, &again.rules),
            (&settings.limits, &settings.conformance, &settings.rules)
        );
        for name in ["utf8", "mine", "ascii"] {
            assert_eq!(again.profile(name), settings.profile(name), "{name}: {text}");
        }
    }
}
