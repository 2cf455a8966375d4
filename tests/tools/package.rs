//! What is handed out: the Debian package, the archive for any Linux, the image; the scripts that make them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::{CommandFactory as _, Parser as _};
use septet::config::{Settings, SettingsFile};
use septet_cli::commands::cli::Cli;

use crate::documents::installed;

const README: &str = include_str!("../../README.md");
const INIT: &str = include_str!("../../packaging/septet.init");
const PAGE: &str = include_str!("../../packaging/septet.8");
const POSTFIX: &str = include_str!("../../packaging/postfix.toml");
const CONTAINER: &str = include_str!("../../packaging/container.toml");
const CONTAINERFILE: &str = include_str!("../../packaging/Containerfile");
const UNIT: &str = include_str!("../../systemd/septet.service");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn settings(text: &str) -> Settings {
    let source = SettingsFile { path: "example".to_owned(), bytes: text.as_bytes().to_owned() };
    Settings::read(&[source], [], &[]).map_or_else(|faults| panic!("{faults}"), |(settings, _)| settings)
}

/// Returns what the manifest says of the package.
fn deb() -> toml::Table {
    let manifest: toml::Table = include_str!("../../Cargo.toml").parse().expect("TOML");
    manifest["package"]["metadata"]["deb"].as_table().expect("a table").clone()
}

/// Returns where each file of the package comes from, and where it goes.
pub fn assets() -> Vec<(String, String)> {
    let text = |asset: &toml::Value, column: usize| asset[column].as_str().expect("a path").to_owned();
    let list = deb()["assets"].as_array().expect("a list").clone();
    list.iter().map(|asset| (text(asset, 0), text(asset, 1))).collect()
}

/// Runs what makes manual, completions, changelog, licences and materials; none where there is no Python.
fn generated(folder: &Path) -> Option<Output> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3");
        return None;
    }
    let mut generate = Command::new(root().join("packaging/generate"));
    generate.arg(env!("CARGO_BIN_EXE_septet")).arg(folder).env("SOURCE_DATE_EPOCH", "1000000000");
    Some(generate.output().expect("it runs"))
}

