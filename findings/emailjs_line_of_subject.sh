#!/usr/bin/env bash
# emailjs 5.0.3 (npm) does not fold a Subject that takes many encoded-words.
#
# One would guess that each word is on a line of its own, since a line with words has at most 76 characters (RFC 2047 §2), and no
# line more than 998 (RFC 5322 §2.1.1).
# Seen: the words are of the right length, and all of them on one line: ninety letters `日` take 18 words and 1052 octets.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs@5.0.3
cat >"$folder/write.mjs" <<'JS'
import { Message } from "emailjs";

const message = await new Message({ from: "a@x.example", to: "b@x.example", subject: "日".repeat(90), text: "x" }).readAsync();
const line = message.split("\r\n").find((line) => line.startsWith("Subject: "));
console.log(line.length, line.split(" ").length - 1);
JS
seen=$(node "$folder/write.mjs")
echo "emailjs 5.0.3, octets and words of one line: $seen"
[ "$seen" = '1052 18' ]
