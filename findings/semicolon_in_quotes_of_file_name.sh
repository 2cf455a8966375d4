#!/usr/bin/env bash
# letterparser 0.1.8 and eml-parse-js 1.1.15 end a file's name at a semicolon that stands in quotes.
#
# One would guess that in `filename="a;b.pdf"` the semicolon is part of the name (RFC 2045 §5.1), as a comma is.
# Seen: `a`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" letterparser@0.1.8 eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
import { extract, parse } from "letterparser";
const top = "From: a@x.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
for (const name of ["a,b.pdf", "a;b.pdf"]) {
  const part = `Content-Type: application/pdf\nContent-Disposition: attachment; filename="${name}"\n\nx\n`;
  const message = `${top}\n--b\n${part}--b--\n`;
  console.log(extract(parse(message)).attachments[0].filename, readEml(message).attachments[0].name);
}
JS
seen=$(node "$folder/show.mjs")
echo "letterparser 0.1.8 and eml-parse-js 1.1.15:" "$seen"
[ "$seen" = 'a,b.pdf a,b.pdf
a a' ]
