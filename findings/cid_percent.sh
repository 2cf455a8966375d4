#!/usr/bin/env bash
# mailparser 3.14.2, mhtml-to-html 2.1.0 (npm) and MHonArc 2.6.19 find no picture whose Content-ID has to be escaped in a URL.
#
# One would guess that `cid:a%23b@x.example` is the part with `Content-ID: <a#b@x.example>`, for what follows a `#` would be none of the
# URL, and RFC 2392 §2 asks for the escape.
# Seen: all three compare the URL as it is written. mailparser and mhtml-to-html leave it, MHonArc makes `src=""` of it. With an ID that
# needs no escape all of them show the picture.
# Needs: Debian 12, Node.js and npm, and root if mhonarc is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mhonarc=mhonarc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 mhtml-to-html@2.1.0
cd "$folder"
cat >show.mjs <<'JS'
import { readFileSync } from "node:fs";
import { simpleParser } from "mailparser";
import { convert } from "mhtml-to-html";
const message = readFileSync("message");
for (const html of [(await simpleParser(message)).html, (await convert(message)).data])
  console.log(html.match(/<img src="([^",]*)/)[1]);
JS
for id in a@x.example 'a#b@x.example'; do
  printf '%s\n' 'From: a@x.example' 'Date: Thu, 1 Jan 2026 00:00:00 +0000' 'MIME-Version: 1.0' \
    'Content-Type: multipart/related; type="text/html"; boundary=b' '' --b 'Content-Type: text/html' '' \
    "<img src=\"cid:${id/\#/%23}\">" --b 'Content-Type: image/gif' 'Content-Transfer-Encoding: base64' \
    "Content-ID: <$id>" '' R0lGODlh --b-- >message
  node show.mjs | tr '\n' ' '
  mhonarc -quiet -single message | sed -n 's|^<img src="\./gif[^"]*">|MHonArc: ./gif|p; s|^<img src="">.*|MHonArc: none|p'
done >seen
cat seen
[ "$(cat seen)" = 'data:image/gif;base64 data:image/gif;base64 MHonArc: ./gif
cid:a%23b@x.example cid:a%23b@x.example MHonArc: none' ]
