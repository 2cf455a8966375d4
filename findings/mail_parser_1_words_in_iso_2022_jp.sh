#!/usr/bin/env bash
# mail-parser 1.0.1 (crate) shows U+FFFD between two encoded-words in ISO-2022-JP, which 0.11.9 does not.
#
# One would guess `日本`: each word begins and ends in ASCII (RFC 2047 §3 asks for it), and is complete.
# Seen: `日�本`, as if the octets of both were decoded in one go.
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
old = { package = "mail-parser", version = "=0.11.9", features = ["full_encoding"] }
new = { package = "mail-parser", version = "=1.0.1", features = ["full_encoding"] }
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    let raw = "From: a@x.example\nSubject: =?iso-2022-jp?B?GyRCRnwbKEI=?= =?iso-2022-jp?B?GyRCS1wbKEI=?=\n\nx\n";
    println!("{}", old::MessageParser::new().parse(raw).unwrap().subject().unwrap());
    println!("{}", new::MessageParser::new().parse(raw).unwrap().subject().unwrap());
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mail-parser 0.11.9 and 1.0.1:" "$seen"
[ "$seen" = '日本
日�本' ]
