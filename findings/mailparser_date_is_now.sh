#!/usr/bin/env bash
# mailparser 3.14.2 (npm): a message whose Date has an old zone, or a parenthesis in its comment, was sent just now.
#
# One would guess that `10:00:00 CET` is ten o'clock in some zone (RFC 5322 §4.3), or that there is no date, as if the field is
# missing.
# Seen: the time at which it was parsed, with nothing to say that it isn't the message's; so with the comment `(a \) b)`
# (§3.2.2). Without a Date there is none.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mailparser@3.14.2
cat >"$folder/read.mjs" <<'JS'
import { simpleParser } from "mailparser";
const dates = ["Mon, 1 Jan 2024 10:00:00 +0100 (CET)", "Mon, 1 Jan 2024 10:00:00 CET", "Mon, 1 Jan 2024 10:00:00 +0100 (a \\) b)"];
for (const field of [...dates.map((it) => `Date: ${it}`), "X: x"]) {
  const { date } = await simpleParser(`${field}\r\nFrom: a@x.example\r\n\r\nx\r\n`);
  console.log(date && Date.now() - date < 60000 ? "now" : date?.toISOString());
}
JS
seen=$(node "$folder/read.mjs")
echo "mailparser 3.14.2:" $seen
[ "$seen" = '2024-01-01T09:00:00.000Z
now
now
undefined' ]
