//! The program: reads the command line, runs the command, says why it failed.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use septet::commands::cli::{Cli, usage_exit};
use septet::process::color::Color;
use septet::process::say::coloured_error;
use tikv_jemallocator::Jemalloc;

/// It gives memory back to the system where glibc's malloc keeps it, and is faster than musl's; `septet serve` tells it how.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// Runs the command of the command line. What it prints before it fails is its own; its failure is printed here.
fn main() -> ExitCode {
    let command = Cli::command().color(Color::for_clap(std::env::args_os()));
    let cli = match command.try_get_matches().and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        // Help and the version are asked for, and go to stdout: clap calls them errors, and they are none.
        Err(asked) if !asked.use_stderr() => return print(&asked, 0),
        Err(wrong) => return print(&wrong, usage_exit(std::env::args_os()) as u8),
    };
    cli.color.choose();
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // A stderr that can't be written must not change the exit code.
            let _ = std::io::stderr().write_all(coloured_error(&failure.message()).as_bytes());
            ExitCode::from(failure.exit as u8)
        }
    }
}

/// Prints what clap has to say, to stdout or stderr as it likes, and returns the exit code.
fn print(message: &clap::Error, code: u8) -> ExitCode {
    // A closed pipe is the only way in which printing help fails, and then nobody reads it.
    let _ = message.print();
    ExitCode::from(code)
}
