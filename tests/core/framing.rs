//! Mailbox files are parted in linear time, whatever stands in them.

use septet::mbox::Mailbox;
use septet::protocol::mbox::{Dialect, covered_by_lengths, doubtful, starts_of};

use crate::inputs::assert_linear;

const FROM: &str = "From a@b.c Mon Jan  5 12:00:00 2026\n";

/// Headers that end nowhere, lengths that lead to the end, lines that may start a message.
#[test]
fn mailboxes_are_parted_in_linear_time() {
    let files: [fn(usize) -> String; 6] = [
        |n| format!("{FROM}A: b\n").repeat(n / 4),
        |n| format!("{FROM}Content-Length: {n}\n\n").repeat(n / 60),
        |n| format!("{FROM}A: b\n\n{}", "From now on\n".repeat(n / 12)),
        |n| format!("{FROM}A: b\n\n{}", "\nFrom a b c\nA: b\n".repeat(n / 17)),
        |n| format!("{FROM}{}", "\n".repeat(n)),
        |n| format!("{FROM}A: b\n\nx {}", "From ".repeat(n)),
    ];
    for file in files {
        assert_linear(file, |text| {
            let octets = text.as_bytes();
            for dialect in [Dialect::Mboxrd, Dialect::Mboxcl2] {
                covered_by_lengths(octets, dialect, &starts_of(octets, dialect));
            }
            (Mailbox::of(octets).messages(octets).count(), doubtful(octets, |_| false))
        });
    }
}
