#!/usr/bin/env bash
# Two readers of flowed texts do not know quotes, and put the marks of the second line into the text of the first.
#
# One would guess that a quoted paragraph of two lines becomes one with one mark, and that lines of another depth stay apart (RFC
# 3676 §4.5).
# Seen: `> a ` and `> b` are `> a > b` in postal-mime 4.0.0 and emailjs-mime-parser 2.0.7, `> a ` and `>> b` are `> a >> b`;
# mailparser 3.14.2 shows `> a b`, and leaves the others apart.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 postal-mime@4.0.0 emailjs-mime-parser@2.0.7
cat >"$folder/show.mjs" <<'JS'
import emailjs from "emailjs-mime-parser";
import { simpleParser } from "mailparser";
import PostalMime from "postal-mime";

const fields = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n";
const readers = {
  mailparser: async (message) => (await simpleParser(message)).text,
  "postal-mime": async (message) => (await PostalMime.parse(message)).text,
  emailjs: async (message) => Buffer.from((emailjs.default ?? emailjs)(Buffer.from(message)).content).toString(),
};
for (const [name, read] of Object.entries(readers)) {
  const texts = await Promise.all(["> a \r\n> b\r\n", "> a \r\n>> b\r\n"].map((text) => read(fields + text)));
  console.log(name, texts.map((text) => text.trimEnd().replace(/\n/g, "<LF>")).join("|"));
}
JS
seen=$(node "$folder/show.mjs")
echo "$seen"
[ "$seen" = 'mailparser > a b|> a <LF>>> b
postal-mime > a > b|> a >> b
emailjs > a > b|> a >> b' ]
