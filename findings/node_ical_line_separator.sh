#!/usr/bin/env bash
# node-ical 0.27.2 (npm) loses a text that has U+2028 in it.
#
# One would guess that U+2028, which programs that lay out text put for a line break within a paragraph, is a character as any other
# beyond ASCII: a line of a calendar ends at CRLF (RFC 5545 §3.1).
# Seen: an event whose SUMMARY is `Lunch`, U+2028 and `at noon` has no summary, and nothing is said of it.
# Needs: Node.js and npm. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" node-ical@0.27.2 >/dev/null
cd "$folder"
cat >show.cjs <<'J'
const events = ["Lunch at noon", "Lunch\u2028at noon"].map((summary, at) =>
  `BEGIN:VEVENT\r\nUID:${at}@x.example\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T120000Z\r\nSUMMARY:${summary}\r\nEND:VEVENT\r\n`);
const seen = require("node-ical").sync.parseICS(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${events.join("")}END:VCALENDAR\r\n`);
console.log(seen["0@x.example"].summary, seen["1@x.example"].summary);
J
seen=$(node show.cjs)
echo "node-ical 0.27.2: $seen"
[ "$seen" = 'Lunch at noon undefined' ]
