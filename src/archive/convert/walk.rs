//! Walks folders for `-r`: every mailbox file, message and Maildir in them.
//!
//! What a file is is told by its content, as everywhere. What is no mail (indexes, summaries, settings of mail
//! programs) is skipped and named; symbolic links in the folder are not followed, lest a file be converted twice. A
//! Maildir is taken as one input; folders in it that are none of its own are walked too, as Dovecot's layout `fs` has
//! them.

use std::borrow::Cow;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::container::Container;
use super::mh::{is_mark, is_number, is_removed};
use super::migrate::ORIGIN;
use super::numbered::take_for_messages;
use super::{ConvertError, Format, Input, is_maildir, refuse};
use crate::archive::file_error::FileError;
use crate::archive::folder::{OF_MAILDIR, list};
use crate::archive::replace::{PREFIX, path_json};
use crate::archive::report::said::named;

/// How many of what is passed over are named.
const NAMED: usize = 5;

/// What was found in folders.
#[derive(Default)]
pub struct Walk {
    /// The inputs, in the order of their names.
    pub inputs: Vec<Input>,
    /// What is passed over, and why.
    pub skipped: Vec<Skipped>,
    /// The folder to which the run writes, without symbolic links; none where it is not there, or not known.
    out: Option<PathBuf>,
}

/// A file that is passed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its path.
    #[serde(with = "path_json")]
    pub path: PathBuf,
    /// Why, as half a sentence about it.
    pub reason: Cow<'static, str>,
}

impl Walk {
    /// Looks at all inputs that were named ([`add`](Self::add)), as `asked`, and not at what an earlier conversion to
    /// `out` wrote there. Of several files one without mail is skipped, for not each archive of a Takeout has some; an
    /// error where none has any.
    pub fn of(out: Option<&Path>, paths: &[PathBuf], asked: Format, is_recursive: bool) -> Result<Walk, ConvertError> {
        let mut walk = Walk { out: out.and_then(|out| fs::canonicalize(out).ok()), ..Walk::default() };
        for path in paths {
            match walk.add(path, asked, paths.len() > 1, is_recursive) {
                Err(ConvertError::NoMail { .. }) if paths.len() > 1 && path.is_file() => {
                    walk.skip(path.clone(), "it contains no mail");
                }
                added => added?,
            }
        }
        paths.first().map_or(Ok(()), |first| walk.check_found(first, 0))?;
        Ok(walk)
    }

    /// Looks at an input that was named: a folder is walked if that is asked for (`is_recursive`), anything else is
    /// taken as it is. Of several, a folder that is walked and an archive of files get a folder of their own among the
    /// outputs, any other file none; where nothing is found in a folder or an archive, that is an error.
    pub fn add(&mut self, path: &Path, asked: Format, several: bool, is_recursive: bool) -> Result<(), ConvertError> {
        if !is_recursive || !path.is_dir() {
            return self.add_file(path, asked, several);
        }
        let before = self.inputs.len();
        let below = match fs::canonicalize(path).ok().as_deref().and_then(Path::file_name) {
            Some(name) if several => PathBuf::from(name),
            _ => PathBuf::new(),
        };
        self.walk(path, &below, asked)?;
        self.check_found(path, before)
    }

    /// Passes over what is no mail, with half a sentence that says why.
    fn skip(&mut self, path: PathBuf, reason: impl Into<Cow<'static, str>>) {
        self.skipped.push(Skipped { path, reason: reason.into() });
    }

    /// Refuses a path in which nothing was found: there are no more inputs than `before`.
    fn check_found(&self, path: &Path, before: usize) -> Result<(), ConvertError> {
        let is_any = self.inputs.len() > before;
        if is_any { Ok(()) } else { Err(ConvertError::NoMail { name: path.display().to_string() }) }
    }

    /// Looks at an input that is no folder, or is taken as it is: an archive of files is read as a folder of these. Of
    /// several, each such gets a folder of its own among the outputs.
    fn add_file(&mut self, path: &Path, asked: Format, several: bool) -> Result<(), ConvertError> {
        let listed = if path.is_file() { Container::list(path) } else { Ok(None) };
        let Some(container) = listed.map_err(FileError::reading(path.display()))? else {
            self.inputs.push(Input::look(path, asked)?);
            return Ok(());
        };
        if let Some(why) = container.why_unread() {
            return refuse(format!("{} can't be read as it is, since {why}: unpack it first", path.display()));
        }
        if let (true, Some((name, hint))) = (container.members.is_empty(), container.first_unread()) {
            return Err(ConvertError::NotMail { name: path.join(name).display().to_string(), hint });
        }
        let own = path.file_stem().filter(|_| several).map(PathBuf::from).unwrap_or_default();
        let (before, folder) = (self.inputs.len(), container.folder());
        for (name, member) in container.members {
            let below = own.join(name.strip_prefix(&folder).unwrap_or(&name));
            self.take_found(Input::look_at_member(path, &name, member, asked), path.join(&name), below)?;
        }
        container.passed.into_iter().for_each(|(name, reason)| self.skip(path.join(name), reason));
        self.check_found(path, before)
    }

