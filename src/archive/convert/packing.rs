//! The form of what is written: mailbox files, their dialect, Maildirs or .eml files; into which mailboxes it is
//! sorted; and how outputs are compressed: as `--compress` says, else as their names say; in place as they were.

use std::path::{Path, PathBuf};

use super::{Compression, ConvertError, Format, Input, OutputTarget, refuse};
use crate::archive::replace::with_suffix;
use crate::protocol::mbox::Dialect;

/// What `--compress` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Compress {
    /// Not at all
    None,
    /// gzip, .gz
    #[value(alias = "gz")]
    Gzip,
    /// Zstandard, .zst
    #[value(alias = "zst")]
    Zstd,
    /// XZ, .xz
    Xz,
    /// bzip2, .bz2
    #[value(alias = "bz2")]
    Bzip2,
}

impl Compress {
    /// Returns the compression; none for none.
    pub fn compression(self) -> Option<Compression> {
        match self {
            Compress::None => None,
            Compress::Gzip => Some(Compression::Gzip),
            Compress::Zstd => Some(Compression::Zstd),
            Compress::Xz => Some(Compression::Xz),
            Compress::Bzip2 => Some(Compression::Bzip2),
        }
    }
}

/// Gives the outputs of these inputs the names that go with `--compress`, where they get their own in a folder. The
/// output of a Maildir is a folder, whose name says nothing of that.
pub fn name_outputs(asked: Option<Compress>, inputs: &mut [Input]) {
    let Some(asked) = asked.map(Compress::compression) else { return };
    for input in inputs.iter_mut().filter(|input| input.format != Format::Maildir) {
        let Some(name) = input.name_in_folder() else { continue };
        input.output_name = Some(packed_name(unpacked_name(&name), asked));
    }
}

/// Returns the name of a file without the end that says how it is compressed.
pub fn unpacked_name(name: &Path) -> PathBuf {
    if Compression::of_name(name).is_some() { name.with_extension("") } else { name.to_owned() }
}

/// Returns the name of a file with the end that says how it is compressed; as it is where it is not.
pub fn packed_name(name: PathBuf, how: Option<Compression>) -> PathBuf {
    if let Some(how) = how { with_suffix(&name, format!(".{}", how.extension())) } else { name }
}

/// Tells how an output is compressed: as `--compress` says, else as its name does; in place as it was. An error where
/// `--compress` says something else than the name, or in place than the file.
pub fn compression(
    asked: Option<Compress>,
    input: &Input,
    target: &OutputTarget,
) -> Result<Option<Compression>, ConvertError> {
    let Some(path) = target.replaced() else {
        let to = if let OutputTarget::File { to, .. } = target { Some(to.as_path()) } else { None };
        return compression_of(asked, to);
    };
    if asked.is_some_and(|asked| asked.compression() != input.compression) {
        let text = "stays compressed as it is where it is converted in place: use -o for --compress";
        return refuse(format!("{} {text}", path.display()));
    }
    Ok(input.compression)
}

/// Tells how an output of this path is compressed: as `--compress` says, else as its name does. An error where
/// `--compress` says something else than the name.
pub fn compression_of(asked: Option<Compress>, to: Option<&Path>) -> Result<Option<Compression>, ConvertError> {
    let named = to.and_then(Compression::of_name);
    match (asked.map(Compress::compression), to) {
        (None, _) => Ok(named),
        (Some(asked), Some(to)) if named.is_some() && asked != named => {
            refuse(format!("--compress says something else than the name {}", to.display()))
        }
        (Some(asked), _) => Ok(asked),
    }
}

/// The forms in which mail can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    /// Mailbox files; one that is read as such stays in its dialect, or goes back to it, any other is mboxrd
    Mbox,
    /// Mailbox files that quote `From ` at the start of a line
    Mboxo,
    /// Mailbox files that quote `>From ` as well, which can be undone
    Mboxrd,
    /// Mailbox files that quote, and state the Content-Length
    Mboxcl,
    /// Mailbox files that state the Content-Length, and do not quote
    Mboxcl2,
    /// Maildirs: a file for each message, with its flags in the name
    Maildir,
    /// Folders with a file for each message: 000001.eml and so on
    Eml,
}

impl OutputFormat {
    /// Returns the dialect that it names.
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            OutputFormat::Mboxo => Some(Dialect::Mboxo),
            OutputFormat::Mboxrd => Some(Dialect::Mboxrd),
            OutputFormat::Mboxcl => Some(Dialect::Mboxcl),
            OutputFormat::Mboxcl2 => Some(Dialect::Mboxcl2),
            OutputFormat::Mbox | OutputFormat::Maildir | OutputFormat::Eml => None,
        }
    }

    /// Returns the format, without its dialect.
    pub fn format(self) -> Format {
        match self {
            OutputFormat::Maildir => Format::Maildir,
            OutputFormat::Eml => Format::Eml,
            _ => Format::Mbox,
        }
    }

    /// Returns `true` if mailbox files are written.
    pub fn is_mailbox(self) -> bool {
        self.format() == Format::Mbox
    }
}

/// What `--split-by` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SplitBy {
    /// By the labels of Gmail, as a Google Takeout has them
    Label,
}

/// What `--labels` says: where a message goes that has several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LabelChoice {
    /// To one mailbox: Trash or Spam, else the first label that the user made, else Drafts, Sent, Chat, Inbox, Archived
    #[default]
    First,
    /// To the mailbox of each label
    Each,
}
