#!/usr/bin/env bash
# MIME-tools 5.510 shows the octets of a raw UTF-8 file name as escapes of its own.
#
# One would guess that `recommended_filename` gives a raw name (RFC 6532) as `mime_attr` does, or not at all.
# Seen: `Gr\xC3\xBC.pdf`, with four characters for each octet, where `mime_attr` gives the octets of `Grü.pdf`.
# Needs: Debian 12, and root if libmime-tools-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/perl5/MIME/Tools.pm=libmime-tools-perl
seen=$(perl -MMIME::Parser -e '
  my $parser = MIME::Parser->new;
  $parser->output_to_core(1);
  my $head = $parser->parse_data("MIME-Version: 1.0\nContent-Type: application/pdf\n" .
      "Content-Disposition: attachment; filename=\"Gr\xc3\xbc.pdf\"\n\nx\n")->head;
  print $head->recommended_filename, " ", $head->mime_attr("content-disposition.filename")')
echo "MIME-tools $(perl -MMIME::Tools -e 'print $MIME::Tools::VERSION'): $seen"
[ "$seen" = 'Gr\xC3\xBC.pdf Grü.pdf' ]
