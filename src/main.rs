//! The program: reads the command line, runs the command, says why it failed.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use septet_cli::commands::cli::{Cli, is_daemon, usage_exit};
use septet_cli::process::color::Color;
use septet_cli::process::say;
use septet_cli::serve;
use tikv_jemallocator::Jemalloc;

/// It gives memory back to the system where glibc's malloc keeps it, and is faster than musl's; `septet serve` tells it
/// how.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// Runs the command of the command line. What it prints before it fails is its own; its failure is printed here.
fn main() -> ExitCode {
    let command = Cli::command().color(Color::for_clap(std::env::args_os()));
    let cli = match command.try_get_matches().and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        // Help and the version are asked for, and go to stdout: clap calls them errors, and they are none.
        Err(asked) if !asked.use_stderr() => return print(&asked, 0),
        Err(wrong) => return refuse(&wrong),
    };
    cli.color.choose();
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say::failure(&failure);
            ExitCode::from(failure.exit as u8)
        }
    }
}

/// Prints what is wrong with the command line, and returns the exit code; whoever waits for a daemon is told, too.
fn refuse(wrong: &clap::Error) -> ExitCode {
    let code = print(wrong, usage_exit(std::env::args_os()) as u8);
    if is_daemon(std::env::args_os()) {
        serve::tell_of_wrong_usage();
    }
    code
}

/// Prints what clap has to say, to stdout or stderr as it likes, and returns the exit code.
fn print(message: &clap::Error, code: u8) -> ExitCode {
    // That it can't be printed, as into a closed pipe, is told to nobody, and the exit code stays.
    let _ = message.print();
    ExitCode::from(code)
}
