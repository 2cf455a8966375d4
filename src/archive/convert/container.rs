//! Archives of files, ZIP and tar: the mail in them is read where it lies, as in a folder. So comes a Google Takeout.
//!
//! Which files are mail is told by the ends of their names first, then by what is in them, as everywhere: to look into
//! each of a compressed tar, all before it has to be unpacked. Each is read as often as it is asked for, from the
//! archive; nothing is unpacked to the disk, and what is unpacked is held against the sum that a ZIP has of it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::{Compression, UnpackError, unpacked};
use crate::archive::folder::common;

/// The ends of the names of files that may be mail.
const MAIL: [&str; 4] = ["mbox", "mbx", "eml", "emlx"];

/// Why most files are passed over.
const NOT_NAMED: &str = "its name is not that of mail";

/// Why a link or a device is passed over.
const NO_FILE: &str = "it is no file";

/// The files that are read of a compressed tar: for each, all before it is unpacked again.
const MANY: usize = 64;

/// The octets of a file that tell whether it is a tar, and the octets that are unpacked at once.
const TAR: usize = 512;
const READ: usize = 128 << 10;

/// A file in an archive of files: where its octets lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// How all of the archive is compressed: a tar may be.
    around: Option<Compression>,
    /// Where its octets start in what that is unpacked to, and how many lie there.
    start: u64,
    stored: u64,
    /// Whether these are deflated.
    is_deflated: bool,
    /// Its own octets.
    pub size: u64,
    /// Their CRC-32; a tar has none.
    crc: Option<u32>,
}

/// What is in an archive of files.
#[derive(Debug, Default)]
pub struct Container {
    /// What may be mail, with its path in the archive, in the archive's order.
    pub members: Vec<(PathBuf, Member)>,
    /// What is passed over, and why, as half a sentence about it.
    pub passed: Vec<(PathBuf, &'static str)>,
    /// Whether two files have one name, of which only the last is among these.
    is_ambiguous: bool,
}

impl Container {
    /// Lists what is in a file, if it is an archive of files; one that is damaged is an [`UnpackError`]. A compressed
    /// file that can't be unpacked is none, and says so when it is read as a mailbox file.
    pub fn list(path: &Path) -> io::Result<Option<Container>> {
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        (&mut file).take(TAR as u64).read_to_end(&mut head)?;
        file.rewind()?;
        if [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|magic| head.starts_with(*magic)) {
            return Container::of_zip(file).map(Some).map_err(damaged);
        }
        let around = Compression::of(&head);
        if let Some(how) = around {
            head.clear();
            // What is damaged says so when it is read as what it may be besides.
            let _ = how.unpack(file.try_clone()?)?.take(TAR as u64).read_to_end(&mut head);
            file.rewind()?;
        }
        let is_tar = head.get(257..262) == Some(b"ustar");
        if is_tar { Container::of_tar(file, around).map(Some).map_err(damaged) } else { Ok(None) }
    }

