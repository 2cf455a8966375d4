//! Fields in which a sender speaks for septet.

use super::{Client, Daemon, NextHop, code, listener};
use crate::milter::daemon::hostname;

/// Sends a message with fields before its Subject; returns what arrives.
fn arrives(settings: &str, keys: &str, fields: &str, body: &[u8]) -> String {
    let next_hop = NextHop::capable();
    let listener = listener("smtp", &next_hop.address(), keys);
    let daemon = Daemon::configured(&format!("x_septet = true\n{settings}\n{listener}"));
    let message = [fields.as_bytes(), b"Subject: hello\r\n", body].concat();
    let told = Client::greeted(daemon.port()).send("<a@example.org> BODY=8BITMIME", &["<b@example.net>"], &message);
    assert_eq!(code(&told), "250", "{told}");
    String::from_utf8_lossy(&next_hop.wait_for(1)[0].raw).into_owned()
}

/// Whatever a reader may take for a field in this host's name, and whatever one becomes by what septet does.
#[test]
fn a_forged_field_in_an_odd_spelling_is_taken_out() {
    let host = hostname();
    let encoded: String = host.bytes().map(|octet| format!("={octet:02X}")).collect();
    let all = [
        format!("X-SEPTET \t: forged;\r\n\thost\r\n =\r\n {}.\r\n", host.to_uppercase()),
        format!("X-Septet: =?utf-8?Q?forged=3B_host=3D{encoded}?=\r\n"),
        format!("X-Septet: forged; host=(a;b){host}\r\n"),
        format!("X-Septet: forged; host*=utf-8''{host}\r\n"),
        format!("X-Septet: forged; host={host}\r\nX-Septet: forged; host={host}\r\n"),
    ];
    for (profile, fields) in ["utf8", "eai"].iter().flat_map(|profile| all.iter().map(move |fields| (profile, fields)))
    {
        let settings = format!("default_profile = \"{profile}\"");
        let arrived = arrives(&settings, "", fields, b"\r\nhello\r\n");
        assert!(!arrived.to_lowercase().contains("forged"), "{profile}: {fields}{arrived}");
        assert!(arrived.contains("removed=X-Septet"), "{profile}: {fields}{arrived}");
    }
    for other in ["host=not-{}", "host={}.example.net", "part=1 field={}"] {
        let field = format!("X-Septet: true; {}\r\n", other.replace("{}", &host));
        let arrived = arrives("", "", &field, b"\r\nhello\r\n");
        assert!(arrived.contains(&field) && !arrived.contains("removed="), "{arrived}");
    }
}

/// A next hop may drop octets 0, as Postfix does by message_strip_characters, and then reads what was not there.
#[test]
fn a_forged_field_with_an_octet_0_is_taken_out() {
    let host = hostname();
    let (first, rest) = host.split_at(1);
    for fields in [
        format!("X-\0Septet: forged; host={host}\r\n"),
        format!("\0X-Septet\0 \0: forged; host={host}\r\n"),
        format!("X-Septet: forged; ho\0st={host}\r\n"),
        format!("X-Septet: forged; host={first}\0{rest}\r\n"),
        format!("X-Septet: forged;\r\n\0 host={host}\r\n"),
        format!("X-Septet: forged;\r\n\0\t\0host={first}\0\0{rest}\r\n"),
        format!("X-Septet: =?utf-8?Q?forged=3B_h\0ost=3D{host}?=\r\n"),
        format!("X-\0S: u\r\nX-Septet: forged; host={host}\r\n"),
    ] {
        let arrived = arrives("", "", &fields, b"\r\nhello\r\n");
        let read = arrived.replace('\0', "").to_lowercase();
        let shown = fields.escape_debug();
        assert!(!read.contains("forged") && read.contains("subject: hello\r\n"), "{shown}: {arrived:?}");
        assert!(arrived.contains("removed=X-Septet"), "{shown}: {arrived:?}");
    }
    for other in ["X-\0Septet: true; host=not-{}\r\n", "X-\0Septet-Other: true; host={}\r\n"] {
        let field = other.replace("{}", &host);
        let arrived = arrives("", "", &field, b"\r\nhello\r\n");
        assert!(arrived.contains(&field) && !arrived.contains("removed="), "{arrived:?}");
    }
}

