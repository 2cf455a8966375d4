#!/usr/bin/env bash
# abook 0.6.1 makes aliases for mutt whose names are not quoted, so that a comma in one is a recipient more.
#
# One would guess that the address book made for mutt writes `alias ann "Smith, Ann" <ann@x.example>`.
# Seen: `alias ann Smith, Ann <ann@x.example>`, and mutt 2.2.12 sends what is written to `ann` to `Smith` at one's own host as well.
# Needs: Debian 12, and root if abook or mutt are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" abook=abook mutt=mutt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder LC_ALL=C.UTF-8
printf '[format]\nprogram=abook\nversion=0.6.1\n\n[0]\nname=Smith, Ann\nemail=ann@x.example\nnick=ann\n' >book
abook --convert --informat abook --infile book --outformat mutt >aliases
printf '#!/bin/sh\necho "$@" >%s/recipients\n' "$folder" >send
chmod +x send
printf 'source %s/aliases\nset sendmail=%s/send\nset copy=no\nset hostname=own.example\n' "$folder" "$folder" >settings
echo x | mutt -n -F settings -s x ann
echo "abook $(dpkg-query -W -f '${Version}' abook): $(cat aliases); mutt: $(cat recipients)"
[ "$(cat aliases)" = 'alias ann Smith, Ann <ann@x.example>' ] && [ "$(cat recipients)" = '-- Smith@own.example ann@x.example' ]
