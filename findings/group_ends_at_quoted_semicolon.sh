#!/usr/bin/env bash
# npm's postal-mime 4.0.0 and emailjs-mime-parser 2.0.7 end a group at a semicolon that stands in a quoted string.
#
# One would guess that `"B; C"` is one name in a group, as it is in a list without one, and as `"B, C"` is in a group.
# Seen: the group has a member `B` without an address, and what is behind the semicolon is an address outside of it.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" postal-mime@4.0.0 emailjs-mime-parser@2.0.7 >/dev/null
cat >"$folder/show.mjs" <<'J'
import emailjs from "emailjs-mime-parser";
import PostalMime from "postal-mime";
const names = (list) => list.flatMap((it) => it.group ?? [it]).map((it) => it.name);
for (const list of ['"B; C" <b@x.example>', 'G: "B, C" <b@x.example>;', 'G: "B; C" <b@x.example>;']) {
  const message = `To: ${list}\r\n\r\nx`;
  const seen = [(await PostalMime.parse(message)).to, (emailjs.default ?? emailjs)(message).headers.to[0].value];
  console.log(list, ...seen.map((it) => JSON.stringify(names(it))));
}
J
seen=$(node "$folder/show.mjs")
echo "$seen"
[ "$seen" = '"B; C" <b@x.example> ["B; C"] ["B; C"]
G: "B, C" <b@x.example>; ["B, C"] ["B, C"]
G: "B; C" <b@x.example>; ["B",""] ["B","C"]' ]
