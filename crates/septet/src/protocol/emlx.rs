//! Apple Mail's files of one message each, `NUMBER.emlx` and `NUMBER.partial.emlx`.
//!
//! ```text
//! 180                                 the octets of the message, with spaces behind them: Apple Mail leaves room for ten signs
//! Subject: hello                      the message
//!
//! text
//! <?xml version="1.0" ...             a property list: flags, dates
//! ```
//!
//! Apple documents it nowhere; what is said here is what its files show. Of a message whose attachments lie beside it
//! (`.partial.emlx`, folder `Attachments`) the parts have a field X-Apple-Content-Length and no body; it is read as it
//! stands.

use memchr::{memchr, memmem};

/// The octets that the first line may have, its line end included.
const LINE: usize = 32;

/// A file of Apple Mail in its three pieces, which make up all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Emlx<'a> {
    /// The line that states the message's octets, with its line end.
    pub count: &'a [u8],
    /// The message.
    pub message: &'a [u8],
    /// The property list; empty where the file ends before it.
    pub list: &'a [u8],
}

impl<'a> Emlx<'a> {
    /// Reads a whole file; none where its first line states no number, or one that leads neither to a property list nor
    /// to the end.
    ///
    /// ```
    /// use septet::protocol::emlx::Emlx;
    ///
    /// let file = Emlx::of(b"8         \nA: b\n\nc\n<?xml version=\"1.0\"?>\n").unwrap();
    /// assert_eq!(file.message, b"A: b\n\nc\n");
    /// assert_eq!(file.counting(12), b"12        \n");
    /// assert_eq!(Emlx::of(b"7\nA: b\n\nc\n<?xml version=\"1.0\"?>\n"), None);
    /// ```
    pub fn of(file: &'a [u8]) -> Option<Emlx<'a>> {
        let (octets, rest) = stated(file)?;
        let (message, list) = rest.split_at_checked(octets)?;
        let count = &file[..file.len() - rest.len()];
        let is_list = list.is_empty() || list.starts_with(b"<?xml") || list.starts_with(b"<!DOCTYPE plist");
        is_list.then_some(Emlx { count, message, list })
    }

    /// Returns the number `flags` of the property list; none where it has none.
    ///
    /// ```
    /// use septet::protocol::emlx::Emlx;
    ///
    /// let list = "<?xml?><plist><dict><key>flags</key>\n<integer>17</integer></dict></plist>";
    /// assert_eq!(Emlx::of(format!("2\n\n\n{list}").as_bytes()).unwrap().flags(), Some(17));
    /// ```
    pub fn flags(&self) -> Option<u64> {
        const KEY: &[u8] = b"<key>flags</key>";
        let behind = self.list.get(memmem::find(self.list, KEY)? + KEY.len()..)?.trim_ascii_start();
        let number = behind.strip_prefix(b"<integer>")?;
        str::from_utf8(&number[..memchr(b'<', number)?]).ok()?.trim().parse().ok()
    }

    /// Returns the first line of a file whose message has so many octets: as long as this one's, if they fit.
    pub fn counting(&self, octets: usize) -> Vec<u8> {
        let end = self.count.iter().rposition(|octet| !matches!(octet, b'\r' | b'\n')).map_or(0, |last| last + 1);
        let (width, line_end) = (end, &self.count[end..]);
        [format!("{octets:<width$}").as_bytes(), line_end].concat()
    }
}

/// Returns the number of octets that a first line states, and what stands behind the line; none where it states none,
/// or has more than [`LINE`] octets.
pub fn stated(file: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr(b'\n', &file[..file.len().min(LINE)])?;
    let digits = str::from_utf8(file[..end].trim_ascii_end()).ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit());
    Some((is_number.then(|| digits.parse().ok()).flatten()?, &file[end + 1..]))
}
