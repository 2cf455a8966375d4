#!/usr/bin/env bash
# mailparse 0.16.1 (crate) gives no address of a list with a quoted local part or an IPv6 literal that is not in angle brackets.
#
# One would guess that `"a.b"@x.example` and `c@[IPv6:2001:db8::1]` are addresses (RFC 5322 §3.4.1, RFC 5321 §4.1.3), as both are
# in angle brackets.
# Seen: the quotes are taken for a name's, and the colon for a group's: an error for all of the list.
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
mailparse = "=0.16.1"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    for address in [r#""a.b"@x.example"#, "c@[IPv6:2001:db8::1]"] {
        for list in [format!("Ann <a@x.example>, {address}"), format!("Ann <a@x.example>, <{address}>")] {
            match mailparse::addrparse(&list) {
                Ok(list) => println!("{}", list.len()),
                Err(error) => println!("{error}"),
            }
        }
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mailparse 0.16.1:" "$seen"
[ "$seen" = 'Address string unexpectedly terminated
2
Found unexpected nested group
2' ]
