//! The options of `septet convert`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::packing::SplitBy;
use super::{Compress, ConvertError, Format, Input, LabelChoice, OutputFormat, Rules, refuse};
use crate::archive::decisions::DecisionsArgs;
use crate::archive::replace::Existing;
use crate::archive::report::ReportFormat;
use crate::archive::shard::ShardArgs;
use crate::archive::size_argument::size_argument;
use crate::process::settings::ProfileArgs;

/// Convert archives: mbox, Maildir, .eml, compressed or not, also in a ZIP or tar
///
/// Messages that need no change are copied octet for octet. A summary goes to standard error at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet convert --dry-run --report report.html inbox.mbox
      changes nothing, and makes a page of what would change, and why
  septet convert -o clean.mbox inbox.mbox
      writes the mailbox anew; what needs no change stays octet for octet
  septet convert --in-place --keep-original -r Mail
      converts all mail in a folder; septet undo -r Mail takes it back
  septet convert --output-format maildir -o Maildir takeout.zip
      makes a Maildir of the mailbox in a Takeout, with flags and times
  septet convert --decisions inbox.mbox.decisions.jsonl -o clean.mbox inbox.mbox
      changes what was wanted when septet review asked, and nothing else
  septet convert --split-by label --output-format maildir -o Mail takeout.zip
      makes a Maildir for each of its labels")]
pub struct Args {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub settings: ProfileArgs,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub decided: DecisionsArgs,

    /// Read the inputs as FORMAT; auto detects it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    pub format: Format,

    /// Write FORMAT, whatever is read; without it all stays in the format and dialect that it is in
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub output_format: Option<OutputFormat>,

    /// Write mailbox files in pieces of about SIZE, OUT-001.mbox and so on, each whole: octets, or with KiB, MiB, GiB,
    /// KB, MB, GB
    #[arg(long, value_name = "SIZE", value_parser = size_argument)]
    pub split: Option<u64>,

    /// Sort mail into a mailbox for each label of Gmail, below the folder OUT: the labels of a Google Takeout
    #[arg(long, value_name = "WHAT", value_enum)]
    pub split_by: Option<SplitBy>,

    /// Write a message that has several labels to the first that counts, or to each
    #[arg(long, value_name = "WHICH", value_enum, requires = "split_by")]
    pub labels: Option<LabelChoice>,

    /// Compress the outputs; without it, as their names say: .gz, .zst, .xz, .bz2
    #[arg(long, value_name = "METHOD", value_enum)]
    pub compress: Option<Compress>,

    /// Convert all mail in folders and the folders in them; outputs get the same names below OUT
    #[arg(short, long)]
    pub recursive: bool,

    /// Leave out messages that Thunderbird marked deleted and still has in its file; the report names them
    ///
    /// In place it is for mailbox files alone.
    #[arg(long, conflicts_with = "plan")]
    pub skip_deleted: bool,

    /// Wait up to SECONDS for the locks of a mailbox file that is converted in place
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub lock_timeout: u64,

    /// Write to OUT: a file for one input, a folder for several or for a Maildir; to standard output without it, or
    /// for -
    ///
    /// An existing file is replaced once the new one is complete; the summary says so.
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub output: Option<PathBuf>,

    /// Replace each input, once it is converted whole; one in which nothing changes is not touched
    #[arg(long)]
    pub in_place: bool,

    /// Don't replace an existing file; exit with 73
    #[arg(long, conflicts_with_all = ["in_place", "backup"])]
    pub no_clobber: bool,

