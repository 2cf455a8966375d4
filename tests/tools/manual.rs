//! Help, man pages and completions.
