//! The settings, whole: what the daemon and the other commands run by.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use ::config::{Value, ValueKind};
use thiserror::Error;

use super::action::{Action, Forged, OwnFault};
use super::environment::{Assigner, SetOption};
use super::fault::{SettingError, SettingErrors, SettingOrigin};
use super::forward::{Aliases, check_host_name};
use super::keys::{ANY, Keys, Paths, SettingsTable};
use super::layers::{Layer, Table, lay_all};
use super::limits::LimitSettings;
use super::listener::{Listener, Protocol};
use super::near;
use super::profile::{ProfileTable, profiles};
use super::reader::Findings;
use super::rule::{MessageContext, Rule};
use super::service::{Log, MetricsSettings, Skip};
use super::toml_lines::{SettingsFile, TomlLines};
use super::value::{join, shown};
use crate::rewrite::{Conformance, Dkim2, Profile};

/// The tables that are no sections of the root: lists, and tables with names of one's own.
const ELSEWHERE: [&str; 3] = ["listener", "rule", "profile"];

/// Where each key that is set was made, by its path, as `limits.parts`.
pub type Origins = BTreeMap<String, SettingOrigin>;

/// The settings, checked and ready for use.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The profile where neither listener nor rule says otherwise; `utf8` by default.
    pub default_profile: String,
    /// What becomes of a message when septet itself fails; it passes untouched by default.
    pub on_error: Action,
    /// Whether a field X-Septet says what was done; it doesn't by default.
    pub x_septet: bool,
    /// What becomes of such fields that came with a message and name this host; they go by default.
    pub forged_x_septet: Forged,
    /// The name that septet goes by: in greetings, EHLO, Message-ID and X-Septet; this host's full name by default.
    pub hostname: Option<String>,
    /// The file that holds the daemon's process id; none by default.
    pub pidfile: Option<PathBuf>,
    /// The user that the daemon becomes once its sockets are open; the one that started it by default.
    pub user: Option<String>,
    /// The group that it becomes a member of then; the user's own by default.
    pub group: Option<String>,
    /// Addresses in ASCII that stand for others, where a next hop has no SMTPUTF8; none by default.
    pub alias: Aliases,
    /// Sizes, counts and times.
    pub limits: LimitSettings,
    /// What becomes of defects that have a name, where a profile does not say otherwise; they stay by default.
    pub conformance: Conformance,
    /// The listeners of the daemon; one milter on `inet:127.0.0.1:8891` by default.
    pub listeners: Vec<Listener>,
    /// Which message gets which profile; the first that matches decides.
    pub rules: Vec<Rule>,
    /// Whose messages pass untouched.
    pub skip: Skip,
    /// How logs are written.
    pub log: Log,
    /// Where metrics are served.
    pub metrics: MetricsSettings,
    /// The profiles as the settings hold them.
    pub(super) tables: BTreeMap<String, ProfileTable>,
    /// The same, ready for use.
    profiles: BTreeMap<String, Arc<Profile>>,
}

impl Default for Settings {
    fn default() -> Settings {
        let mut settings = Settings {
            default_profile: "utf8".to_owned(),
            on_error: Action::Accept,
            x_septet: false,
            forged_x_septet: Forged::Drop,
            hostname: None,
            pidfile: None,
            user: None,
            group: None,
            alias: Aliases::default(),
            limits: LimitSettings::default(),
            conformance: Conformance::default(),
            listeners: vec![Listener::default()],
            rules: Vec::new(),
            skip: Skip::default(),
            log: Log::default(),
            metrics: MetricsSettings::default(),
            tables: BTreeMap::new(),
            profiles: BTreeMap::new(),
        };
        settings.read_profiles(&Table::new(), &mut Findings::default());
        settings
    }
}

impl SettingsTable for Settings {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("default_profile", &mut self.default_profile);
        keys.key("on_error", &mut OwnFault(&mut self.on_error));
        keys.key("x_septet", &mut self.x_septet);
        keys.key("forged_x_septet", &mut self.forged_x_septet);
        keys.key("hostname", &mut self.hostname);
        keys.key("pidfile", &mut self.pidfile);
        keys.key("user", &mut self.user);
        keys.key("group", &mut self.group);
        keys.key("alias", &mut self.alias);
        keys.section("limits", &mut self.limits);
        keys.section("conformance", &mut self.conformance);
        keys.section("skip", &mut self.skip);
        keys.section("log", &mut self.log);
        keys.section("metrics", &mut self.metrics);
    }
}

/// A profile that the settings don't have.
#[derive(Debug, Error)]
#[error("no profile is named {name:?}; {hint}")]
pub struct UnknownProfileError {
    name: String,
    hint: String,
}

