#!/usr/bin/env bash
# xdg-email 1.1.3 does not tell Thunderbird of `?Subject=` or `?CC=`.
#
# One would guess that `Subject` in a mailto URI is `subject`: it is the name of a field (RFC 6068 §2), in any case (RFC 5322
# §1.2.2), and many pages write it so.
# Seen: of `?Subject=Hi&CC=b@x.example` the recipient is left; in small letters it all arrives. An apostrophe, a letter of
# addresses, ends what is told: `to='o'brien@x.example,'`.
# Needs: Debian 12, and root if xdg-utils is not installed; a script stands for Thunderbird. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" xdg-email=xdg-utils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/.local/share/applications" "$folder/.config"
printf '#!/bin/sh\necho "$*"\n' >"$folder/thunderbird"
chmod +x "$folder/thunderbird"
printf '[Desktop Entry]\nType=Application\nName=Mail\nExec=%s/thunderbird %%u\nMimeType=x-scheme-handler/mailto;\n' "$folder" \
  >"$folder/.local/share/applications/thunderbird.desktop"
printf '[Default Applications]\nx-scheme-handler/mailto=thunderbird.desktop\n' >"$folder/.config/mimeapps.list"
seen=$(for uri in 'mailto:a@x.example?subject=Hi&cc=b@x.example' 'mailto:a@x.example?Subject=Hi&CC=b@x.example' "mailto:o'brien@x.example"; do
  env -i HOME="$folder" PATH="$folder:$PATH" DISPLAY=:9 xdg-email "$uri" 2>"$folder/said"
done)
echo "xdg-email $(dpkg-query -W -f '${Version}' xdg-utils):" "${seen//$'\n'/; }"
[ "$seen" = "-compose to='a@x.example,',cc='b@x.example,',subject=Hi
-compose to='a@x.example,'
-compose to='o'brien@x.example,'" ]
