#!/usr/bin/env bash
# postal-mime 4.0.0 ends a group at a semicolon that stands in the quotes of a member's name.
#
# One would guess that `Team: "c; d" <x@y.example>;` has a member called `c; d`, as it has with a comma in the quotes.
# Seen: a member `c` without an address, and behind the group an address `d <x@y.example>;`.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" postal-mime@4.0.0
cat >"$folder/show.mjs" <<'JS'
import PostalMime from "postal-mime";
for (const name of ["c, d", "c; d"]) {
  const { to } = await PostalMime.parse(`From: a@x.example\nTo: Team: "${name}" <x@y.example>;\n\nx\n`);
  console.log(JSON.stringify(to));
}
JS
seen=$(node "$folder/show.mjs")
echo "postal-mime 4.0.0:" "$seen"
[ "$seen" = '[{"name":"Team","group":[{"address":"x@y.example","name":"c, d"}]}]
[{"name":"Team","group":[{"address":"","name":"c"}]},{"address":"d <x@y.example>;","name":""}]' ]
