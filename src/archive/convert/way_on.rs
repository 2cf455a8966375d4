//! The way on: where the result of a run is, what is left, and the command that comes next, to be copied.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use super::args::Args;
use super::input::Format;
use super::job::Job;
use super::outputs::Output;
use crate::archive::report::Tally;
use crate::archive::report::said::messages;
use crate::archive::report::same_mail::SameMail;
use crate::process::say::say;
use crate::process::shell;
use crate::process::why::is_curable;

/// Returns what a command needs to read the mail of a run again: the inputs, or what was made of standard input.
pub fn same_mail(args: &Args, output: &Output) -> SameMail {
    let (inputs, format) = match (&args.inputs[..], output) {
        ([input], Output::One(out)) if input.as_os_str() == "-" && out.is_file() => (vec![out.clone()], Format::Auto),
        _ => (args.inputs.clone(), args.format),
    };
    let mut same = SameMail::of(&args.settings, &inputs);
    if format != Format::Auto {
        same = same.read_as(format!("--format {}", name_of(&format)));
    }
    same.converted_by(options_again(args))
}

/// Returns the options with which the inputs may be converted once more, by other settings; none where what is there would be
/// in the way.
fn options_again(args: &Args) -> Option<Vec<OsString>> {
    let output = args.output.as_ref().filter(|_| !args.dry_run);
    let makes_folders = args.output_format.is_some_and(|form| !form.is_mailbox());
    if makes_folders
        || args.split.is_some()
        || args.keep_original
        || args.no_clobber
        || !args.dry_run && !args.in_place && output.is_none()
    {
        return None;
    }
    let mut options: Vec<OsString> = Vec::new();
    match output {
        Some(out) => options.extend(["-o".into(), out.clone().into_os_string()]),
        None => options.push(if args.dry_run { "-n" } else { "--in-place" }.into()),
    }
    let flags = [("-r", args.recursive), ("--verify", args.verify), ("--skip-deleted", args.skip_deleted)];
    options.extend(flags.into_iter().filter(|(_, on)| *on).map(|(flag, _)| flag.into()));
    let mut with =
        |option: &str, value: Option<String>| options.extend(value.map(|value| format!("{option}={value}").into()));
    with("--format", Some(args.format).filter(|format| *format != Format::Auto).as_ref().map(name_of));
    with("--output-format", args.output_format.as_ref().map(name_of));
    with("--compress", args.compress.as_ref().map(name_of));
    with("--backup", args.backup.as_ref().map(|suffix| suffix.to_string_lossy().into_owned()));
    Some(options)
}

fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Says how a run went of which so many octets were read in some time: the summary, and the way on.
pub fn say_end(args: &Args, output: &Output, job: &Job, read: u64, took: Duration) {
    let tally = &job.tally;
    say(format_args!("{}", tally.headline(&job.profiles.names(), read, took)));
    // In one piece: stderr has no buffer.
    let _ = io::stderr().write_all(tally.to_string().as_bytes());
    // What an interrupted run replaced is in the counts alone, and what was left out is no change there.
    let replaced = job.placed || tally.changed > 0;
    let lines = [
        words_of_output(args, output, tally, replaced),
        words_of_left(&job.provenance.same_mail, tally),
        words_of_reports(&args.report),
    ];
    lines.into_iter().flatten().for_each(|line| say(format_args!("{line}")));
}

/// Says where the result is, and with which command it is undone, where there is one that can be typed; none for
/// standard output.
fn words_of_output(args: &Args, output: &Output, tally: &Tally, replaced: bool) -> Option<String> {
    let can_undo = args.keep_original && tally.changed > 0;
    let recursive = if args.recursive { "-r " } else { "" };
    let back = |path: &Path| {
        let path = path.to_str().filter(|_| can_undo)?;
        Some(format!(", undone by: septet undo {recursive}{}", shell::file(path)))
    };
    let (text, back) = match output {
        Output::Stdout => return None,
        Output::Nowhere => ("nothing was written: this was a dry run".to_owned(), None),
        Output::InPlace if !replaced => ("nothing was written: nothing had to change".to_owned(), None),
        Output::InPlace => (
            "what changed was replaced in place".to_owned(),
            match &args.inputs[..] {
                [input] => back(input),
                _ => None,
            },
        ),
        Output::One(out) if args.split.is_some() => {
            (format!("written in pieces beside each other: {} with -001, -002 … in its name", out.display()), None)
        }
        Output::One(out) => (format!("written to {}", out.display()), back(out)),
        Output::Folder(out) => (format!("written to {}/", out.display().to_string().trim_end_matches('/')), None),
    };
    Some(text + &back.unwrap_or_default())
}

/// Says how many messages have something left, and the command that helps; none where there are none.
fn words_of_left(same: &SameMail, tally: &Tally) -> Option<String> {
    let have = if tally.open() == 1 { "has" } else { "have" };
    let what = format!("{} {have} something left", messages(tally.open()));
    let most = tally.reasons.iter().max_by_key(|(_, count)| **count).map(|(code, _)| code);
    let command = match tally.reasons.keys().any(|code| is_curable(code)) {
        true => same.advise(),
        false => most.map(|code| format!("septet why {code}")),
    };
    (tally.open() > 0).then(|| what + &command.map(|command| format!(": {command}")).unwrap_or_default())
}

/// Says which reports there are; none without any.
fn words_of_reports(reports: &[PathBuf]) -> Option<String> {
    let names: Vec<String> = reports.iter().map(|path| path.display().to_string()).collect();
    let (last, others) = names.split_last()?;
    Some(match others {
        [] => format!("{last} has each message"),
        others => format!("{} and {last} have each message", others.join(", ")),
    })
}
