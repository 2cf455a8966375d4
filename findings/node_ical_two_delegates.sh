#!/usr/bin/env bash
# node-ical 0.27.2 (npm) forgets whoever is invited for two groups or has two delegates.
#
# One would guess that of two people who are invited both are given, as when Bob has one delegate.
# Seen: Bob is not among them if his MEMBER or DELEGATED-TO names two addresses, as RFC 5545 §3.2.5 shows it.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" node-ical@0.27.2 >/dev/null
cd "$folder"
cat >show.cjs <<'J'
for (const delegates of ['"mailto:c@x.example"', '"mailto:c@x.example","mailto:d@x.example"']) {
  const event = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1@x.example", "DTSTAMP:20260101T000000Z",
    "DTSTART:20260101T120000Z", "ATTENDEE:mailto:ann@x.example", `ATTENDEE;DELEGATED-TO=${delegates}:mailto:bob@x.example`,
    "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
  console.log([require("node-ical").sync.parseICS(event)["1@x.example"].attendee].flat().map((it) => it.val ?? it).join(" "));
}
J
seen=$(node show.cjs)
echo "node-ical 0.27.2:" $seen
[ "$seen" = 'mailto:ann@x.example mailto:bob@x.example
mailto:ann@x.example' ]