fn scripts() -> Vec<PathBuf> {
    let folders = ["docs", "packaging", "tests/packaging", "tests/newcomer"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder").flatten());
    let is_script = |path: &PathBuf| fs::read(path).is_ok_and(|octets| octets.starts_with(b"#!"));
    files.map(|file| file.path()).filter(is_script).collect()
}

#[test]
fn the_package_names_only_files_that_are_there() {
    for source in installed().into_values().filter(|source| !source.starts_with("target/")) {
        assert!(root().join(&source).is_file(), "{}", source.display());
    }
    let goes = assets();
    for kept in deb()["conf-files"].as_array().expect("a list") {
        let path = kept.as_str().expect("a path");
        assert!(goes.iter().any(|(_, to)| format!("/{to}") == path), "{path}");
    }
}

/// dpkg asks whoever changed a file of /etc about every comment that a release changes there: so the keys are
/// elsewhere.
#[test]
fn the_settings_of_the_package_are_a_stub_that_names_the_example() {
    let stub = include_str!("../../packaging/septet.toml");
    assert!(stub.lines().count() < 20, "{stub}");
    let set: Vec<&str> = stub.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    // What `septet watch` names where there is no such key.
    assert_eq!(set, ["[metrics]", "listen = \"unix:/run/septet/metrics.sock\""]);
    let example = "usr/share/doc/septet/septet.toml.example";
    assert!(stub.contains(&format!("/{example}, ")) && stub.contains("`septet check-config --example`"), "{stub}");
    for (from, to) in [("packaging/septet.toml", "etc/septet/septet.toml"), ("config/septet.toml", example)] {
        assert!(assets().contains(&(from.to_owned(), to.to_owned())), "{from}");
    }
}

/// `mail-parser = "=0.11.9"` could not be met together with a program that wants another one.
#[test]
fn the_library_asks_for_what_other_programs_can_meet() {
    let manifests = [include_str!("../../crates/septet/Cargo.toml"), include_str!("../../crates/text/Cargo.toml")];
    let manifests = manifests.map(|text| text.parse::<toml::Table>().expect("TOML"));
    let crates: Vec<_> = manifests.iter().flat_map(|it| it["dependencies"].as_table().expect("a table")).collect();
    for (name, asked) in &crates {
        let version = asked.as_str().or_else(|| asked.get("version")?.as_str()).unwrap_or_else(|| panic!("{name}"));
        assert!(!version.starts_with('='), "{name} {version}");
    }
    assert!(crates.len() > 20);
}

/// A reload with bad settings said nothing where it was typed.
#[test]
fn the_unit_looks_at_the_settings_before_it_reloads() {
    let reload = UNIT.lines().find(|line| line.starts_with("ExecReload=")).expect("a reload");
    assert!(reload.contains("septet check-config >/dev/null && kill -HUP $MAINPID"), "{reload}");
}

/// `cargo install` left a program of 86 MB, of which 71 were lines of the sources and names.
#[test]
fn a_released_program_is_stripped() {
    let manifest: toml::Table = include_str!("../../Cargo.toml").parse().expect("TOML");
    let release = &manifest["profile"]["release"];
    assert_eq!(release["strip"].as_str(), Some("symbols"));
    assert!(release.get("debug").is_none(), "what is stripped need not be made");
}

#[test]
fn the_scripts_are_good_to_a_shell_or_to_python() {
    let scripts = scripts();
    assert!(scripts.len() > 10, "{scripts:?}");
    for script in scripts {
        let text = fs::read_to_string(&script).expect("text");
        let first = text.lines().next().unwrap_or_default();
        let mut check = if first.contains("python3") {
            let mut python = Command::new("python3");
            python.args(["-c", "import sys; compile(open(sys.argv[1]).read(), 'script', 'exec')"]);
            python
        } else {
            let mut shell = Command::new(if first.contains("bash") { "bash" } else { "sh" });
            shell.arg("-n");
            shell
        };
        match check.arg(&script).output() {
            Ok(output) => assert!(output.status.success(), "{}: {output:?}", script.display()),
            Err(error) => println!("skipped: {}: {error}", script.display()),
        }
    }
}

/// The whole of it in one test, since it takes some seconds: every file that the package wants is made, man(1) has
/// nothing to say against a page, and all that is linked into the program is named with a licence.
#[test]
fn what_the_package_generates_is_whole() {
    let dir = tempfile::tempdir().expect("a folder");
    let made = dir.path().join("made");
    let Some(output) = generated(&made) else { return };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let changelog = deb()["changelog"].as_str().expect("a path").to_owned();
    let sources = assets().into_iter().map(|(source, _)| source).chain([changelog]);
    let wanted: Vec<String> =
        sources.filter_map(|source| source.strip_prefix("target/packaging/").map(str::to_owned)).collect();
    assert!(wanted.len() > 8, "{wanted:?}");
    for file in wanted.iter().filter(|file| !file.contains('*')) {
        assert!(made.join(file).metadata().is_ok_and(|file| file.len() > 0), "{file}");
    }
    let pages = ["man1", "man5", "man8"].map(|folder| fs::read_dir(made.join(folder)).expect("pages"));
    let pages: Vec<PathBuf> = pages.into_iter().flat_map(|folder| folder.flatten().map(|page| page.path())).collect();
    assert!(pages.len() > 2 + Cli::command().get_subcommands().count(), "{}", pages.len());
    pages.iter().for_each(|page| reads_well(page));
    names_what_is_linked(&made);
}

fn reads_well(page: &Path) {
    match Command::new("man").args(["--warnings", "-l"]).arg(page).env("LC_ALL", "C.UTF-8").output() {
        Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{}: {output:?}", page.display()),
        Err(error) => println!("skipped: man: {error}"),
    }
}

fn names_what_is_linked(made: &Path) {
    let unpacked = Command::new("gzip").arg("-dc").arg(made.join("NOTICE.gz")).output().expect("gzip");
    let notice = String::from_utf8(unpacked.stdout).expect("UTF-8");
    let bom = fs::read(made.join("septet.cdx.json")).expect("a bill");
    let bom: serde_json::Value = serde_json::from_slice(&bom).expect("JSON");
    let components = bom["components"].as_array().expect("a list");
    assert_eq!(bom["metadata"]["timestamp"], "2001-09-09T01:46:40Z");
    let direct = include_str!("../../Cargo.toml").parse::<toml::Table>().expect("TOML");
    for name in direct["dependencies"].as_table().expect("a table").keys().filter(|name| *name != "septet") {
        assert!(components.iter().any(|one| one["name"] == name.as_str()), "{name}");
    }
    for one in components {
        let (name, version) = (one["name"].as_str().expect("a name"), one["version"].as_str().expect("a version"));
        let licence = one["licenses"][0]["expression"].as_str().expect("a licence");
        assert!(!licence.contains("GPL"), "{name}: {licence}");
        assert!(one["hashes"][0]["content"].as_str().is_some_and(|sum| sum.len() == 64), "{name}");
        assert!(notice.contains(&format!("\n{name} {version}: ")), "{name}");
    }
    let tests_alone = ["septet-support", "proptest", "criterion", "assert_cmd"];
    assert!(!components.iter().any(|one| tests_alone.iter().any(|name| one["name"] == *name)));
}

#[test]
fn the_socket_for_postfix_is_one_that_the_unit_and_the_init_script_make_room_for() {
    let listeners = settings(POSTFIX).listeners;
    let [listener] = listeners.as_slice() else { panic!("{listeners:?}") };
    let socket = listener.socket.path().expect("a unix socket");
    let folder = socket.parent().and_then(Path::to_str).expect("a folder");
    let inside = socket.strip_prefix("/var/spool/postfix").expect("a path in Postfix's chroot").display().to_string();
    let made = format!("install -d -o septet -g postfix -m 2750 {folder}");
    assert!(UNIT.contains(&made) && INIT.contains(&made), "{made}");
    for text in [README, PAGE] {
        let lines = text.replace("\\(aq", "'").replace('\\', "");
        assert!(lines.contains(&format!("postconf -e 'smtpd_milters = {{ unix:{inside}, ")), "{inside}");
        assert!(lines.contains("install -D -m 644 /usr/share/septet/postfix.toml /etc/septet/conf.d/postfix.toml\n"));
    }
    assert!(assets().contains(&("packaging/postfix.toml".to_owned(), "usr/share/septet/postfix.toml".to_owned())));
}

#[test]
fn the_init_script_gives_the_daemon_more_time_to_stop_than_it_takes() {
    let (_, rest) = INIT.split_once("--retry=TERM/").expect("a schedule");
    let seconds: u64 = rest.split('/').next().and_then(|seconds| seconds.parse().ok()).expect("seconds");
    assert!(seconds > Settings::default().limits.drain_time.as_secs());
    let words = INIT.lines().find_map(|line| line.strip_prefix("DAEMON_ARGS=")).expect("a command");
    Cli::try_parse_from(["septet", words]).expect("a command of septet");
}

/// Returns the words of an instruction in the Containerfile, without the brackets and quotes.
fn instruction(name: &str) -> Vec<String> {
    let line = CONTAINERFILE.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
    let words = line.split_once('[').and_then(|(_, rest)| rest.split_once(']')).expect("brackets").0;
    words.split(", ").map(|word| word.trim_matches('"').to_owned()).collect()
}

#[test]
fn the_image_runs_the_program_by_commands_that_it_has() {
    let (program, command, health) = (instruction("ENTRYPOINT"), instruction("CMD"), instruction("HEALTHCHECK"));
    assert_eq!(program, ["/usr/bin/septet"]);
    assert_eq!(health[0], program[0]);
    for words in [[program, command].concat(), health] {
        Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    }
    let user = CONTAINERFILE.lines().find_map(|line| line.strip_prefix("USER ")).expect("a user");
    assert!(user.split(':').all(|number| number.parse::<u32>().is_ok_and(|number| number > 1000)), "{user}");
    assert!(CONTAINERFILE.contains("\nFROM scratch\n"));
}

#[test]
fn the_image_has_settings_for_its_health_check_and_for_neighbours_alone() {
    let settings = settings(CONTAINER);
    assert!(settings.metrics.listen.expect("metrics").to_string().contains("127.0.0.1"));
    assert!(settings.listeners.iter().all(|listener| !listener.is_open_to_all()));
    let port = CONTAINERFILE.lines().find_map(|line| line.strip_prefix("EXPOSE ")).expect("a port");
    assert!(settings.listeners[0].socket.to_string().ends_with(&format!(":{port}")), "{port}");
}

/// Returns the versions of each crate in the lock file that is there more than once.
fn crates_in_several_versions() -> BTreeMap<String, Vec<String>> {
    let lock: toml::Table = include_str!("../../Cargo.lock").parse().expect("TOML");
    let text = |package: &toml::Value, key: &str| package[key].as_str().expect("a text").to_owned();
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    for package in lock["package"].as_array().expect("a list") {
        versions.entry(text(package, "name")).or_default().push(text(package, "version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    versions
}

#[test]
fn each_crate_that_is_there_twice_has_its_reason() {
    let rules: toml::Table = include_str!("../../deny.toml").parse().expect("TOML");
    let mut several = crates_in_several_versions();
    for skipped in rules["bans"]["skip"].as_array().expect("a list") {
        assert!(!skipped["reason"].as_str().expect("a reason").is_empty(), "{skipped}");
        let (name, version) = skipped["crate"].as_str().and_then(|skipped| skipped.split_once(':')).expect("a range");
        let versions = several.get_mut(name).unwrap_or_else(|| panic!("{name} is there once"));
        let before = versions.len();
        versions.retain(|one| !one.starts_with(&format!("{version}.")));
        assert!(versions.len() < before, "{skipped}");
    }
    several.retain(|_, versions| versions.len() > 1);
    assert!(several.is_empty(), "without a reason in deny.toml: {several:?}");
}
