//! The files of an MH folder that say what was done with its messages, by their numbers. Numbers stay, and so do these
//! files.

use std::ffi::OsStr;
use std::path::Path;

use crate::archive::file_error::FileError;
use crate::archive::folder::copy_beside;

/// nmh's sequences (unseen, cur, replied, flagged, and whatever else somebody names), and Sylpheed's marks.
const MARKS: [&str; 2] = [".mh_sequences", ".sylpheed_mark"];

/// Returns `true` if a file is one of them.
pub fn is_mark(path: &Path) -> bool {
    path.file_name().is_some_and(|name| MARKS.iter().any(|mark| name == *mark))
}

/// Returns `true` if a file has the name of a message: a number.
pub fn is_number(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    !name.is_empty() && !name.starts_with(b"0") && name.iter().all(u8::is_ascii_digit)
}

/// Returns `true` if a file has the name that nmh's `rmm` gives a message that it removes: `,4`, or `#4` by another
/// setting of its. Whoever cleans up deletes these.
pub fn is_removed(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.and_then(|name| name.strip_prefix([',', '#'])).is_some_and(|number| is_number(number.as_ref()))
}

/// Returns `true` if a folder has such a file.
pub fn is_marked(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).is_file())
}

/// Copies the marks of a folder to that to which its messages go, unless they are there.
pub fn copy_marks(folder: &Path, out: &Path) -> Result<(), FileError> {
    copy_beside(&MARKS, folder, out)
}
