#!/usr/bin/env bash
# Two readers of bounces do not know a comment in a delivery status.
#
# One would guess that what stands in parentheses is not part of a field (RFC 3464 §2.1.1).
# Seen: nobody has bounced for flufl.bounce 6.0.0 (PyPI, in Mailman) if the type of address has a comment behind it; and with
# one behind the address it is called `ann@x.example Ann` by Mail::DeliveryStatus::BounceParser 1.543 (Perl).
# Needs: Debian 12, Python with venv and pip, and root if libmail-deliverystatus-bounceparser-perl is not installed. Exit code 0
# if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl \
  /usr/share/perl5/Mail/DeliveryStatus/BounceParser.pm=libmail-deliverystatus-bounceparser-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder" && "$folder/bin/pip" install --quiet flufl.bounce==6.0.0
bounce() {
  printf '%s\n' 'From: a@x.example' 'Subject: Undelivered' 'MIME-Version: 1.0' \
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b' '' --b '' x --b \
    'Content-Type: message/delivery-status' '' 'Reporting-MTA: dns; x.example' '' \
    "Final-Recipient: $1" 'Action: failed' 'Status: 5.1.1' '' --b--
}
for recipient in 'rfc822; ann@x.example' 'rfc822 (mail); ann@x.example' 'rfc822; ann@x.example (Ann)'; do
  python+=$(bounce "$recipient" | "$folder/bin/python" -c '
import email, flufl.bounce, sys
print([it.decode() for it in flufl.bounce.scan_message(email.message_from_file(sys.stdin))])')
  perl+=[$(bounce "$recipient" | perl -MMail::DeliveryStatus::BounceParser -e '
    print join ",", Mail::DeliveryStatus::BounceParser->new(join "", <STDIN>)->addresses')]
done
echo "flufl.bounce 6.0.0: $python; BounceParser: $perl"
[ "$python" = "['ann@x.example'][]['ann@x.example']" ] && [ "$perl" = '[ann@x.example][ann@x.example][ann@x.example Ann]' ]
