//! The pieces of a mailbox file (`--split`), and what an interrupted run leaves of them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::convert::migrate::folder_files::sorting;
use crate::archive::convert::packing::{packed_name, unpacked_name};
use crate::archive::convert::{Compression, NewMailbox, OutputTarget};

/// Returns the passing names under which the outputs of a mailbox stand that an interrupted run may have left: what is
/// compressed, and what is a folder, is begun anew. How many pieces there are is not known, so these are those that are
/// there, up to the first that is not; a whole file may be there or not.
pub fn partials(new: &NewMailbox) -> Vec<PathBuf> {
    let is_left = !new.is_folder() && new.compression.is_none();
    let Some(to) = new.to.path().filter(|_| is_left) else { return Vec::new() };
    let passing = |number| match new.split {
        Some(_) => OutputTarget::file(piece_path(to, number), None).partial(),
        None => new.to.partial(),
    };
    let most = if new.split.is_some() { u64::MAX } else { 1 };
    (1..=most).map_while(passing).take_while(|passing| most == 1 || fs::symlink_metadata(passing).is_ok()).collect()
}

/// Returns the path of a piece, from 1: `mail-001.mbox` of `mail.mbox`, and of `mail.mbox.gz` `mail-001.mbox.gz`.
pub fn piece_path(to: &Path, piece: u64) -> PathBuf {
    let name = Path::new(to.file_name().unwrap_or_default());
    let bare = unpacked_name(name);
    let mut numbered = OsString::from(bare.file_stem().unwrap_or_default());
    numbered.push(format!("-{}", sorting(piece, 3)));
    if let Some(end) = bare.extension() {
        numbered.push(".");
        numbered.push(end);
    }
    to.with_file_name(packed_name(numbered.into(), Compression::of_name(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_names_that_sort() {
        for (name, piece, wanted) in [
            ("a/mail.mbox", 1, "a/mail-001.mbox"),
            ("mail", 12, "mail-012"),
            ("mail.mbox.gz", 1000, "mail-a1000.mbox.gz"),
            ("x.2020.mbox", 2, "x.2020-002.mbox"),
        ] {
            assert_eq!(piece_path(Path::new(name), piece), Path::new(wanted));
        }
    }
}
