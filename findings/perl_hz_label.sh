#!/usr/bin/env bash
# Perl's Encode 3.17 takes the label HZ-GB-2312 for EUC-CN.
#
# One would guess that the name that RFC 1842 registers for mail means what Encode itself calls `hz`.
# Seen: Email::MIME 1.953 shows `己所不欲` in a Subject, where it asks for names of MIME, and in a text `~{<:Ky2;S{~}`, the octets: to
# `find_encoding` a label with `GB-2312` in it is EUC-CN.
# Needs: Debian 12, and root if libemail-mime-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl
show() {
  perl -CO -MEmail::MIME -e '
    my $message = Email::MIME->new("Subject: =?$ARGV[0]?Q?~{<:Ky2;S{~}?=\nMIME-Version: 1.0\n" .
        "Content-Type: text/plain; charset=$ARGV[0]\n\n~{<:Ky2;S{~}");
    print $message->header_str("Subject"), "|", $message->body_str' "$1"
}
registered=$(show HZ-GB-2312) own=$(show hz)
echo "Encode $(perl -MEncode -e 'print $Encode::VERSION'): $registered, and with its own name of it: $own"
[ "$registered" = '己所不欲|~{<:Ky2;S{~}' ] && [ "$own" = '己所不欲|己所不欲' ]
