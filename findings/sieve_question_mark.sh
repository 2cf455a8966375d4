#!/usr/bin/env bash
# Pigeonhole 0.5.19 (Dovecot) and GNU sieve 3.15 do not count alike what `?` in `:matches` stands for and what `:length` counts.
#
# One would guess that both are characters (RFC 5228 §2.7.1, RFC 5229 §4.1), of which `Café` has four.
# Seen: in Pigeonhole `?` is an octet and the length is 4, in GNU sieve `?` is a character and the length is 5. So `Caf?` does not
# match `Café` in Pigeonhole, but `Caf??` does; the `${1}` of `Caf?*` is half a letter, and to file a message by it is an error.
# Needs: Debian 12, and root if dovecot-sieve or mailutils are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" sieve-test=dovecot-sieve sieve=mailutils
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 777 .
user=$(id -u) group=$(id -g)
printf '%s\n' "mail_location = maildir:$folder/mail" "mail_uid = $((user ? user : 65534))" "mail_gid = $((group ? group : 65534))" \
  'first_valid_uid = 1' 'log_path = /dev/stderr' >settings
cat >script <<'S'
require ["fileinto", "variables"];
set :length "length" "Café";
if header :matches "subject" "Caf?" { fileinto "one mark of ${length}"; }
elsif header :matches "subject" "Caf??" { fileinto "two marks of ${length}"; }
S
printf 'require ["fileinto", "variables"];\nif header :matches "subject" "Caf?*" { fileinto "${1}"; }\n' >half
printf 'From a@x.example Thu Jan  1 00:00:00 2026\nFrom: a@x.example\nSubject: Café\n\nx\n\n' >box
sed 1d box >message
pigeonhole=$(HOME=$folder sieve-test -c settings script message 2>log | sed -n 's/.*folder: //p')
half=$(HOME=$folder sieve-test -c settings half message 2>&1 | LC_ALL=C grep -ao 'invalid utf-8' || true)
gnu=$(LC_ALL=C.UTF-8 HOME=$folder sieve -n -v --mbox-url=box script 2>&1 | sed -n 's/.*delivering into //p')
echo "Pigeonhole $(dpkg-query -W -f '${Version}' dovecot-sieve): $pigeonhole; $half; GNU sieve $(dpkg-query -W -f '${Version}' mailutils): $gnu"
[ "$pigeonhole" = 'two marks of 4' ] && [ "$half" = 'invalid utf-8' ] && [ "$gnu" = 'one mark of 5' ]
