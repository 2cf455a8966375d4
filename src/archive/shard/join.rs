//! `septet join`: makes of the shards what one `convert` would have made.
//!
//! Every shard must be done, by this plan and all by one profile; every octet is held against its checksum, that of a
//! file while it is copied and those of a Maildir before, and nothing takes its place before all are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::done::{ShardDone, ShardPaths, made_by, messages_of, sum_of};
use super::join_place::{JoinPieces, first_piece, is_maildir, is_stdout, pieces_of, places, shown_place};
use super::join_report::{self, Joined, JoinedFile, Ready};
use super::{ShardError, read_plan};
use crate::archive::convert::{Compression, OutputTarget, Packer, TakenPlaces, copy_marks, profile_keys, with_form};
use crate::archive::decisions::{DecidedProfiles, DecisionsArgs, DecisionsError};
use crate::archive::file_error::FileError;
use crate::archive::folder::make_maildir;
use crate::archive::interrupt;
use crate::archive::read_through::read_through;
use crate::archive::replace::{Existing, Pending, TemporaryNames, folder_of, sync_folder};
use crate::archive::report::said::{counted, messages};
use crate::archive::report::same_mail::SameMail;
use crate::archive::report::{Provenance, ReportFormat, Tally};
use crate::archive::sums::{RunningSum, Summation, Summed};
use crate::process::advice::AdviceBasis;
use crate::process::exit::{Exit, Failure};
use crate::process::say::say;
use crate::process::settings::ProfileArgs;

/// Join the shards of a plan, when all of them are converted
///
/// Every checksum is looked at; the result is that of one `septet convert`, octet for octet, and so are the reports.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet join --plan plan.jsonl --out-dir shards -o clean.mbox
      joins what `septet convert --plan plan.jsonl --out-dir shards` has made, shard by shard
  septet join --plan plan.jsonl --out-dir shards -o - | zstd > clean.mbox.zst
      writes it into a pipe")]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    #[command(flatten)]
    decided: DecisionsArgs,

    /// Join the shards of PLAN, which `septet plan` wrote
    #[arg(long, value_name = "PLAN")]
    plan: PathBuf,

    /// Read the shards in DIR
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,

    /// Write to OUT: a file for one input, a folder for several, for a Maildir or for what `plan -r` found; - is
    /// standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Report what happened to every message: FILE ends in .jsonl, .html or .csv; may be repeated
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

/// How the names of passing files start, for the next join to find what one left that was killed.
const PASSING: &str = "join-";

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    interrupt::stands(format!("{} is as it was", shown_place(&args.output)));
    let (settings, profiles) = args.settings.settings_and_profiles()?;
    let profiles = args.decided.with(profiles)?;
    let reports = args.report.iter().map(|path| with_form(path.clone())).collect::<Result<Vec<_>, _>>()?;
    let mut ready = Vec::new();
    for (shard, line) in read_plan(&args.plan)? {
        let (number, path) = (shard.shard, ShardPaths::new(&args.out_dir, shard.shard).ok());
        let done = ShardDone::read(&path, number)?.ok_or_else(|| ShardError::NotDone { number, path: path.clone() })?;
        if done.made_by != made_by(&line, &profiles) || done.pieces.len() != shard.pieces.len() {
            return Err(ShardError::Other { number, path }.into());
        }
        ready.push(Ready { shard, done });
    }
    check_decided(&profiles, &ready)?;
    let basis = Some(Arc::new(AdviceBasis::new(&settings, &profiles)));
    let settings = profile_keys(&settings, &profiles);
    let pieces = ready.iter().flat_map(|it| &it.shard.pieces);
    let mut inputs: Vec<PathBuf> = pieces.map(|piece| piece.input.clone()).collect();
    inputs.dedup();
    let again = ["-o".into(), args.output.clone().into_os_string()];
    let same_mail = SameMail::of(&args.settings, &inputs).converted_by(Some(again.into()));
    let provenance = Provenance { profile: profiles.names(), settings, same_mail, basis, ..Provenance::default() };
    let joined = join(&args, &ready, reports, provenance);
    let tally = joined.inspect_err(|_| _ = interrupt::clean_up())?;
    if !args.quiet {
        let (shards, are) = (counted(ready.len() as u64, "shard"), if ready.len() == 1 { "is" } else { "are" });
        let (messages, out) = (messages(tally.messages), shown_place(&args.output));
        say(format_args!("{shards} {are} joined in {out}: {messages}, {} changed", tally.changed));
        // In one piece: stderr has no buffer.
        let _ = io::stderr().write_all(tally.to_string().as_bytes());
    }
    tally.check_faults()
}

