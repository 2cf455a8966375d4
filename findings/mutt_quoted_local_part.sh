#!/usr/bin/env bash
# mutt 2.2.12 and NeoMutt 2022-04-29 send what is for `"a b"@x.example` to `ab@x.example`.
#
# One would guess that a local part in quotation marks (RFC 5321 §4.1.2) keeps them where it needs them.
# Seen: they are taken off, and what is left is read again: `"a b"@x.example` is `ab@x.example`. So it is with To and Cc of a draft.
# Needs: Debian 12, and root if mutt or neomutt are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mutt=mutt neomutt=neomutt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
printf '#!/bin/sh\necho "$@" >%s/recipients\n' "$folder" >send
chmod +x send
printf 'set sendmail=%s/send\nset copy=no\nset hostname=own.example\nset from=me@own.example\n' "$folder" >settings
for program in mutt neomutt; do
  seen=$(
    echo x | "$program" -n -F settings -s x -- '"a b"@x.example' >log 2>&1 || true
    cat recipients
  )
  echo "$program $(dpkg-query -W -f '${Version}' "$program"):" $seen
  [ "$seen" = '-- ab@x.example' ]
done
