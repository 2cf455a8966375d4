#!/usr/bin/env bash
# Mail::Message 3.012 (Perl) escapes the code point of a character in a file's name, not its octets.
#
# One would guess that a name without a charset is written in one: its manual says that the default is us-ascii.
# Seen: `10€.txt` is `filename*=''10%20AC%2Etxt`, without a charset, and any reader takes `%20` for a blank and shows `10 AC.txt`.
# With `charset => "utf-8"` it is right.
# Needs: Debian 12, python3, and root if libmail-message-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Mail/Message.pm=libmail-message-perl
seen=$(perl -Mutf8 -MMail::Message::Field::Full -e '
  for my $charset ([], [charset => "utf-8"]) {
    my $field = Mail::Message::Field::Full->new("Content-Disposition" => "attachment");
    $field->attribute(filename => "10€.txt", @$charset);
    print $field->string;
  }')
read=$(python3 -c '
import email.policy, sys
for line in sys.argv[1].splitlines():
    print(email.message_from_string(line + "\n\nx\n", policy=email.policy.default).get_filename())' "$seen")
echo "Mail::Message 3.012: ${seen//$'\n'/, }; read as ${read//$'\n'/, }"
[ "$seen" = "Content-Disposition:  attachment; filename*=''10%20AC%2Etxt
Content-Disposition:  attachment; filename*=utf-8''10%E2%82%AC%2Etxt" ] && [ "$read" = $'10 AC.txt\n10€.txt' ]
