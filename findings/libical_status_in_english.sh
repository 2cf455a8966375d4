#!/usr/bin/env bash
# libical 3.0.16 replaces what REQUEST-STATUS says by a sentence of its own.
#
# One would guess that the words in the answer to an invitation are kept as they stand, whatever their number: they are for people,
# and may be in any language (RFC 5545 §3.8.8.3).
# Seen: `REQUEST-STATUS;LANGUAGE=de:2.0;Erledigt` is written as `…;LANGUAGE=de:2.0;Success.`, and the RFC's own example, `4.1;Event
# conflict.  Date-time is busy.`, as `4.1;Store Access Denied.`
# Needs: Debian 12, a C compiler, and root if libical-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/include/libical/ical.h=libical-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <libical/ical.h>
#include <stdio.h>

int main(int number, char **lines)
{
    for (int at = 1; at < number; at++)
        fputs(icalproperty_as_ical_string(icalproperty_new_from_string(lines[at])), stdout);
}
C
cc -o "$folder/show" "$folder/show.c" -lical
seen=$("$folder/show" 'REQUEST-STATUS;LANGUAGE=de:2.0;Erledigt' 'REQUEST-STATUS:4.1;Event conflict.  Date-time is busy.' | tr -d '\r')
echo "libical $(dpkg-query -W -f '${Version}' libical-dev):" $seen
[ "$seen" = 'REQUEST-STATUS;LANGUAGE=de:2.0;Success.
REQUEST-STATUS:4.1;Store Access Denied.' ]
