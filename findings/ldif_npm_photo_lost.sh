#!/usr/bin/env bash
# ldif 0.5.1 (npm) does not keep a photo, and takes no folded comment.
#
# One would guess that `jpegPhoto:: /9j/4A==` is written as it was read: base64 is there for octets that are no text (RFC 2849,
# BASE64-STRING).
# Seen: the octets are read as UTF-8, so that each becomes U+FFFD, and `jpegPhoto:: 77+977+977+977+9` is written. A comment that
# is folded, as any line may be (note 2), is an error.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" ldif@0.5.1
cat >"$folder/read.cjs" <<'JS'
const ldif = require("ldif");
for (const text of ["version: 1\ndn: cn=a\njpegPhoto:: /9j/4A==\n", "version: 1\n# a comment\n  goes on\ndn: cn=a\ncn: a\n"]) {
  try {
    console.log(ldif.parse(text).entries[0].toLDIF().split("\n")[1]);
  } catch (fault) {
    console.log(fault.name);
  }
}
JS
seen=$(node "$folder/read.cjs")
echo "ldif 0.5.1:" "${seen//$'\n'/; }"
[ "$seen" = 'jpegPhoto:: 77+977+977+977+9
SyntaxError' ]
