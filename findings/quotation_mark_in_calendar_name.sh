#!/usr/bin/env bash
# ical-generator 10.2.0 and ics 3.12.0 (npm) put a backslash before a quotation mark in the name of a person.
#
# One would guess that it is written as `^'` (RFC 6868), or dropped: between quotation marks there is none (RFC 5545 §3.1), and a
# backslash is a backslash.
# Seen: `CN="Ann \"Bee\" C"`. ical.js 2.2.1 reads it as `Ann \`, node-ical 0.27.2 and Python's icalendar 7.3.2 do not see that anybody
# is invited.
# Needs: Node.js and npm, python3 with venv and pip. Exit code 0 if it is as seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" ical-generator@10.2.0 ics@3.12.0 ical.js@2.2.1 node-ical@0.27.2 >/dev/null
python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet icalendar==7.3.2
cd "$folder"
cat >show.mjs <<'J'
import { writeFileSync } from "node:fs";
import ical from "ical-generator";
import ICAL from "ical.js";
import { createEvent } from "ics";
import nodeIcal from "node-ical";
const person = { name: 'Ann "Bee" C', email: "ann@x.example" };
const calendar = ical();
calendar.createEvent({ start: new Date(0), summary: "x", id: "1@x.example" }).createAttendee(person);
const other = createEvent({ start: [2026, 1, 1], duration: { hours: 1 }, attendees: [person] }).value;
console.log(`${calendar}`.match(/CN=".*"/)[0], other.match(/CN=".*"/)[0]);
const event = new ICAL.Component(ICAL.parse(`${calendar}`)).getFirstSubcomponent("vevent");
console.log(event.getFirstProperty("attendee").getFirstParameter("cn"), nodeIcal.sync.parseICS(`${calendar}`)["1@x.example"].attendee);
writeFileSync("event", `${calendar}`);
J
seen=$(node show.mjs && venv/bin/python -c '
import icalendar
print("ATTENDEE" in icalendar.Calendar.from_ical(open("event", "rb").read()).walk("VEVENT")[0])')
echo "ical-generator and ics, as they write; ical.js, node-ical and icalendar, as they read:" $seen
[ "$seen" = 'CN="Ann \"Bee\" C" CN="Ann \"Bee\" C"
Ann \ undefined
False' ]
