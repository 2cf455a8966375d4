//! The coders: tables of cases, what holds for every input, and what independent coders say.

mod differential;
mod escape;
mod fuzz;
mod iri;
mod parameter;
mod transfer;
mod utf7;
mod word;
mod wpt;

use septet_support::table::{self, Row};

/// Reads a table below `fixtures/coding`.
pub fn rows(path: &str) -> Vec<Row> {
    table::rows(&format!("coding/{path}"))
}
