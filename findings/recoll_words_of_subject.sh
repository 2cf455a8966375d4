#!/usr/bin/env bash
# recoll 1.34.3 does not find a word of a Subject that two encoded-words have, nor anything behind one with a language tag.
#
# One would guess that the blank between two encoded-words is not shown (RFC 2047 §6.2), and that a language tag (RFC 2231 §5)
# changes nothing, or leaves the word as it is.
# Seen: `Nord` and `köln` in two words are `Nord  köln`, so that nobody finds `Nordköln`. The subject `From
# =?utf-8*de?Q?K=C3=B6ln?= to Bonn` is `From ` and no more.
# Needs: Debian 12, and root if recollcmd is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" recollindex=recollcmd
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder RECOLL_CONFDIR=$folder/settings LC_ALL=C.UTF-8
mkdir -p "$folder"/mail/{cur,new,tmp} "$folder/settings"
echo "topdirs = $folder/mail" >"$folder/settings/recoll.conf"
number=0
while read -r subject; do
  number=$((number + 1))
  printf 'From: a@x.example\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nSubject: %b\nMIME-Version: 1.0\n\ntext\n' "$subject" \
    >"$folder/mail/cur/$number:2,S"
done <<'SUBJECTS'
=?utf-8?Q?Nord?=\n =?utf-8?Q?k=C3=B6ln?=
From =?utf-8*de?Q?K=C3=B6ln?= to Bonn
Not =?utf-8?Q?K=C3=B6ln?= to Essen
SUBJECTS
recollindex >/dev/null 2>&1
found() { recollq "$1" 2>/dev/null | sed -n 's/^message[^[]*\[[^]]*\][^[]*\[\(.*\)\].*/[\1]/p' | tr -d '\n'; }
seen="Nordköln: $(found Nordköln); Nord: $(found Nord); Bonn: $(found Bonn); Essen: $(found Essen); From: $(found From)"
echo "recoll 1.34.3: $seen"
[ "$seen" = 'Nordköln: ; Nord: [Nord  köln]; Bonn: ; Essen: [Not Köln to Essen]; From: [From ]' ]
