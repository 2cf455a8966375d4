#!/usr/bin/env bash
# emayili 0.7.13 (R) declares each text as flowed, and does not write it so.
#
# One would guess that a program that declares `format=flowed` also puts a blank before lines that begin with a blank, `From ` or
# `>`, and takes the blanks from the ends of lines that do not flow (RFC 3676 §4.2, §4.4).
# Seen: the text goes as it is, and readers take the first blank of a line for stuffing, and a line that ends with one for the
# beginning of the next. postal-mime 4.0.0 shows a column that is shifted, and two lines as one.
# Needs: Debian 12, Node.js and npm, and root if r-cran-emayili is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" Rscript=r-base-core /usr/lib/R/site-library/emayili=r-cran-emayili
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" postal-mime@4.0.0
Rscript -e 'suppressMessages(library(emayili))' \
  -e 'message <- envelope(from = "a@x.example", to = "b@x.example", subject = "s", text = "12 a\n 3 b\nDear Ann, \nbye")' \
  -e 'cat(as.character(message, encode = TRUE))' >"$folder/message"
cat >"$folder/show.mjs" <<'JS'
import { readFileSync } from "node:fs";
import PostalMime from "postal-mime";

const message = readFileSync(process.argv[2]);
console.log((await PostalMime.parse(message)).text.trimEnd().replace(/\n/g, "|"));
JS
flowed=$(tr -d '\r\n' <"$folder/message" | grep -o 'text/plain; *charset=utf-8; *format=flowed' | tr -s ' ')
seen=$(node "$folder/show.mjs" "$folder/message")
echo "emayili 0.7.13: $flowed, shown as $seen"
[ "$flowed" = 'text/plain; charset=utf-8; format=flowed' ] && [ "$seen" = '12 a|3 b|Dear Ann, bye' ]