/// Languages know more blanks than mail does, and programs in them strip these.
#[test]
fn a_forged_field_with_a_blank_that_mail_has_not_is_taken_out() {
    let host = hostname();
    for blank in ["\u{a0}", "\u{2003}", "\u{3000}", "\x0b", "\x0c", "\u{200b}", "\u{feff}"] {
        for fields in [
            format!("X-Septet{blank}: forged; host={host}\r\n"),
            format!("{blank}X-Septet: forged; host={host}\r\n"),
            format!("X-Septet: forged;{blank}host{blank}={blank}{host}{blank}\r\n"),
            format!("X-Septet: forged;\r\n{blank}host={host}\r\n"),
        ] {
            let arrived = arrives("", "", &fields, b"\r\nhello\r\n");
            let shown = fields.escape_debug();
            assert!(!arrived.contains("forged") && arrived.contains("removed=X-Septet"), "{shown}: {arrived:?}");
        }
    }
    let next_to = [b"X-Septet: \xa0forged;\xa0host=\xa0".as_slice(), host.as_bytes(), b"\r\n\r\nhello\r\n"].concat();
    let arrived = arrives("", "", "", &next_to);
    assert!(!arrived.contains("forged"), "{arrived:?}");
}

/// A message that is left whole for its size, or has more of a header than is read, says nothing in septet's name
/// either.
#[test]
fn a_forged_field_goes_from_a_message_that_is_left() {
    let forged = format!("X-Septet: forged; host={}\r\n", hostname());
    let latin = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
        Content-Transfer-Encoding: 8bit\r\n\r\n";
    let body = [latin.as_bytes(), &b"caf\xe9 \xe9\xe9\xe9\xe9\xe9\xe9\xe9\r\n".repeat(100)].concat();
    let arrived = arrives("limits.max_size = 1800", "", &forged, &body);
    assert!(arrived.contains("left=max-size(") && !arrived.contains("forged"), "{arrived}");
    let fields = format!("{}{forged}", "X-Other: 1234567890\r\n".repeat(60_000));
    let arrived = arrives("", "", &fields, b"\r\nhello\r\n");
    assert!(!arrived.contains("forged"), "{}", arrived.len());
}

#[test]
fn a_field_in_this_host_s_name_is_taken_out() {
    for setting in ["drop", "keep"] {
        let next_hop = NextHop::capable();
        let listener = listener("smtp", &next_hop.address(), "");
        let daemon = Daemon::configured(&format!("x_septet = true\nforged_x_septet = \"{setting}\"\n{listener}"));
        let others = "X-Septet: unchanged; host=mx.example.net\r\n";
        let forged = format!("X-Septet: unchanged; host={};\r\n\tpart=1 body note=link(caf\u{e9})\r\n", hostname());
        let rest = "Subject: hello\r\n\r\nhello\r\n";
        let message = format!("{others}{forged}{rest}");
        let told = Client::greeted(daemon.port()).send("<a@example.org>", &["<b@example.net>"], message.as_bytes());
        assert_eq!(code(&told), "250", "{told}");
        let arrived = String::from_utf8(next_hop.wait_for(1)[0].raw.clone()).expect("ASCII");
        let named = arrived.matches(&format!("host={}", hostname())).count();
        if setting == "drop" {
            assert!(!arrived.contains("note=link") && arrived.starts_with(&format!("{others}Subject:")), "{arrived}");
            assert!(arrived.contains("\tfield=X-Septet removed=X-Septet\r\n") && named == 1, "{arrived}");
            daemon.wait_for_log("field=X-Septet removed=X-Septet");
        } else {
            assert!(arrived.starts_with(&format!("{others}X-Septet: unchanged; host={}", hostname())), "{arrived}");
        }
    }
}
