//! The benchmarks of septet's coders; each `*.rs` beside this file but `plan.rs` is one, with what it
//! measures in its head.
