#!/usr/bin/env bash
# letterparser 0.1.8 makes a blank (U+0020) of an ideographic one (U+3000) in a name, and in a raw Subject.
#
# One would guess that `山　本` is shown as it is written: U+3000 is a character, and no white space of mail.
# Seen: `山 本`, with the blank of ASCII; a Subject in an encoded-word is left as it is.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" letterparser@0.1.8
cat >"$folder/show.mjs" <<'JS'
import { extract, parse } from "letterparser";
for (const text of ["\u5c71\u3000\u672c", "=?utf-8?B?5bGx44CA5pys?="]) {
  const { from, subject } = extract(parse(`From: ${text} <a@x.example>\nSubject: ${text}\n\nx\n`));
  console.log([from.name, subject].map((it) => it.codePointAt(1).toString(16)).join(" "));
}
JS
seen=$(node "$folder/show.mjs")
echo "letterparser 0.1.8, the second character of a name and a Subject, raw and in a word:" "$seen"
[ "$seen" = '20 20
20 3000' ]
