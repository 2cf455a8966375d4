//! Which paths name one file, whatever their links: what is written must not be what is read.
//!
//! A file that is there is known by its device and number, so that neither symbolic nor hard links hide it. One that is
//! to be made is known by its path, with every symbolic link on the way followed, also one that points to nothing yet.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{DirEntryExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::archive::replace::follow_links;

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileKey {
    /// A file or folder that is there.
    Node {
        /// Its device.
        dev: u64,
        /// Its number on that device.
        ino: u64,
    },
    /// One that is not there yet.
    Name(PathBuf),
}

impl FileKey {
    /// Finds what a path names; none for devices and pipes, which may be written and read by many.
    pub fn of(path: &Path) -> Option<FileKey> {
        match fs::metadata(path) {
            Ok(there) => FileKey::of_metadata(&there),
            Err(_) => Some(FileKey::Name(resolve(path))),
        }
    }

    /// Finds what an open file is; none for devices and pipes.
    pub fn of_file(file: &File) -> Option<FileKey> {
        FileKey::of_metadata(&file.metadata().ok()?)
    }

    /// Finds the folder that a path's file stands in, or is to stand in.
    pub fn of_folder(path: &Path) -> Option<FileKey> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| resolve(path));
        FileKey::of(path.parent()?)
    }

    /// Returns `true` if a folder has this file as one of its own; `false` of what is not there yet, and where the
    /// folder can't be read.
    pub fn is_in(&self, folder: &Path) -> bool {
        let FileKey::Node { dev, ino } = self else { return false };
        let here = fs::metadata(folder).is_ok_and(|folder| folder.dev() == *dev);
        here && fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| entry.ino() == *ino))
    }

    /// Makes it of a file or folder; none of a device, a pipe or a socket.
    fn of_metadata(there: &Metadata) -> Option<FileKey> {
        (there.is_file() || there.is_dir()).then(|| FileKey::Node { dev: there.dev(), ino: there.ino() })
    }
}

/// Follows the links of a path that names nothing yet, and those of the folders before it, as far as these are there.
fn resolve(path: &Path) -> PathBuf {
    let path = follow_links(path);
    for there in path.ancestors().skip(1) {
        let folder = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        if let (Ok(folder), Ok(rest)) = (fs::canonicalize(folder), path.strip_prefix(there)) {
            return folder.join(rest);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_hide_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").expect("a file");
        fs::create_dir(path("sub")).expect("a folder");
        fs::hard_link(path("file"), path("hard")).expect("a link");
        for (link, to) in [("soft", "file"), ("twice", "soft"), ("dangling", "new"), ("other", "sub"), ("loop", "loop")]
        {
            symlink(to, path(link)).expect("a link");
        }
        for (one, other, same) in [
            ("file", "hard", true),
            ("file", "soft", true),
            ("file", "twice", true),
            ("file", "sub/../file", true),
            ("file", "new", false),
            ("new", "dangling", true),
            ("new", "other/../new", true),
            ("sub/new", "other/new", true),
            ("none/new", "sub/../none/new", true),
            ("new", "sub/new", false),
            ("loop", "new", false),
        ] {
            assert_eq!(FileKey::of(&path(one)) == FileKey::of(&path(other)), same, "{one} {other}");
        }
        assert_eq!(FileKey::of(Path::new("/dev/null")), None);
        assert!(
            FileKey::of(&path("soft")).is_some_and(|place| place.is_in(folder.path()) && !place.is_in(&path("sub")))
        );
        assert_eq!(FileKey::of_folder(&path("other/x")), FileKey::of(&path("sub")));
    }
}
