//! Shell completions and man pages, generated from the command line's own definitions.

mod settings_page;

use std::fs;
use std::io::{self, Write as _, stdout};
use std::iter;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::coding::charset::Charset;
use crate::commands::check_config::EXAMPLE;
use crate::process::exit::{Exit, Failure};
use crate::process::why;
use crate::rewrite::Profile;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet completions bash > /usr/share/bash-completion/completions/septet
  septet completions zsh > /usr/share/zsh/vendor-completions/_septet
  septet completions fish > ~/.config/fish/completions/septet.fish")]
pub struct CompletionsArgs {
    /// Complete for SHELL
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the main man page, or write all of them to a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet man | man -l -
  septet man --settings | man -l -
  septet man /usr/local/share/man/man1")]
pub struct ManArgs {
    /// Write to DIR, made if it is not there: septet.1, septet-convert.1, septet-header-decode.1, …
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Print the page of the settings, septet.toml(5)
    #[arg(long, conflicts_with = "dir")]
    settings: bool,
}

/// Prints completions of the `program`.
pub fn completions(args: CompletionsArgs, program: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_values(program), "septet", &mut script);
    stdout().write_all(&script).map_err(Failure::of_output)
}

/// Lets completions offer names for what takes others as well: the profiles that are built in, charsets, words of
/// reports.
fn with_values(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| match offered(&argument) {
        Some(names) => argument.value_parser(PossibleValuesParser::new(names)),
        None => argument,
    });
    command.mut_subcommands(with_values)
}

/// Returns the names that are offered for an argument, by what help calls its value (`value_name`); none for any other.
fn offered(argument: &clap::Arg) -> Option<Vec<&'static str>> {
    let id = argument.get_id().as_str();
    match argument.get_value_names()?.first()?.as_str() {
        "NAME" if id == "profile" => Some(Profile::BUILT_IN.to_vec()),
        "WORD" => Some(why::codes().collect()),
        "CHARSET" if id == "from" => Some(iter::once("auto").chain(charsets()).collect()),
        "CHARSET" => Some(charsets().collect()),
        _ => None,
    }
}

fn charsets() -> impl Iterator<Item = &'static str> {
    Charset::all().iter().map(|charset| charset.name())
}

/// Writes man pages of the program whose command line `root` is.
pub fn man(args: ManArgs, mut root: clap::Command) -> Result<(), Failure> {
    root.build();
    match args.dir {
        None if args.settings => {
            stdout().write_all(settings_page::page(EXAMPLE).as_bytes()).map_err(Failure::of_output)
        }
        None => stdout().write_all(&page(&root)).map_err(Failure::of_output),
        Some(dir) => write_pages(&root, &dir),
    }
}

/// Writes a page for each command and for each command inside one, as `septet-header-decode.1`.
fn write_pages(root: &clap::Command, dir: &Path) -> Result<(), Failure> {
    fs::create_dir_all(dir).map_err(|error| unwritable(dir, error))?;
    let mut commands = vec![root];
    while let Some(command) = commands.pop() {
        let file = dir.join(Man::new(command.clone()).get_filename());
        fs::write(&file, page(command)).map_err(|error| unwritable(&file, error))?;
        commands.extend(command.get_subcommands());
    }
    Ok(())
}

/// Makes the failure of a file or folder that can't be written, which it names.
fn unwritable(path: &Path, error: io::Error) -> Failure {
    Failure::new(Exit::of_write(&error), format!("{} can't be written: {error}", path.display()))
}

/// Returns the page of a command.
fn page(command: &clap::Command) -> Vec<u8> {
    let mut page = Vec::new();
    // Writing to memory can't fail.
    let _ = render(command, &mut page);
    page
}

/// Writes a page as clap_mangen does, but for the text after the help: each of its headings gets a section.
fn render(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone()).manual("User Commands").source(concat!("septet ", env!("CARGO_PKG_VERSION")));
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    after.map_or(Ok(()), |after| page.write_all(sections(&after.to_string()).as_bytes()))
}

/// Makes sections of text in which a heading stands at the left and ends with a colon, the rest as it is.
fn sections(text: &str) -> String {
    let mut roff = String::new();
    for line in text.lines() {
        match line.strip_suffix(':').filter(|heading| !heading.starts_with(' ')) {
            Some(heading) => roff.push_str(&format!(".SH {}\n.nf\n", escaped(&heading.to_uppercase()))),
            None => roff.push_str(&format!("{}\n", escaped(line.strip_prefix("  ").unwrap_or(line)))),
        }
    }
    roff
}

/// Writes a line so that roff(7) shows it as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_sections_and_lines_stay() {
        let roff = sections("Examples:\n  septet man -l\n      .x 'y' \\z\nFiles:\n  /etc");
        assert_eq!(roff, ".SH EXAMPLES\n.nf\nseptet man \\-l\n    .x \\(aqy\\(aq \\ez\n.SH FILES\n.nf\n/etc\n");
    }
}
