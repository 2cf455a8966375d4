#!/usr/bin/env bash
# Which part of a multipart/related is the page and which is within it, nobody asks of `start`: mhtml-to-html 2.1.0, fast-mhtml2html
# 1.0.2, mailparser 3.14.2 (npm) and MHonArc 2.6.19.
#
# One would guess that the root is the part that `start` names, wherever it stands (RFC 2387 §3.2), and that the page in its frame, which
# comes first here, isn't shown beside it.
# Seen: mhtml-to-html and fast-mhtml2html show the frame's page alone; mailparser and MHonArc the frame's, and then the root.
# Needs: Debian 12, Node.js and npm, and root if mhonarc is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mhonarc=mhonarc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2 mhtml-to-html@2.1.0 fast-mhtml2html@1.0.2
cd "$folder"
page() {
  printf '%s\n' --b 'Content-Type: text/html' 'Content-Transfer-Encoding: 7bit' "Content-ID: <$1@x.example>" '' \
    "<html><head><title>a</title></head><body><p>$1</p>$2</body></html>"
}
{
  printf '%s\n' 'From: a@x.example' 'Date: Thu, 1 Jan 2026 00:00:00 +0000' 'MIME-Version: 1.0' \
    'Content-Type: multipart/related; type="text/html"; start="<root@x.example>"; boundary="b"' ''
  page frame ''
  page root '<iframe src="cid:frame@x.example"></iframe>'
  echo --b--
} >message
cat >show.mjs <<'JS'
import { readFileSync } from "node:fs";
import { simpleParser } from "mailparser";
import { convert } from "mhtml-to-html";
import old from "fast-mhtml2html";
const message = readFileSync("message");
for (const html of [(await convert(message)).data, old.convert(message), (await simpleParser(message)).html])
  console.log(...html.match(/<p>\w+/g));
JS
seen=$(node show.mjs && mhonarc -quiet -single message | grep -o '<p>[a-z]*' | tr '\n' ' ')
echo "mhtml-to-html, fast-mhtml2html, mailparser, MHonArc:" && echo "$seen"
[ "$seen" = '<p>frame
<p>frame
<p>frame <p>root
<p>frame <p>root ' ]