    /// Lists the files of a ZIP, in the order of its list; links in it are passed over.
    fn of_zip(file: File) -> io::Result<Container> {
        let mut zip = ZipArchive::new(BufReader::new(file.try_clone()?))?;
        let is_ambiguous = files_of_zip(file, zip.central_directory_start())? != zip.len();
        let mut found = Container { is_ambiguous, ..Container::default() };
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index)?;
            if file.is_dir() {
                continue;
            }
            let is_deflated = file.compression() == CompressionMethod::Deflated;
            let (size, stored, crc) = (file.size(), file.compressed_size(), Some(file.crc32()));
            let why = match file.data_start() {
                _ if !file.is_file() => Some(NO_FILE),
                _ if file.encrypted() => Some("it is encrypted: unpack it first"),
                Some(_) if is_deflated || file.compression() == CompressionMethod::Stored => None,
                _ => Some("it is packed in a way that septet does not read: unpack it first"),
            };
            let member =
                Member { around: None, start: file.data_start().unwrap_or_default(), stored, is_deflated, size, crc };
            found.add(Path::new(&*file.name()?), member, why);
        }
        Ok(found)
    }

    /// Lists the files of a tar by reading all of it, unpacked where it is compressed; links and devices in it are
    /// passed over. A tar ends with blocks of zeroes: without them it was cut, which the library takes for an end.
    fn of_tar(file: File, around: Option<Compression>) -> io::Result<Container> {
        let mut found = Container::default();
        let from = BufReader::new(unpacked(file, around)?);
        let mut tar = tar::Archive::new(TarReader { from, is_over: false });
        for entry in tar.entries()? {
            let entry = entry?;
            let kind = entry.header().entry_type();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let (size, start) = (entry.size(), entry.raw_file_position());
            let member = Member { around, start, stored: size, is_deflated: false, size, crc: None };
            found.add(&entry.path()?, member, (!kind.is_file()).then_some(NO_FILE));
        }
        if tar.into_inner().is_over { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(found) }
    }

    /// Adds a file, if it may be mail and nothing is why not: to those that are read; any other is passed over, with
    /// why. That its name is not that of mail goes before any other reason ([`first_unread`](Self::first_unread)).
    fn add(&mut self, name: &Path, member: Member, why: Option<&'static str>) {
        let end = name.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let is_named = MAIL.iter().any(|known| known.eq_ignore_ascii_case(end));
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let is_shown = !name.to_string_lossy().contains(char::is_control);
        let why = match why {
            _ if !is_named => Some(NOT_NAMED),
            None if !is_below => Some("its name leads out of the archive"),
            None if !is_shown => Some("its name has control characters: unpack it first"),
            why => why,
        };
        match why {
            Some(why) => self.passed.push((name.to_owned(), why)),
            None => self.members.push((name.components().filter(|part| *part != Component::CurDir).collect(), member)),
        }
    }

    /// Returns why it must be unpacked to be read, if it must: as a compressed tar of so many files that to read each,
    /// with all before it, would take too long, or since a file would be lost.
    pub fn why_unread(&self) -> Option<String> {
        let (files, is_compressed) =
            (self.members.len(), self.members.iter().any(|(_, member)| member.around.is_some()));
        if files > MANY && is_compressed {
            return Some(format!("it has {files} files of mail, for each of which all before it would be unpacked"));
        }
        self.is_ambiguous.then(|| "two files in it have one name".to_owned())
    }

    /// Returns the first file that is named as mail is and passed over, and why; none where only names are the reason.
    pub fn first_unread(&self) -> Option<&(PathBuf, &'static str)> {
        self.passed.iter().find(|(_, why)| *why != NOT_NAMED)
    }

    /// Returns the folder that all that may be mail is in; empty where they share none.
    pub fn folder(&self) -> PathBuf {
        let folders = self.members.iter().map(|(name, _)| name.parent().unwrap_or(Path::new("")));
        let common = folders.map(Path::to_owned).reduce(|one, other| common(&one, &other));
        common.unwrap_or_default()
    }
}

impl Member {
    /// Returns what reads it, unpacked and checked, from its start; `archive` is the file that it is in.
    pub fn open(&self, mut archive: File) -> io::Result<Box<dyn Read + Send>> {
        let stored: Box<dyn Read + Send> = match self.around {
            None => {
                archive.seek(SeekFrom::Start(self.start))?;
                Box::new(archive)
            }
            Some(how) => {
                let mut unpacked = how.unpack(archive)?;
                io::copy(&mut (&mut unpacked).take(self.start), &mut io::sink())?;
                unpacked
            }
        };
        let stored = stored.take(self.stored);
        let from: Box<dyn Read + Send> = match self.is_deflated {
            true => Box::new(DeflateDecoder::new(BufReader::with_capacity(READ, stored))),
            false => Box::new(stored),
        };
        Ok(Box::new(WholeMember { from, of: *self, sum: Crc::new(), read: 0 }))
    }
}

/// What a tar is read from, as far as it is asked for.
struct TarReader<R> {
    from: R,
    /// Whether more was asked for than there is.
    is_over: bool,
}

impl<R: Read> Read for TarReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.is_over |= read == 0 && !into.is_empty();
        Ok(read)
    }
}

/// A member that is read, with an error where it is not all there, or is not what was packed.
struct WholeMember {
    from: Box<dyn Read + Send>,
    of: Member,
    sum: Crc,
    read: u64,
}

impl WholeMember {
    /// Returns `true` if what was read is what was packed.
    fn is_whole(&self) -> bool {
        self.read == self.of.size && self.of.crc.is_none_or(|crc| crc == self.sum.sum())
    }
}

impl Read for WholeMember {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let read = self.from.read(into).map_err(damaged)?;
        self.read += read as u64;
        self.sum.update(&into[..read]);
        // More than it is said to have may be without end.
        let is_wrong = self.read > self.of.size || read == 0 && !self.is_whole();
        if is_wrong { Err(damaged(io::ErrorKind::UnexpectedEof.into())) } else { Ok(read) }
    }
}

/// Counts the files that a ZIP lists, from where its list starts: 46 octets each, then three texts, the lengths of
/// which are the 15th to 17th pair of these (APPNOTE 4.3.12). Of two with one name the library knows the last.
fn files_of_zip(mut archive: File, list: u64) -> io::Result<usize> {
    archive.seek(SeekFrom::Start(list))?;
    let (mut from, mut files, mut record) = (BufReader::new(archive), 0, [0; 46]);
    while from.read_exact(&mut record).is_ok() && record.starts_with(b"PK\x01\x02") {
        let texts = record[28..34].chunks(2).map(|pair| i64::from(pair[0]) | i64::from(pair[1]) << 8).sum();
        from.seek_relative(texts)?;
        files += 1;
    }
    Ok(files)
}

