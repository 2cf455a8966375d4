//! Fields in which a sender speaks for septet.

use super::{Client, Daemon, NextHop, code, listener};
use crate::milter::daemon::hostname;

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
