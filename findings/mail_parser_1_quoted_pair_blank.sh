#!/usr/bin/env bash
# mail-parser 1.0.1 (crate) drops the blank behind a quoted-string with a quoted-pair in a name, which 0.11.9 does not.
#
# One would guess `a "b" c`, as the quoted-string and the atom are two words of a phrase (RFC 5322 §3.2.5).
# Seen: `a "b"c`; without a quoted-pair the blank is there.
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
old = { package = "mail-parser", version = "=0.11.9" }
new = { package = "mail-parser", version = "=1.0.1" }
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    for name in [r#""a \"b\"" c"#, r#""a b" c"#] {
        let raw = format!("From: {name} <a@x.example>\n\nx\n");
        let message = old::MessageParser::new().parse(&raw).unwrap();
        println!("{}", message.from().unwrap().first().unwrap().name().unwrap());
        let message = new::MessageParser::new().parse(&raw).unwrap();
        println!("{}", message.root().headers().from().unwrap().first().unwrap().name().unwrap());
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mail-parser 0.11.9 and 1.0.1:" "$seen"
[ "$seen" = 'a "b" c
a "b"c
a b c
a b c' ]
