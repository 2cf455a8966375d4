//! Addresses, parameters and attributes.

use septet::protocol::BodyParameter;
use septet::protocol::smtp::{Attributes, Command, EsmtpParameters, Path, decode_xtext, encode_xtext};
use septet_support::escapes::octets;

#[test]
fn paths_are_read_as_postfix_reads_them() {
    for (text, local, domain) in [
        ("<a@b.example>", "a", Some("b.example")),
        ("a@b.example", "a", Some("b.example")),
        ("<a+b=c%d!e@b_c.example>", "a+b=c%d!e", Some("b_c.example")),
        ("<@x.example,@y.example:a@b.example>", "a", Some("b.example")),
        (r#"<"a b@c>"@d.example>"#, r#""a b@c>""#, Some("d.example")),
        (r#"<"a\\"b"@d.example>"#, r#""a\"b""#, Some("d.example")),
        ("<a@[192.0.2.1]>", "a", Some("[192.0.2.1]")),
        ("<a@[IPv6:2001:db8::1]>", "a", Some("[IPv6:2001:db8::1]")),
        ("<Postmaster>", "Postmaster", None),
        ("<.a..b.@c>", ".a..b.", Some("c")),
        ("<é@ü.example>", "é", Some("ü.example")),
    ] {
        let path = Path::read(&octets(text)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((path.local(), path.domain()), (local.as_bytes(), domain.map(str::as_bytes)), "{text}");
        let mut written = Vec::new();
        path.write(&mut written);
        assert_eq!(Path::read(&written), Some(path), "{text}");
    }
}

#[test]
fn what_could_inject_is_no_path() {
    for text in [
        "", "<", ">", "<a", "a>", "<a@b", "<a@b>>", "<<a@b>>", "<a@b> ", "<a b@c>", "<a@b c>", "<a@>", "<@b>", "<@b:>",
        "<@:a@b>", "<a@b@c>", "<a,b@c>", "<a:b@c>", "<a@b:c>", "<a@[b>", "<a@b]>", "<a@[]>", r#"<"a@b>"#,
        r#"<"a"b@c>"#, r#"<"a\\"@b>"#, r"<a\\@b>", r"<a\r@b>", r"<a\n@b>", r"<a\0@b>", r"<a@b\r\n>", r#"<"a\r\nb"@c>"#,
        r"<a\x7F@b>", r"<\xFF@b>", r"<a@\xC2\x80>", r"<\{1100:a}@b>",
    ] {
        assert_eq!(Path::read(&octets(text)), None, "{text}");
    }
}

#[test]
fn a_path_moves_to_another_domain() {
    let path = Path::read("<a@ü.example>".as_bytes()).expect("a path");
    assert!(!path.is_ascii());
    assert_eq!(path.with_domain(b"xn--tda.example").expect("a domain").raw(), b"a@xn--tda.example");
    assert_eq!(path.with_domain(b"x> NOTIFY=NEVER"), None);
}

#[test]
fn parameters_are_kept_in_their_order_and_can_be_changed() {
    let mut parameters =
        EsmtpParameters::read(b" X-Y=1 body=8bitmime SMTPUTF8  SIZE=7 MT-PRIORITY=-3").expect("parameters");
    assert_eq!((parameters.body(), parameters.size()), (Some(BodyParameter::EightBitMime), Some(7)));
    assert!(parameters.smtputf8() && parameters.remove("smtputf8").is_some() && !parameters.smtputf8());
    let mut out = Vec::new();
    parameters.write(&mut out);
    assert_eq!(out, b" X-Y=1 body=8bitmime SIZE=7 MT-PRIORITY=-3");
}

#[test]
fn xtext_goes_both_ways() {
    let all: Vec<u8> = (0..=255).collect();
    let mut out = Vec::new();
    encode_xtext(&all, &mut out);
    assert!(out.iter().all(u8::is_ascii_graphic));
    assert_eq!(decode_xtext(&out), Some(all));
    for text in ["+", "+4", "+4G", "a b", "a=b", r"a\rb"] {
        assert_eq!(decode_xtext(&octets(text)), None, "{text}");
    }
}

#[test]
fn attributes_are_decoded_and_encoded() {
    let mut attributes = Attributes::read(b"name=[unavailable] ADDR=192.0.2.1 HELO=a+20b").expect("attributes");
    assert_eq!((attributes.get("NAME"), attributes.get("helo")), (None, Some(&b"a b"[..])));
    attributes.set("IDENT", Some(b"x\r\ny"));
    attributes.set("SOURCE", Some(b"LOCAL"));
    attributes.retain(b"NAME ADDR IDENT");
    let mut out = Vec::new();
    attributes.write(&mut out);
    assert_eq!(out, b" NAME=[UNAVAILABLE] ADDR=192.0.2.1 IDENT=x+0D+0Ay");
    for text in ["", "NAME", "=x", "NA-ME=x", "NAME=+", "NAME=\x7f"] {
        assert_eq!(Attributes::read(text.as_bytes()), None, "{text}");
    }
    // Each name would be kept for the connection's life.
    assert!(Command::read(b"XFORWARD ident=1 SOURCE=LOCAL").is_ok());
    assert!(Command::read(b"XFORWARD IDENT=1 X0=y").is_err());
}

#[test]
fn a_command_is_one_line() {
    for line in [r"NOOP\r", r"NOOP\0", r"EHLO a\nb", r"MAIL FROM:<a@b>\tSIZE=1", r"QUIT\x0B."] {
        let read = Command::read(&octets(line));
        assert!(read.is_err(), "{line}: {read:?}");
    }
    assert_eq!(Command::read(b"quit \t"), Ok(Command::Quit));
}
