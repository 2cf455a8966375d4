//! The benchmarks of septet's coders; each `*.rs` beside this file is one, with what it measures in its head.