    /// Says what was skipped, of many only the first; none when nothing was.
    pub fn said_of_skipped(&self) -> Option<String> {
        let names: Vec<_> = self.skipped.iter().map(|it| it.path.display()).collect();
        Some(format!("skipped, not mail: {}", named(&names, NAMED)?))
    }

    /// Walks a folder, whose outputs go `below` OUT, without recursion: it may be deep. In a Maildir only the folders
    /// that are none of its own are walked further, and the files beside its cur and new are no mail.
    fn walk(&mut self, folder: &Path, below: &Path, asked: Format) -> Result<(), ConvertError> {
        let mut folders = vec![(folder.to_owned(), below.to_owned())];
        while let Some((folder, below)) = folders.pop() {
            let maildir = is_maildir(&folder);
            if maildir && matches!(asked, Format::Auto | Format::Maildir) {
                self.take(&folder, &below, Format::Maildir)?;
            }
            let (mut inner, before) = (Vec::new(), self.inputs.len());
            let entries = list(&folder).map_err(FileError::opening(folder.display()))?;
            let is_mh = entries.iter().any(|(path, kind)| kind.is_file() && path.file_name().is_some_and(is_number));
            for (path, kind) in entries {
                if kind.is_dir() && is_partial_folder(&path) {
                    continue;
                }
                if let Some(reason) = self.why_left_out(&path, kind, is_mh) {
                    self.skip(path, reason);
                    continue;
                }
                let Some(name) = path.file_name() else { continue };
                let own = maildir && (OF_MAILDIR.iter().any(|own| name == *own) || is_subfolder(&path));
                if kind.is_dir() && !own {
                    inner.push((path.clone(), below.join(name)));
                } else if kind.is_file() && !maildir && asked != Format::Maildir {
                    self.take(&path, &below.join(name), asked)?;
                } else if !kind.is_dir() && !kind.is_file() {
                    let reason = if kind.is_symlink() { "it is a symbolic link" } else { "it is no file" };
                    self.skip(path, reason);
                }
            }
            if asked == Format::Auto {
                take_for_messages(&mut self.inputs[before..], &folder)?;
            }
            folders.extend(inner.into_iter().rev());
        }
        Ok(())
    }

    /// Says why something in a folder that is walked is left out, whatever it holds; `is_mh` where messages of MH are
    /// beside it.
    fn why_left_out(&self, path: &Path, kind: FileType, is_mh: bool) -> Option<&'static str> {
        let is_out = || self.out.is_some() && fs::canonicalize(path).ok() == self.out;
        if kind.is_dir() {
            return is_out().then_some("it is the output");
        }
        (is_mh && kind.is_file() && is_removed(path)).then_some("it is a message that was removed")
    }

    /// Takes a file or a Maildir as an input, which has the name `below` among the outputs; what is no mail is skipped
    /// and named. Locks of mailbox files and septet's own files are passed over in silence.
    fn take(&mut self, path: &Path, below: &Path, asked: Format) -> Result<(), ConvertError> {
        if path.extension().is_some_and(|end| end == "lock") || is_own(path) {
            return Ok(());
        }
        // Whoever wrote that file wrote the messages beside it, however little they look like mail.
        let is_known = asked == Format::Auto && path.extension().is_some_and(|end| end == "eml");
        let asked = if is_known && path.with_file_name(ORIGIN).is_file() { Format::Eml } else { asked };
        let mut looked = Input::look(path, asked);
        looked.iter_mut().for_each(|input| input.walked = true);
        self.take_found(looked, path.to_owned(), below.to_owned())
    }

    /// Takes what was `looked` at as an input, which has the name `below` among the outputs; what is no mail is skipped
    /// and named.
    fn take_found(
        &mut self,
        looked: Result<Input, ConvertError>,
        path: PathBuf,
        below: PathBuf,
    ) -> Result<(), ConvertError> {
        match looked {
            Ok(mut input) => {
                input.output_name = Some(below);
                self.inputs.push(input);
            }
            Err(ConvertError::NotMail { hint, .. }) => self.skip(path, hint),
            Err(ConvertError::NotMbox { .. }) => self.skip(path, "it does not start with a From_ line"),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Returns `true` if a file is septet's own: what an interrupted run had begun, beside the one that it was to replace,
/// or what was kept of a mailbox file beside the messages in it; or one of marks, which goes with the messages.
fn is_own(path: &Path) -> bool {
    let partial = path.extension().is_some_and(|end| end == "partial") && path.with_extension("").is_file();
    let journal = path.extension().is_some_and(|end| end == "resume") && path.with_extension("").exists();
    let passing = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    let origin = path.file_name().is_some_and(|name| name == ORIGIN);
    partial || journal || passing || origin || is_mark(path)
}

/// Returns `true` if a folder is what a conversion to another form writes until it is whole.
fn is_partial_folder(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "partial") && path.join(ORIGIN).is_file()
}

/// Returns `true` if a folder of a Maildir is one of its subfolders in Maildir++ form.
pub fn is_subfolder(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    hidden && path.join("cur").is_dir()
}
