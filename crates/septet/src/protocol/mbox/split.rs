//! Finds where the messages of a mailbox file start.

use memchr::memchr;
use memchr::memmem::find_iter;

use super::follows::FROM;
use super::from_line::{BEHIND, LOOK, is_patch, starts_message};

/// Finds where the messages of a mailbox file start, from octets that come in pieces of any size.
///
/// A message starts at a **From_ line**: a line of at most 1,000 octets that starts with `From `, and is the first of
/// the file, or of which what stands before it, what it says and what follows it tell so. docs/archives.md has the
/// table. Everything else that starts with `From ` is text. What stands before the first From_ line is no message; so a
/// byte order mark at the start of the file stays where it is, and hides no message.
///
/// ```
/// use septet::protocol::mbox::Splitter;
///
/// let file = b"From a Mon Jan  1 00:00:00 2007\n\none\n\nFrom now on\ntext\n\nFrom b\nSubject: two\n\n";
/// let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
/// file.chunks(7).for_each(|piece| splitter.feed(piece, &mut starts));
/// splitter.finish(&mut starts);
/// assert_eq!(starts, [0, 56]);
/// ```
///
/// It is linear in what it is fed, and holds no more than [`LOOK`] octets and a few.
#[derive(Debug, Clone, Default)]
pub struct Splitter {
    /// The last octets that were fed, as far as they are needed to tell what follows.
    carry: Vec<u8>,
    /// How many octets were fed.
    fed: u64,
    /// Every `From ` that starts before this offset is decided.
    next: u64,
    /// Whether the last From_ line is one of git's.
    after_patch: bool,
    /// Where the first `From ` of a message stands that starts none; none where nobody asks.
    texts: Option<Vec<u64>>,
    /// Whether the last message has such a one.
    has_text: bool,
}

impl Splitter {
    /// Makes a splitter at the start of a file.
    pub fn new() -> Splitter {
        Splitter::default()
    }

    /// Finds where the messages of a whole file start.
    pub(super) fn starts_of(file: &[u8]) -> Vec<u64> {
        let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
        splitter.feed(file, &mut starts);
        splitter.finish(&mut starts);
        starts
    }

    /// Notes as well where in each message the first `From ` stands that starts no message, for
    /// [`take_texts`](Splitter::take_texts).
    pub fn noting_texts(self) -> Splitter {
        Splitter { texts: Some(Vec::new()), ..self }
    }

    /// Takes the places before an offset that it noted; none where it notes none.
    pub fn take_texts(&mut self, before: u64) -> Option<Vec<u64>> {
        let texts = self.texts.as_mut()?;
        let later = texts.partition_point(|&text| text < before);
        Some(texts.drain(..later).collect())
    }

    /// Takes the next octets of the file, and adds to `starts` the offsets in the file at which messages start.
    ///
    /// Offsets come in order. One may lie before the piece, never before [`settled`](Splitter::settled).
    pub fn feed(&mut self, piece: &[u8], starts: &mut Vec<u64>) {
        let carried = self.carry.len();
        let base = self.fed - carried as u64;
        self.fed += piece.len() as u64;
        let joint = piece.len().min(LOOK + BEHIND);
        self.carry.extend_from_slice(&piece[..joint]);
        let window = std::mem::take(&mut self.carry);
        if joint == piece.len() {
            self.scan(&window, base, window.len(), false, starts);
            self.keep(&window);
        } else {
            // The window reaches far enough to decide all that starts in it before `BEHIND` octets of the piece.
            self.scan(&window, base, carried + BEHIND, false, starts);
            self.next = self.next.max(base + (carried + BEHIND) as u64);
            self.scan(piece, base + carried as u64, piece.len(), false, starts);
            self.keep(piece);
        }
    }

    /// Decides what the end of the file was needed for.
    pub fn finish(&mut self, starts: &mut Vec<u64>) {
        let window = std::mem::take(&mut self.carry);
        self.scan(&window, self.fed - window.len() as u64, window.len(), true, starts);
        self.next = self.fed;
    }

    /// Returns the offset before which every start of a message is known.
    pub fn settled(&self) -> u64 {
        self.next
    }

    /// Decides every `From ` from `next` on that starts before `until` in the window, which starts at the offset `base`
    /// of the file; stops at the first that can't be decided yet. `ended` says that the window ends where the file
    /// does.
    fn scan(&mut self, window: &[u8], base: u64, until: usize, ended: bool, starts: &mut Vec<u64>) {
        let from = usize::try_from(self.next.saturating_sub(base)).map_or(window.len(), |from| from.min(window.len()));
        let mut undecided = None;
        for found in find_iter(&window[from..], FROM) {
            let at = from + found;
            if at >= until {
                break;
            }
            match starts_message(window, at, base == 0, ended, self.after_patch) {
                Some(true) => {
                    self.after_patch = is_patch(line_at(window, at));
                    self.has_text = false;
                    starts.push(base + at as u64);
                }
                Some(false) => {
                    let had_text = std::mem::replace(&mut self.has_text, true);
                    self.texts.iter_mut().filter(|_| !had_text).for_each(|texts| texts.push(base + at as u64));
                }
                None => {
                    undecided = Some(at);
                    break;
                }
            }
        }
        // A `From ` that is cut by the window's end starts in its last octets.
        let decided = undecided.unwrap_or((window.len() + 1).saturating_sub(FROM.len()).min(until));
        self.next = self.next.max(base + decided as u64);
    }

    /// Keeps what is needed to decide the rest, of the octets that were fed last: from [`BEHIND`] octets before `next`
    /// on.
    fn keep(&mut self, window: &[u8]) {
        let undecided = usize::try_from(self.fed - self.next).unwrap_or(usize::MAX);
        let kept = window.len().saturating_sub(undecided.saturating_add(BEHIND));
        self.carry.clear();
        self.carry.extend_from_slice(&window[kept..]);
    }
}

/// Returns the line that starts at an offset, without its line end.
fn line_at(window: &[u8], at: usize) -> &[u8] {
    let line = &window[at..];
    &line[..memchr(b'\n', line).unwrap_or(line.len())]
}
