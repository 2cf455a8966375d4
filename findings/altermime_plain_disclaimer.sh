#!/usr/bin/env bash
# alterMIME 0.3.10 encodes a disclaimer for quoted-printable in a multipart, and not in a message of one part.
#
# One would guess that text put behind a text in quoted-printable is encoded likewise, as its changelog says (1 March 2006).
# Seen: of `http://x.example/?id=20` the reader has `?id `, with a blank for `=20`, where in a multipart it is `=3D20`.
# Needs: Debian 12, python3, and root if altermime is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" altermime=altermime
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'http://x.example/?id=20' >disclaimer
part='Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n'
fields='From: a@x.example\nMIME-Version: 1.0\n'
printf "$fields$part" >single
printf "${fields}Content-Type: multipart/mixed; boundary=b\n\n--b\n$part--b--\n" >multipart
for message in single multipart; do
  altermime --input="$message" --disclaimer=disclaimer >/dev/null
done
seen=$(
  python3 - <<'PYTHON'
import email.policy

for name in ("single", "multipart"):
    with open(name, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    print(*message.get_body().get_content().split("\n"), sep="|")
PYTHON
)
echo "alterMIME $(altermime --version | grep -o '[0-9.]*' | head -1): ${seen//$'\n'/, in a multipart }"
[ "$seen" = 'Grüße|http://x.example/?id |
Grüße|http://x.example/?id=20||' ]
