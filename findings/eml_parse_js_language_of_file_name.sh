#!/usr/bin/env bash
# eml-parse-js 1.1.15 shows the language of an extended parameter (RFC 2231 §4) as the beginning of the file's name.
#
# One would guess that `filename*=utf-8'de'J%C3%B6rg.pdf` is `Jörg.pdf`.
# Seen: `deJörg.pdf`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
for (const language of ["", "de"]) {
  const part = `Content-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8'${language}'J%C3%B6rg.pdf\n\nx\n`;
  const top = "From: a@x.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
  console.log(readEml(`${top}\n--b\n${part}--b--\n`).attachments[0].name);
}
JS
seen=$(node "$folder/show.mjs" 2>/dev/null)
echo "eml-parse-js 1.1.15:" "$seen"
[ "$seen" = 'Jörg.pdf
deJörg.pdf' ]
