#!/usr/bin/env bash
# vcf 2.1.2 and vcard-parser 1.0.0 (npm) take a colon between quotation marks for the one before the value.
#
# One would guess that `ADR;GEO="geo:12.3457,78.910":;;12 Main St.;Town;;;` is an address in Main Street: RFC 6350 §6.3.1 has one of
# this form.
# Seen: its post office box is `12.3457,78.910":`; and vcf takes the escaped semicolon in the family name `O\;Neil` for the end of it.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" vcf@2.1.2 vcard-parser@1.0.0 >/dev/null
cat >"$folder/show.cjs" <<'J'
const lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:a", "N:O\\;Neil;Ann;;;", 'ADR;GEO="geo:12.3457,78.910":;;12 Main St.;Town;;;', "END:VCARD"];
const card = require("vcf").parse(lines.join("\r\n") + "\r\n")[0].toJSON()[1];
console.log(card.find((it) => it[0] === "adr")[3][0], card.find((it) => it[0] === "n")[3].slice(0, 2).join(" "));
console.log(require("vcard-parser").parse(lines.join("\r\n") + "\r\n").adr[0].value[0]);
J
seen=$(node "$folder/show.cjs")
echo "vcf, vcard-parser:" $seen
[ "$seen" = '12.3457,78.910": O\ Neil
12.3457,78.910":' ]
