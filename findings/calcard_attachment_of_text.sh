#!/usr/bin/env bash
# calcard 0.3.14 (crate) writes an attachment that happens to be UTF-8 without its base64.
#
# One would guess that `ATTACH;ENCODING=BASE64;VALUE=BINARY:R3LDvMOfZQpKw7ZyZw==` is written as it was read.
# Seen: `ATTACH;VALUE=BINARY:Grüße\nJörg`, where RFC 5545 §3.3.1 asks for base64, so that another reader decodes it, or refuses it. The
# octet FF, which is no UTF-8, is written as it was read.
# Needs: Rust and cargo. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat >"$folder/Cargo.toml" <<'TOML'
[package]
name = "show"
version = "0.0.0"
edition = "2024"
[workspace]
[dependencies]
calcard = "=0.3.14"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    for octets in ["R3LDvMOfZQpKw7ZyZw==", "/w=="] {
        let raw = format!("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:{octets}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n");
        let calendar = calcard::icalendar::ICalendar::parse(&raw).unwrap();
        println!("{}", calendar.to_string().lines().nth(2).unwrap());
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "calcard 0.3.14:" $seen
[ "$seen" = 'ATTACH;VALUE=BINARY:Grüße\nJörg
ATTACH;ENCODING=BASE64;VALUE=BINARY:/w==' ]
