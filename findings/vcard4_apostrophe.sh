#!/usr/bin/env bash
# vcard4 4.0.5 (npm) takes `^'` for an apostrophe.
#
# One would guess that it is the quotation mark, for which RFC 6868 §3 has it: an apostrophe needs no such thing.
# Seen: the LABEL `12 ^'Main^' St.` is `12 'Main' St.`, where ical.js 2.2.1 has `12 "Main" St.`; `^n` and `^^` are as they should be.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" vcard4@4.0.5 ical.js@2.2.1 >/dev/null
cat >"$folder/show.mjs" <<'J'
import { parse } from "vcard4";
import ICAL from "ical.js";
const card = `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:a\r\nADR;LABEL="12 ^'Main^' St.^n^^":;;12 Main;;;;\r\nEND:VCARD\r\n`;
console.log(JSON.stringify(parse(card).getProperty("ADR")[0].parameters.LABEL));
console.log(JSON.stringify(new ICAL.Component(ICAL.parse(card)).getFirstProperty("adr").getParameter("label")));
J
seen=$(node "$folder/show.mjs")
echo "vcard4, ical.js:" $seen
[ "$seen" = "\"12 'Main' St.\\n^\"
\"12 \\\"Main\\\" St.\\n^\"" ]
