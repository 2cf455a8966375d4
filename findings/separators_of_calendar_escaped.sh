#!/usr/bin/env bash
# icalendar 7.3.2 (PyPI), Data::ICal 0.24 (Perl) and Horde_Icalendar 2.1.8 (PHP) escape what separates the parts of a property
# that they have read.
#
# One would guess that a calendar which is read and written, as for the answer to an invitation, says what it said.
# Seen: `REQUEST-STATUS:2.0;Success` (RFC 5545 §3.8.8.3) is written by all three with `2.0\;Success`, a number with a text in it; of
# the two resources `A,B` icalendar and Data::ICal make one, and Data::ICal of two categories.
# Needs: Debian 12, python3 with venv and pip, and root if libdata-ical-perl, php-cli or php-horde-icalendar are not installed. Exit
# code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli /usr/share/perl5/Data/ICal.pm=libdata-ical-perl \
  /usr/share/php/Horde/Icalendar.php=php-horde-icalendar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet icalendar==7.3.2
cd "$folder"
printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:x BEGIN:VEVENT UID:1@x.example DTSTAMP:20260101T000000Z \
  DTSTART:20260101T120000Z CATEGORIES:A,B RESOURCES:A,B 'REQUEST-STATUS:2.0;Success' END:VEVENT END:VCALENDAR >event
those() { tr -d '\r' | grep -E '^(CAT|RES|REQ)' | sort | sed 's/.*://' | paste -sd ' '; }
python=$(venv/bin/python -c '
import icalendar
print(icalendar.Calendar.from_ical(open("event", "rb").read()).to_ical().decode())' | those)
perl=$(perl -MData::ICal -e 'print Data::ICal->new(filename => "event")->as_string' | those)
php=$(php -d error_reporting=0 -r '
  spl_autoload_register(fn($name) => @include "/usr/share/php/" . strtr($name, "_\\", "//") . ".php");
  $calendar = new Horde_Icalendar();
  $calendar->parsevCalendar(file_get_contents("event"));
  echo $calendar->getComponent(0)->exportvCalendar();' | those)
echo "icalendar 7.3.2: $python; Data::ICal $(perl -MData::ICal -e 'print Data::ICal->VERSION'): $perl;" \
  "Horde_Icalendar $(dpkg-query -W -f '${Version}' php-horde-icalendar): $php"
[ "$python" = 'A,B 2.0\;Success A\,B' ] && [ "$perl" = 'A\,B 2.0\;Success A\,B' ] && [ "$php" = 'A,B 2.0\;Success A,B' ]
