#!/usr/bin/env bash
# eml-parse-js 1.1.15 drops the blank at which a Subject is folded.
#
# One would guess that `Hello` and ` World` on the next line are `Hello World` (RFC 5322 §2.2.3).
# Seen: `HelloWorld`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
const top = "From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\nSubject: ";
for (const subject of ["Hello World", "Hello\r\n World"]) console.log(readEml(`${top}${subject}\r\n\r\nx\r\n`).subject);
JS
seen=$(node "$folder/show.mjs")
echo "eml-parse-js 1.1.15:" "$seen"
[ "$seen" = 'Hello World
HelloWorld' ]
