//! Settings: what is read, what is refused, what is printed.
//!
//! A case is a file `fixtures/config/NAME.toml`, beside it `NAME.out`, what `check-config` prints, or
//! `NAME.err`, the faults that it finds. `BLESS=1` writes what is printed now.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use septet::config::keys::{SettingsTable, names, values};
use septet::config::profile::ProfileTable;
use septet::config::{LimitSettings, Listener, Log, MetricsSettings, Rule, SetOption, Settings, SettingsFile, Skip};
use septet::rewrite::Conformance;

const SAMPLE: &str = include_str!("../../config/septet.toml");

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/config")
}

/// Runs `septet` in the folder of the cases, without the caller's own `SEPTET_…`.
pub fn septet(args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_septet"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SEPTET_")) {
        command.env_remove(name);
    }
    command.args(args).envs(variables.iter().copied()).current_dir(fixtures()).output().expect("septet runs")
}

pub fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).expect("UTF-8")
}

/// Compares what is printed with a file, or writes the file.
fn compare(name: &str, ending: &str, printed: &str) {
    let path = fixtures().join(name).with_extension(ending);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, printed).expect("the folder can be written");
    }
    let wanted = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(printed, wanted, "{name}");
}

fn cases() -> Vec<String> {
    let entries = fs::read_dir(fixtures()).expect("the cases are there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

fn read(toml: &str) -> Settings {
    let source = SettingsFile { path: "text".to_owned(), bytes: toml.as_bytes().to_vec() };
    Settings::read(&[source], [], &[]).map_or_else(|faults| panic!("{faults}\n{toml}"), |(settings, _)| settings)
}

#[test]
fn every_case_prints_what_its_file_says() {
    for name in cases() {
        let output = septet(&["check-config", "--any-host", "--config", &name], &[]);
        match output.status.code() {
            Some(0) => {
                assert_eq!(text(&output.stderr), "", "{name}");
                compare(&name, "out", &text(&output.stdout));
            }
            code => {
                assert_eq!(code, Some(78), "{name}");
                assert_eq!(text(&output.stdout), "", "{name}");
                compare(&name, "err", &text(&output.stderr));
            }
        }
    }
}

/// A `next_hop` above every table was answered by the list of the keys that are good there.
#[test]
fn a_key_at_the_top_that_another_table_has_is_sent_there() {
    let root = names(&mut Settings::default());
    let tables = [
        ("[[listener]]", names(&mut Listener::default())),
        ("[[rule]]", names(&mut Rule::default())),
        ("[profile.NAME]", names(&mut ProfileTable::default())),
        ("[limits]", names(&mut LimitSettings::default())),
        ("[metrics]", names(&mut MetricsSettings::default())),
    ];
    for (heading, keys) in tables {
        // `profile` is a key of a listener and a table of its own.
        for key in keys.iter().filter(|key| !root.contains(key) && **key != "profile") {
            let bytes = format!("{key} = \"x\"\n").into_bytes();
            let (_, found) = Settings::examine(&[SettingsFile { path: "text".to_owned(), bytes }], [], &[]);
            let said: Vec<String> = found.faults.iter().map(|fault| fault.to_string()).collect();
            assert!(said.len() == 1 && said[0].contains(heading), "{heading} {key}: {said:?}");
        }
    }
}

#[test]
fn what_is_printed_reads_back_to_the_same_settings() {
    let mut good = 0;
    for name in cases() {
        let source =
            SettingsFile { path: name.clone(), bytes: fs::read(fixtures().join(&name)).expect("the case is there") };
        let Ok((settings, origins)) = Settings::read(&[source], [], &[]) else { continue };
        assert_eq!(read(&settings.to_toml(&origins)), settings, "{name}");
        good += 1;
    }
    assert!(good >= 2, "{good} good cases");
}

#[test]
fn layers_lie_over_each_other_in_order() {
    let args =
        ["check-config", "--config", "layers/septet.toml", "--set", "limits.depth=30", "--set", "log.level=warn"];
    let variables = [
        ("SEPTET_LIMITS__DEPTH", "20"),
        ("SEPTET_LIMITS__CONNECTIONS", "7"),
        ("SEPTET_LISTENER__1__PROFILE", "keep"),
        ("SEPTET_PROFILE__SEVEN_BIT__UNLABELLED", "utf-8, windows-1252"),
        ("SEPTET_PROFILE__SEVEN_BIT__UNESCAPE", "[\"c\", \"java\"]"),
        ("SEPTET_LOG", "septet=trace"),
        ("SEPTET_PORT", "tcp://10.0.0.1:8891"),
        ("SEPTET_X_SEPTET", "true"),
    ];
    let output = septet(&args, &variables);
    assert_eq!(text(&output.stderr), "");
    compare("layers/septet.toml", "out", &text(&output.stdout));
}

/// As text, 10 stands before 2, and an item that is not there yet is the next one, whatever its number.
#[test]
fn variables_count_as_numbers_do() {
    let all: Vec<(String, String)> = (0..12)
        .map(|number| (format!("SEPTET_LISTENER__{number}__SOCKET"), format!("inet:127.0.0.1:{}", 9000 + number)))
        .collect();
    let variables: Vec<(&str, &str)> = all.iter().map(|(name, value)| (&name[..], &value[..])).collect();
    let output = septet(&["check-config"], &variables);
    let said = text(&output.stdout);
    let sockets: Vec<&str> =
        said.lines().filter(|line| line.starts_with("socket = ")).map(|line| line.trim()).collect();
    let told: Vec<&str> =
        sockets.iter().filter_map(|line| line.split('"').nth(1)?.strip_prefix("inet:127.0.0.1:")).collect();
    let wanted: Vec<String> = (9000..9012).map(|port| port.to_string()).collect();
    assert_eq!(told, wanted, "{said}{}", text(&output.stderr));
}

#[test]
fn faults_of_the_environment_and_the_command_line_name_their_place() {
    let variables = [
        ("SEPTET_LIMITS__PARTS", "many"),
        ("SEPTET_LIMTS__PARTS", "5"),
        ("SEPTET_ON_EROR", "accept"),
        ("SEPTET_LIMITS_MESSAGE_BYTES", "5"),
        ("SEPTET_PROFILE__UTF8_IRIS", "keep"),
        ("SEPTET_PORT_8891_TCP_PORT", "8891"),
        ("SEPTET_LISTENER__0__PROFILE", "eai"),
        ("SEPTET_A____B", "x"),
    ];
    let output = septet(&["check-config", "--set", "x_septet=perhaps"], &variables);
    assert_eq!(output.status.code(), Some(78));
    let wanted = r#"environment SEPTET_A____B: a..b: no path of a key; write TABLE.KEY
environment SEPTET_LIMITS_MESSAGE_BYTES: unknown variable; did you mean SEPTET_LIMITS__MESSAGE_BYTES?
environment SEPTET_LIMITS__PARTS: limits.parts: "many" is not a valid count; write a whole number, 1 or more
environment SEPTET_LIMTS__PARTS: limts: unknown key; did you mean "limits"?
environment SEPTET_LISTENER__0__PROFILE: listener[0].socket: missing; this key has no default
environment SEPTET_ON_EROR: unknown variable; did you mean SEPTET_ON_ERROR?
environment SEPTET_PROFILE__UTF8_IRIS: unknown variable; did you mean SEPTET_PROFILE__UTF8__IRIS?
--set x_septet: "perhaps" is neither; write true or false
"#;
    assert_eq!(text(&output.stderr), wanted);
}

#[test]
fn a_file_that_is_not_there_is_bad_configuration() {
    for (args, variables) in [
        (&["check-config", "--config", "nosuch.toml"][..], &[][..]),
        (&["check-config"], &[("SEPTET_CONFIG", "nosuch.toml")]),
    ] {
        let output = septet(args, variables);
        assert_eq!(output.status.code(), Some(78));
        assert_eq!(
            text(&output.stderr),
            "septet: nosuch.toml cannot be read: No such file or directory (os error 2)\n"
        );
    }
}

#[test]
fn an_option_without_a_value_is_wrong_usage() {
    assert_eq!(septet(&["check-config", "--set", "limits.parts"], &[]).status.code(), Some(64));
}

#[test]
fn the_sample_changes_nothing() {
    assert_eq!(read(SAMPLE), Settings::default());
}

/// Takes the `#` off lines that begin with one of `marks` and a key.
fn uncommented(marks: &[&str]) -> String {
    let line = |line: &str| {
        let key = marks.iter().filter_map(|mark| line.strip_prefix(mark));
        let mut key = key.filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '['));
        format!("{}\n", key.next().unwrap_or(line))
    };
    SAMPLE.lines().map(line).collect()
}

