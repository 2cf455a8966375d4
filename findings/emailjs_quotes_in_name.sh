#!/usr/bin/env bash
# emailjs 5.0.3 (npm) loses the quotation marks of a name and keeps their backslashes.
#
# One would guess that `"Dwayne \"Rock\" Johnson" <d@x.example>`, an address as RFC 5322 §3.4 has it, is read as one before its
# name is encoded.
# Seen: the word is `Dwayne \ Rock\ Johnson`, and of `"CORP\\Ann"` it is `CORP\\Ann`: the quotes are taken off, the backslashes
# stay.
# Needs: Node.js and npm, and python3. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" emailjs@5.0.3
cat >"$folder/write.mjs" <<'JS'
import { Message } from "emailjs";

for (const from of [String.raw`"Dwayne \"Rock\" Johnson" <d@x.example>`, String.raw`"CORP\\Ann" <a@x.example>`]) {
  const message = await new Message({ from, to: "b@x.example", subject: "s", text: "x" }).readAsync();
  console.log(message.match(/^From: (.*)\r$/m)[1]);
}
JS
written=$(node "$folder/write.mjs")
read=$(python3 -c '
import email.header, sys
for line in sys.argv[1].splitlines():
    print(str(email.header.make_header(email.header.decode_header(line))))' "$written")
echo "emailjs 5.0.3: ${written//$'\n'/, }, read as ${read//$'\n'/, }"
[ "$read" = 'Dwayne \ Rock\ Johnson <d@x.example>
CORP\\Ann <a@x.example>' ]
