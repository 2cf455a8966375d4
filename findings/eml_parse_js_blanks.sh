#!/usr/bin/env bash
# eml-parse-js 1.1.15 takes the blanks out of a file's name in quotes.
#
# One would guess that `filename="annual report 2026.pdf"` is shown as it stands, as with %20 in the extended form.
# Seen: `annualreport2026.pdf`; in the extended form the blanks stay.
# Needs: Node.js, npm and its registry. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" node=nodejs npm=npm
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" eml-parse-js@1.1.15
cat >"$folder/show.mjs" <<'J'
import { readEml } from "eml-parse-js";
const type = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n";
const file = (name) => `From: a@x.example\n${type}Content-Disposition: attachment; filename${name}\n\ny\n--b--\n`;
const names = ['="annual report 2026.pdf"', "*=utf-8''annual%20report%202026.pdf"].map((it) => readEml(file(it)).attachments[0].name);
console.log("eml-parse-js:", names.join("; "));
process.exit(names[0] === "annualreport2026.pdf" && names[1] === "annual report 2026.pdf" ? 0 : 1);
J
node "$folder/show.mjs"
