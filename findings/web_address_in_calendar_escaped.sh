#!/usr/bin/env bash
# ical-generator 10.2.0, vcards-js 2.11.1 (npm), ics 0.7.3 (PyPI) and Data::ICal 0.24 (Perl) put backslashes into a web address.
#
# One would guess that `https://x.example/a;b,c` is written as it stands: a URI is no text (RFC 5545 §3.3.13, RFC 2426 §4).
# Seen: `https://x.example/a\;b\,c`, and of vcards-js `a;b\,c`. ical.js 2.2.1 shows the backslashes, so the link goes nowhere.
# Needs: Debian 12, Node.js and npm, python3 with venv and pip, and root if libdata-ical-perl is not installed. Exit code 0 if it is
# as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" /usr/share/perl5/Data/ICal.pm=libdata-ical-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" ical-generator@10.2.0 vcards-js@2.11.1 ical.js@2.2.1 >/dev/null
python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet ics==0.7.3
cd "$folder"
cat >show.mjs <<'J'
import ical from "ical-generator";
import vcards from "vcards-js";
import ICAL from "ical.js";
const url = "https://x.example/a;b,c";
const calendar = ical();
calendar.createEvent({ start: new Date(0), url });
console.log(/^URL.*?:(.*)$/m.exec(calendar)[1]);
console.log(/^URL.*?:(.*)$/m.exec(Object.assign(vcards(), { url }).getFormattedString())[1]);
console.log(new ICAL.Component(ICAL.parse(`${calendar}`)).getFirstSubcomponent("vevent").getFirstPropertyValue("url"));
J
node=$(node show.mjs | tr -d '\r')
python=$(venv/bin/python -W ignore -c '
import ics
print(ics.Event(begin="2026-01-01", url="https://x.example/a;b,c").serialize())' | tr -d '\r' | sed -n 's/^URL://p')
perl=$(perl -MData::ICal::Entry::Event -e '
  my $event = Data::ICal::Entry::Event->new;
  $event->add_properties(url => "https://x.example/a;b,c");
  print $event->as_string' | tr -d '\r' | sed -n 's/^URL://p')
echo "ical-generator, vcards-js, ical.js:" $node
echo "ics 0.7.3: $python; Data::ICal $(perl -MData::ICal -e 'print Data::ICal->VERSION'): $perl"
[ "$node" = 'https://x.example/a\;b\,c
https://x.example/a;b\,c
https://x.example/a\;b\,c' ] && [ "$python" = 'https://x.example/a\;b\,c' ] && [ "$perl" = "$python" ]
