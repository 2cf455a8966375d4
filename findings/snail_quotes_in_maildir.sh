#!/usr/bin/env bash
# s-nail 14.9.24 quotes `From ` in a message that it copies from one Maildir to another.
#
# One would guess that a message is copied as it is: in a Maildir each has a file, and nothing separates them.
# Seen: a line `From now on` becomes `>From now on`, a field Status stands in the header, and an empty line at the end. Nobody
# takes the `>` away again, and a signature over the text no longer holds.
# Needs: Debian 12, and root if s-nail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" s-nail=s-nail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
mkdir -p "$folder"/from/{cur,new,tmp}
printf 'From: a@x.example\nSubject: one\n\ntext\n\nFrom now on\n' >"$folder/from/cur/1:2,S"
printf 'copy * maildir://%s/to\nexit\n' "$folder" | s-nail -:/ -# -f "maildir://$folder/from" >/dev/null
seen=$(cat "$folder"/to/*/* | tr '\n' '|')
echo "s-nail 14.9.24: $seen"
[ "$seen" = "From: a@x.example|Subject: one|Status: O||text||>From now on||" ]