impl Settings {
    /// Reads settings from `sources`, the main file first, then `environment`, then `options`.
    pub fn read(
        sources: &[SettingsFile],
        environment: impl IntoIterator<Item = (String, String)>,
        options: &[SetOption],
    ) -> Result<(Settings, Origins), SettingErrors> {
        let (settings, found) = Settings::examine(sources, environment, options);
        SettingErrors::check(found.faults)?;
        Ok((settings, found.origins))
    }

    /// Reads settings with all their faults: what a fault concerns is as it is by default, and a list without the items
    /// that are wrong. Where a file is no TOML, that is the only fault: what its values are of is unknown.
    pub fn examine(
        sources: &[SettingsFile],
        environment: impl IntoIterator<Item = (String, String)>,
        options: &[SetOption],
    ) -> (Settings, Findings) {
        let (known, format) = (known_paths(), TomlLines::default());
        let files: Vec<Layer> = sources.iter().map(|source| Layer(format.file(source))).collect();
        let faults = format.into_faults();
        if !faults.is_empty() {
            return (Settings::default(), Findings { faults, known, ..Findings::default() });
        }
        let mut assigner = Assigner { known: &known, profiles: names_of_profiles(&files), faults };
        let (variables, options) = (assigner.variables(environment), assigner.options(options));
        let mut found = Findings { faults: assigner.faults, known, ..Findings::default() };
        let files = files.iter().map(|file| file as &dyn ::config::Source);
        let assignments = variables.iter().chain(&options).map(|one| one as &dyn ::config::Source);
        // No source of ours refuses anything; if one did, nobody must run by what is left.
        let values = lay_all(files.chain(assignments)).unwrap_or_else(|error| {
            let (origin, what) = (SettingOrigin::Whole("settings".into()), error.to_string());
            found.faults.push(SettingError { origin, key: String::new(), what });
            Table::new()
        });
        (Settings::of_values(&values, &mut found), found)
    }

    /// Reads settings from the tree of all layers, and adds their faults.
    fn of_values(values: &Table, found: &mut Findings) -> Settings {
        let mut settings = Settings::default();
        found.read_table("", values, &mut settings, &ELSEWHERE);
        if let Some(list) = values.get("listener") {
            settings.listeners = read_list("listener", "socket", list, found);
        }
        if let Some(list) = values.get("rule") {
            settings.rules = read_list("rule", "profile", list, found);
        }
        settings.read_profiles(&profile_tables(values, found), found);
        settings.check_lists_and_names(found);
        settings.check_sockets(found);
        settings.metrics.check(found);
        if settings.group.is_some() && settings.user.is_none() {
            found.fault("group", "a group without a user; write user = \"septet\" beside it");
        }
        settings
    }

    /// Makes the profiles of these tables and adds their faults; the limits and what becomes of defects must be read
    /// before.
    fn read_profiles(&mut self, tables: &Table, found: &mut Findings) {
        self.tables = profiles(tables, self.limits.message, self.conformance, found);
        let ready = self.tables.iter().map(|(name, table)| (name.clone(), Arc::new(table.profile.clone())));
        self.profiles = ready.collect();
    }

    /// Adds the faults of listeners and rules, of a hostname that is none, and of profiles that are named and not
    /// there.
    fn check_lists_and_names(&self, found: &mut Findings) {
        check_host_name(self.hostname.as_deref(), "hostname", found);
        let names: BTreeSet<&str> = self.profile_names().collect();
        found.check_profile("default_profile", &self.default_profile, &names);
        for (index, listener) in self.listeners.iter().enumerate() {
            let path = format!("listener[{index}]");
            listener.check(&path, found);
            if let Some(profile) = &listener.profile {
                found.check_profile(&join(&path, "profile"), profile, &names);
            }
        }
        for (index, rule) in self.rules.iter().enumerate() {
            let path = format!("rule[{index}]");
            rule.check(&path, index + 1 == self.rules.len(), found);
            // A rule without a profile has a fault of its own.
            if !rule.profile.is_empty() {
                found.check_profile(&join(&path, "profile"), &rule.profile, &names);
            }
        }
    }

    /// Adds a fault for a socket that another listener, or that of the metrics, has too. Port 0 is another one each
    /// time; sockets that nobody set are not looked at.
    fn check_sockets(&self, found: &mut Findings) {
        let listeners =
            self.listeners.iter().enumerate().map(|(i, listener)| (format!("listener[{i}].socket"), &listener.socket));
        let metrics = self.metrics.listen.iter().map(|socket| ("metrics.listen".to_owned(), socket));
        let mut taken = BTreeMap::new();
        for (path, socket) in listeners.chain(metrics) {
            let socket = socket.to_string();
            if socket.ends_with(":0") || !found.origins.contains_key(&path) {
                continue;
            }
            if let Some(first) = taken.get(&socket) {
                let origin = found.origins.get(first).map_or_else(String::new, |origin| format!(", {origin}"));
                found.fault(&path, format!("{socket} is taken already by {first}{origin}"));
            }
            taken.entry(socket).or_insert(path);
        }
    }

