#!/usr/bin/env bash
# mbox-reader 1.2.0 (npm) makes two labels of a label of Gmail that has a comma.
#
# One would guess that in `X-Gmail-Labels: Inbox,"Bills, paid"` of a Takeout the quotation marks keep a label together: that is what
# they are there for.
# Seen: the labels are `Inbox`, `"Bills` and `paid"`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mbox-reader@1.2.0
cat >"$folder/show.cjs" <<'JS'
const { Readable } = require("stream");
const { mboxReader } = require("mbox-reader");
const mbox = 'From 1@xxx Sat Nov 21 10:00:00 +0000 2026\nX-Gmail-Labels: Inbox,"Bills, paid"\nSubject: a\n\nx\n\n';
(async () => {
  for await (const message of mboxReader(Readable.from([Buffer.from(mbox)]))) console.log(message.labels.join("|"));
})();
JS
seen=$(node "$folder/show.cjs")
echo "mbox-reader 1.2.0: $seen"
[ "$seen" = 'Inbox|"Bills|paid"' ]
