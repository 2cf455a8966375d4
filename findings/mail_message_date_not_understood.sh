#!/usr/bin/env bash
# Mail::Message 3.012 (Perl) dates a message whose month is not written `Nov` to the 30th of November of the year before 0.
#
# One would guess that `NOV` is `Nov`: strings of the grammar are so in any case (RFC 5234 §2.3); or, if a date is not
# understood, that nothing is given.
# Seen: the `time` of the field is -62169984000, and its `date` is empty; so too with a comment behind the name of the day (RFC
# 5322 §4.3) and a leap second (§3.3).
# Needs: Debian 12, and root if libmail-message-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Mail/Message.pm=libmail-message-perl
seen=$(perl -MMail::Message::Field::Full -e '
  for my $date (@ARGV) {
    my $field = Mail::Message::Field::Full->new(Date => $date);
    printf "%d %s\n", $field->time, $field->date || "-";
  }' 'Fri, 30 Nov 2018 10:00:00 +0000' 'Fri, 30 NOV 2018 10:00:00 +0000' 'Fri (Freitag), 30 Nov 2018 10:00:00 +0000' \
  'Sat, 31 Dec 2016 23:59:60 +0000' 2>/dev/null)
echo "Mail::Message 3.012:" "${seen//$'\n'/; }"
[ "$seen" = '1543572000 Fri, 30 Nov 2018 10:00:00 +0000
-62169984000 -
-62169984000 -
-62169984000 -' ]