#[test]
fn the_sample_has_the_defaults() {
    let toml = uncommented(&["#"]);
    assert!(toml.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count() > 35);
    assert_eq!(read(&toml), Settings::default());
}

#[test]
fn every_example_of_the_sample_is_good() {
    let settings = read(&uncommented(&["#", "#   "]));
    assert_eq!(settings.listeners.len(), 5);
    assert_eq!(settings.rules.len(), 1);
    assert_eq!(settings.profile("utf8").and_then(|profile| profile.authserv_id.as_deref()), Some("mx.example.org"));
}

#[test]
fn the_sample_has_every_key() {
    let sections: [(&str, &mut dyn SettingsTable); 9] = [
        ("", &mut Settings::default()),
        ("limits", &mut LimitSettings::default()),
        ("conformance", &mut Conformance::default()),
        ("skip", &mut Skip::default()),
        ("log", &mut Log::default()),
        ("metrics", &mut MetricsSettings::default()),
        ("listener", &mut Listener::default()),
        ("rule", &mut Rule::default()),
        ("profile.utf8", &mut ProfileTable::default()),
    ];
    let toml = uncommented(&["#", "#   "]);
    let mut table = String::new();
    let mut keys: Vec<(String, &str)> = Vec::new();
    for line in toml.lines() {
        match line.split_once(" = ") {
            Some((key, _)) if !line.starts_with('#') => keys.push((table.clone(), key)),
            _ if line.starts_with('[') => {
                table = line.trim_matches(['[', ']']).to_owned();
                keys.push((String::new(), line.trim_matches(['[', ']'])));
            }
            _ => {}
        }
    }
    for (table, section) in sections {
        for name in names(section) {
            assert!(keys.contains(&(table.to_owned(), name)), "config/septet.toml lacks {name} of [{table}]");
        }
    }
}

