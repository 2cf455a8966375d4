//! The fields that somebody asks for by name: one table, in which a name is looked up once, where its header is read.
//!
//! A field that isn't in the table, nor of a family that goes by how names begin, is unstructured text, as RFC 5322
//! §3.6.8 has it. The table's rows come from the RFC named beside them; the letter case of a name does not count. Who
//! cares for some of them alone makes a set of these ([`FieldNames`]), and asks for a field with a look at one bit.

mod table;

use self::table::TABLE;

/// What the value of a field is made of, and so where text may stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Text, all of it.
    Unstructured,
    /// Addresses: text stands in phrases and comments (RFC 5322 §3.4). Also `phrase <identifier>`.
    Addresses,
    /// Phrases with commas between (RFC 5322 §3.6.5).
    Phrases,
    /// A value and parameters (RFC 2045 §5.1): text stands in parameter values and comments.
    Parameters,
    /// Structured; text stands in comments alone.
    Comments,
    /// A type and an address of that type (RFC 3464 §2.3.1): no text, but one of its types has a form in ASCII.
    TypedAddress,
    /// Links in angle brackets (RFC 2369): text stands in comments outside of them.
    Links,
    /// Never touched: identifiers, links, signatures, traces.
    Opaque,
}

impl FieldKind {
    /// Finds the kind of a field by its name: that of its row, or else of the family whose names begin so.
    pub fn of(name: &[u8]) -> FieldKind {
        match Known::of(name) {
            Some(known) => known.row().1,
            None if begins_with(name, "list-") => FieldKind::Links,
            None if OPAQUE_PREFIXES.iter().any(|prefix| begins_with(name, prefix)) => FieldKind::Opaque,
            None => FieldKind::Unstructured,
        }
    }

    /// Returns `true` if mail programs show no text of such a field: none may stand in it, or in comments alone.
    pub fn shows_no_text(self) -> bool {
        matches!(self, FieldKind::Opaque | FieldKind::TypedAddress | FieldKind::Comments | FieldKind::Links)
    }
}

/// Returns `true` if a field's name begins with `Content-`, so that it says what a body is (RFC 2045 §9).
pub fn says_what_a_body_is(name: &[u8]) -> bool {
    begins_with(name, "content-")
}

/// Returns `true` if a field's name begins with this, in any case of letters.
fn begins_with(name: &[u8], prefix: &str) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// A set of names of the table: a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldNames([u64; 2]);

impl FieldNames {
    /// Makes a set of names with one space between; one that is not in the table does not compile where it is a
    /// constant, and panics elsewhere.
    pub const fn of(names: &str) -> FieldNames {
        let (names, mut set, mut start, mut end) = (names.as_bytes(), [0; 2], 0, 0);
        while end <= names.len() {
            if end == names.len() || names[end] == b' ' {
                let place = place(names.split_at(end).0.split_at(start).1);
                set[place / 64] |= 1 << (place % 64);
                start = end + 1;
            }
            end += 1;
        }
        FieldNames(set)
    }

