#!/usr/bin/env bash
# mailparser 3.14.2 (npm) takes a List-Id for the name of a list if there is nothing before it.
#
# One would guess that `List-Id: <a.x.example>` has an id and no name: the phrase before it is optional (RFC 2919 §3, which has
# such an example).
# Seen: a name, and no id; with `List-Id: Ann's <a.x.example>` there are both. An encoded-word before it stays as it is written,
# though of From and Subject it is decoded.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2
cat >"$folder/read.mjs" <<'JS'
import { simpleParser } from "mailparser";
for (const list of ["<a.x.example>", "Ann's <a.x.example>", "=?utf-8?Q?=C3=A9?= <a.x.example>"]) {
  const { headers } = await simpleParser(`List-Id: ${list}\r\nFrom: a@x.example\r\n\r\nx\r\n`);
  console.log(JSON.stringify(headers.get("list").id));
}
JS
seen=$(node "$folder/read.mjs")
echo "mailparser 3.14.2:" $seen
[ "$seen" = '{"name":"a.x.example"}
{"name":"Ann'"'"'s","id":"a.x.example"}
{"name":"=?utf-8?Q?=C3=A9?=","id":"a.x.example"}' ]
