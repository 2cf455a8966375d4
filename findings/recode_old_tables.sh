#!/usr/bin/env bash
# recode 3.6 reads seven charsets otherwise than their standards have them, without a word.
#
# One would guess that a converter takes ISO-8859-9 (Turkish), -11 (Thai), -13 (Baltic), -14 (Celtic), -16 (Romanian), ISO-8859-7
# (Greek) and windows-1256 (Arabic) for what they are, or says that it does not know them.
# Seen: they are those of drafts, and Thai is ISO-8859-1: `ê` is `ę`, `ก` is `¡`, `Ø` is `¨`, `Ÿ` is `ṡ`, `„` is `«`, `‘`
# is `‛`, and Arabic text is another one. glibc's iconv reads all of them.
# Needs: Debian 12, and root if recode is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" recode=recode
seen=
for case in ISO-8859-9:'\xea' ISO-8859-11:'\xa1' ISO-8859-13:'\xa8' ISO-8859-14:'\xaf' ISO-8859-16:'\xa5' ISO-8859-7:'\xa1' \
  windows-1256:'\xe3\xd1\xcd\xc8\xc7'; do
  # shellcheck disable=SC2059 # The octets are escapes.
  octets() { printf "${case#*:}"; }
  label=${case%%:*}
  seen+="${label##*-} $(octets | iconv -f "$label" -t UTF-8) $(octets | recode "$label..UTF-8"), "
done
echo "recode $(recode --version | sed -n '1s/.* //p'), behind glibc: $seen"
# shellcheck disable=SC1112 # The quotation marks are text.
[ "$seen" = '9 ê ę, 11 ก ¡, 13 Ø ¨, 14 Ÿ ṡ, 16 „ «, 7 ‘ ‛, 1256 مرحبا ځعطÈÇ, ' ]
