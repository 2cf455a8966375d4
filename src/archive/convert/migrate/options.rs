//! Options that don't go with another form, with pieces, or with a mailbox for each label: refused with what to do
//! instead.

use crate::archive::convert::{Args, Compress, ConvertError, Format, Input, refuse};

/// Refuses options that don't go with another form, with pieces, or with a mailbox for each label.
pub fn check_options(args: &Args, staying: &[Input], migrating: &[Input]) -> Result<(), ConvertError> {
    let is_folder = args.output_format.is_some_and(|form| !form.is_mailbox());
    if args.split.is_some() && (is_folder || !staying.is_empty()) {
        return refuse("--split cuts mailbox files: add --output-format mbox");
    }
    if migrating.is_empty() {
        return Ok(());
    }
    let (by_label, to_stdout) =
        (args.split_by.is_some(), args.output.as_deref().is_none_or(|out| out.as_os_str() == "-"));
    let has_folders = migrating.iter().any(|input| input.format != Format::Mbox);
    let asked = match () {
        () if by_label && args.split.is_some() => {
            "--split-by makes a mailbox for each label, and --split pieces of one: use one of them, and the other on what it wrote"
        }
        () if by_label && args.in_place => {
            "--split-by makes a new folder, and leaves the inputs as they are: use -o instead of --in-place"
        }
        () if by_label && args.backup.is_some() => {
            "--backup is for files, and --split-by makes a new folder: leave it out"
        }
        () if by_label && to_stdout && !args.dry_run => {
            "--split-by needs -o: a folder with a mailbox for each label is written"
        }
        () if by_label && has_folders && args.output_format.is_none() => {
            "--split-by keeps the form of mailbox files alone: add --output-format maildir, eml or mbox"
        }
        () if args.in_place => {
            "another --output-format, or --split, has no place that is its own: use -o instead of --in-place"
        }
        () if args.keep_original => {
            "--keep-original is of no use here: the inputs stay as they are, and what is written leads back to them"
        }
        () if is_folder && args.backup.is_some() => "--backup is for files: what is written is a new folder",
        () if is_folder && args.compress.is_some_and(|how| how != Compress::None) => {
            "--compress is for mailbox files, and a folder of messages is written"
        }
        () => return Ok(()),
    };
    refuse(asked)
}
