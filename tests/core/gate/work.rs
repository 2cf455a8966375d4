//! The gate is linear, whatever it is given.

use septet::Limits;
use septet::coding::transfer::TransferEncoding;
use septet::message::Message;
use septet::message::irregular::{body, field, structure};

use crate::inputs::assert_linear;

/// A field of each kind: addresses, phrases, a media type, parameters and text.
const FIELDS: [&str; 5] = ["From", "Keywords", "Content-Type", "Content-Disposition", "Subject"];

#[test]
fn fields_are_read_in_linear_time() {
    let values: [fn(usize) -> String; 12] = [
        |n| "=?a?q?".repeat(n / 6),
        |n| "=?utf-8?Q?=C3?= ".repeat(n / 16),
        |n| "(\"<[:;,".repeat(n / 7),
        |n| "a <b@c>, ".repeat(n / 9),
        |n| format!("a/b{}", "; x=\"=?".repeat(n / 7)),
        |n| format!("a/b{}", "; name*1*=x'y'%C3".repeat(n / 17)),
        |n| format!("a/b{}", "; charset=&quot".repeat(n / 15)),
        |n| format!("a/b; charset=&quot{}", ";a".repeat(n / 2)),
        |n| format!("a/b; charset=x{}", ";".repeat(n)),
        |n| format!("a/b{}", (0..n / 10).map(|at| format!("; n*{at}*=%C3")).collect::<String>()),
        |n| format!("a/b; x=a{}", "(b) ".repeat(n / 4)),
        |n| "\\\"".repeat(n / 2),
    ];
    for value in values {
        assert_linear(value, |text| FIELDS.map(|name| field(name.as_bytes(), text.as_bytes())));
    }
}

#[test]
fn bodies_are_read_in_linear_time() {
    let values: [fn(usize) -> String; 4] = [
        |n| "= ".repeat(n / 2),
        |n| format!("={}", " ".repeat(n)),
        |n| "=\t\n".repeat(n / 3),
        |n| "Y=\n".repeat(n / 3),
    ];
    for value in values {
        assert_linear(value, |text| {
            [TransferEncoding::QuotedPrintable, TransferEncoding::Base64].map(|it| body(&it, text.as_bytes()))
        });
    }
}

#[test]
fn structures_are_read_in_linear_time() {
    const HEAD: &str = "Content-Type: multipart/mixed; boundary=";
    let values: [fn(usize) -> String; 4] = [
        |n| format!("{HEAD}-\n\n--\n{}", "-".repeat(n)),
        |n| format!("{HEAD}a\n\n{}", "--a\n\n".repeat(n / 5)),
        |n| (0..n / 60).map(|at| format!("{HEAD}{at}\n\n--{at}\n")).collect(),
        |n| format!("{HEAD}{}\n\n{}", "-".repeat(n / 2), "-".repeat(n / 2)),
    ];
    for value in values {
        assert_linear(value, |text| structure(&Message::read(text.as_bytes(), &Limits::default())));
    }
}
