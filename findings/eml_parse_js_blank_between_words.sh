#!/usr/bin/env bash
# eml-parse-js 1.1.15 shows the blank between two encoded-words of a Subject.
#
# One would guess that it is not shown (RFC 2047 §6.2), as it is not where the second word is on a line of its own.
# Seen: `=?utf-8?Q?a?= =?utf-8?Q?b?=` is `a b`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
const top = "From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\nSubject: ";
for (const between of ["\r\n ", " "]) console.log(readEml(`${top}=?utf-8?Q?a?=${between}=?utf-8?Q?b?=\r\n\r\nx\r\n`).subject);
JS
seen=$(node "$folder/show.mjs")
echo "eml-parse-js 1.1.15:" "$seen"
[ "$seen" = 'ab
a b' ]
