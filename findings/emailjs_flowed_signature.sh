#!/usr/bin/env bash
# emailjs-mime-parser 2.0.7 takes the blank off a signature's separator where a flowed text has `delsp=yes`.
#
# One would guess that `-- ` stays as it is: it is no flowed line, though it ends with a blank (RFC 3676 §4.3).
# Seen: `--`; without `delsp=yes` it is kept.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs-mime-parser@2.0.7
cat >"$folder/show.mjs" <<'JS'
import module from "emailjs-mime-parser";
const parse = module.default ?? module;
for (const delsp of ["no", "yes"]) {
  const type = `Content-Type: text/plain; charset=utf-8; format=flowed; delsp=${delsp}`;
  const { content } = parse(`From: a@x.example\nMIME-Version: 1.0\n${type}\n\nHello\n-- \nAnn\n`);
  console.log(JSON.stringify(new TextDecoder().decode(content)));
}
JS
seen=$(node "$folder/show.mjs")
echo "emailjs-mime-parser 2.0.7:" "$seen"
[ "$seen" = '"Hello\n-- \nAnn\n"
"Hello\n--\nAnn\n"' ]
