#!/usr/bin/env bash
# eml-format 0.6.1 (npm): of a Subject with an encoded-word in it that word is all that is shown.
#
# One would guess that what stands before and behind a word is shown as well, and a second word, too (RFC 2047 §6.1).
# Seen: `Re: =?utf-8?q?=C3=A9t=C3=A9?= 2026` is `été`, and a long Subject of two words is its first half, in which each blank, written
# as RFC 2047 §4.2 asks, is an underscore. Names are read so, too.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-format@0.6.1
cat >"$folder/show.js" <<'JS'
for (const text of ["Re: =?utf-8?q?=C3=A9t=C3=A9?= 2026", "=?utf-8?q?first_h=C3=A9_?= =?utf-8?q?second?="])
  require("eml-format").read(`From: ${text} <a@x.example>\r\nSubject: ${text}\r\n\r\nx`, (fault, read) =>
    console.log(read.subject, read.from.name),
  );
JS
seen=$(node "$folder/show.js")
echo "eml-format 0.6.1:" && echo "$seen"
[ "$seen" = 'été été
first_hé_ first_hé_' ]