/// With [`the_sample_has_the_defaults`], which reads them: what has a default stands in the sample with it.
#[test]
fn the_sample_shows_every_default() {
    let sections: [(&str, &mut dyn SettingsTable); 7] = [
        ("limits", &mut LimitSettings::default()),
        ("conformance", &mut Conformance::default()),
        ("skip", &mut Skip::default()),
        ("log", &mut Log::default()),
        ("metrics", &mut MetricsSettings::default()),
        ("listener", &mut Listener::default()),
        ("profile.utf8", &mut ProfileTable::default()),
    ];
    let toml: toml::Table = uncommented(&["#"]).parse().expect("TOML");
    for (path, section) in sections {
        let mut table = &toml;
        for name in path.split('.') {
            let inner = &table[name];
            table = inner.as_table().or_else(|| inner.get(0)?.as_table()).expect("a table");
        }
        for (key, _) in values(section).into_iter().filter(|(_, default)| default.is_some()) {
            assert!(table.contains_key(key), "config/septet.toml lacks the default of {key} in [{path}]");
        }
    }
}

#[test]
fn options_take_lists_and_tables_of_toml() {
    let option = |key: &str, value: &str| SetOption { key: key.to_owned(), value: value.to_owned() };
    let options = [
        option("listener", "[{ socket = \"inet:127.0.0.1:1\" }, { socket = \"unix:/a,b\" }]"),
        option("listener.1.mode", "0600"),
        option("profile.mine.unlabelled", "utf-8,detect"),
        option("profile.mine.charset_alias", "{ x = \"utf-8\" }"),
    ];
    let (settings, origins) = Settings::read(&[], [], &options).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(settings.listeners.len(), 2);
    assert_eq!(settings.listeners[1].access.mode.map(|mode| mode.0), Some(0o600));
    assert_eq!(settings.profile("mine").map(|mine| mine.unlabelled.len()), Some(2));
    assert_eq!(origins.get("listener[1].mode").map(ToString::to_string).as_deref(), Some("--set listener.1.mode"));
    assert_eq!(read(&settings.to_toml(&origins)), settings);
}

/// It was said that a file without a name can't be read.
#[test]
fn an_empty_variable_names_no_file() {
    let printed = |variables: &[(&str, &str)]| septet(&["check-config", "--any-host"], variables);
    let (empty, unset) = (printed(&[("SEPTET_CONFIG", "")]), printed(&[]));
    assert_eq!((empty.status.code(), text(&empty.stderr)), (unset.status.code(), text(&unset.stderr)));
    assert_eq!(text(&empty.stdout), text(&unset.stdout));
}

/// A name of a file drove the terminal.
#[test]
fn faults_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("b\u{1b}[31m.toml");
    std::fs::write(&file, "x = 1\n").expect("it is written");
    let output = septet(&["check-config", "--config", file.to_str().expect("UTF-8")], &[]);
    let said = text(&output.stderr);
    assert!(said.contains(r"/b\x1B[31m.toml:1: x: ") && said.lines().count() == 1, "{said:?}");
}