/// Refuses shards where a message of which something was decided by itself is in none of them.
fn check_decided(profiles: &DecidedProfiles, ready: &[Ready]) -> Result<(), DecisionsError> {
    let met: Vec<&str> = ready.iter().flat_map(|it| &it.done.decided).map(String::as_str).collect();
    match profiles.missing(&met) {
        Some(what) => Err(profiles.error(|path| DecisionsError::MissingInShards { path, what })),
        None => Ok(()),
    }
}

/// Joins the pieces of all inputs and the reports, and gives all of them their places once every checksum was right.
fn join(
    args: &Args,
    ready: &[Ready],
    reports: Vec<(PathBuf, ReportFormat)>,
    provenance: Provenance,
) -> Result<Tally, Failure> {
    let names = TemporaryNames::new(PASSING);
    reports.iter().for_each(|(report, _)| TemporaryNames::remove_dead(PASSING, folder_of(report)));
    let inputs = pieces_of(ready, &args.out_dir);
    let mut taken = read_besides(args, ready, &inputs);
    let places = places(&inputs, &args.output, &mut taken)?;
    args.report.iter().try_for_each(|report| taken.take_report(report))?;
    let shows = reports.iter().any(|(_, form)| *form == ReportFormat::Page);
    let (mut pending, mut files) = (Vec::new(), BTreeMap::new());
    for (number, pieces) in &inputs {
        let (first, to) = (first_piece(pieces), places[number].clone());
        // A Maildir's is made of those of its messages.
        let sum = RunningSum::new(shows && !is_maildir(pieces));
        make_folder_of(&to)?;
        [folder_of(&to), &to.join("tmp")].iter().for_each(|folder| TemporaryNames::remove_dead(PASSING, folder));
        if !first.output.as_os_str().is_empty() {
            // As one `convert` of the folder takes them along.
            copy_marks(folder_of(&first.path), folder_of(&to))?;
        }
        match is_maildir(pieces) {
            true => pending.extend(join_maildir(pieces, &to, &names)?),
            false => pending.extend(join_file(args, pieces, (&to, &sum), &names)?),
        }
        let (input, path) = (first.input.clone(), first.path.clone());
        files.insert(*number, JoinedFile { input, path, to, after: sum.total() });
    }
    let tally = ready.iter().fold(Tally::default(), |mut tally, it| {
        tally.add_all(&it.done.tally);
        tally
    });
    let joined = Joined { out_dir: &args.out_dir, ready, files, tally: &tally, provenance };
    pending.extend(join_report::join(joined, reports, &names)?);
    for it in &pending {
        it.carry_out(&Existing::Replace).map_err(ShardError::from)?;
    }
    let folders: BTreeMap<&Path, &Path> = pending.iter().map(|it| (folder_of(&it.to), it.to.as_path())).collect();
    folders.values().for_each(|it| sync_folder(it));
    Ok(tally)
}

/// Returns what is read beside the inputs, so that no output and no report takes its place; the inputs themselves are
/// added by [`places`].
fn read_besides(args: &Args, ready: &[Ready], inputs: &BTreeMap<usize, JoinPieces>) -> TakenPlaces {
    let mut taken = TakenPlaces::default().beside(&args.settings, &args.decided);
    taken.read_besides([&args.plan], "the plan");
    for Ready { shard, .. } in ready {
        let paths = ShardPaths::new(&args.out_dir, shard.shard);
        taken.read_besides([paths.ok(), paths.report()], "what a shard wrote");
    }
    inputs.values().flatten().for_each(|piece| taken.read_besides([&piece.path], "what a shard wrote"));
    taken
}

