//! The command line: a contract. Every command's options stand with the command, in its own module.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::{StyledStr, Styles};
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::archive::{convert, shard, undo};
use crate::commands::{
    advise, charsets, check_config, dkim2, explain, filter, header, help, iri, manual, probe, profiles, review, text,
    watch,
};
use crate::process::color::Color;
use crate::process::exit::{Exit, Failure};
use crate::process::why;
use crate::serve;

/// Repair the character encodings of mail and leave every other byte untouched
///
/// septet re-encodes the characters of mail to clean UTF-8, or back to forms that fit seven bits, and writes
/// links so that every client can follow them. What needs no change stays as it is, octet for octet; signed
/// parts stay whole; what is left undone is reported with its reason.
#[derive(Debug, Parser)]
#[command(
    name = "septet",
    version,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    help_template = help_template(),
    after_help = AFTER_HELP,
    after_long_help = AFTER_LONG_HELP
)]
pub struct Cli {
    /// Colour the output: auto means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto, hide_possible_values = true)]
    pub color: Color,

    /// Run this command
    #[command(subcommand)]
    pub command: CliCommand,
}

/// The groups of the help, and the commands in each, which are shown in the order of [`CliCommand`]; a command that is
/// in none is not shown.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Mail",
        &[
            "serve", "watch", "convert", "review", "undo", "plan", "join", "filter", "explain", "advise", "why",
            "dkim2", "try",
        ],
    ),
    ("Settings and set-up", &["check-config", "profiles", "charsets", "completions", "man", "help"]),
    ("Line tools", &["text", "header", "iri"]),
];

const AFTER_HELP: &str = "`septet help COMMAND` says more, and so does `man septet-COMMAND`.";

const AFTER_LONG_HELP: &str = "\
Examples:
  septet explain message.eml
      shows what would change in a message, and why
  septet convert --dry-run --report report.html inbox.mbox
      shows what would change in an archive
  septet convert -o clean.mbox inbox.mbox
      converts it
  septet serve
      filters the mail of Postfix or Sendmail: a milter on inet:127.0.0.1:8891

Profiles:
  keep       changes nothing
  utf8       everything in UTF-8, safe on any transport; the default
  eai        raw UTF-8 in header and body, for stores that support SMTPUTF8
  seven-bit  charsets are kept, everything fits into seven bits
  utf7       readable on seven bits without quoted-printable (RFC 1642)
  ascii      ASCII only, for pagers and mainframes

Exit codes (sysexits):
  0 done; 64 wrong usage; 65 bad data; 66 no input; 69 unavailable; 70 internal error;
  73 can't create; 74 I/O error; 75 temporary failure; 77 no permission; 78 bad settings

