#!/usr/bin/env bash
# mailparse 0.18.0 (crate) gives no address of a list with a quoted local part that is not in angle brackets.
#
# One would guess that `"a.b"@x.example` is an address (RFC 5322 §3.4.1), as it is in angle brackets.
# Seen: the quotes are taken for a name's: an error for all of the list.
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
    for list in [r#"Ann <a@x.example>, "a.b"@x.example"#, r#"Ann <a@x.example>, <"a.b"@x.example>"#] {
        match mailparse::addrparse(list) {
            Ok(list) => println!("{}", list.len()),
            Err(error) => println!("{error}"),
        }
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mailparse 0.18.0:" "$seen"
[ "$seen" = 'Address string unexpectedly terminated
2' ]
