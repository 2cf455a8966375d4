#!/usr/bin/env bash
# postal-mime 4.0.0 and letterparser 0.1.8 (npm) take quotation marks off a local part, each in the form that the other reads well.
#
# One would guess that `"a b"@x.example` is the address, with a name before it or without.
# Seen: without a name postal-mime gives `a b@x.example`, which is none; with one letterparser gives `a b"@x.example`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" postal-mime@4.0.0 letterparser@0.1.8 >/dev/null
cat >"$folder/show.mjs" <<'J'
import { extract } from "letterparser";
import PostalMime from "postal-mime";
for (const from of ['"a b"@x.example', 'Ann <"a b"@x.example>']) {
  const message = `From: ${from}\r\nSubject: x\r\n\r\nx\r\n`;
  console.log((await PostalMime.parse(message)).from.address, "|", extract(message).from.address);
}
J
seen=$(node "$folder/show.mjs")
echo "postal-mime | letterparser:" $seen
[ "$seen" = 'a b@x.example | "a b"@x.example
"a b"@x.example | a b"@x.example' ]
