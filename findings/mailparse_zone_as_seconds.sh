#!/usr/bin/env bash
# mailparse 0.18.0 (crate) takes the zone for seconds if a Date has none.
#
# One would guess that `10:00 +0200` is eight o'clock in UTC: seconds may be left out (RFC 5322 §3.3).
# Seen: it is 10:03:20 in UTC, which is 200 seconds after ten; and `10:00 EST` is an error.
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
mailparse = "=0.18.0"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    for date in ["10:00:00 +0200", "10:00 +0200", "10:00 EST"] {
        match mailparse::dateparse(&format!("Mon, 5 Jan 2026 {date}")) {
            Ok(time) => println!("{date} is {}:{:02}:{:02}", time / 3600 % 24, time / 60 % 60, time % 60),
            Err(error) => println!("{date}: {error}"),
        }
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mailparse 0.18.0: ${seen//$'\n'/, }"
[ "$seen" = '10:00:00 +0200 is 8:00:00
10:00 +0200 is 10:03:20
10:00 EST: Invalid second' ]
