#!/usr/bin/env bash
# Three readers lose the empty line behind a line of a flowed text that ends with a blank.
#
# One would guess that `Dear Ann, ` is flowed, and that the paragraph ends at the empty line behind it, which is fixed, since it
# does not end with a space (RFC 3676 §4.1): the next one begins on a line of its own.
# Seen: mailparser 3.14.2, postal-mime 4.0.0 and emailjs-mime-parser 2.0.7 show `Dear Ann, the text`, as one line: they ask of
# what they have joined so far, not of the line, whether it ends with a space.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 emailjs-mime-parser@2.0.7
cat >"$folder/show.mjs" <<'JS'
import emailjs from "emailjs-mime-parser";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";

const message = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\nDear Ann, \r\n\r\nthe text\r\n";
const texts = [
  (await simpleParser(message)).text,
  (await PostalMime.parse(message)).text,
  Buffer.from((emailjs.default ?? emailjs)(Buffer.from(message)).content).toString(),
];
console.log(texts.map((text) => text.trimEnd().replace(/\n/g, "<LF>")).join("|"));
JS
seen=$(node "$folder/show.mjs")
echo "mailparser 3.14.2, postal-mime 4.0.0, emailjs-mime-parser 2.0.7: $seen"
[ "$seen" = 'Dear Ann, the text|Dear Ann, the text|Dear Ann, the text' ]