Files:
  /etc/septet/septet.toml, /etc/septet/conf.d/*.toml
      the settings; `septet check-config` prints those in force

Environment:
  SEPTET_CONFIG       the settings file
  SEPTET_TABLE__KEY   one key of the settings, such as SEPTET_LIMITS__PARTS=500
  SEPTET_LOG          the log level, or a filter such as septet=debug
  NO_COLOR            no colour, unless --color says otherwise
  SEPTET_PAGER, PAGER
      the pager of `septet explain`, instead of less; none if it is empty or cat";

/// Writes the help's frame, with the commands in their groups, each with its summary.
///
/// clap lists all commands under one heading; so the lists are made here, of the same definitions.
fn help_template() -> StyledStr {
    let commands = CliCommand::augment_subcommands(clap::Command::new("septet"));
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = commands.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(template, "\n{header}{title}:{header:#}");
        for command in commands.get_subcommands().filter(|command| names.contains(&command.get_name())) {
            let (name, about) = (command.get_name(), command.get_about().cloned().unwrap_or_default()); // all have one
            let _ = writeln!(template, "  {literal}{name:width$}{literal:#}  {about}");
        }
    }
    let _ = write!(template, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    template.into()
}

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(missing_docs)]
pub enum CliCommand {
    Serve(serve::Args),
    Watch(watch::Args),
    Convert(Box<convert::Args>),
    Review(review::Args),
    Undo(undo::Args),
    Plan(shard::plan::Args),
    Join(shard::join::Args),
    Filter(filter::Args),
    Explain(explain::Args),
    Advise(advise::Args),
    Why(why::Args),
    Dkim2(dkim2::Args),
    Try(probe::Args),
    CheckConfig(check_config::Args),
    Profiles(profiles::Args),
    Charsets(charsets::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
    Help(help::Args),
    Text(text::Args),
    Header(header::Args),
    Iri(iri::Args),
}

impl CliCommand {
    /// Runs it.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            CliCommand::Serve(args) => serve::run(args),
            CliCommand::Watch(args) => watch::run(args),
            CliCommand::Convert(args) => convert::run(*args),
            CliCommand::Review(args) => review::run(args),
            CliCommand::Undo(args) => undo::run(args),
            CliCommand::Plan(args) => shard::plan::run(args),
            CliCommand::Join(args) => shard::join::run(args),
            CliCommand::Filter(args) => filter::run(args),
            CliCommand::Explain(args) => explain::run(args),
            CliCommand::Advise(args) => advise::run(args),
            CliCommand::Why(args) => why::run(args),
            CliCommand::Dkim2(args) => dkim2::run(args),
            CliCommand::Try(args) => probe::run(args),
            CliCommand::CheckConfig(args) => check_config::run(args),
            CliCommand::Profiles(args) => profiles::run(args),
            CliCommand::Charsets(args) => charsets::run(args),
            CliCommand::Completions(args) => manual::completions(args, Cli::command()),
            CliCommand::Man(args) => manual::man(args, Cli::command()),
            CliCommand::Help(args) => help::run(args, Cli::command()),
            CliCommand::Text(args) => text::run(args),
            CliCommand::Header(args) => header::run(args),
            CliCommand::Iri(args) => iri::run(args),
        }
    }
}

/// Returns `true` if the first word of a command line, right or wrong, asks for the daemon. `arguments` begin with the
/// name of the program.
pub fn is_daemon(arguments: impl Iterator<Item = OsString>) -> bool {
    first_word(arguments).is_some_and(|command| command == "serve")
}

/// Returns the exit code of a command line that is wrong: what the command that its first word names promises.
/// `arguments` begin with the name of the program.
///
/// `filter` ends with 75 whatever fails, lest an MTA bounce the mail for a misspelt option.
pub fn usage_exit(arguments: impl Iterator<Item = OsString>) -> Exit {
    if first_word(arguments).is_some_and(|command| command == "filter") { Exit::TempFail } else { Exit::Usage }
}

/// Returns the first word behind the name of the program that is neither `--color` nor its value: the command, where
/// there is one.
fn first_word(arguments: impl Iterator<Item = OsString>) -> Option<OsString> {
    let mut words = arguments.skip(1);
    loop {
        match words.next()? {
            color if color == "--color" => drop(words.next()),
            color if color.as_encoded_bytes().starts_with(b"--color=") => {}
            word => return Some(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behind `--color` they were not seen, and the MTA bounced the mail.
    #[test]
    fn the_command_is_seen_behind_options() {
        for (words, exit, daemon) in [
            (&["filter", "--bad"][..], Exit::TempFail, false),
            (&["--color=never", "filter", "--bad"], Exit::TempFail, false),
            (&["--color", "never", "filter", "--bad"], Exit::TempFail, false),
            (&["--color", "never", "--color=auto", "serve", "--bad"], Exit::Usage, true),
            (&["--color", "filter"], Exit::Usage, false),
            (&["--bad", "filter"], Exit::Usage, false),
            (&["convert", "filter"], Exit::Usage, false),
            (&[], Exit::Usage, false),
        ] {
            let arguments = || ["septet"].iter().chain(words).map(OsString::from);
            assert_eq!((usage_exit(arguments()), is_daemon(arguments())), (exit, daemon), "{words:?}");
        }
    }
}
