//! The files of a folder that is written, summed up in whatever order they are read back.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::origin::ORIGIN;
use crate::archive::convert::{OTHER, WrittenSum};

/// The files of a folder of messages, with their names.
#[derive(Default)]
pub struct FolderSum {
    messages: u64,
    /// The sums of all messages, added up.
    all: u64,
    /// What is kept beside them.
    origin: WrittenSum,
}

impl FolderSum {
    /// Sums up a folder that was written.
    pub fn of(folder: &Path, is_maildir: bool) -> io::Result<FolderSum> {
        let origin = WrittenSum::of(File::open(folder.join(ORIGIN))?)?;
        let mut sum = FolderSum { origin, ..FolderSum::default() };
        each_file(folder, is_maildir, |file| {
            sum.add_file(file, &fs::read(folder.join(file))?);
            Ok(())
        })?;
        Ok(sum)
    }

    /// Adds a message: its path in the folder, and its octets.
    pub fn add_file(&mut self, name: &Path, octets: &[u8]) {
        let mut sum = WrittenSum::default();
        sum.add(name.as_os_str().as_encoded_bytes());
        sum.add(b"\0");
        sum.add(octets);
        self.messages += 1;
        self.all = self.all.wrapping_add(sum.squared());
    }

    /// Adds a line of what is kept beside the messages.
    pub fn add_line(&mut self, line: &[u8]) {
        self.origin.add(line);
    }

    /// Says how what was read back differs from what was to be written; none where it is the same.
    pub fn difference(&self, back: &FolderSum) -> Option<String> {
        match () {
            () if back.messages != self.messages => {
                Some(format!("{} messages were written, not {}", back.messages, self.messages))
            }
            () if back.all != self.all => Some(OTHER.to_owned()),
            () => Some(format!("{ORIGIN}: {}", self.origin.difference(&back.origin)?)),
        }
    }
}

/// Shows the path of each message below its folder to `each`, in any order; the first error ends it.
pub fn each_file(folder: &Path, is_maildir: bool, mut each: impl FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    let below: &[&str] = if is_maildir { &["cur", "new"] } else { &[""] };
    for part in below {
        for entry in fs::read_dir(folder.join(part))? {
            let entry = entry?;
            let file = Path::new(part).join(entry.file_name());
            // A folder beside .eml files is of another mailbox.
            if file != Path::new(ORIGIN) && !entry.file_type()?.is_dir() {
                each(&file)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_again_in_any_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = [("000001.eml", "To: a@b.example, c@d.example\n\n"), ("000002.eml", "To: e@f.example\n\n")];
        let mut made = FolderSum::default();
        made.add_line(b"{}\n");
        for (name, octets) in files {
            made.add_file(Path::new(name), octets.as_bytes());
            fs::write(folder.path().join(name), octets).expect("a file");
        }
        let difference = |name: &str, octets: &str| {
            fs::write(folder.path().join(name), octets).expect("a file");
            made.difference(&FolderSum::of(folder.path(), false).expect("a folder"))
        };
        assert_eq!(difference(ORIGIN, "{}\n"), None);
        assert_eq!(
            difference("000001.eml", "To: a@b.example; c@d.example\n\n").as_deref(),
            Some("other octets were written")
        );
        assert_eq!(difference("000001.eml", files[0].1), None);
        assert_eq!(difference(ORIGIN, "{}{").as_deref(), Some("septet-origin.jsonl: other octets were written"));
        assert_eq!(difference("000003.eml", "").as_deref(), Some("3 messages were written, not 2"));
    }
}
