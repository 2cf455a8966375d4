#!/usr/bin/env bash
# ics 0.7.3 (PyPI) reads a name in quotation marks, and writes it without them.
#
# One would guess that `ATTENDEE;CN="Smith, Ann":mailto:ann@x.example` is written so that it can be read.
# Seen: `ATTENDEE;CN=Smith\, Ann:mailto:ann@x.example`, which ics itself refuses as two names; and of `CN="Dr: Ann"` the name is `Dr`
# when it is read again, and the address ` Ann:mailto:ann@x.example`.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet ics==0.7.3
seen=$("$folder/bin/python" -W ignore - <<'PYTHON'
import ics

for name in ("Smith, Ann", "Dr: Ann"):
    calendar = ics.Calendar(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@x.example\r\nDTSTAMP:20260101T000000Z\r\n"
        f'DTSTART:20260101T120000Z\r\nATTENDEE;CN="{name}":mailto:ann@x.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
    )
    try:
        (attendee,) = ics.Calendar(calendar.serialize()).events.pop().attendees
        print(f"{attendee.common_name}|{attendee.email}")
    except ValueError as fault:
        print(fault)
PYTHON
)
echo "ics 0.7.3:" $seen
[ "$seen" = 'A ATTENDEE must have at most one CN
Dr| Ann:mailto:ann@x.example' ]
