#!/usr/bin/env bash
# lynx 2.9.0dev.12, with which many show mail in HTML (`lynx -dump` in a mailcap), lists links that are not those of the
# message.
#
# One would guess that a link is listed as it stands, or that at least what means something else when decoded is left (RFC 3986
# §2.2, §2.4).
# Seen: all is decoded: `?q=R%26D&x=1` is `?q=R&D&x=1`, `a%23b` is `a#b`, `C%2B%2B` is `C++` and `a%20b` is in two parts; of the
# recipients of `mailto:a%2Cb@x.example` (RFC 6068 §2) one becomes two. `-list_decoded` turns it off, though its manual reads as
# if it turned it on; w3m lists what stands there.
# Needs: Debian 12, and root if lynx or w3m are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" lynx=lynx w3m=w3m
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
links=('http://x.example/?q=R%26D&x=1' 'http://x.example/a%23b' 'http://x.example/?q=C%2B%2B' 'http://x.example/a%20b'
  'mailto:a%2Cb@x.example')
for link in "${links[@]}"; do echo "<p><a href=\"${link//&/&amp;}\">x</a></p>"; done >"$folder/mail.html"
listed() { sed -nE 's/^ *\[?[0-9]+[].] (.*:.*)/\1/p'; }
lynx=$(HOME=$folder lynx -dump "$folder/mail.html" | listed)
toggled=$(HOME=$folder lynx -dump -list_decoded "$folder/mail.html" | listed)
w3m=$(HOME=$folder w3m -dump -o display_link_number=1 "$folder/mail.html" | listed)
echo "lynx:" $lynx
echo "w3m:" $w3m
[ "$lynx" = 'http://x.example/?q=R&D&x=1
http://x.example/a#b
http://x.example/?q=C++
http://x.example/a b
mailto:a,b@x.example' ] && [ "$toggled" = "$(printf '%s\n' "${links[@]}")" ] && [ "$w3m" = "$toggled" ]