    /// Keep the old file under its name with SUFFIX appended
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, default_missing_value = "~")]
    pub backup: Option<OsString>,

    /// Write OUT.undo beside each output; `septet undo OUT` restores the input
    #[arg(long)]
    pub keep_original: bool,

    /// Read each output again before it is put in place; exit with 65 if it is not what was planned, octet for octet
    ///
    /// The file to be replaced is kept then, and the messages are named.
    #[arg(long)]
    pub verify: bool,

    /// Continue an interrupted run of the same command
    ///
    /// Output and report are those of a run that was never interrupted. Without an interrupted run it is an ordinary
    /// one, which keeps what it has done should it be interrupted early.
    #[arg(long)]
    pub resume: bool,

    /// Write no output; say in report and summary what would be done
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Report what happened to every message: FILE ends in .jsonl (one object a line), .html (a page) or .csv (a
    /// table); may be repeated
    #[arg(long, value_name = "FILE")]
    pub report: Vec<PathBuf>,

    /// Convert with N threads; one for each core without it
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Print errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print the result for each input
    #[arg(short, long)]
    pub verbose: bool,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub shard: ShardArgs,

    /// Convert these mailbox files, .eml files or Maildirs, or what mail is in these ZIP or tar files; - is standard
    /// input
    #[arg(required_unless_present = "plan", conflicts_with = "plan", value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
}

impl Args {
    /// Returns how outputs are written; an error where the suffix of `--backup` can't end the name of a file in the
    /// same folder.
    pub fn rules(&self) -> Result<Rules, ConvertError> {
        let existing = match &self.backup {
            Some(suffix) if suffix.is_empty() || suffix.as_encoded_bytes().contains(&b'/') => {
                return refuse("--backup wants a suffix for a file's name");
            }
            Some(suffix) => Existing::Backup(suffix.clone()),
            None if self.no_clobber => Existing::Keep,
            None => Existing::Replace,
        };
        let Args { verify, keep_original, skip_deleted, quiet, verbose, .. } = *self;
        Ok(Rules { existing, verify, keep_original, skip_deleted, quiet, verbose })
    }

    /// Refuses `--skip-deleted` for inputs that are files of one message each, with `--in-place` or `--keep-original`:
    /// no file is removed there.
    pub fn check_left_out(&self, inputs: &[Input]) -> Result<(), ConvertError> {
        let is_lost = self.skip_deleted && (self.in_place || self.keep_original);
        match inputs.iter().find(|input| is_lost && input.format != Format::Mbox) {
            Some(input) => refuse(format!(
                "{}: --skip-deleted removes no files, so it goes with neither --in-place nor --keep-original here",
                input.name
            )),
            None => Ok(()),
        }
    }

    /// Returns the reports with their forms; an error where a name tells none ([`with_form`]).
    pub fn reports(&self) -> Result<Vec<(PathBuf, ReportFormat)>, ConvertError> {
        self.report.iter().map(|path| with_form(path.clone())).collect()
    }

    /// Refuses options that don't go together, where clap can't tell. What depends on the inputs is refused later:
    /// [`Args::check_left_out`], `migrate::check_options`, `Output::of`.
    pub fn check(&self) -> Result<(), ConvertError> {
        let to_stdout = self.output.as_deref().is_none_or(|out| out.as_os_str() == "-");
        let asked = match () {
            () if self.verify && self.dry_run => "--verify reads what was written, and --dry-run writes nothing",
            () if self.verify && to_stdout && !self.in_place => {
                "--verify needs an output that can be read: use -o or --in-place"
            }
            () if self.resume && self.report.is_empty() && self.dry_run => "--resume needs something that is written",
            () if self.resume && to_stdout && !self.in_place && !self.dry_run => {
                "--resume needs an output of its own: use -o or --in-place"
            }
            () if self.recursive && self.in_place && self.backup.is_some() => {
                "--backup would put more mail into the folders that -r walks: use --keep-original"
            }
            () => return Ok(()),
        };
        refuse(asked)
    }
}

/// Returns the path of a report with the form that its name tells; an error where it tells none.
pub fn with_form(path: PathBuf) -> Result<(PathBuf, ReportFormat), ConvertError> {
    match ReportFormat::of(&path) {
        Some(form) => Ok((path, form)),
        None => refuse(format!("--report {}: the name must end in .jsonl, .html or .csv", path.display())),
    }
}
