#!/usr/bin/env bash
# emailjs-mime-builder 2.0.5 (npm) loses a character beyond U+FFFF of a long subject where it goes on to the next encoded-word.
#
# One would guess that a word ends between two characters (RFC 2047 §5), whatever they are: names have 𠮷 and 𠮟.
# Seen: of twenty of them one has become two U+FFFD; the text was cut between the halves of its pair in UTF-16.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs-mime-builder@2.0.5
cat >"$folder/write.cjs" <<'JS'
const Builder = require("emailjs-mime-builder").default;
const written = (subject) => {
  const message = new Builder("text/plain").setHeader({ subject }).setContent("x").build();
  const words = message.match(/=\?UTF-8\?B\?[^?]*/g).map((word) => Buffer.from(word.slice(10), "base64").toString());
  return words.join("");
};
console.log(written("田".repeat(20)), written("a" + "𠮷".repeat(20)));
JS
seen=$(node "$folder/write.cjs")
echo "emailjs-mime-builder 2.0.5: $seen"
[ "$seen" = "$(printf '田%.0s' {1..20}) a$(printf '𠮷%.0s' {1..18})��𠮷" ]
