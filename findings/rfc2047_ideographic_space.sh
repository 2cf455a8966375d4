#!/usr/bin/env bash
# rfc2047 4.0.1 (npm) encodes an ideographic space as an ordinary one, and of two blanks one.
#
# One would guess that what `encode` writes says what it was given: U+3000 between the names of a person is a character like
# others.
# Seen: `encode("山田　太郎")` says `山田 太郎` with U+0020; a no-break space becomes one, too, and of `é  é` with two blanks the two words
# have one, since the blanks between words are not shown (RFC 2047 §6.2).
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" rfc2047@4.0.1
cat >"$folder/write.cjs" <<'JS'
const { encode } = require("rfc2047");
const said = (text) => encode(text).replace(/\?=\s+=\?utf-8\?Q\?/g, "").replace(/^=\?utf-8\?Q\?|\?=$/g, "").replace(/_/g, " ");
console.log(["山田\u3000太郎", "é\u00a0é", "é  é"].map((text) => decodeURIComponent(said(text).replace(/=/g, "%"))).join("|"));
JS
seen=$(node "$folder/write.cjs")
echo "rfc2047 4.0.1: $seen"
[ "$seen" = '山田 太郎|é é|é é' ]