    /// Returns the names of both sets.
    pub const fn and(self, other: FieldNames) -> FieldNames {
        FieldNames([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// Returns them, each in its usual spelling.
    pub fn each(self) -> impl Iterator<Item = &'static str> {
        TABLE.iter().enumerate().filter(move |(place, _)| self.holds(*place)).map(|(_, (name, _))| *name)
    }

    /// Returns `true` if a name is one of them; `false` for one that is not in the table.
    pub fn has(self, known: Option<Known>) -> bool {
        known.is_some_and(|known| self.holds(known.0 as usize))
    }

    /// Returns `true` if the name at this place of the table is one of them.
    fn holds(self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// Looks a name up, and returns `true` if it is one of them.
    pub fn names(self, name: &[u8]) -> bool {
        self.has(Known::of(name))
    }
}

/// The field that says what a body is.
pub const CONTENT_TYPE: FieldNames = FieldNames::of("Content-Type");

/// The field that says how a body is encoded.
pub const CONTENT_TRANSFER_ENCODING: FieldNames = FieldNames::of("Content-Transfer-Encoding");

/// The fields that have parameters.
pub const WITH_PARAMETERS: FieldNames = FieldNames::of("Content-Type Content-Disposition");

/// The fields that count or sum up the octets of a body.
pub const SIZES: FieldNames = FieldNames::of("Content-Length Content-MD5 Lines");

/// The field whose value is a trace (RFC 5321 §4.4).
pub const RECEIVED: FieldNames = FieldNames::of("Received");

/// The fields whose value is a domain and nothing else.
pub const OF_DOMAINS: FieldNames = FieldNames::of("NNTP-Posting-Host TLS-Report-Domain TLS-Report-Submitter");

/// A name of the table, as its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Known(u8);

impl Known {
    /// Looks a name up, in any case of letters; none where it is not in the table.
    pub fn of(name: &[u8]) -> Option<Known> {
        let mut slot = first_slot(name);
        while SLOTS[slot] != FREE {
            let known = Known(SLOTS[slot]);
            let usual = known.name().as_bytes();
            // Nearly all are spelt so.
            if name == usual || name.eq_ignore_ascii_case(usual) {
                return Some(known);
            }
            slot = (slot + 1) % SLOTS.len();
        }
        None
    }

    /// Returns the name in its usual spelling.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns its row: the usual spelling, and the kind.
    fn row(self) -> &'static (&'static str, FieldKind) {
        &TABLE[self.0 as usize]
    }
}

/// Finds the place of a name in the table, for the compiler, which stops where there is none.
const fn place(name: &[u8]) -> usize {
    let mut place = 0;
    while !name.eq_ignore_ascii_case(TABLE[place].0.as_bytes()) {
        place += 1;
    }
    place
}

/// What a slot holds that no name is in.
const FREE: u8 = u8::MAX;

/// The places of names in the table, each in the first slot that is free from its own on: a hash table of the
/// compiler's.
static SLOTS: [u8; 256] = {
    let mut slots = [FREE; 256];
    let mut place = 0;
    while place < TABLE.len() {
        let mut slot = first_slot(TABLE[place].0.as_bytes());
        while slots[slot] != FREE {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = place as u8;
        place += 1;
    }
    slots
};

/// Returns the slot of a name, the same in any case of letters. The factors leave nearly every name of the table in its
/// own.
const fn first_slot(name: &[u8]) -> usize {
    let Some(last) = name.last() else { return 0 };
    (name.len() * 34 + (name[name.len() / 2] as usize | 0x20) * 21 + (*last as usize | 0x20) * 7) % 256
}

/// Families whose fields carry signatures or results of checks.
const OPAQUE_PREFIXES: [&str; 7] = ["arc-", "bimi-", "dkim-", "dkim2-", "tls-report-", "x-dkim-", "x-arc-"];

#[cfg(test)]
mod tests {
    use super::FieldKind::*;
    use super::*;

    #[test]
    fn finds_every_name_of_the_table_in_any_case_of_letters() {
        for (place, (name, _)) in TABLE.iter().enumerate() {
            for spelling in [name.to_string(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
                assert_eq!(Known::of(spelling.as_bytes()), Some(Known(place as u8)), "{spelling}, once");
            }
        }
        assert!(TABLE.len() < 128, "a set has a bit for each");
        let with_parameters = TABLE.iter().filter(|(_, kind)| *kind == Parameters).map(|(name, _)| *name);
        assert!(with_parameters.eq(["Content-Disposition", "Content-Type"]), "the set of them");
    }

    #[test]
    fn finds_kinds_in_any_case_of_letters() {
        let cases = [
            ("Subject", Unstructured),
            ("FROM", Addresses),
            ("content-Type", Parameters),
            ("DKIM-Signature", Opaque),
            ("DKIM2-Signature", Opaque),
            ("Message-Instance", Opaque),
            ("ARC-Protection", Opaque),
            ("List-Unsubscribe", Links),
            ("List-Anything", Links),
            ("List-ID", Addresses),
            ("Keywords", Phrases),
            ("Date", Comments),
            ("Received", Opaque),
            ("Xref", Opaque),
            ("", Unstructured),
            ("X-Anything", Unstructured),
        ];
        for (name, kind) in cases {
            assert_eq!(FieldKind::of(name.as_bytes()), kind, "{name}");
        }
    }

    #[test]
    fn a_set_holds_its_names_alone() {
        let set = FieldNames::of("From").and(FieldNames::of("Sender"));
        assert_eq!(set.each().collect::<Vec<_>>(), ["From", "Sender"]);
        assert!(set.each().all(|name| set.names(name.as_bytes())));
        assert!(!set.names(b"To") && !set.names(b"X-Anything"));
    }
}
