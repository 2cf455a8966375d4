//! Compressed archives: gzip, zstd, xz and bzip2, read and written.
//!
//! What an input is is told by its first octets; what an output shall be, by its name or by `--compress`. Files of
//! several members one after the other (as log rotation and pipermail make them) are read whole. A file that ends too
//! early, or whose checksum is wrong, ends the conversion with 65: what was unpacked so far is no archive.
//!
//! Memory is bounded whatever the file says: zstd reads windows of up to 128 MiB, which is what `zstd -d` takes without
//! `--long`, and xz has [`XZ_MEMORY`]. A file that needs more is not damaged, and says so. What is written needs
//! little: xz is written at level [`XZ_LEVEL`], since the usual 6 takes 94 MiB.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, IoSlice, Read, Write};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};
use liblzma::write::XzEncoder;

use super::gzip_members::GzipMembers;

/// The octets that an xz file may take to be unpacked; `xz -9` takes 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;

/// The level at which xz is written.
const XZ_LEVEL: u32 = 3;

/// The octets that are handed to a decoder at once.
const READ: usize = 128 << 10;

/// The octets that are handed to an encoder at once: what gzip makes of them depends on that.
const PACKED: usize = 256 << 10;

/// A way to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// The format of XZ Utils.
    Xz,
    /// The format of bzip2.
    Bzip2,
}

/// Each with the octets that it starts with, its name, and the end of its files' names.
const KNOWN: [(Compression, &[u8], &str, &str); 4] = [
    (Compression::Gzip, b"\x1f\x8b", "gzip", "gz"),
    (Compression::Zstd, b"\x28\xb5\x2f\xfd", "zstd", "zst"),
    (Compression::Xz, b"\xfd7zXZ\0", "xz", "xz"),
    (Compression::Bzip2, b"BZh", "bzip2", "bz2"),
];

impl Compression {
    /// Tells the compression of a file by its first octets; none of any other file. `look_once` of `input.rs` reads 8
    /// octets, as many as the longest of them has or more. A skippable frame of zstd (RFC 8878 §3.1.2) may come first,
    /// as pzstd has it.
    pub fn of(head: &[u8]) -> Option<Compression> {
        if matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
            return Some(Compression::Zstd);
        }
        KNOWN.into_iter().find(|(_, magic, ..)| head.starts_with(magic)).map(|(known, ..)| known)
    }

    /// Tells the compression that a file of this name should have; none of one with any other end, in capitals too.
    pub fn of_name(path: &Path) -> Option<Compression> {
        let end = path.extension()?;
        KNOWN.into_iter().find(|(.., known)| end == *known).map(|(known, ..)| known)
    }

    /// Returns the end that the names of its files have.
    pub fn extension(self) -> &'static str {
        KNOWN.into_iter().find(|(known, ..)| *known == self).map_or("", |(.., end)| end)
    }

    /// Unpacks what is read. An error of reading tells whether the data is at fault ([`UnpackError`]).
    pub fn unpack(self, from: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        let from = BufReader::with_capacity(READ, from);
        let unpacked: Box<dyn Read + Send> = match self {
            Compression::Gzip => Box::new(GzipMembers::new(from)),
            Compression::Zstd => Box::new(zstd::Decoder::with_buffer(from)?),
            Compression::Bzip2 => Box::new(MultiBzDecoder::new(from)),
            Compression::Xz => {
                let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED).map_err(io::Error::other)?;
                Box::new(XzDecoder::new_stream(from, stream))
            }
        };
        Ok(Box::new(Unpacked { from: unpacked, how: self }))
    }
}

/// Unpacks what is compressed so, or not at all.
pub fn unpacked(from: impl Read + Send + 'static, how: Option<Compression>) -> io::Result<Box<dyn Read + Send>> {
    match how {
        Some(how) => how.unpack(from),
        None => Ok(Box::new(from)),
    }
}

/// Opens a file that is compressed so, or not at all, and reads it unpacked.
pub fn open_packed(path: &Path, how: Option<Compression>) -> io::Result<Box<dyn Read + Send>> {
    unpacked(File::open(path)?, how)
}

impl fmt::Display for Compression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(KNOWN.into_iter().find(|(known, ..)| known == self).map_or("", |(_, _, name, _)| name))
    }
}

