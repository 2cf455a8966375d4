//! The four dialects of mailbox files, and MMDF's framing.

/// How a mailbox file quotes lines that start with `From `, and whether it counts the octets of its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// `From ` gets a `>`, and nothing else does: what was `>From ` in the message can't be told.
    Mboxo,
    /// Any number of `>` and then `From ` gets one `>` more.
    #[default]
    Mboxrd,
    /// Counts octets in Content-Length, and quotes as mboxrd.
    Mboxcl,
    /// Counts octets in Content-Length, and quotes nothing.
    Mboxcl2,
    /// No mbox: each message stands between two lines of four octets 1, and nothing is quoted.
    Mmdf,
}

impl Dialect {
    /// Returns `true` if its messages state their length.
    pub fn counts(self) -> bool {
        matches!(self, Dialect::Mboxcl | Dialect::Mboxcl2)
    }

    /// Returns `true` if From_ lines alone say where its messages start.
    pub fn goes_by_from_lines(self) -> bool {
        matches!(self, Dialect::Mboxo | Dialect::Mboxrd)
    }
}
