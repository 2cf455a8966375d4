#!/usr/bin/env bash
# flufl.bounce 6.0.0 (PyPI), which Mailman uses, and Mail::DeliveryStatus::BounceParser 1.543 (Perl) do not see whom a bounce in UTF-8 is about.
#
# One would guess that `message/global-delivery-status` (RFC 6533 §4) is read as `message/delivery-status` is: the fields are the same.
# Seen: flufl.bounce finds no bounce at all, and BounceParser one of nobody, whether the address is `utf-8; jörg@x.example` or
# `rfc822; ann@x.example`; both find the latter if the part is called `message/delivery-status`.
# Needs: Debian 12, python3 with venv and pip, and root if libmail-deliverystatus-bounceparser-perl is not installed. Exit code 0 if
# it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" \
  /usr/share/perl5/Mail/DeliveryStatus/BounceParser.pm=libmail-deliverystatus-bounceparser-perl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet flufl.bounce==6.0.0
cd "$folder"
bounce() {
  cat <<M
From: <MAILER-DAEMON@mx.example>
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${1#global-}; boundary=b

--b
Content-Type: text/plain

See below.

--b
Content-Type: message/$1
Content-Transfer-Encoding: 8bit

Reporting-MTA: dns; mx.example

Final-Recipient: $2
Action: failed
Status: 5.1.1

--b--
M
}
seen=$(
  while IFS='|' read -r type recipient; do
    bounce "$type" "$recipient" >bounce
    venv/bin/python -c '
import email
import flufl.bounce
print(*flufl.bounce.scan_message(email.message_from_binary_file(open("bounce", "rb"))), end=" | ")'
    perl -MMail::DeliveryStatus::BounceParser -0777 -ne \
      'print join(" ", Mail::DeliveryStatus::BounceParser->new($_)->addresses), "\n"' bounce
  done <<'T'
delivery-status|rfc822; ann@x.example
global-delivery-status|rfc822; ann@x.example
global-delivery-status|utf-8; jörg@x.example
T
)
version=$(perl -MMail::DeliveryStatus::BounceParser -e 'print Mail::DeliveryStatus::BounceParser->VERSION')
echo "flufl.bounce 6.0.0 | BounceParser $version:" $seen
[ "$seen" = "b'ann@x.example' | ann@x.example
 | 
 | " ]