/// Makes an error of reading one of what is packed, unless the system is at fault.
fn damaged(source: io::Error) -> io::Error {
    UnpackError::of_reading(source, |source| UnpackError::Member { source })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const MESSAGE: &[u8] = b"From: a@example.org\n\nx\n";

    fn zip_of(names: &[&str]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in names {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(*name, options.compression_method(CompressionMethod::Deflated)).expect("a file");
            zip.write_all(MESSAGE).expect("octets written");
        }
        zip.finish().expect("an archive").into_inner()
    }

    fn tar_of(names: &[&str]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for name in names {
            let mut header = tar::Header::new_gnu();
            header.set_size(MESSAGE.len() as u64);
            tar.append_data(&mut header, name, MESSAGE).expect("a file");
        }
        tar.into_inner().expect("an archive")
    }

    fn listed(octets: &[u8]) -> (tempfile::NamedTempFile, Container) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(octets).expect("octets written");
        let found = Container::list(file.path()).expect("it is read").expect("an archive of files");
        (file, found)
    }

    #[test]
    fn mail_is_read_where_it_lies() {
        let names = ["Takeout/Mail/All mail.mbox", "Takeout/archive_browser.html", "Takeout/Mail/b.eml"];
        for octets in [zip_of(&names), tar_of(&names)] {
            let (file, found) = listed(&octets);
            assert_eq!(found.folder(), Path::new("Takeout/Mail"));
            assert_eq!(found.passed, [(PathBuf::from(names[1]), "its name is not that of mail")]);
            assert_eq!(found.members.len(), 2);
            for (_, member) in &found.members {
                let mut read = Vec::new();
                let mut from = member.open(File::open(file.path()).expect("a file")).expect("a member");
                from.read_to_end(&mut read).expect("it is whole");
                assert_eq!(read, MESSAGE);
            }
        }
    }

    #[test]
    fn what_is_not_what_was_packed_is_an_error() {
        let octets = zip_of(&["a.mbox"]);
        let (_, found) = listed(&octets);
        let member = found.members[0].1;
        let read = |member: Member, octets: &[u8]| {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(octets).expect("octets written");
            member.open(file).and_then(|mut from| from.read_to_end(&mut Vec::new()))
        };
        assert_eq!(read(member, &octets).ok(), Some(MESSAGE.len()));
        assert!(UnpackError::is(&read(member, &octets[..octets.len() / 3]).expect_err("it is cut")));
        let other = Member { crc: Some(1), ..member };
        assert!(UnpackError::is(&read(other, &octets).expect_err("it has another sum")));
    }

    /// A copy that stopped between two files had lost what came behind, without a word.
    #[test]
    fn a_tar_without_its_end_is_an_error() {
        let octets = tar_of(&["a.mbox", "b.mbox"]);
        assert_eq!(listed(&octets).1.members.len(), 2);
        for cut in [1024, 2048] {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all(&octets[..cut]).expect("octets written");
            assert!(UnpackError::is(&Container::list(file.path()).expect_err("it is cut")), "{cut}");
        }
    }

    #[test]
    fn what_is_no_file_is_named() {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        zip.add_symlink("l.mbox", "a.mbox", options).expect("a link");
        zip.start_file("a.mbox", options).expect("a file");
        zip.write_all(MESSAGE).expect("octets written");
        let (_, found) = listed(&zip.finish().expect("an archive").into_inner());
        assert_eq!((found.members.len(), found.passed), (1, vec![(PathBuf::from("l.mbox"), "it is no file")]));
    }

    #[test]
    fn no_name_leads_out_of_the_archive_or_moves_a_cursor() {
        let (_, found) = listed(&zip_of(&["../a.mbox", "/b.mbox", "c.mbox", "d\x1b[2J.mbox", "e\n.mbox"]));
        let names: Vec<_> = found.members.iter().map(|(name, _)| name.display().to_string()).collect();
        assert_eq!(names, ["c.mbox"]);
    }

    /// The library gives the last of two files with one name, and says nothing of the first.
    #[test]
    fn no_file_is_lost_for_its_name() {
        let octets = zip_of(&["a.mbox", "b.mbox"]);
        assert_eq!(listed(&octets).1.why_unread(), None);
        // Names are not summed up.
        let [one, other] = [b"a.mbox", b"b.mbox"]
            .map(|name| octets.windows(name.len()).rposition(|at| at == name).expect("it is listed"));
        let mut twice = octets;
        twice.copy_within(one..one + 6, other);
        let (_, found) = listed(&twice);
        assert_eq!(found.members.len(), 1);
        assert_eq!(found.why_unread().as_deref(), Some("two files in it have one name"));
    }

    #[test]
    fn more_than_was_packed_is_not_read() {
        let (file, found) = listed(&zip_of(&["a.mbox"]));
        let short = Member { size: 3, ..found.members[0].1 };
        let mut from = short.open(File::open(file.path()).expect("a file")).expect("a member");
        assert!(UnpackError::is(&from.read(&mut [0; 8]).expect_err("it has more")));
    }
}
