//! What packaging/cluster and packaging/prometheus hold: files for Kubernetes, recipes, alerts.

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Parser as _;
use septet::config::{Settings, SettingsFile};
use septet_cli::commands::cli::Cli;

use super::config::{septet, text};

const DAEMON: &str = include_str!("../../packaging/cluster/daemon.yaml");
const JOB: &str = include_str!("../../packaging/cluster/kubernetes.yaml");
const README: &str = include_str!("../../packaging/cluster/README.md");
const BUILD: &str = include_str!("../../packaging/build-container");
const CONTAINERFILE: &str = include_str!("../../packaging/Containerfile");

/// Returns what stands behind a key, wherever in the file it stands.
fn values<'a>(yaml: &'a str, key: &str) -> Vec<&'a str> {
    let key = format!("{key}: ");
    let line = |line: &'a str| line.trim_start().trim_start_matches("- ").strip_prefix(&*key);
    yaml.lines().filter_map(line).map(|value| value.trim_matches('"')).collect()
}

fn value<'a>(yaml: &'a str, key: &str) -> &'a str {
    let [value] = values(yaml, key)[..] else { panic!("{key}: {:?}", values(yaml, key)) };
    value
}

fn seconds(value: &str) -> u64 {
    value.trim_end_matches('}').parse().expect("seconds")
}

/// Returns the file of settings that the config map holds.
fn config_map() -> String {
    let (_, rest) = DAEMON.split_once("  septet.toml: |\n").expect("a file");
    let lines = rest.lines().take_while(|line| *line != "---");
    lines.map(|line| line.strip_prefix("    ").unwrap_or("").to_owned() + "\n").collect()
}

/// `septet:latest` was no image that anything makes, and Kubernetes asks a registry for every image of that tag.
#[test]
fn kubernetes_names_the_image_that_is_built() {
    let (_, tag) = BUILD.split_once("--tag \"").expect("a tag");
    let image = tag.split('"').next().expect("a tag").replace("$version", env!("CARGO_PKG_VERSION"));
    for yaml in [DAEMON, JOB] {
        assert_eq!((value(yaml, "image"), value(yaml, "imagePullPolicy")), (&*image, "IfNotPresent"));
    }
    let docs = include_str!("../../docs/packaging.md");
    assert!(docs.matches(&image).count() >= 2 && README.contains(&image), "{image}");
}

#[test]
fn the_config_map_is_good_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("septet.toml");
    fs::write(&file, config_map()).expect("a file");
    let run = septet(&["check-config", "--any-host", "--config", &file.to_string_lossy()], &[]);
    assert!(run.status.success() && run.stderr.is_empty(), "{}", text(&run.stderr));
    let source = SettingsFile { path: "daemon.yaml".to_owned(), bytes: config_map().into_bytes() };
    let (settings, _) = Settings::read(&[source], [], &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let port = |name: &str| {
        let line = DAEMON.lines().find(|line| line.contains(&format!("{{name: {name}, containerPort: ")));
        line.and_then(|line| line.split("containerPort: ").nth(1)).expect("a port").trim_end_matches('}').to_owned()
    };
    let (milter, metrics) = (port("milter"), port("metrics"));
    assert!(settings.listeners[0].socket.to_string().ends_with(&format!(":{milter}")), "{milter}");
    assert!(settings.listeners.iter().all(|listener| !listener.is_open_to_all()));
    let listen = settings.metrics.listen.expect("metrics").to_string();
    assert!(listen.ends_with(&format!("0.0.0.0:{metrics}")) && settings.metrics.remote, "{listen}");
    assert!(DAEMON.contains(&format!("prometheus.io/port: \"{metrics}\"")));
    // What is said in README is what the service offers.
    assert!(README.contains(&format!(":{milter}")) && DAEMON.contains(&format!("port: {milter}, targetPort: milter")));
    // Messages in progress have their time after preStop, as the unit gives it.
    let (grace, before) = (seconds(value(DAEMON, "terminationGracePeriodSeconds")), value(DAEMON, "sleep: {seconds"));
    assert!(grace >= seconds(before) + settings.limits.drain_time.as_secs() + 5, "{grace}");
    let memory: u64 = value(DAEMON, "limits: {memory").trim_end_matches("Mi}").parse().expect("a size");
    assert!(memory << 20 > settings.limits.memory as u64 * 11 / 10, "{memory}");
}

#[test]
fn kubernetes_runs_the_program_by_commands_that_it_has() {
    for yaml in [DAEMON, JOB] {
        let args = value(yaml, "args").trim_matches(['[', ']']).split(", ").map(|word| word.trim_matches('"'));
        let words: Vec<_> = ["/usr/bin/septet"].into_iter().chain(args).collect();
        Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        for (key, wanted) in [
            ("runAsNonRoot", "true"),
            ("readOnlyRootFilesystem", "true"),
            ("allowPrivilegeEscalation", "false"),
            ("automountServiceAccountToken", "false"),
            ("enableServiceLinks", "false"),
        ] {
            assert_eq!(value(yaml, key), wanted, "{key}");
        }
    }
    let user = CONTAINERFILE.lines().find_map(|line| line.strip_prefix("USER ")).expect("a user");
    assert_eq!(user, format!("{}:{}", value(DAEMON, "runAsUser"), value(DAEMON, "runAsGroup")));
    // Both probes ask what the metrics listener answers.
    assert_eq!(DAEMON.matches("httpGet: {path: /health, port: metrics}").count(), 2);
}

/// Whatever README has a recipe for is in its folder, and no recipe has the name of the module that it uses: Python
/// would take the one for the other.
#[test]
fn every_recipe_is_told_and_hides_no_module() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/cluster");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        count += 1;
        assert!(name == "README.md" || README.contains(&name), "{name}");
        assert!(!["ray.py", "dask.py", "distributed.py", "pyspark.py"].contains(&&*name), "{name}");
    }
    assert!(count > 7, "{count}");
}

/// The alerts fire when they should, and only then: by promtool, where it is.
#[test]
fn alerts_fire_when_they_should() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/alerts.yml");
    match Command::new("promtool").args(["test", "rules"]).arg(cases).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        }
        Err(error) => println!("skipped: promtool: {error}"),
    }
}
