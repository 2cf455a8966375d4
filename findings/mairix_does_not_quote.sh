#!/usr/bin/env bash
# mairix 0.24 puts messages of a Maildir into an mbox without quoting `From `, so that one of them is two.
#
# One would guess that `mformat=mbox` quotes, or states a Content-Length, as whatever writes an mbox of files does.
# Seen: a forwarded From_ line in a text stands there as it was. mairix says `Matched 1 messages`, and in the folder that it has made
# of it Python and mutt see two, the second with whatever sender and Subject the first had in its text.
# Needs: Debian 12, Python 3, and root if mairix is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mairix=mairix python3=python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/mail/{cur,new,tmp}
printf 'From: a@x.example\nSubject: one\n\nLook:\n\nFrom b@x.example Sat Nov 21 10:00:00 2026\nFrom: b@x.example\nSubject: two\n\ntext\n' \
  >"$folder/mail/cur/1:2,S"
printf 'base=%s\nmaildir=mail\nmformat=mbox\nmfolder=found\ndatabase=%s/db\n' "$folder" "$folder" >"$folder/rc"
mairix -f "$folder/rc" 2>/dev/null
said=$(mairix -f "$folder/rc" s:one 2>/dev/null)
seen=$(python3 -c 'import mailbox, sys; print([it["Subject"] for it in mailbox.mbox(sys.argv[1])])' "$folder/found")
echo "mairix 0.24: $said: $seen"
[ "$said: $seen" = "Matched 1 messages: ['one', 'two']" ]
