//! Lists what is in a message: each part with its type, its file and how its text was read, and the fields of people.
//!
//! `cargo run --example parts -- FILE`; it changes nothing, and uses the library alone.

use septet::parts::Part;
use septet::{Limits, Message, header};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = std::fs::read(std::env::args().nth(1).ok_or("which file?")?)?;
    let message = Message::read(&raw, &Limits::default());

    for field in message.parts().next().into_iter().flat_map(|part| part.fields()) {
        match &*field.name().to_ascii_lowercase() {
            "from" | "to" | "cc" => {
                for mailbox in header::decode_addresses(field.value()) {
                    println!("{}: {} at {}", field.name(), mailbox.name, mailbox.address);
                }
            }
            "subject" | "date" => println!("{}: {}", field.name(), field.text()),
            _ => {}
        }
    }
    message.parts().for_each(show);
    if let Some(limit) = message.limit() {
        println!("not all was read: {limit}");
    }
    Ok(())
}

/// Shows one part, further right the deeper it lies.
fn show(part: Part) {
    print!("{:1$}{2} {3}", "", part.depth(), part.number(), part.media_type());
    if let Some(name) = part.file_name() {
        // The sender chose it, and may have meant the terminal.
        print!(", the file {name:?} of {} octets", part.octets().len());
    }
    if part.is_shown_text() {
        match part.text() {
            Ok(read) => print!(", {} characters of {} by {}", read.text.chars().count(), read.charset, read.because),
            Err(reason) => print!(", which nobody can read: {reason}"),
        }
    }
    println!();
}
