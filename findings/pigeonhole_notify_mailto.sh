#!/usr/bin/env bash
# Pigeonhole 0.5.19 (Dovecot) has no way for a subject or a host beyond ASCII in the mailto URI of `notify`.
#
# One would guess that one of the two that RFC 6068 §6.3 shows leads to the subject `café`, in UTF-8 or as an encoded-word, and that
# `ann@m%C3%BCller.example` is written to in a form that can be read.
# Seen: a script with `subject=caf%C3%A9` is refused; the encoded-word is encoded once more, so that it is shown as it is; and the
# whole address is an encoded-word: `To: =?utf-8?q?ann@m=C3=BCller.example?=`.
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
printf 'From: a@x.example\nTo: b@x.example\nMessage-ID: <1@x.example>\n\nx\n' >message
seen=$(
  for uri in 'ann@x.example?subject=caf%C3%A9' 'ann@x.example?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D' 'ann@m%C3%BCller.example'; do
    printf 'require "enotify";\nnotify "mailto:%s";\n' "$uri" >script
    HOME=$folder sieve-test -c settings -e -f a@x.example -r b@x.example script message 2>&1 | tr -d '\r' |
      grep -E '^(Subject|To): =|invalid' || true
  done
)
echo "Pigeonhole $(dpkg-query -W -f '${Version}' dovecot-sieve): $seen"
[ "$seen" = 'script: line 2: error: notify command: mailto URI: invalid header field body.
Subject: =?utf-8?q?=3D=3Futf-8=3FQ=3Fcaf=3DC3=3DA9=3F=3D?=
To: =?utf-8?q?ann@m=C3=BCller.example?=' ]
