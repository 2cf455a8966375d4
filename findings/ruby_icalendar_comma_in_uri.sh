#!/usr/bin/env bash
# Ruby's icalendar 2.8.0 makes a semicolon of a comma that stands behind a semicolon, in a URI as well.
#
# One would guess that the addresses in an event are the same when the calendar is written again.
# Seen: each is taken for a list whose separator is the one that comes first. `https://x.example/map;at=48.2,16.4` is written as
# `https://x.example/map;at=48.2;16.4`, and a picture (RFC 7986 §5.10) as `data:image/png;base64;iVBORw0KGgo=`, which is none.
# Needs: Debian 12, and root if ruby-icalendar is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" ruby=ruby /usr/share/doc/ruby-icalendar=ruby-icalendar
seen=$(ruby -W0 -rstringio -ricalendar - <<'RUBY'
fields = %w[BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:1@x.example DTSTAMP:20260101T000000Z
            URL:https://x.example/map;at=48.2,16.4 IMAGE;VALUE=URI:data:image/png;base64,iVBORw0KGgo= END:VEVENT END:VCALENDAR]
puts Icalendar::Calendar.parse(fields.join("\r\n") + "\r\n").first.to_ical.scan(/^(?:URL|IMAGE).*?:(.*)\r/)
RUBY
)
echo "Ruby's icalendar $(ruby -W0 -rstringio -ricalendar -e 'print Icalendar::VERSION'):" $seen
[ "$seen" = 'https://x.example/map;at=48.2;16.4
data:image/png;base64;iVBORw0KGgo=' ]