/// Makes the folder in which an output is to be.
fn make_folder_of(to: &Path) -> Result<(), FileError> {
    let folder = folder_of(to);
    fs::create_dir_all(folder).map_err(FileError::writing(folder.display()))
}

/// Joins the pieces of a file, in order, ready to take its place, with the mode and times of the input, if that is
/// here; `whole` adds up what is written. An error where a piece is not what its shard wrote. For standard output that
/// is seen of each piece and its report before anything is written: what went out can't be called back.
fn join_file(
    args: &Args,
    pieces: &JoinPieces,
    (to, whole): (&Path, &RunningSum),
    names: &TemporaryNames,
) -> Result<Option<Pending>, Failure> {
    let like = Some(first_piece(pieces).path.clone()).filter(|input| input.exists());
    let target = match is_stdout(to) {
        true => OutputTarget::Stdout { shown: false },
        false => OutputTarget::file(to.to_owned(), like),
    };
    let writing = |source| match is_stdout(to) {
        true => Failure::of_output(source),
        false => FileError::writing(to.display())(source).into(),
    };
    if is_stdout(to) {
        check_sums(args, pieces)?;
        interrupt::stands("what went to standard output is not whole".to_owned());
    }
    // As `convert` does: compressed as the name says.
    let packed = Packer::new(Compression::of_name(to), Summed::new(target.open(names)?, whole.clone()));
    let mut packer = packed.map_err(writing)?;
    copy_pieces(pieces, |octets| packer.write_all(octets).map_err(writing))?;
    Ok(packer.finish().map_err(writing)?.into_inner().prepare(true)?)
}

/// Sees to it that pieces and their reports are what their shards wrote.
fn check_sums(args: &Args, pieces: &JoinPieces) -> Result<(), Failure> {
    for piece in pieces {
        if sum_of(&piece.path)? != piece.done.output {
            return Err(piece.damaged().into());
        }
        let path = ShardPaths::new(&args.out_dir, piece.shard).report();
        if sum_of(&path)? != *piece.report {
            return Err(ShardError::Damaged { number: piece.shard, path }.into());
        }
    }
    Ok(())
}

/// Shows the octets of the pieces of a file to `write`, in order. An error where a piece is not what its shard wrote.
fn copy_pieces(pieces: &JoinPieces, mut write: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
    for piece in pieces {
        let path = &piece.path;
        let from = File::open(path).map_err(FileError::opening(path.display()))?;
        let mut sum = Summation::default();
        let unread = |error| FileError::reading(path.display())(error).into();
        read_through(BufReader::with_capacity(256 << 10, from), unread, |octets| {
            sum.add(octets);
            write(octets)
        })?;
        if sum.checksum() != piece.done.output {
            return Err(piece.damaged().into());
        }
    }
    Ok(())
}

/// Joins the pieces of a Maildir: its folders are made as `convert` makes them, and each message, and each file of
/// settings that the shard took along and that is not there yet, is ready to take its place. An error where one is not
/// what its shard wrote.
fn join_maildir(pieces: &JoinPieces, to: &Path, names: &TemporaryNames) -> Result<Vec<Pending>, Failure> {
    let (writing, mut pending) = (FileError::writing(to.display()), Vec::new());
    make_maildir(to).map_err(|(_, source)| writing(source))?;
    for piece in pieces {
        if sum_of(&piece.path)? != piece.done.output {
            return Err(piece.damaged().into());
        }
        for message in messages_of(&piece.path).map_err(FileError::reading(piece.path.display()))? {
            let place = to.join(message.strip_prefix(&piece.path).unwrap_or(&message));
            let folder = folder_of(&place);
            let is_message = folder.ends_with("cur") || folder.ends_with("new");
            make_maildir(if is_message { folder_of(folder) } else { folder }).map_err(|(_, source)| writing(source))?;
            if !is_message && place.exists() {
                continue;
            }
            let mut from = File::open(&message).map_err(FileError::opening(message.display()))?;
            let target = OutputTarget::File { to: place, folder: to.join("tmp"), like: Some(message), replaces: None };
            let mut made = target.open(names)?;
            io::copy(&mut from, &mut made).map_err(&writing)?;
            pending.extend(made.prepare(true)?);
        }
    }
    Ok(pending)
}
