#!/usr/bin/env bash
# MHonArc 2.6.19 believes the `meta` of an HTML text, not the charset of the part, and shows UTF-8 as Latin-1.
#
# One would guess that the label of the part goes before what the text says of itself (HTML 4.01 §5.2.2): who recodes mail changes
# the label alone.
# Seen: `Grüße` in a part in UTF-8, whose `meta` still says iso-8859-1, is `GrÃ¼Ã?e`.
# Needs: Debian 12, and root if mhonarc is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" mhonarc=mhonarc
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
shown() {
  printf 'From: a@x.example\nDate: Thu, 1 Jan 2026 00:00:00 +0000\nMessage-ID: <1@x.example>\nMIME-Version: 1.0\n' >message
  printf 'Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n' >>message
  echo "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=$1\">Grüße" >>message
  mhonarc -single message 2>/dev/null | grep -a '^Gr'
}
echo "MHonArc 2.6.19: $(shown iso-8859-1), with a meta that says so $(shown utf-8)"
[ "$(shown iso-8859-1)" = 'Gr&#xC3;&#xBC;&#xC3;?e' ] && [ "$(shown utf-8)" = 'Gr&#xFC;&#xDF;e' ]
