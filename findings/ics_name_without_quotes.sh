#!/usr/bin/env bash
# ics 0.7.3 (PyPI) and golang-ical 2022-05-17 (Go) read a name in quotation marks, and write it without them.
#
# One would guess that `ATTENDEE;CN="Smith, Ann":mailto:ann@x.example` is written so that it can be read.
# Seen: `ATTENDEE;CN=Smith\, Ann:mailto:ann@x.example`, which ics itself refuses as two names; and of `CN="Dr: Ann"` the name is `Dr`
# when it is read again, and the address ` Ann:mailto:ann@x.example`. golang-ical writes `CN=Dr: Ann` as well.
# Needs: Debian 12, python3 with venv and pip, and root if its Go packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" go=golang-go \
  /usr/share/gocode/src/github.com/arran4/golang-ical=golang-github-arran4-golang-ical-dev
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
cat >"$folder/main.go" <<'GO'
package main

import (
	"os"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar, err := ics.ParseCalendar(os.Stdin)
	if err != nil {
		panic(err)
	}
	calendar.SerializeTo(os.Stdout)
}
GO
go=$(printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:1@x.example DTSTAMP:20260101T000000Z \
  'ATTENDEE;CN="Dr: Ann":mailto:ann@x.example' END:VEVENT END:VCALENDAR |
  (cd "$folder" && HOME=$folder GO111MODULE=off GOPATH=/usr/share/gocode go run main.go) | tr -d '\r' | grep ^ATT)
echo "ics 0.7.3:" $seen
echo "golang-ical $(dpkg-query -W -f '${Version}' golang-github-arran4-golang-ical-dev): $go"
[ "$seen" = 'A ATTENDEE must have at most one CN
Dr| Ann:mailto:ann@x.example' ] && [ "$go" = 'ATTENDEE;CN=Dr: Ann:mailto:ann@x.example' ]
