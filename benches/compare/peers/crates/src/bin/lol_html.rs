//! Percent-encodes what is not ASCII in the links of a page with lol_html: `lol_html FILE`.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufWriter, Write, stdout};

use lol_html::{HtmlRewriter, Settings, element};

const LINKS: [&str; 2] = ["href", "src"];

fn encoded(link: &str) -> String {
    let mut encoded = String::with_capacity(link.len() * 2);
    for character in link.chars() {
        if character.is_ascii() {
            encoded.push(character);
        } else {
            let mut octets = [0; 4];
            for octet in character.encode_utf8(&mut octets).bytes() {
                let _ = write!(encoded, "%{octet:02X}");
            }
        }
    }
    encoded
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: lol_html FILE")?;
    let page = std::fs::read(path)?;
    let mut out = BufWriter::new(stdout().lock());
    let settings =
        Settings::new().with_strict(false).append_element_content_handler(element!("[href], [src]", |element| {
            for name in LINKS {
                if let Some(link) = element.get_attribute(name).filter(|link| !link.is_ascii()) {
                    element.set_attribute(name, &encoded(&link))?;
                }
            }
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |piece: &[u8]| {
        if out.write_all(piece).is_err() {
            std::process::exit(74);
        }
    });
    for piece in page.chunks(1 << 16) {
        rewriter.write(piece)?;
    }
    rewriter.end()?;
    Ok(out.flush()?)
}
