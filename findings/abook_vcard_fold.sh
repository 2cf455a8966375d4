#!/usr/bin/env bash
# abook 0.6.1 forgets what stands behind a fold of a vCard, in an address as well.
#
# One would guess that a line that is folded is one (RFC 6350 §3.2), and that what can't be read whole is left out.
# Seen: `EMAIL:ann.smith@` CRLF blank `x.example` is the address `ann.smith@`, and a name has no second half; nothing is said of it.
# Needs: Debian 12, and root if abook is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" abook=abook
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\r\n' BEGIN:VCARD VERSION:3.0 'FN:Ann Cholmondeley' ' -Featherstonehaugh' 'N:Cholmondeley' ' -Featherstonehaugh;Ann;;;' \
  'EMAIL:ann.smith@' ' x.example' END:VCARD >"$folder/card"
seen=$(LC_ALL=C.UTF-8 HOME=$folder abook --convert --informat vcard --infile "$folder/card" --outformat abook | grep -E '^(name|email)')
echo "abook $(dpkg-query -W -f '${Version}' abook):" $seen
[ "$seen" = 'name=Ann Cholmondeley
email=ann.smith@' ]
