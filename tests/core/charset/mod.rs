//! Charsets: every one of them both ways, and what labels mean.

mod jis_x_0213;
mod labels;
mod others;
mod places;
mod properties;
mod texts;
mod unlabelled;
mod utf8;
mod work;

/// Gives the rows of a table in fixtures/coding/charset.
fn rows(name: &str) -> Vec<Vec<String>> {
    septet_support::table::cells(&format!("coding/charset/{name}"))
}
