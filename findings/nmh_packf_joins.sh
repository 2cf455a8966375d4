#!/usr/bin/env bash
# nmh 1.8~RC2: `inc` joins two messages of a mailbox file that nmh's own `packf` has written.
#
# One would guess that what `packf` packs `inc` takes in again, message by message.
# Seen: `packf` ends a message that has no line end with one, and begins the next without an empty line; `inc` takes that one's
# From_ line and header for text. Two messages go out and one comes back. With `packf -mmdf` two come back.
# Needs: Debian 12, and root if nmh is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/bin/mh/inc=nmh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder MH=$folder/profile PATH=/usr/bin/mh:$PATH
echo "Path: $folder" >"$MH"
mkdir "$folder"/{out,mbox,mmdf}
printf 'From: a@x.example\nSubject: one\n\ntext' >"$folder/out/1"
printf 'From: a@x.example\nSubject: two\n\ntext\n' >"$folder/out/2"
packf +out all -file "$folder/packed"
packf +out all -mmdf -file "$folder/packed.mmdf"
inc +mbox -file "$folder/packed" -silent
inc +mmdf -file "$folder/packed.mmdf" -silent
count() { find "$folder/$1" -name '[0-9]*' | wc -l; }
seen="$(grep -c '^From nobody' "$folder/packed") $(count mbox) $(grep -c '^Subject' "$folder/mbox/1") $(count mmdf)"
echo "nmh 1.8~RC2: From_ lines, messages of mbox, Subjects in its first, messages of MMDF: $seen"
[ "$seen" = '2 1 2 2' ]
