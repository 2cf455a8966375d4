#!/usr/bin/env bash
# Two readers take what is in brackets inside an encoded-word of a name for a comment.
#
# One would guess that `=?utf-8?Q?Ann_=28Sales=29?=` is shown as `Ann (Sales)`, as `"Ann (Sales)"` is: what a word means is
# no syntax (RFC 2047 §6.1).
# Seen: flanker 0.9.11 gives `headers["From"]` decoded, so that its own `address.parse_list` finds `Ann` in it;
# eml-parse-js 1.1.15 shows `Ann`.
# Needs: python3 with venv and pip, Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flanker==0.9.11 chardet==7.7.0
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
flanker=$("$folder/bin/python" 2>/dev/null - <<'PYTHON'
from flanker import mime
from flanker.addresslib import address

for name in ('"Ann (Sales)"', "=?utf-8?Q?Ann_=28Sales=29?="):
    field = mime.from_string(f"From: {name} <a@x.example>\nContent-Type: text/plain\n\nx\n").headers["From"]
    print(address.parse_list(field)[0].display_name, end="; ")
PYTHON
)
cat >"$folder/show.mjs" <<'JS'
import { readEml } from "eml-parse-js";
const from = (name) => readEml(`From: ${name} <a@x.example>\nContent-Type: text/plain\n\nx\n`).from;
console.log(['"Ann (Sales)"', "=?utf-8?Q?Ann_=28Sales=29?="].map((name) => `${from(name).name}; `).join(""));
JS
eml_parse_js=$(node "$folder/show.mjs")
echo "flanker 0.9.11: $flanker eml-parse-js 1.1.15: $eml_parse_js"
[ "$flanker" = 'Ann (Sales); Ann; ' ] && [ "$eml_parse_js" = 'Ann (Sales); Ann; ' ]
