//! The way on: where the result of a run is, what is left, and the command that comes next, to be copied.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use super::outputs::Output;
use super::{Args, Format, Job};
use crate::archive::replace::is_device;
use crate::archive::report::Tally;
use crate::archive::report::said::messages;
use crate::archive::report::same_mail::SameMail;
use crate::process::color::Color;
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

/// Returns the options with which the inputs may be converted once more, by other settings; none where what is there
/// would be in the way.
fn options_again(args: &Args) -> Option<Vec<OsString>> {
    let output = args.output.as_ref().filter(|_| !args.dry_run);
    let makes_folders = args.output_format.is_some_and(|form| !form.is_mailbox());
    if makes_folders
        // Answers are to what these settings change.
        || args.decided.decisions.is_some()
        || args.split.is_some()
        || args.split_by.is_some()
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

/// Returns a value as it is written on the command line.
fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Says how a run went of which so many octets were read in some time: the summary, and the way on.
pub fn say_end(args: &Args, output: &Output, job: &Job, read: u64, took: Duration) {
    let tally = &job.mark.tally;
    say(format_args!("{}", tally.headline(&job.profiles.names(), read, took)));
    let summary = if Color::is_on(&io::stderr()) { tally.painted() } else { tally.to_string() };
    // In one piece: stderr has no buffer.
    let _ = io::stderr().write_all(summary.as_bytes());
    let lines = [
        words_of_output(args, output, job),
        words_of_left(&job.provenance.same_mail, tally),
        words_of_reports(&args.report),
    ];
    lines.into_iter().flatten().for_each(|line| say(format_args!("{line}")));
}

/// Says where what was written is, and with which command it is undone, where there is one that can be typed; none for
/// standard output. What failed was named when it did.
fn words_of_output(args: &Args, output: &Output, job: &Job) -> Option<String> {
    let (place, path) = match output {
        Output::Stdout { .. } => return None,
        Output::Nowhere => return Some("nothing was written: this was a dry run".to_owned()),
        Output::InPlace => (None, if let [input] = &args.inputs[..] { Some(input) } else { None }),
        Output::One(out) | Output::Folder(out) => (Some(out.display().to_string()), Some(out)),
    };
    let failed = job.mark.worst.is_some();
    // What goes to a device is there at once, and takes no place.
    let is_placed = job.mark.placed || matches!(output, Output::One(out) if is_device(out));
    Some(match place {
        _ if !is_placed => words_of_nothing(place.as_deref(), failed),
        None => format!("what changed was replaced in place{}", but_for(failed)) + &words_of_undo(args, path, job),
        Some(out) if args.split.is_some() => {
            format!("written in pieces beside each other: {out} with -001, -002 … in its name{}", but_for(failed))
        }
        Some(out) if matches!(output, Output::Folder(_)) || args.split_by.is_some() => {
            format!("written to {}/{}", out.trim_end_matches('/'), but_for(failed))
        }
        Some(out) => format!("written to {out}{}", but_for(failed)) + &words_of_undo(args, path, job),
    })
}

/// Says that nothing was written, and why.
fn words_of_nothing(place: Option<&str>, failed: bool) -> String {
    match place {
        _ if failed => "nothing was written: what failed is named above".to_owned(),
        None => "nothing was written: nothing had to change".to_owned(),
        Some(out) => format!("nothing was written to {out}: there is no message for it"),
    }
}

/// Says that not all was written, where something `failed`.
fn but_for(failed: bool) -> &'static str {
    if failed { ", but for what failed and is named above" } else { "" }
}

/// Says how what was written at a path is undone; nothing where it can't be, or can't be typed.
fn words_of_undo(args: &Args, path: Option<&PathBuf>, job: &Job) -> String {
    let can_undo = args.keep_original && job.mark.tally.changed > 0;
    let recursive = if args.recursive { "-r " } else { "" };
    let path = path.filter(|path| can_undo && !is_device(path)).and_then(|path| path.to_str());
    path.map_or(String::new(), |path| format!(", undone by: septet undo {recursive}{}", shell::file(path)))
}

/// Says how many messages have something left, and the command that helps; none where there are none.
fn words_of_left(same: &SameMail, tally: &Tally) -> Option<String> {
    let have = if tally.open() == 1 { "has" } else { "have" };
    let what = format!("{} {have} something left", messages(tally.open()));
    let most = tally.reasons.iter().max_by_key(|(_, count)| **count).map(|(code, _)| code);
    let can_advise = tally.reasons.keys().any(|code| is_curable(code));
    let command = if can_advise { same.advise() } else { most.map(|code| format!("septet why {code}")) };
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
