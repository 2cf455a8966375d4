#!/usr/bin/env bash
# Four readers show a text in base64 as it stands if a comment is behind the encoding's name: Email::MIME, Mail::Message, MHonArc
# and s-nail.
#
# One would guess that `base64 (by Ann)` is base64: comments may stand in all of MIME's fields (RFC 2045 §3).
# Seen: Email::MIME 1.953, Mail::Message 3.012, MHonArc 2.6.19 and s-nail 14.9.24 give `R1LDnFNTRQ==` for the text `GRÜSSE`.
# MIME-tools 5.510, munpack 1.6 and reformime 2.9.3 decode it.
# Needs: Debian 12, and root if libemail-mime-perl, libmail-message-perl, libmime-tools-perl, mhonarc, s-nail, mpack or maildrop
# are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl \
  /usr/share/perl5/Mail/Message.pm=libmail-message-perl /usr/share/perl5/MIME/Tools.pm=libmime-tools-perl mhonarc=mhonarc \
  s-nail=s-nail munpack=mpack reformime=maildrop
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder LC_ALL=C.UTF-8
cat >message <<'M'
From: a@x.example
Date: Thu, 1 Jan 2026 00:00:00 +0000
Message-ID: <1@x.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64 (by Ann)

R1LDnFNTRQ==
M
(echo 'From a Thu Jan  1 00:00:00 2026' && cat message && echo) >mbox
raw=$(
  perl -MEmail::MIME -0777 -ne 'print Email::MIME->new($_)->body_str' message
  perl -MMail::Message -e 'open my $file, "<", "message"; print Mail::Message->read($file)->decoded->string' 2>/dev/null
  mhonarc -single message | sed -n 's/^<pre>//p'
  echo p | s-nail -:/ -# -R -f mbox | grep '^R1'
)
decoded=$(
  perl -MMIME::Parser -e '
    my $parser = MIME::Parser->new;
    $parser->output_to_core(1);
    print $parser->parse_open("message")->bodyhandle->as_string, "\n"'
  munpack -q -t message >/dev/null && cat part1 && echo
  reformime -e -s1 <message
)
echo "raw: ${raw//$'\n'/, }; decoded: ${decoded//$'\n'/, }"
[ "$raw" = "$(printf 'R1LDnFNTRQ==\n%.0s' {1..4})" ] && [ "$decoded" = $'GRÜSSE\nGRÜSSE\nGRÜSSE' ]
