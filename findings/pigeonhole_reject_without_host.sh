#!/usr/bin/env bash
# Pigeonhole 0.5.19 (Dovecot) writes `%s` for its host in the notification that `reject` sends.
#
# One would guess that Reporting-UA is there as RFC 8098 §3.2.1 has it: the host's name, a semicolon, and the program's.
# Seen: `Reporting-UA: %s; Dovecot Mail Delivery Agent: mx.x.example`, so that the host is called `%s`, and the program by the host's
# name as well.
# Needs: Debian 12, and root if dovecot-sieve is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" sieve-test=dovecot-sieve
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 777 .
user=$(id -u) group=$(id -g)
printf '%s\n' "mail_location = maildir:$folder/mail" "mail_uid = $((user ? user : 65534))" "mail_gid = $((group ? group : 65534))" \
  'first_valid_uid = 1' 'log_path = /dev/stderr' >settings
printf 'require "reject";\nreject "No.";\n' >script
printf 'From: a@x.example\nTo: b@x.example\nMessage-ID: <1@x.example>\n\nx\n' >message
HOME=$folder sieve-test -c settings -e -f a@x.example -r b@x.example script message >sent 2>log
seen=$(tr -d '\r' <sent | sed -n '/^Reporting-UA/s/'"$(uname -n)"'$/mx.x.example/p')
echo "Pigeonhole $(sed -n 's/^X-Sieve: Pigeonhole Sieve \([^ ]*\).*/\1/p' sent): $seen"
[ "$seen" = 'Reporting-UA: %s; Dovecot Mail Delivery Agent: mx.x.example' ]