/// Why a compressed file can't be unpacked: not a fault of the disk but of what stands in it.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum UnpackError {
    /// It is broken.
    #[error("its {how} data is damaged, or ends too early")]
    Damaged { how: Compression, source: io::Error },
    /// A file in an archive of files is.
    #[error("what is packed in it is damaged, or ends too early")]
    Member { source: io::Error },
    /// It was packed with a larger window or dictionary than septet takes.
    #[error("its {how} data needs more memory than septet gives; unpack it with {how} itself first")]
    Memory { how: Compression, source: io::Error },
}

impl UnpackError {
    /// Makes that of a decoder's error, by its words where it has no type.
    fn of(how: Compression, source: io::Error) -> UnpackError {
        let inner = source.get_ref().and_then(|inner| inner.downcast_ref::<liblzma::stream::Error>());
        let needs_memory = inner.is_some_and(|inner| *inner == liblzma::stream::Error::MemLimit)
            || how == Compression::Zstd && source.to_string().contains("too much memory");
        if needs_memory { UnpackError::Memory { how, source } } else { UnpackError::Damaged { how, source } }
    }

    /// Makes that of an error of reading where the data is at fault, and is not one already: the system's errors have
    /// a number, and the decoders' have none.
    pub fn of_reading(source: io::Error, make: impl FnOnce(io::Error) -> UnpackError) -> io::Error {
        match source.raw_os_error() {
            None if source.kind() != io::ErrorKind::Interrupted && !UnpackError::is(&source) => {
                io::Error::new(source.kind(), make(source))
            }
            _ => source,
        }
    }

    /// Returns `true` if an error of reading is one.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<UnpackError>())
    }
}

/// What is unpacked, with errors that tell whether the file or the disk is at fault.
struct Unpacked {
    from: Box<dyn Read + Send>,
    how: Compression,
}

impl Read for Unpacked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into);
        read.map_err(|source| UnpackError::of_reading(source, |source| UnpackError::of(self.how, source)))
    }
}

/// Compresses what is written, or not.
pub struct Packer<W: Write> {
    to: Encoder<W>,
    /// What is not compressed yet, less than [`PACKED`].
    waiting: Vec<u8>,
}

enum Encoder<W: Write> {
    /// Writes it as it is.
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    Xz(XzEncoder<W>),
    Bzip2(BzEncoder<W>),
}

impl<W: Write> Packer<W> {
    /// Makes one; none is a way to compress too. What zstd writes has a checksum, as the others have by themselves.
    pub fn new(how: Option<Compression>, to: W) -> io::Result<Packer<W>> {
        let to = match how {
            None => Encoder::Plain(to),
            Some(Compression::Gzip) => Encoder::Gzip(GzEncoder::new(to, flate2::Compression::default())),
            Some(Compression::Xz) => Encoder::Xz(XzEncoder::new(to, XZ_LEVEL)),
            Some(Compression::Bzip2) => Encoder::Bzip2(BzEncoder::new(to, bzip2::Compression::best())),
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
        };
        Ok(Packer { to, waiting: Vec::new() })
    }

