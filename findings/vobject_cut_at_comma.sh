#!/usr/bin/env bash
# vobject 0.9.9 (PyPI) cuts a URI at its first comma, but in a few properties that it knows.
#
# One would guess that what it has no rule for is given and written as it stands.
# Seen: of the meeting `CONFERENCE;VALUE=URI:tel:+1-412-555-0123,,,654321` (RFC 7986 §5.11) the code that lets one in is gone, of an
# IMAGE the image: `data:image/png;base64,iVBORw0KGgo=` is `data:image/png;base64`; and so is the URL of a vCard.
# Needs: python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet vobject==0.9.9
seen=$("$folder/bin/python" - <<'PYTHON'
import vobject

event = vobject.readOne(
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@x.example\r\nDTSTAMP:20260101T000000Z\r\n"
    "CONFERENCE;VALUE=URI:tel:+1-412-555-0123,,,654321\r\n"
    "IMAGE;VALUE=URI:data:image/png;base64,iVBORw0KGgo=\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
).vevent
card = vobject.readOne("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:a\r\nN:a;;;;\r\nURL:https://x.example/b,c\r\nEND:VCARD\r\n")
print(event.conference.value, event.image.value, card.url.value)
PYTHON
)
echo "vobject 0.9.9: $seen"
[ "$seen" = 'tel:+1-412-555-0123 data:image/png;base64 https://x.example/b' ]