    /// Checks what must hold only where the listeners are opened, and not for the other commands. `origins` are those
    /// that [`read`](Settings::read) returned.
    pub fn check_listeners(&self, origins: &Origins) -> Result<(), SettingErrors> {
        let mut found = Findings { origins: origins.clone(), ..Findings::default() };
        self.find_listener_faults(&mut found);
        SettingErrors::check(found.faults)
    }

    /// Adds the faults of what must hold only where the listeners are opened, as
    /// [`check_listeners`](Self::check_listeners) does.
    pub fn find_listener_faults(&self, found: &mut Findings) {
        let milter = self.listeners.iter().any(|listener| listener.protocol == Protocol::Milter);
        if let Some(what) = self.limits.wrong_for_milter().filter(|_| milter) {
            found.fault("limits.field_bytes", what);
        }
    }

    /// Returns the names of all profiles, the built-in ones among them.
    pub fn profile_names(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }

    /// Returns a profile by its name.
    pub fn profile(&self, name: &str) -> Option<&Arc<Profile>> {
        self.profiles.get(name)
    }

    /// Sets one key of every profile, as a command needs it that has no use for another value.
    pub fn set_dkim2(&mut self, dkim2: Dkim2) {
        self.profiles.values_mut().for_each(|profile| Arc::make_mut(profile).dkim2 = dkim2);
    }

    /// Returns a profile that somebody asks for by its name.
    ///
    /// # Errors
    ///
    /// [`UnknownProfileError`], which says what name is near.
    pub fn profile_named(&self, name: &str) -> Result<&Arc<Profile>, UnknownProfileError> {
        self.profile(name).ok_or_else(|| {
            let hint = near::hint(name, self.profile_names().collect::<Vec<_>>());
            UnknownProfileError { name: name.to_owned(), hint }
        })
    }

    /// Returns a profile as the settings hold it.
    pub fn profile_table(&self, name: &str) -> Option<&ProfileTable> {
        self.tables.get(name)
    }

    /// Returns the default profile.
    pub fn default_profile(&self) -> Arc<Profile> {
        // Settings whose default profile is not there are not used.
        self.profile(&self.default_profile).cloned().unwrap_or_default()
    }

    /// Returns the rule of a message: the first that matches.
    pub fn rule_for(&self, facts: &MessageContext<'_>) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.matches(facts))
    }
}

/// Lists the paths of all keys.
fn known_paths() -> Paths {
    let mut paths = Paths::default();
    paths.add(&[], &mut Settings::default());
    paths.add(&["listener", ANY], &mut Listener::default());
    paths.add(&["rule", ANY], &mut Rule::default());
    paths.add(&["profile", ANY], &mut ProfileTable::default());
    paths
}

/// Lists the names of the profiles that files have, sorted.
fn names_of_profiles(files: &[Layer]) -> Vec<String> {
    let tables = files.iter().filter_map(|Layer(values)| match &values.get("profile")?.kind {
        ValueKind::Table(profiles) => Some(profiles.keys().cloned()),
        _ => None,
    });
    tables.flatten().collect::<BTreeSet<String>>().into_iter().collect()
}

/// Reads a list of tables, each of which must have a key; what is no list adds a fault, and gives an empty one.
fn read_list<T>(name: &str, required: &str, value: &Value, found: &mut Findings) -> Vec<T>
where
    T: SettingsTable + Default,
{
    found.note(name, value);
    let ValueKind::Array(items) = &value.kind else {
        found.fault(name, format!("{}; write [[{name}]] above each", shown(value)));
        return Vec::new();
    };
    let mut tables = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let (mut table, path) = (T::default(), format!("{name}[{index}]"));
        found.read(&path, item, &mut table);
        if matches!(&item.kind, ValueKind::Table(table) if !table.contains_key(required)) {
            found.fault(&join(&path, required), "missing; this key has no default");
        }
        tables.push(table);
    }
    tables
}

/// Returns the tables below `[profile]`; what is no table there adds a fault, and gives none.
fn profile_tables(values: &Table, found: &mut Findings) -> Table {
    let Some(value) = values.get("profile") else { return Table::new() };
    found.note("profile", value);
    match &value.kind {
        ValueKind::Table(tables) => tables.clone(),
        _ => {
            let what = format!("{}; [profile.NAME] is a table, and default_profile names one", shown(value));
            found.fault("profile", what);
            Table::new()
        }
    }
}
