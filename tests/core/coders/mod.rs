//! The coders: tables of cases, what holds for every input, and what independent coders say.

mod differential;
mod escape;
mod fuzz;
mod iri;
mod parameter;
pub mod table;
mod transfer;
mod utf7;
mod word;
mod wpt;
