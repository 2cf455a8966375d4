//! Converts UTF-7 with encodify: `encodify decode FILE`, `encodify encode FILE`.

use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(way), Some(path)) = (words.next(), words.next()) else {
        return Err("usage: encodify decode|encode FILE".into());
    };
    let converted = match way.as_str() {
        "decode" => encodify::utf7::MAIL.decode(std::fs::read(path)?)?,
        _ => encodify::utf7::MAIL.encode(&std::fs::read_to_string(path)?),
    };
    Ok(stdout().lock().write_all(converted.as_bytes())?)
}
