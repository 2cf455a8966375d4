//! The faults of other readers that make a difference where there is none: known.tsv.

/// The rows of one reader.
pub struct Known(Vec<Row>);

/// What a row asks for: pieces of the difference, and pieces of the message as it came.
struct Row {
    difference: Vec<String>,
    message: Vec<String>,
}

impl Known {
    /// Reads the rows of a reader; each has pieces of the difference and of the message, and a reason.
    pub fn of(reader: &str) -> Known {
        let row = |line: &str| {
            let [whose, difference, message, why] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("four columns: {line}")
            };
            assert!(!why.is_empty(), "a reason: {line}");
            (whose == reader).then(|| Row { difference: pieces(difference), message: pieces(message) })
        };
        let rows = include_str!("known.tsv").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Known(rows.filter_map(row).collect())
    }

    /// Whether a row explains this difference under this profile, in this message.
    pub fn explains(&self, profile: &str, what: &str, raw: &[u8]) -> bool {
        let text = format!("{profile}: {what}");
        let message = || with_lone_signs(&String::from_utf8_lossy(raw).to_ascii_lowercase().replace('\r', ""));
        self.0.iter().any(|row| holds(&text, &row.difference) && holds(&message(), &row.message))
    }
}

/// Writes `%(lone)` for every percent sign without two digits behind it.
fn with_lone_signs(text: &str) -> String {
    let mut pieces = text.split('%');
    let first = pieces.next().unwrap_or_default().to_owned();
    let is_lone = |rest: &str| rest.len() < 2 || !rest.bytes().take(2).all(|octet| octet.is_ascii_hexdigit());
    pieces.fold(first, |text, rest| text + if is_lone(rest) { "%(lone)" } else { "%" } + rest)
}

/// Splits a cell at its `*`, where anything may stand; `\t` and `\n` are written so, and a percent sign without
/// two digits as `%(lone)`.
fn pieces(cell: &str) -> Vec<String> {
    cell.split('*').map(|piece| piece.replace("\\t", "\t").replace("\\n", "\n").replace("\\a", "*")).collect()
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
    let known = Known(vec![Row { difference: pieces("utf7*file name"), message: pieces("a\\ab\\n") }]);
    assert!(known.explains("utf7", "part 0: file name a", b"A*b\r\n"));
    assert!(!known.explains("utf7", "part 0: file name a", b"A*b"));
    assert!(!known.explains("utf8", "part 0: file name a", b"A*b\r\n"));
    assert_eq!(with_lone_signs("%a0%a%%0g%"), "%a0%(lone)a%(lone)%(lone)0g%(lone)");
}
