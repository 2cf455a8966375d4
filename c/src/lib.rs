//! The face of septet for C, and for every language that calls C: `include/septet.h` is made of it, by `c/header`.
//!
//! Only this crate has `unsafe`: it reads what a C program points to, and each function says what must be there.

mod call;
mod header;
mod profile;
mod result;
mod text;
