//! Files that take their places in one step: whatever happens, the old or the new one is there, whole.
//!
//! A file is written beside its place under another name ([`Temporary`]), flushed to the disk, and then renamed
//! ([`Pending`]). A pending file is a record that can be written down before it is carried out, so that a run that was
//! killed between two renames is finished by the next one.

pub mod attributes;
mod pending;
mod temporary;
mod whole;

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::libc::{O_NOFOLLOW, O_NONBLOCK};

use crate::process::say::warn;
pub use pending::{Existing, Identity, Pending, ReplaceError, ReplacedFile, backup_passing, sync_folder};
pub use temporary::{PREFIX, Temporary, TemporaryNames};
pub use whole::{create_whole, remove_unlinked};

/// How many symbolic links of one path are followed, as Linux does (path_resolution(7)).
const LINKS: usize = 40;

/// Returns the folder that a file stands in; `.` for a name alone.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a path with something behind its name, without the slash that may end a folder's. One without a name (`.`,
/// `..`) gets that which the folder has, so that the result is beside it.
pub fn with_suffix(path: &Path, suffix: impl AsRef<OsStr>) -> PathBuf {
    let whole = if path.file_name().is_none() { fs::canonicalize(path).ok() } else { None };
    let mut name = whole.as_deref().unwrap_or(path).components().as_path().as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Follows the symbolic links of a path, one after the other, also those that lead to nothing yet; after [`LINKS`] of
/// them it returns the path so far.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    path
}

/// Returns `true` if a path names an open file, by itself and not by a link.
pub fn is_at(file: &File, path: &Path) -> bool {
    are_same(file.metadata(), fs::symlink_metadata(path))
}

/// Removes a file of this program's own; where that fails it is named, for it may be in the way of the next run.
pub fn remove_own(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        warn(format_args!("{} can't be removed ({error}): remove it", path.display()));
    }
}

/// Returns `true` if two paths name one file, each by itself and not by a symbolic link.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    are_same(fs::symlink_metadata(one), fs::symlink_metadata(other))
}

/// Returns `true` if both are there, and are one file.
fn are_same(one: io::Result<Metadata>, other: io::Result<Metadata>) -> bool {
    matches!((one, other), (Ok(one), Ok(other)) if (one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Returns `true` if a path names a device or a pipe: it is written to, and nothing takes its place.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Opens a file that anybody may have put there, to read it; never what is behind a link, or waits for a writer.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_as(OpenOptions::new().read(true), path)
}

/// Reads the first `longest` octets of such a file; that it has more is not told.
pub fn read_regular(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    open_regular(path)?.take(longest).read_to_end(&mut octets)?;
    Ok(octets)
}

/// Opens such a file as `how` says; an error where it is a link, or no file.
pub fn open_regular_as(how: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = how.custom_flags(O_NOFOLLOW | O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Opens what an interrupted run left, to be written on behind its first `len` octets: what is beyond is cut off. None
/// where it is gone, shorter, or another file than the one with this number.
pub fn open_cut(path: &Path, ino: u64, len: u64) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() && there.ino() == ino && there.len() >= len => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => return Ok(None),
    }
    let mut file = open_regular_as(OpenOptions::new().read(true).write(true), path)?;
    file.set_len(len)?;
    file.seek(SeekFrom::End(0))?;
    Ok(Some(file))
}

/// Paths in JSON: as text where they are UTF-8, else as a list of octets.
pub mod path_json {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::archive::json_octets::JsonOctets;

    /// A path that can be written as JSON.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct JsonPath(#[serde(with = "self")] pub PathBuf);

    /// Writes a path.
    pub fn serialize<S: Serializer>(path: &Path, out: S) -> Result<S::Ok, S::Error> {
        JsonOctets(path.as_os_str().as_bytes().to_vec()).serialize(out)
    }

    /// Reads a path.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(OsString::from_vec(JsonOctets::deserialize(from)?.0).into())
    }
}
