#!/usr/bin/env bash
# procmail 3.22: its `formail -s` joins two messages of the mailbox file to which `procmail` has delivered them.
#
# One would guess that one program of a package reads what the other writes.
# Seen: a message that comes without a line end gets one from `procmail`, but no empty line behind it, which every other gets.
# `formail -s` wants one before a From_ line: it gives two messages as one, with the second From_ line in the text.
# Needs: Debian 12, and root if procmail is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" procmail=procmail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
for end in '' '\n'; do
  printf ':0:\n%s/box%s\n' "$folder" "${#end}" >"$folder/rc"
  for number in 1 2; do
    printf "From: a@x.example\nSubject: %s\n\ntext$end" "$number" | procmail -f a@x.example -m "$folder/rc"
  done
done
count() { formail -s sh -c 'cat >/dev/null; echo .' <"$folder/$1" | wc -l; }
seen="$(grep -c '^From ' "$folder/box0") $(count box0), $(grep -c '^From ' "$folder/box2") $(count box2)"
echo "procmail 3.22: From_ lines and messages, without a line end and with one: $seen"
[ "$seen" = '2 1, 2 2' ]
