//! Plans and applies a profile on every message of a folder, and writes nothing: `plan PROFILE FOLDER [TIMES]`.
//!
//! `benches/compare/run --goals` runs it for what planning alone takes on one core, each message so many times, and
//! under callgrind for the proof's share of that; it is built with the lines of the sources in it therefore.

use std::error::Error;

use septet::{Profile, plan};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(name), Some(folder)) = (words.next(), words.next()) else {
        return Err("usage: plan PROFILE FOLDER [TIMES]".into());
    };
    let times: usize = words.next().map_or(Ok(1), |times| times.parse())?;
    let profile = Profile::built_in(&name).ok_or("no such profile")?;
    let mut octets = 0;
    for entry in std::fs::read_dir(folder)? {
        let raw = std::fs::read(entry?.path())?;
        for _ in 0..times {
            octets += plan(&raw, &profile).edits.apply(&raw).len();
        }
    }
    println!("{octets} octets");
    Ok(())
}
