#!/usr/bin/env bash
# The crate zip 9.8.2 shows one of two files of one name in a ZIP, and counts one.
#
# One would guess that both are listed, as by Python's zipfile, which also writes such archives when a name is added again.
# Seen: `len()` is 1, and the file is the last; the first can't be had, by its number either, and nothing is said.
# Needs: Python 3, Rust and cargo. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
python3 -W ignore - "$folder/two.zip" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for text in ("first", "second"):
        archive.writestr("mail.mbox", text)
PYTHON
cat >"$folder/Cargo.toml" <<'TOML'
[package]
name = "show"
version = "0.0.0"
edition = "2024"
[workspace]
[dependencies]
zip = { version = "=9.8.2", default-features = false }
TOML
cat >"$folder/src/main.rs" <<'RUST'
use std::io::Read;

fn main() {
    let file = std::fs::File::open(std::env::args().nth(1).unwrap()).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut text = String::new();
    archive.by_index(0).unwrap().read_to_string(&mut text).unwrap();
    println!("{} {text} {}", archive.len(), archive.by_index(1).is_err());
}
RUST
seen=$(cd "$folder" && cargo run --quiet -- two.zip)
python=$(python3 -c 'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))' "$folder/two.zip")
echo "zip 9.8.2: $seen; Python's zipfile: $python"
[ "$seen" = "1 second true" ] && [ "$python" = 2 ]
