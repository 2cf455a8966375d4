//! The coders alone, without a message: what each makes of a text, and what it refuses.
//!
//! `cargo run --example coders`

use septet::text::{EscapeForm, escape, unescape};
use septet::{Charset, detect, header, iri, text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    texts()?;
    escapes();
    fields()?;
    links()?;
    Ok(())
}

/// A label says what mail calls a charset; what is written under it may be another one.
fn texts() -> Result<(), Box<dyn std::error::Error>> {
    for (octets, label) in [(&b"5 +IKw-"[..], "utf-7"), (b"5 \x80", "iso-8859-1"), (b"\x1b$B$\"\x1b(B", "iso-2022-jp")]
    {
        let read = text::decode(octets, Some(label))?;
        println!(
            "{} as {label}: {}, in {} because of {}",
            octets.escape_ascii(),
            read.text,
            read.charset,
            read.because
        );
    }
    println!("without a label: {:?}", detect("Привет, как дела?".as_bytes()).map(Charset::name));
    println!("UTF-7: {}", text::encode("5 €", Charset::UTF_7)?.escape_ascii());
    if let Err(lacking) = text::encode("5 €", Charset::ISO_8859_1) {
        println!("ISO-8859-1: {lacking}");
    }
    Ok(())
}

/// RFC 5137 both ways: what comes back is what went in.
fn escapes() {
    for form in EscapeForm::ALL {
        let escaped = escape("5 €", form);
        println!("{}: {escaped}, and back: {}", form.name(), unescape(&escaped, &[form]));
    }
}

/// Neighbouring encoded-words are read together; what can't be read stays.
fn fields() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", header::decode(b"=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= =?x-klingon?Q?Qapla?="));
    for mailbox in header::decode_addresses(b"=?iso-8859-1?Q?J=FCrgen?= <j@example.org>, \"Doe, J.\" <d@example.org>") {
        println!("{} at {}", mailbox.name, mailbox.address);
    }
    println!("{}", header::encode("To", "Jürgen <j@example.org>", Charset::UTF_8)?);
    println!("{}", header::encode("Content-Disposition", "attachment; filename=\"café.txt\"", Charset::UTF_8)?);
    Ok(())
}

/// An IRI for people becomes a URI for programs, and back.
fn links() -> Result<(), Box<dyn std::error::Error>> {
    let uri = iri::to_uri("http://exämple.org/café")?;
    println!("IRI to URI: {uri}, and back: {}", iri::to_iri(&uri));
    if let Err(refused) = iri::to_uri("http://example.org/a\u{202E}b") {
        println!("refused: {refused}");
    }
    for link in iri::find("See http://example.org/été, please.") {
        println!("found at {:?}: {}", link.at, link.iri);
    }
    Ok(())
}
