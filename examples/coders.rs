//! The coders alone, without a message: what each makes of a text, and what it refuses.
//!
//! `cargo run --no-default-features --example coders`

use septet::coding::charset::{Charset, Labels};
use septet::coding::encoded_word::{LinePosition, WordFormat, WordPlace, WordReader, decode_unstructured, encode};
use septet::coding::iri::{Mapping, to_iri, to_uri};
use septet::coding::transfer::{base64, quoted_printable};
use septet::coding::utf7::{self, Variant};
use septet::message::grammar::parameter;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    charsets()?;
    utf_7();
    encoded_words()?;
    parameters()?;
    transfer_encodings();
    links()?;
    Ok(())
}

/// A label says what mail calls a charset; what is written under it may be a wider one.
fn charsets() -> Result<(), Box<dyn std::error::Error>> {
    let labels = Labels::default();
    let charset = labels.find(b"ISO-8859-1").ok_or("a label that is known")?;
    println!("ISO-8859-1 is read as {charset}: {}", charset.decode(b"5 \x80")?);
    println!(
        "and written as itself: {}",
        Charset::ISO_8859_1.encode("5 €").map_or_else(|no| no.to_string(), |_| "?".into())
    );
    Ok(())
}

/// Strict where a fault must be known, lossy where something must be shown.
fn utf_7() {
    for text in [&b"Geb+APw-hr: 5 +IKw-"[..], b"1 + 1"] {
        match utf7::decode(text, Variant::Rfc2152) {
            Ok(read) => println!("UTF-7 {}: {read}", text.escape_ascii()),
            Err(fault) => println!("UTF-7 {}: {fault}", text.escape_ascii()),
        }
    }
}

/// Neighbours are read together; what can't be read stays, and is named.
fn encoded_words() -> Result<(), Box<dyn std::error::Error>> {
    let labels = Labels::default();
    let reader = WordReader::new(&labels);
    let read = decode_unstructured(b"=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= =?x-klingon?Q?Qapla?=", reader);
    println!("words: {:?}, {} left", read.text, read.faults.len());

    let form = WordFormat { charset: Charset::UTF_8, language: None, place: WordPlace::Text, quoted: false };
    let mut written = String::new();
    encode("café au lait", form, LinePosition { column: "Subject: ".len(), ..LinePosition::default() }, &mut written)?;
    println!("written: {written}");
    Ok(())
}

/// RFC 2231 both ways: in sections, and with a charset.
fn parameters() -> Result<(), Box<dyn std::error::Error>> {
    let value = b"attachment; filename*0*=utf-8''caf%C3; filename*1*=%A9.txt";
    let octets = parameter::sections(value).value(value, "filename").map(|octets| octets.into_owned());
    println!("filename: {}", String::from_utf8(octets.unwrap_or_default())?);
    println!("written: {}", parameter::write("filename", "café.txt", Charset::UTF_8, None, 74)?.join("; "));
    Ok(())
}

/// Both decoders are total: what breaks a rule is counted, and nothing is dropped.
fn transfer_encodings() {
    let read = quoted_printable::decode(b"caf=C3=A9 =\r\nau lait, 1=2");
    println!("quoted-printable: {}, {} fault", String::from_utf8_lossy(&read.bytes), read.faults);
    println!("base64: {}", String::from_utf8_lossy(&base64::encode("café".as_bytes(), b"\r\n")).trim_end());
}

/// An IRI for people becomes a URI for programs, and back.
fn links() -> Result<(), Box<dyn std::error::Error>> {
    let uri = to_uri("http://exämple.org/café", &Mapping::default())?;
    println!("IRI to URI: {uri}, and back: {}", to_iri(&uri));
    match to_uri("http://example.org/a\u{202E}b", &Mapping::default()) {
        Ok(uri) => println!("{uri}"),
        Err(refused) => println!("refused: {refused}"),
    }
    Ok(())
}
