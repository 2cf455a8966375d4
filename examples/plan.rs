//! Plans a profile on one message: the report goes to stderr, the result to stdout.
//!
//! `cargo run --example plan -- [PROFILE] [FILE]`; without a file the message is read from stdin, without a profile
//! it is `utf8`. It uses the library alone.

use std::io::{Read, Write};

use septet::{Outcome, Profile, plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "utf8".to_owned());
    let profile =
        Profile::built_in(&name).ok_or_else(|| format!("no profile {name}; there are {:?}", Profile::BUILT_IN))?;
    let raw = read(arguments.next())?;

    let plan = plan(&raw, &profile);

    for entry in &plan.report.entries {
        let mark = match &entry.outcome {
            Outcome::Done(_) => "done",
            Outcome::Left(reason) if reason.is_ours() => "OURS",
            Outcome::Left(_) => "left",
            _ => "note",
        };
        eprintln!("{mark}  {entry}");
    }
    eprintln!("{}, {} edits", plan.report.result(), plan.edits.as_slice().len());

    std::io::stdout().lock().write_all(&plan.apply(&raw)?)?;
    Ok(())
}

/// Reads the message, from a file or from stdin.
fn read(file: Option<String>) -> std::io::Result<Vec<u8>> {
    let Some(file) = file else {
        let mut raw = Vec::new();
        std::io::stdin().read_to_end(&mut raw)?;
        return Ok(raw);
    };
    std::fs::read(file)
}
