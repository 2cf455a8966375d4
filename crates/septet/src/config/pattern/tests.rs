use super::*;

#[test]
fn globs() {
    for (pattern, text, wanted) in [
        ("*", "", true),
        ("*", "anything", true),
        ("", "", true),
        ("", "x", false),
        ("a*c", "abbbc", true),
        ("a*c", "ac", true),
        ("a*c", "abcd", false),
        ("*a*b*", "xxaxxbxx", true),
        ("*ab", "aab", true),
        ("*.example.org", "MX.Example.ORG", true),
        ("*.example.org", "example.org", false),
    ] {
        assert_eq!(glob(pattern, text.as_bytes()), wanted, "{pattern} {text}");
    }
    assert!(!glob(&"a*".repeat(50), "a".repeat(49).as_bytes()));
    assert!(!glob(&format!("{}b", "*a".repeat(200)), "a".repeat(20_000).as_bytes()));
}

#[test]
fn clients_by_network() {
    for (pattern, address, wanted) in [
        ("192.0.2.0/24", "192.0.2.255", true),
        ("192.0.2.0/24", "192.0.3.0", false),
        ("192.0.2.0/24", "::ffff:192.0.2.9", true),
        ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false),
        ("0.0.0.0/0", "198.51.100.1", true),
        ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false),
        ("[::1]", "::1", true),
        ("::/0", "2001:db8::1", true),
    ] {
        let client: ClientPattern = pattern.parse().expect(pattern);
        assert_eq!(client.matches(None, address.parse().ok()), wanted, "{pattern} {address}");
        assert_eq!(client.to_string().parse(), Ok(client), "{pattern} reads back");
    }
    assert!(!"0.0.0.0/0".parse::<ClientPattern>().expect("a network").matches(Some("mx.example.org"), None));
}

#[test]
fn clients_by_name() {
    let client: ClientPattern = "*.example.org".parse().expect("a name");
    assert!(client.matches(Some("mx.example.org."), None));
    assert!(!client.matches(Some("mx.example.com"), None));
    assert!(!client.matches(None, "192.0.2.1".parse().ok()));
}

#[test]
fn addresses() {
    for (pattern, address, wanted) in [
        ("user@example.org", "<User@Example.org>", true),
        ("user@example.org", "user2@example.org", false),
        ("@example.org", "<any@example.org>", true),
        ("@example.org", "any@sub.example.org", false),
        ("@*.example.org", "any@sub.example.org", true),
        ("*@example.org", "\"a b\"@example.org", true),
        ("<>", "<>", true),
        ("<>", "", true),
        ("<>", "a@b", false),
        ("*", "", true),
    ] {
        let pattern: AddressPattern = pattern.parse().expect(pattern);
        assert_eq!(pattern.matches(address), wanted, "{pattern} {address}");
    }
}

#[test]
fn list_ids_and_fields() {
    let list: ListId = "<*.example.org>".parse().expect("a list");
    assert!(list.matches(b" Dev talk <dev.Example.org>"));
    assert!(list.matches(b"dev.example.org"));
    assert!(!list.matches(b"<dev.example.com>"));
    let field: FieldPattern = "X-Spam-Flag: y*".parse().expect("a field");
    assert!(field.matches(b"x-spam-flag", b" YES\r\n"));
    assert!(!field.matches(b"X-Spam-Flag", b" NO"));
    assert!(!field.matches(b"X-Spam", b" YES"));
    assert!("X-Spam-Flag".parse::<FieldPattern>().expect("a field").matches(b"X-SPAM-FLAG", b""));
}

#[test]
fn says_what_is_wrong() {
    for (pattern, clause) in [
        ("", "empty"),
        ("192.0.2.0/33", "no network"),
        ("192.0.2.0/", "no network"),
        ("example.org/24", "no network"),
        ("192.0.2.1/24", "write 192.0.2.0/24"),
        ("2001:db8::1/32", "write 2001:db8::/32"),
        ("mx example", "no host name"),
    ] {
        let error = pattern.parse::<ClientPattern>().expect_err(pattern).to_string();
        assert!(error.contains(clause), "{pattern}: {error}");
    }
    assert_eq!("example.org".parse::<AddressPattern>(), Err(PatternError::Address));
    assert_eq!("a b@example.org".parse::<AddressPattern>(), Err(PatternError::Address));
    assert_eq!("X Spam: yes".parse::<FieldPattern>(), Err(PatternError::Field));
    assert_eq!(": yes".parse::<FieldPattern>(), Err(PatternError::Field));
}
