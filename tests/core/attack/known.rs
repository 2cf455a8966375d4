//! The faults of other readers that make a difference where there is none: known.tsv.

/// The rows of one reader.
pub struct Known(Vec<Vec<String>>);

impl Known {
    /// Reads the rows of a reader; each has a piece of the difference, in which `*` stands for anything, and a reason.
    pub fn of(reader: &str) -> Known {
        let row = |line: &str| {
            let [whose, piece, why] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("three columns: {line}") };
            assert!(!why.is_empty(), "a reason: {line}");
            (whose == reader).then(|| piece.split('*').map(str::to_owned).collect())
        };
        let rows = include_str!("known.tsv").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Known(rows.filter_map(row).collect())
    }

    /// Whether a row explains this difference under this profile.
    pub fn explains(&self, profile: &str, what: &str) -> bool {
        let text = format!("{profile}: {what}");
        self.0.iter().any(|pieces| holds(&text, pieces))
    }
}

/// Whether the pieces stand in the text one after the other.
fn holds(mut text: &str, pieces: &[String]) -> bool {
    pieces.iter().all(|piece| match text.split_once(piece.as_str()) {
        Some((_, rest)) => {
            text = rest;
            true
        }
        None => false,
    })
}

#[test]
fn a_row_explains_what_its_pieces_say() {
    let known = Known(vec![vec!["utf7".to_owned(), "file name".to_owned()]]);
    assert!(known.explains("utf7", "part 0: file name a"));
    assert!(!known.explains("utf8", "part 0: file name a"));
}
