#!/usr/bin/env bash
# node-ical 0.27.2, vcard-parser 1.0.0 (npm), ics 0.7.3 (PyPI), Data::ICal 0.24 (Perl) and Ruby's icalendar 2.8.0
# take `\\n` for a line break.
#
# One would guess that `C:\\new` in a text is `C:\new`: the two backslashes are one (RFC 5545 §3.3.11, RFC 2426 §4), and no `\n` is
# left.
# Seen: all five undo `\n` before `\\`, so that there are two lines, `C:\` and `ew`; Data::ICal drops the backslash as well.
# Needs: Debian 12, Node.js and npm, python3 with venv and pip, and root if libdata-ical-perl or ruby-icalendar are not installed.
# Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/perl5/Data/ICal.pm=libdata-ical-perl \
  /usr/share/doc/ruby-icalendar=ruby-icalendar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" node-ical@0.27.2 vcard-parser@1.0.0 >/dev/null
python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet ics==0.7.3
cd "$folder"
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:1@x.example DTSTAMP:20260101T000000Z \
  DTSTART:20260101T120000Z 'SUMMARY:C:\\new' END:VEVENT END:VCALENDAR >event
cat >show.cjs <<'J'
console.log(JSON.stringify(require("node-ical").sync.parseFile("event")["1@x.example"].summary));
console.log(JSON.stringify(require("vcard-parser").parse("BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:C:\\\\new\r\nEND:VCARD\r\n").note[0].value));
J
seen=$(
  node show.cjs
  venv/bin/python -W ignore -c '
import ics
import json
print(json.dumps(ics.Calendar(open("event", newline="").read()).events.pop().name))'
  perl -MData::ICal -MData::Dumper -e '
    $Data::Dumper::Useqq = $Data::Dumper::Terse = 1;
    print Dumper(Data::ICal->new(filename => "event")->entries->[0]->property("summary")->[0]->value)'
  ruby -W0 -rstringio -ricalendar -e 'p Icalendar::Calendar.parse(File.read("event")).first.events[0].summary.to_s'
)
echo "node-ical, vcard-parser, ics, Data::ICal $(perl -MData::ICal -e 'print Data::ICal->VERSION')," \
  "Ruby's icalendar $(ruby -W0 -rstringio -ricalendar -e 'print Icalendar::VERSION'):" $seen
[ "$seen" = '"C:\\\new"
"C:\\\new"
"C:\\\new"
"C:\new"
"C:\\\new"' ]
