#!/usr/bin/env bash
# vcard4 0.7.3 (crate) writes a semicolon within a part of a name or an organization without its backslash.
#
# One would guess that `N:O\;Neil;Ann;;;` is written again so that Ann is called Ann.
# Seen: `N:O;Neil;Ann;;;`, a person whose family name is `O` and whose given name is `Neil`.
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
vcard4 = "=0.7.3"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\nN:O\\;Neil;Ann;;;\r\nORG:A\\;B;C\r\nEND:VCARD\r\n";
    print!("{}", vcard4::parse(card).unwrap()[0]);
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version | tr -d '\r' | grep -E '^(N|ORG)')
echo "vcard4 0.7.3:" $seen
[ "$seen" = 'N:O;Neil;Ann;;;
ORG:A;B;C' ]
