#!/usr/bin/env bash
# Perl's Email::MIME 1.953 takes a raw UTF-8 field for Latin-1, and a raw file name for none.
#
# One would guess that `header_str`, which gives characters, reads a raw field as UTF-8 (RFC 6532), and that `filename`
# gives what stands there.
# Seen: `Müller` is `MÃ¼ller`, and `filename` gives nothing for `filename="Grü.pdf"`, but a warning.
# Needs: Debian 12, and root if libemail-mime-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/Email/MIME.pm=libemail-mime-perl
seen=$(perl -MEmail::MIME -e '
  $SIG{__WARN__} = sub { };
  binmode STDOUT, ":utf8";
  my $message = Email::MIME->new("Subject: M\xc3\xbcller\nMIME-Version: 1.0\nContent-Type: application/pdf\n" .
      "Content-Disposition: attachment; filename=\"Gr\xc3\xbc.pdf\"\n\nx\n");
  print $message->header_str("Subject"), " ", $message->filename // "none"')
echo "Email::MIME $(perl -MEmail::MIME -e 'print $Email::MIME::VERSION'): $seen"
[ "$seen" = 'MÃ¼ller none' ]
