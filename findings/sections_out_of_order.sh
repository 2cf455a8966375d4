#!/usr/bin/env bash
# ripMIME 1.4.0.10 and GMime 3.2.13 misread a name in sections if the second one stands before the first.
#
# One would guess that the order does not matter, since the sections are numbered for that (RFC 2231 §3).
# Seen: of `filename*1="b.txt"; filename*0*=utf-8'de'%C3%A9a`, which is `éab.txt`, ripMIME makes a file `b.txtéa`, and GMime, as
# mu 1.8.14 shows, `utf-8'de'éab.txt`. Both are right if the first one stands first.
# Needs: Debian 12, and root if ripmime or maildir-utils are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ripmime=ripmime mu=maildir-utils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder LC_ALL=C.UTF-8
seen() {
  rm -rf "$folder/parts" && mkdir "$folder/parts"
  printf 'From: a@x.example\nMIME-Version: 1.0\nContent-Type: application/pdf\nContent-Disposition: attachment; %s\n\nx\n' "$1" \
    >"$folder/message"
  ripmime -i "$folder/message" -d "$folder/parts"
  echo "$(ls "$folder/parts" | grep b.txt) $(mu view "$folder/message" | sed -n 's/^Attachments: //p')"
}
right=$(seen "filename*0*=utf-8'de'%C3%A9a; filename*1=\"b.txt\"")
wrong=$(seen "filename*1=\"b.txt\"; filename*0*=utf-8'de'%C3%A9a")
echo "ripMIME and GMime: $wrong, in order $right"
[ "$right" = 'éab.txt éab.txt' ] && [ "$wrong" = "b.txtéa utf-8'de'éab.txt" ]
