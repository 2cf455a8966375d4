//! What every command needs of its process and its host: settings, exit codes, the log, the clock, text for a terminal.

pub mod address;
pub mod advice;
pub mod allocator;
pub mod arrival;
pub mod bar;
pub mod color;
pub mod decide;
pub mod exit;
pub mod logging;
pub mod pager;
pub mod ruled_profiles;
pub mod sample;
pub mod say;
pub mod screen_size;
pub mod sender;
pub mod settings;
pub mod shell;
pub mod shown;
pub mod shown_json;
pub mod stdio;
pub mod table;
pub mod why;
