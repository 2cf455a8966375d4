//! The inputs: what they are, told before anything is written.

use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::place::Place;
use crate::protocol::mbox::first_message;
use crate::run::stdio;

/// How messages stand in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tell it by the input itself: a folder is a Maildir, a file that starts with `From ` an mbox, any other one message
    Auto,
    /// A mailbox file: messages one after the other, each with a From_ line
    Mbox,
    /// A folder with cur, new and tmp: a message a file
    Maildir,
    /// A file that is one message
    Eml,
}

/// The octets that tell what a file is.
const HEAD: u64 = 4096;

/// An input that is there, can be read, and is of a known form.
#[derive(Debug)]
pub struct Input {
    /// The name that it has in reports: its path as given, or `-`.
    pub name: String,
    /// Its path; none for standard input and for a pipe, which are no places.
    pub path: Option<PathBuf>,
    /// Mbox, Maildir or Eml.
    pub format: Format,
    /// Its octets; 0 where that is not known.
    pub size: u64,
    /// What can be read only once: what was read of it to tell its form, and the rest.
    opened: Option<(Vec<u8>, File)>,
}

impl Input {
    /// Looks at an input; `-` is standard input.
    pub fn look(path: &Path, asked: Format) -> Result<Input, Error> {
        let name = path.display().to_string();
        if path.as_os_str() == "-" {
            return Input::look_once(open(None, &name)?, name, asked);
        }
        let metadata = fs::metadata(path).map_err(|source| Error::Open { name: name.clone(), source })?;
        if metadata.is_dir() {
            let path = Some(path.to_owned());
            return Input { name, path, format: Format::Maildir, size: 0, opened: None }.checked_folder(asked);
        }
        let file = open(Some(path), &name)?;
        if !metadata.is_file() {
            return Input::look_once(file, name, asked);
        }
        let Input { name, format, .. } = Input::look_once(file, name, asked)?;
        Ok(Input { name, path: Some(path.to_owned()), format, size: metadata.len(), opened: None })
    }

    /// Takes a file without looking into it.
    pub fn of_file(path: PathBuf, format: Format) -> Result<Input, Error> {
        let name = path.display().to_string();
        let metadata = fs::symlink_metadata(&path);
        let size = metadata.map_err(|source| Error::Open { name: name.clone(), source })?.len();
        Ok(Input { name, path: Some(path), format, size, opened: None })
    }

    /// Tells which file it is, where it is one without a path: standard input that was opened by a shell.
    pub fn place(&self) -> Option<Place> {
        self.opened.as_ref().and_then(|(_, file)| Place::of_file(file))
    }

    fn look_once(mut file: File, name: String, asked: Format) -> Result<Input, Error> {
        let head = read_head(&mut file).map_err(|source| Error::Open { name: name.clone(), source })?;
        let format = format_of(&head, asked, &name)?;
        Ok(Input { name, path: None, format, size: 0, opened: Some((head, file)) })
    }

    fn checked_folder(self, asked: Format) -> Result<Input, Error> {
        let Some(path) = &self.path else { return Ok(self) };
        let is_maildir = path.join("cur").is_dir() && path.join("new").is_dir();
        match asked {
            Format::Auto | Format::Maildir if is_maildir => Ok(self),
            Format::Auto | Format::Maildir => Err(Error::NotMaildir { name: self.name }),
            _ => Err(Error::Open { name: self.name, source: std::io::ErrorKind::IsADirectory.into() }),
        }
    }

    /// Opens it, to be read from its start.
    pub fn open(&mut self) -> Result<Box<dyn Read + Send>, Error> {
        Ok(match self.opened.take() {
            Some((head, rest)) => Box::new(Cursor::new(head).chain(rest)),
            None => Box::new(open(self.path.as_deref(), &self.name)?),
        })
    }

    /// Opens it once more, from its start; none where it can be read only once.
    pub fn open_file(&self) -> Result<Option<File>, Error> {
        self.path.as_deref().map(|path| open(Some(path), &self.name)).transpose()
    }
}

fn open(path: Option<&Path>, name: &str) -> Result<File, Error> {
    let file = path.map_or_else(stdio::stdin, File::open);
    file.map_err(|source| Error::Open { name: name.to_owned(), source })
}

fn read_head(from: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    from.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

fn format_of(head: &[u8], asked: Format, name: &str) -> Result<Format, Error> {
    if let Some(how) = compression(head) {
        return Err(Error::Compressed { name: name.to_owned(), how });
    }
    let text = head.iter().position(|octet| !matches!(octet, b'\r' | b'\n')).unwrap_or(head.len());
    let is_mbox = head[text..].starts_with(b"From ") || first_message(head).is_some();
    match asked {
        Format::Auto => Ok(if is_mbox { Format::Mbox } else { Format::Eml }),
        Format::Mbox if !is_mbox && !head.is_empty() => Err(Error::NotMbox { name: name.to_owned() }),
        Format::Maildir => Err(Error::NotMaildir { name: name.to_owned() }),
        asked => Ok(asked),
    }
}

/// Tells the compression of a file by its first octets.
pub fn compression(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], _); 4] =
        [(b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\xfd7zXZ\0", "xz"), (b"BZh", "bzip2")];
    known.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, how)| how)
}
