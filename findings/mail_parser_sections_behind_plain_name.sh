#!/usr/bin/env bash
# mail-parser 0.11.9 and 1.0.1 (crate) put the later sections of a `filename*0*` (RFC 2231 §3) behind a plain `filename`.
#
# One would guess one of both names, as it is where the extended one is not in sections: `A.pdf` or `Ä lang.pdf`.
# Seen: `A.pdf lang.pdf`. Where the extended one stands first, it is the one that is shown.
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
use old::MimeHeaders;

fn main() {
    let (plain, extended) = ("filename=\"A.pdf\"", "filename*0*=utf-8''%C3%84; filename*1*=%20lang.pdf");
    for names in [format!("{plain}; {extended}"), format!("{extended}; {plain}")] {
        let raw = format!("From: a@x.example\nContent-Type: application/pdf\nContent-Disposition: attachment; {names}\n\nx\n");
        let message = old::MessageParser::new().parse(&raw).unwrap();
        println!("{}", message.parts[0].attachment_name().unwrap());
        let message = new::MessageParser::new().parse(&raw).unwrap();
        println!("{}", message.parts().next().unwrap().attachment_name().unwrap());
    }
}
RUST
seen=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mail-parser 0.11.9 and 1.0.1:" "$seen"
[ "$seen" = 'A.pdf lang.pdf
A.pdf lang.pdf
Ä lang.pdf
Ä lang.pdf' ]
