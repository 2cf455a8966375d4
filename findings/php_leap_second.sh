#!/usr/bin/env bash
# PHP 8.2 puts a message of a leap second a week off, and Python 3.11.7 and TimeDate 2.33 (Perl) do not know when it was sent.
#
# One would guess that `Sat, 31 Dec 2016 23:59:60 +0000`, which RFC 5322 §3.3 allows, is the second before 2017, or the first of
# it.
# Seen: `strtotime` gives the 7th of January: it takes the sum for the next day and then looks for a Saturday. Without the name
# of the day it gives the 1st. Python's email.policy.default has no `datetime` for the field, and Date::Parse gives nothing.
# Needs: Debian 12, python3, and root if php-cli or libtimedate-perl are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" php=php-cli perl=perl /usr/share/perl5/Date/Parse.pm=libtimedate-perl
date='31 Dec 2016 23:59:60 +0000'
php=$(php -r 'foreach (["Sat, $argv[1]", $argv[1]] as $it) echo gmdate("Y-m-d H:i:s", strtotime($it)), "\n";' "$date")
python=$(python3 -c '
import email.policy, sys
print(email.message_from_string(f"Date: Sat, {sys.argv[1]}\n\nx", policy=email.policy.default)["date"].datetime)' "$date")
perl=$(perl -MDate::Parse -e 'print str2time("Sat, " . shift) // "undef"' "$date")
echo "PHP $(php -r 'echo PHP_VERSION;'):" "${php//$'\n'/, }; Python: $python; Date::Parse: $perl"
[ "$php" = '2017-01-07 00:00:00
2017-01-01 00:00:00' ] && [ "$python" = None ] && [ "$perl" = undef ]
