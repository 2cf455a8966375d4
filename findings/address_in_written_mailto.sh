#!/usr/bin/env bash
# mailto-link 2.0.0 (npm) and email_address 0.2.10 (Rust) write an address into a mailto URI as it is, in part.
#
# One would guess that `who?@x.example` is written as `who%3F@x.example`, `50%25@x.example` as it has to be, and `"a
# b"@x.example` as `%22a%20b%22@x.example` (RFC 6068 §2): that is what such a library is for.
# Seen: mailto-link encodes what is in cc and in the subject, but not in `to`: mutt 2.2.12 sends the mail for `who?@x.example`
# to `who`, and `50%25@x.example` is read as `50%@x.example`. email_address encodes `+`, which needs none, but neither `"`, the
# blank, nor `é`.
# Needs: Debian 12, Node.js and npm, Rust and cargo, and root if mutt is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mutt=mutt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailto-link@2.0.0
node=$(cd "$folder" && node -e '
  const write = require("mailto-link");
  for (const address of ["who?@x.example", "50%25@x.example"]) console.log(write({ to: address, cc: address, subject: "é" }));')
printf '#!/bin/sh\nexec cat >"%s/sent"\n' "$folder" >"$folder/send"
chmod +x "$folder/send"
HOME=$folder mutt -n -e "set sendmail=$folder/send copy=no sendmail_wait=0 hostname=host.example use_domain=yes" -- "${node%%$'\n'*}" </dev/null
mutt=$(sed -n 's/^To: //p' "$folder/sent")
mkdir "$folder/src"
cat >"$folder/Cargo.toml" <<'TOML'
[package]
name = "show"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
email_address = "=0.2.10"
TOML
cat >"$folder/src/main.rs" <<'RUST'
fn main() {
    for it in ["a+b@x.example", "\"a b\"@x.example", "é@x.example"] {
        println!("{}", it.parse::<email_address::EmailAddress>().unwrap().to_uri());
    }
}
RUST
rust=$(cd "$folder" && cargo run --quiet --ignore-rust-version)
echo "mailto-link 2.0.0:" $node "to $mutt; email_address 0.2.10:" "${rust//$'\n'/, }"
[ "$node" = 'mailto:who?@x.example?cc=who%3F%40x.example&subject=%C3%A9
mailto:50%25@x.example?cc=50%2525%40x.example&subject=%C3%A9' ] && [[ $mutt == who@host.example* ]] && [ "$rust" = 'mailto:a%2Bb@x.example
mailto:"a b"@x.example
mailto:é@x.example' ]
