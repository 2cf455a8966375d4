#!/usr/bin/env bash
# eml-parse-js 1.1.15 drops the line ends and the quotation marks (`&quot;`) of HTML, if it is not in base64.
#
# One would guess that HTML in 7bit is given as it stands, as it is in base64.
# Seen: the last word of a line and the first of the next are one. Plain text keeps its lines.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
const html = "<p>Two\r\n&quot;lines&quot;</p>\r\n";
for (const [encoding, body] of [["base64", Buffer.from(html).toString("base64") + "\r\n"], ["7bit", html]]) {
  const top = `From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: ${encoding}\r\n`;
  console.log(JSON.stringify(readEml(`${top}\r\n${body}`).html));
}
JS
seen=$(node "$folder/show.mjs")
echo "eml-parse-js 1.1.15:" "$seen"
[ "$seen" = '"<p>Two\r\n&quot;lines&quot;</p>\r\n"
"<p>Twolines</p>"' ]
