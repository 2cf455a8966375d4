//! Help, man pages and completions: made of the same definitions, and none forgotten.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::CommandFactory as _;
use septet_cli::commands::cli::Cli;

fn septet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_septet")).args(args).output().expect("septet runs")
}

fn printed(args: &[&str]) -> String {
    let output = septet(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Gives every command, and every command inside one, as the words that call it.
fn commands() -> Vec<Vec<String>> {
    let mut root = Cli::command();
    root.build();
    let mut found = Vec::new();
    let mut open: Vec<(Vec<String>, clap::Command)> = vec![(Vec::new(), root)];
    while let Some((words, command)) = open.pop() {
        for inner in command.get_subcommands() {
            let words = words.iter().cloned().chain([inner.get_name().to_owned()]).collect();
            open.push((words, inner.clone()));
        }
        found.push(words);
    }
    found
}

#[test]
fn the_help_has_every_command_in_its_group() {
    let help = printed(&["--help"]);
    let mut rest = help.as_str();
    let groups = ["Mail", "Settings and set-up", "Line tools", "Options"].map(|title| {
        let (before, after) = rest.split_once(&format!("\n\n{title}:\n")).expect(title);
        rest = after;
        before
    });
    let names = |group: &str| {
        group.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect::<Vec<_>>()
    };
    let [_, mail, set_up, tools] = groups.map(names);
    assert_eq!(mail[0], "serve");
    assert_eq!(set_up, ["check-config", "profiles", "charsets", "completions", "man", "help"]);
    assert_eq!(tools, ["text", "header", "iri"]);
    let mut all = [mail, set_up, tools].concat();
    let mut wanted: Vec<String> =
        Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    all.sort();
    wanted.sort();
    assert_eq!(all, wanted);
}

#[test]
fn every_command_has_a_summary_of_one_line() {
    for command in Cli::command().get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!((10..=90).contains(&about.chars().count()), "{}: {about:?}", command.get_name());
        assert!(printed(&["--help"]).contains(&about), "{about}");
    }
}

/// What a line of an example prints.
fn printed_in_a_shell(line: &str) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_septet")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"));
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).output().expect("sh runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Those that are used most had none.
#[test]
fn every_command_has_examples_and_they_are_true() {
    for command in Cli::command().get_subcommands() {
        let help = printed(&[command.get_name(), "--help"]);
        let examples = help.split_once("\nExample").unwrap_or_else(|| panic!("{}: {help}", command.get_name())).1;
        let lines: Vec<&str> = examples.lines().map(str::trim).collect();
        assert!(lines.iter().any(|line| line.contains("septet")), "{}", command.get_name());
        for pair in lines.windows(2).filter(|pair| pair[0].starts_with("echo ") && !pair[1].starts_with("prints one "))
        {
            let says = pair[1].strip_prefix("prints ").unwrap_or_else(|| panic!("{pair:?}"));
            assert_eq!(printed_in_a_shell(pair[0]).trim_end(), says, "{}", pair[0]);
        }
    }
}

#[test]
fn every_command_has_help_and_a_man_page() {
    let dir = tempfile::tempdir().expect("a folder");
    let pages = dir.path().join("man1");
    printed(&["man", pages.to_str().expect("UTF-8")]);
    let commands = commands();
    for words in &commands {
        let name = ["septet".to_owned()].into_iter().chain(words.iter().cloned()).collect::<Vec<_>>().join("-");
        let page =
            fs::read_to_string(pages.join(format!("{name}.1"))).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(&format!(".TH {name} 1")), "{name}");
        let help: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        assert!(printed(&help).contains("Usage: septet"), "{help:?}");
    }
    assert_eq!(fs::read_dir(&pages).expect("the folder").count(), commands.len(), "no page is left over");
    assert_eq!(printed(&["man"]), fs::read_to_string(pages.join("septet.1")).expect("the main page"));
}

/// The page of the settings is made of the sample, so that no key can be missing; man(1) has nothing to say against it.
#[test]
fn the_settings_have_a_man_page() {
    let page = printed(&["man", "--settings"]);
    assert!(page.starts_with(".TH septet.toml 5 "), "{page}");
    for section in ["[limits]", "[conformance]", "[skip]", "[log]", "[metrics]", "[[listener]]", "[profile.utf8]"] {
        assert!(page.contains(&format!("\n.SH {section}\n")), "{section}");
    }
    assert!(page.contains("\n.nf\ndefault_profile = \"utf8\"\n.fi\n"), "{page}");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("septet.toml.5");
    fs::write(&file, &page).expect("a page");
    match Command::new("man").args(["--warnings", "-l"]).arg(&file).output() {
        Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{output:?}"),
        Err(error) => println!("skipped: man: {error}"),
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("file");
    fs::write(&file, "").expect("a file");
    assert_eq!(septet(&["man", file.to_str().expect("UTF-8")]).status.code(), Some(73));
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for command in Cli::command().get_subcommands() {
            assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
        }
    }
    assert_eq!(septet(&["completions", "tcsh"]).status.code(), Some(64));
}

/// For profiles files were offered, and nothing for charsets and words.
#[test]
fn completions_know_names() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        // Completions for fish know the values of options alone.
        let names: &[&str] = if shell == "fish" { &[] } else { &["unlabelled"] };
        for name in ["seven-bit", "unicode-1-1-utf-7", "koi8-r"].iter().chain(names) {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    // Others are taken as well: labels that mean a charset, and profiles of the settings.
    assert!(septet(&["charsets"]).status.success());
    assert_eq!(septet(&["why", "left=unlabelled"]).status.code(), Some(0));
}

/// `septet help convert` was refused.
#[test]
fn help_is_what_each_command_prints_of_itself() {
    for words in commands() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(
            printed(&[&["help"], &words[..]].concat()),
            printed(&[&words[..], &["--help"]].concat()),
            "{words:?}"
        );
    }
    for (words, says) in [
        (["help", "nosuch"].as_slice(), "no command is named \"nosuch\"; there are serve, watch, "),
        (&["help", "conver"], "no command is named \"conver\"; did you mean \"convert\"?\n"),
        (&["help", "header", "decod"], "no command is named \"decod\"; did you mean \"decode\"?\n"),
        (&["help", "convert", "x"], "\"convert\" has no commands of its own, so none is named \"x\"\n"),
    ] {
        let output = septet(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(says) && output.status.code() == Some(64), "{words:?}: {said}");
    }
}

#[test]
fn a_page_that_can_not_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("it is written");
    let output = septet(&["man", file.to_str().expect("UTF-8")]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("septet: /") && said.contains("/file can't be written: "), "{said}");
    assert_eq!(output.status.code(), Some(73));
}
