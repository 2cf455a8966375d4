//! The form of what is written: mailbox files, their dialect, Maildirs or .eml files; and how outputs are compressed: as `--compress` says, else as their names say; in place as they were.

use std::path::{Path, PathBuf};

use super::compression::Compression;
use super::error::ConvertError;
use super::input::{Format, Input};
use super::target::OutputTarget;
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
        let Some(name) = output_name(input) else { continue };
        let bare = if Compression::of_name(&name).is_some() { name.with_extension("") } else { name };
        let mut packed = bare.into_os_string();
        if let Some(how) = asked {
            packed.push(".");
            packed.push(how.extension());
        }
        input.output_name = Some(PathBuf::from(packed));
    }
}

/// Returns the name that an input's output has in a folder; none where the input has no name.
fn output_name(input: &Input) -> Option<PathBuf> {
    let own = || input.path.as_deref()?.canonicalize().ok()?.file_name().map(PathBuf::from);
    input.output_name.clone().or_else(own)
}

/// Tells how an output is compressed: as `--compress` says, else as its name does; in place as it was. An error where
/// `--compress` says something else than the name, or in place than the file.
pub fn compression(
    asked: Option<Compress>,
    input: &Input,
    target: &OutputTarget,
) -> Result<Option<Compression>, ConvertError> {
    let to = match target {
        OutputTarget::InPlace { path, .. } => return in_place(asked, input, path),
        OutputTarget::File { to, .. } => Some(to.as_path()),
        OutputTarget::Nowhere | OutputTarget::Stdout => None,
    };
    let named = to.and_then(Compression::of_name);
    match (asked, to) {
        (None, _) => Ok(named),
        (Some(asked), Some(to)) if named.is_some() && asked.compression() != named => refuse(to),
        (Some(asked), _) => Ok(asked.compression()),
    }
}

/// Returns the compression of a file that is converted in place; an error where another is asked for.
fn in_place(asked: Option<Compress>, input: &Input, path: &Path) -> Result<Option<Compression>, ConvertError> {
    match asked {
        Some(asked) if asked.compression() != input.compression => {
            let text = "stays compressed as it is where it is converted in place: use -o for --compress";
            Err(ConvertError::Usage(format!("{} {text}", path.display())))
        }
        _ => Ok(input.compression),
    }
}

fn refuse<T>(to: &Path) -> Result<T, ConvertError> {
    Err(ConvertError::Usage(format!("--compress says something else than the name {}", to.display())))
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
