//! The settings that are advised, as a file that can be used as it is.
//!
//! It has what the settings in force say of converting, too, as far as that is no default: so it stands alone, and as
//! one more file of `conf.d` it says nothing else than they do.

use super::candidate::Candidate;
use super::choice::{CandidateChoice, Whose};
use crate::config::Settings;
use crate::config::profile::ProfileTable;
use crate::config::value::join;
use crate::process::ruled_profiles::RuledProfiles;

/// The settings in force, and what may be changed in them.
#[derive(Debug, Clone, Copy)]
pub struct SettingsWriter<'b> {
    /// The settings.
    pub settings: &'b Settings,
    /// The profiles of messages, by their rules.
    pub profiles: &'b RuledProfiles,
    /// The usual profile as the settings have it.
    pub table: &'b ProfileTable,
    /// What was tried in it.
    pub candidates: &'b [Candidate],
}

impl SettingsWriter<'_> {
    /// Writes the settings with what was chosen. The rules in force come before those of the choice, so that they still
    /// decide.
    pub fn write(&self, choice: &CandidateChoice) -> String {
        let usual = self.name();
        let default = if usual == "utf8" { String::new() } else { format!("\ndefault_profile = {}\n", quoted(usual)) };
        let mut text = default + &self.settings.basics_to_toml();
        text += &self.with(&self.candidates[choice.usual]).to_toml(usual, self.settings.conformance);
        for profile in self.profiles.others() {
            let table = self.settings.profile_table(&profile.name);
            text += &table.map_or_else(String::new, |table| table.to_toml(&profile.name, self.settings.conformance));
        }
        self.profiles.rules().iter().for_each(|rule| text += &rule.to_toml());
        text + &self.rules(choice)
    }

    /// Returns the name of the usual profile.
    fn name(&self) -> &str {
        &self.profiles.usual().name
    }

    /// Returns the usual profile with the keys of a candidate.
    fn with(&self, candidate: &Candidate) -> ProfileTable {
        let mut table = self.table.clone();
        table.unlabelled.clone_from(&candidate.unlabelled);
        table.charset_alias.clone_from(&candidate.aliases);
        table
    }

    /// Writes the rules, in their order, and before each the profile that it names, where that was not written yet.
    /// Lists that stand one behind the other and have one candidate share a rule, and so do senders.
    fn rules(&self, choice: &CandidateChoice) -> String {
        let (mut text, mut written) = (String::new(), Vec::new());
        for alike in choice.rules.chunk_by(|(one, of), (next, other)| of == other && one.key() == next.key()) {
            // A chunk has one rule at least.
            let candidate = alike[0].1;
            if !written.contains(&candidate) {
                text += &self.profile(candidate);
                written.push(candidate);
            }
            text += &rule(&self.name_of(candidate), alike);
        }
        text
    }

    /// Writes the profile of rules for a candidate.
    fn profile(&self, at: usize) -> String {
        let candidate = &self.candidates[at];
        let mut text = format!("\n[{}]\nbase = {}\n", join("profile", &self.name_of(at)), quoted(self.name()));
        text += &format!("unlabelled = {}\n", toml::Value::from(candidate.unlabelled.clone()));
        if !candidate.aliases.is_empty() {
            let aliases = candidate.aliases.iter().map(|(label, of)| (label.clone(), of.clone().into()));
            text += &format!("charset_alias = {}\n", toml::Value::Table(aliases.collect()));
        }
        text
    }

    /// Names the profile of a candidate: after the usual one and what it adds, with a number where that is taken.
    fn name_of(&self, at: usize) -> String {
        let candidate = &self.candidates[at];
        let labels = Some("labels").filter(|_| candidate.aliases != self.table.charset_alias);
        let words = [self.name()].into_iter().chain(candidate.added.iter().copied()).chain(labels);
        let name = words.collect::<Vec<_>>().join("-");
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut free = [name.clone()].into_iter().chain(numbered).filter(|name| self.settings.profile(name).is_none());
        // There are more numbers than profiles.
        free.next().unwrap_or_default()
    }
}

impl Whose {
    /// Returns the key of a rule that asks for it.
    pub fn key(&self) -> &'static str {
        match self {
            Whose::List(_) => "list_id",
            Whose::Sender(_) => "sender",
        }
    }

    /// Returns the list's identifier, or the sender's address.
    pub fn name(&self) -> &str {
        match self {
            Whose::List(name) | Whose::Sender(name) => name,
        }
    }
}

/// Writes a rule for these lists, or for these senders; all must be of one kind.
fn rule(profile: &str, whose: &[(Whose, usize)]) -> String {
    let names: Vec<String> = whose.iter().map(|(whose, _)| whose.name().to_owned()).collect();
    let key = whose.first().map_or("sender", |(whose, _)| whose.key());
    format!("\n[[rule]]\nprofile = {}\n{key} = {}\n", quoted(profile), toml::Value::from(names))
}

/// Makes a text a value of TOML, which is written in quotes.
fn quoted(text: &str) -> toml::Value {
    toml::Value::from(text)
}
