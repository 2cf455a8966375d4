#!/usr/bin/env bash
# GNU mailutils 3.15, `movemail`, makes a message of a Maildir empty if its lines end with CRLF, and deletes the original.
#
# One would guess that a message is moved as it is, whatever ends its lines, or refused: programs on Windows, and those that store
# what came over the network, leave CRLF in Maildirs.
# Seen: exit code 0; of the message with CRLF an empty one is left, without a header, in mbox, Maildir and MH alike; the source has
# none of the two messages any more. So it is with a message that is a header alone, without an empty line at its end.
# Needs: Debian 12, and root if mailutils is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" movemail.mailutils=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
mkdir -p "$folder"/from/{cur,new,tmp}
printf 'From: a@x.example\r\nSubject: one\r\n\r\ntext of one\r\n' >"$folder/from/cur/1:2,S"
printf 'From: a@x.example\nSubject: two\n\ntext of two\n' >"$folder/from/cur/2:2,S"
code=0
movemail.mailutils "maildir:$folder/from" "mh:$folder/to" || code=$?
left=$(find "$folder/from/cur" "$folder/from/new" -type f | wc -l)
seen="$(od -An -c "$folder/to/1" | tr -d ' ') $(grep -c two "$folder/to/2") $(cat "$folder"/to/* | grep -c one || true)"
echo "mailutils 3.15: exit code $code, $left left, moved: $seen"
[ "$code $left $seen" = '0 0 \n 2 0' ]
