#!/usr/bin/env bash
# libical 3.0.16 reads `^^` in a parameter as `^`, and writes `^` as it is.
#
# One would guess that a library that writes the quotation mark as `^'` and a line break as `^n` writes the caret as `^^` (RFC 6868 §3).
# Seen: the name `x^n`, read from `CN=x^^n`, is written as `CN=x^n`, and is `x` and a line break when it is read again.
# Needs: Debian 12, a C compiler, and root if libical-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/include/libical/ical.h=libical-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <libical/ical.h>
#include <stdio.h>

int main(void)
{
    const char *line = "ATTENDEE;CN=x^^n:mailto:a@x.example";
    for (int pass = 0; pass < 2; pass++) {
        icalproperty *property = icalproperty_new_from_string(line);
        puts(icalparameter_get_cn(icalproperty_get_first_parameter(property, ICAL_CN_PARAMETER)));
        line = icalproperty_as_ical_string(property);
        fputs(line, stdout);
    }
}
C
cc -o "$folder/show" "$folder/show.c" -lical
seen=$("$folder/show" | tr -d '\r')
echo "libical $(dpkg-query -W -f '${Version}' libical-dev):" $seen
[ "$seen" = 'x^n
ATTENDEE;CN=x^n:mailto:a@x.example
x

ATTENDEE;CN=x^n:mailto:a@x.example' ]
