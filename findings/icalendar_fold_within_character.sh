#!/usr/bin/env bash
# icalendar 7.3.2 (PyPI) decodes the lines of a calendar before it unfolds them.
#
# One would guess that a line that was folded within a character is put together first, as RFC 5545 §3.1 asks, since there are
# writers that count octets: `from_ical` is given octets.
# Seen: of `é` in a SUMMARY two U+FFFD are left.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet icalendar==7.3.2
seen=$("$folder/bin/python" - <<'PYTHON'
from icalendar import Calendar

fields = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
print(*(Calendar.from_ical(fields % text).walk("VEVENT")[0]["SUMMARY"] for text in (b"Caf\xc3\xa9", b"Caf\xc3\r\n \xa9")))
PYTHON
)
echo "icalendar 7.3.2: $seen"
[ "$seen" = 'Café Caf��' ]
