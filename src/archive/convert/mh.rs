//! The files of an MH folder that say what was done with its messages, by their numbers. Numbers stay, and so do these files.

use std::fs;
use std::path::Path;

use super::error::ConvertError;

/// nmh's sequences (unseen, cur, replied, flagged, and whatever else somebody names), and Sylpheed's marks.
const MARKS: [&str; 2] = [".mh_sequences", ".sylpheed_mark"];

/// Returns `true` if a file is one of them.
pub fn is_mark(path: &Path) -> bool {
    path.file_name().is_some_and(|name| MARKS.iter().any(|mark| name == *mark))
}

/// Copies them to the folder to which the messages go, unless they are there.
pub fn copy_marks(folder: &Path, out: &Path) -> Result<(), ConvertError> {
    for name in MARKS {
        let (from, to) = (folder.join(name), out.join(name));
        if from.is_file() && !to.exists() {
            fs::copy(&from, &to).map_err(|source| ConvertError::Create { path: to, source })?;
        }
    }
    Ok(())
}
