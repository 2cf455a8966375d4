#!/usr/bin/env bash
# GNU mailutils 3.15, `movemail`, leaves no message read that it puts into an mbox, and all others as they were.
#
# One would guess that what was read and answered is so afterwards, or nowhere: it keeps the letters from one Maildir to another,
# and makes an S of `Status: RO` on the way from an mbox to a Maildir.
# Seen: from a Maildir with `:2,RS` to an mbox no Status is written, and from one mbox to another Status is taken out of the message,
# though fields of its own (X-UID, X-IMAPbase) are put in; `mail` shows the message as new.
# Needs: Debian 12, and root if mailutils is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" movemail.mailutils=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
mkdir -p "$folder"/from/{cur,new,tmp}
printf 'From: a@x.example\nSubject: one\n\ntext\n' >"$folder/from/cur/1:2,RS"
movemail.mailutils -p "maildir:$folder/from" "maildir:$folder/maildir"
movemail.mailutils -p "maildir:$folder/from" "mbox:$folder/mbox"
shown=$(mail.mailutils --norc -N -E 'set headline="%a"' -H -f "$folder/mbox")
sed 's/^Subject/Status: RO\n&/' "$folder/mbox" >"$folder/read"
movemail.mailutils -p "mbox:$folder/read" "maildir:$folder/back"
movemail.mailutils -p "mbox:$folder/read" "mbox:$folder/other"
letters() { find "$folder/$1/cur" "$folder/$1/new" -type f | sed 's/.*:2,//'; }
statuses() { grep -c Status "$folder/$1" || true; }
seen="$(letters maildir) $(statuses mbox) $shown, $(letters back) $(statuses other)"
echo "mailutils 3.15: a Maildir in a Maildir, in mbox, and shown; an mbox in a Maildir, and in mbox: $seen"
[ "$seen" = 'RS 0 N, S 0' ]
