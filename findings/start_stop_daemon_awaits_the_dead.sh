#!/usr/bin/env bash
# start-stop-daemon waits for the readiness of a daemon that has ended already.
#
# One would guess that `--notify-await` ends as soon as the process that it has started, and whose number it has, is gone: no
# other can send READY=1 for it.
# Seen: dpkg 1.21.23 waits for the whole of --notify-timeout, and says `timed out waiting for a notification` (2), for a
# program that ends at once with an error. Why it ended is told nobody: an init script has to show the log.
# Needs: apt of Debian 12, as a user who may read its lists. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq dpkg=1.21.23 >/dev/null
dpkg-deb -x dpkg_1.21.23_*.deb there
printf '#!/bin/sh\nexit 78\n' >ends && chmod +x ends
start=$(date +%s%N) code=0
said=$(there/sbin/start-stop-daemon --start --background --make-pidfile --pidfile "$folder/pid" \
  --notify-await --notify-timeout 3 --exec "$folder/ends" 2>&1) || code=$?
took=$((($(date +%s%N) - start) / 1000000))
echo "dpkg 1.21.23: $said ($code) after $took ms"
[ "$code" = 2 ] && [[ $said == *'timed out waiting for a notification' ]] && [ "$took" -ge 2900 ]
