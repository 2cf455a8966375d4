//! Lists the charsets and every label that means one of them.

use std::io::{Write as _, stdout};

use serde_json::{Value, json};

use crate::coding::charset::{Charset, Labels};
use crate::process::exit::Failure;
use crate::process::table::table;

/// List the charsets that septet knows, and the labels that mean them
///
/// Case, hyphens, underscores and zeros before a number don't count in a label. Mail under some labels is read
/// as a wider charset, since that is what writes under them. A profile's charset_alias comes before
/// these.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet charsets | grep -iw latin1
      tells what a label means
  septet charsets --json | jq -r '.[] | .charset as $c | .labels[] | [., $c] | @tsv'
      lists label and charset")]
pub struct Args {
    /// Print a JSON list: for each charset its name, the one that it is read as, and its labels
    #[arg(long)]
    json: bool,
}

/// A charset and what leads to it.
struct CharsetRow {
    charset: Charset,
    /// The charset that mail under its labels is read as; the same one where there is no wider one.
    read_as: Charset,
    /// Its labels, its name not among them.
    labels: Vec<&'static str>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let rows: Vec<CharsetRow> = Charset::all().iter().map(|charset| row(*charset)).collect();
    let text = if args.json { as_json(&rows) } else { as_table(&rows) };
    stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Finds what leads to a charset: its own labels, and the aliases of it that are built in.
fn row(charset: Charset) -> CharsetRow {
    let aliases = Labels::built_in_aliases().iter().filter(|(_, meant)| *meant == charset).map(|(label, _)| *label);
    let labels = charset.labels().iter().copied().chain(aliases).collect();
    let read_as = Labels::default().find(charset.name().as_bytes()).unwrap_or(charset);
    CharsetRow { charset, read_as, labels }
}

/// Writes a list for scripts; the first label of a charset is its name.
fn as_json(rows: &[CharsetRow]) -> String {
    format!("{:#}\n", rows.iter().map(row_as_json).collect::<Value>())
}

fn row_as_json(row: &CharsetRow) -> Value {
    let labels: Vec<&str> = [row.charset.name()].into_iter().chain(row.labels.iter().copied()).collect();
    json!({"charset": row.charset.name(), "read_as": row.read_as.name(), "labels": labels})
}

/// Writes a table; `-` stands for a charset that is read as itself.
fn as_table(rows: &[CharsetRow]) -> String {
    let mut lines = vec![["CHARSET", "READ AS", "LABELS"].map(str::to_owned).to_vec()];
    for row in rows {
        let read_as = if row.read_as == row.charset { "-" } else { row.read_as.name() };
        lines.push(vec![row.charset.name().to_owned(), read_as.to_owned(), row.labels.join(" ")]);
    }
    table(&lines)
}
