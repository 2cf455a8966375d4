#!/usr/bin/env bash
# npm's mailparser 3.14.2 loses the last octet of a raw UTF-8 subject that ends in A0, as `à` and `你` do.
#
# One would guess that a raw subject (RFC 6532) is trimmed as text, or not at all: the names in From and of a file are whole.
# Seen: `Voilà` is `Voil` and U+FFFD, as the octet is taken for a no-break space and trimmed before UTF-8 is decoded.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 >/dev/null
cat >"$folder/show.mjs" <<'J'
import { simpleParser } from "mailparser";
const message = await simpleParser(Buffer.from("From: Voilà <a@x.example>\r\nSubject: Voilà\r\n\r\nx"));
console.log(message.from.value[0].name, message.subject);
J
seen=$(node "$folder/show.mjs")
echo "mailparser 3.14.2: $seen"
[ "$seen" = $'Voilà Voil\xef\xbf\xbd' ]