    /// Hands what waits to the encoder. Where nothing is compressed nothing ever waits.
    fn pack(&mut self) -> io::Result<()> {
        self.to.writer().write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Writes the end, without which what was written can't be unpacked, and returns what it wrote to.
    pub fn finish(mut self) -> io::Result<W> {
        self.pack()?;
        match self.to {
            Encoder::Plain(to) => Ok(to),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
            Encoder::Bzip2(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Encoder<W> {
    /// Returns what takes octets that are not compressed yet.
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(to) => to,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Zstd(encoder) => encoder,
            Encoder::Xz(encoder) => encoder,
            Encoder::Bzip2(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(octets)])
    }

    /// Writes at once what is not compressed. All else waits until there is as much as is compressed at once.
    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        if let Encoder::Plain(to) = &mut self.to {
            return to.write_vectored(slices);
        }
        let octets = slices.iter().find(|slice| !slice.is_empty()).map_or(&[][..], |slice| slice);
        let taken = octets.len().min(PACKED - self.waiting.len());
        self.waiting.extend_from_slice(&octets[..taken]);
        if self.waiting.len() == PACKED {
            self.pack()?;
        }
        Ok(taken)
    }

    /// Packs what waits, and hands on what the encoder gives of it by now.
    fn flush(&mut self) -> io::Result<()> {
        self.pack()?;
        self.to.writer().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 4] = [Compression::Gzip, Compression::Zstd, Compression::Xz, Compression::Bzip2];

    fn pack(how: Compression, octets: &[u8]) -> Vec<u8> {
        let mut packer = Packer::new(Some(how), Vec::new()).expect("a packer");
        packer.write_all(octets).expect("memory can be written");
        packer.finish().expect("memory can be written")
    }

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let how = Compression::of(packed).expect("it is known by its first octets");
        let mut octets = Vec::new();
        how.unpack(io::Cursor::new(packed.to_vec()))?.read_to_end(&mut octets).map(|_| octets)
    }

    #[test]
    fn goes_both_ways_also_in_several_members() {
        let text: Vec<u8> = (0..300_000u32).flat_map(|n| n.to_le_bytes()).collect();
        for how in ALL {
            let packed = pack(how, &text);
            assert!(packed.len() < text.len());
            assert!(unpack(&packed).expect("whole") == text, "{how}");
            let two = [packed, pack(how, b"more")].concat();
            assert!(unpack(&two).expect("whole") == [&text[..], b"more"].concat(), "{how}");
            assert_eq!(unpack(&pack(how, b"")).expect("whole"), b"", "{how}");
            assert_eq!(Compression::of_name(Path::new(&format!("a.{}", how.extension()))), Some(how));
        }
    }

    /// As pzstd writes it.
    #[test]
    fn zstd_may_start_with_a_skippable_frame() {
        for first in [0x50, 0x5f] {
            let packed = [&[first, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9][..], &pack(Compression::Zstd, b"text")];
            assert_eq!(unpack(&packed.concat()).expect("whole"), b"text");
        }
    }

    /// A frame of zstd that says that its window is 2 GiB, and an xz file whose dictionary is 1.5 GiB.
    #[test]
    fn what_needs_much_memory_is_not_called_damaged() {
        let zstd = b"\x28\xb5\x2f\xfd\x00\xa8\x09\x00\x00a".to_vec();
        let xz = b"\xfd7zXZ\0\0\x01\x69\x22\xde\x36\x02\0\x21\x01\x27\0\0\0\xb0\xb0\x72\xeb\x01\0\0a\0\0\0\0\x43\xbe\xb7\xe8\
            \0\x01\x15\x01\xa9c4`\x90B\x99\r\x01\0\0\0\0\x01YZ"
            .to_vec();
        for packed in [zstd, xz] {
            let error = unpack(&packed).expect_err("too much");
            assert!(error.to_string().contains("needs more memory than septet gives"), "{error}");
        }
    }

    #[test]
    fn nul_octets_behind_gzip_are_skipped() {
        let [one, two] = [&b"one "[..], b"two"].map(|text| pack(Compression::Gzip, text));
        let padded = |nuls: usize| [&one[..], &vec![0; nuls], &two, &vec![0; nuls]].concat();
        for nuls in [0, 1, 512, READ, 3 * READ] {
            assert_eq!(unpack(&padded(nuls)).expect("whole"), b"one two", "{nuls}");
        }
        for behind in [&b"\0\0x"[..], b"x", b"\0\x1f", b"\0\x1f\x8b\x08"] {
            let error = unpack(&[padded(3), behind.to_vec()].concat()).expect_err("no member");
            assert!(error.to_string().contains("damaged"), "{error}");
        }
    }

    #[test]
    fn says_what_is_damaged_and_never_ends_early_in_silence() {
        let text: Vec<u8> = (0..20_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for how in ALL {
            let packed = pack(how, &text);
            for end in [8, 20, packed.len() / 2, packed.len() - 5, packed.len() - 1] {
                let error = unpack(&packed[..end]).expect_err("it ends too early");
                assert!(UnpackError::is(&error) && error.to_string().contains("damaged"), "{how} {end}: {error}");
            }
            let mut wrong = packed.clone();
            wrong[packed.len() / 2] ^= 0x55;
            assert!(unpack(&wrong).is_ok_and(|read| read != text) != unpack(&wrong).is_err(), "{how}");
            assert!(unpack(&wrong).is_err(), "{how}: a checksum tells");
        }
    }
}
