#!/usr/bin/env bash
# GNU sieve 3.15 refuses a message with what is neither a bounce nor a notification.
#
# One would guess that `reject` sends `multipart/report` with a part `message/disposition-notification` (RFC 5429 §2.2, RFC 8098 §3).
# Seen: `multipart/mixed` with a part `message/delivery-status`, in which the fields of both kinds stand in one group, `Action: deleted`
# (RFC 3464 §2.3.3 knows no such) and `Disposition` side by side, and dates as `Thu, Jan 01 00:00:00 2026 UTC`.
# Needs: Debian 12, and root if mailutils is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" sieve=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'require "reject";\nreject "No.";\n' >script
printf 'From b@x.example Thu Jan  1 00:00:00 2026\nFrom: b@x.example\nTo: a@x.example\nMessage-ID: <1@x.example>\n\nx\n\n' >box
printf '#!/bin/sh\ncat >%s/sent\n' "$folder" >send
chmod +x send
TZ=UTC HOME=$folder sieve --no-config --email=a@x.example --mailer="sendmail:$folder/send" --mbox-url=box script >log 2>&1
seen=$(grep -E '^(Content-Type: m.*[de]|Arrival-Date|Action|Disposition)' sent | sed 's/; boundary.*//')
echo "GNU sieve $(dpkg-query -W -f '${Version}' mailutils):" $seen
[ "$seen" = 'Content-Type: multipart/mixed
Content-Type: message/delivery-status
Arrival-Date: Thu, Jan 01 00:00:00 2026 UTC
Action: deleted
Disposition: automatic-action/MDN-sent-automatically;deleted
Content-Type: message/rfc822' ]
