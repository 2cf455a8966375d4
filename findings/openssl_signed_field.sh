#!/usr/bin/env bash
# OpenSSL 3.0, `cms -verify`: a comment, a quoted-pair or a fold before a semicolon in Content-Type, and a signed message is none.
#
# One would guess that these change nothing, since the field isn't signed and says the same (RFC 2045 §5.1, RFC 5322 §3.2.2, §3.2.4).
# Seen: `multipart/signed (by Ann)` is an invalid type; the boundary is not found if its line begins with the semicolon, nor if it
# has a comment behind it or a backslash in it. A fold behind the semicolon is read, and capitals are.
# Needs: openssl. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -subj /CN=Ann/emailAddress=ann@x.example 2>/dev/null
printf 'Content-Type: text/plain\r\n\r\nYes.\r\n' | openssl cms -sign -signer certificate -inkey key >signed
seen=$(while read -r name edit; do
  sed "$edit" signed | openssl cms -verify -CAfile certificate -out /dev/null 2>says || true
  echo "$name: $(grep -o 'successful\|invalid mime type\|no multipart [a-z]*' says)"
done <<'EDITS'
none s/a/a/
capitals s/multipart\/signed/Multipart\/Signed/
fold s/; boundary/;\n boundary/
fold-before s/; boundary/\n ; boundary/
comment s/multipart\/signed/multipart\/signed (by Ann)/
comment-behind s/\(boundary="[^"]*"\)/\1 (b)/
quoted-pair s/boundary="/boundary="\\/
EDITS
)
echo "$(openssl version):" && echo "$seen"
[ "$seen" = 'none: successful
capitals: successful
fold: successful
fold-before: no multipart boundary
comment: invalid mime type
comment-behind: no multipart body
quoted-pair: no multipart body' ]
