#!/usr/bin/env bash
# Three readers of quoted-printable take blanks at the end of a line for text, and after the `=` of a soft line break for no
# break.
#
# One would guess that they are deleted: what decodes must do so, since a transport may have put them there (RFC 2045 §6.7, rule
# 3, and transport-padding in its grammar).
# Seen: of `a=` and a blank, and `b` on the next line, Perl's MIME::QuotedPrint and PHP's quoted_printable_decode make `ab`.
# Python's email and Ruby's unpack give the `=`, the blank and the line end as text, and PHP's filter
# convert.quoted-printable-decode gives nothing at all.
# Needs: Debian 12, python3, and root if ruby or php-cli are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl php=php-cli ruby=ruby
shown() { printf 'a= \r\nb\r\n' | "$@" 2>/dev/null | tr '\r\n' '<>'; }
perl=$(shown perl -MMIME::QuotedPrint -0777 -ne 'print decode_qp($_)')
php=$(shown php -r 'echo quoted_printable_decode(stream_get_contents(STDIN));')
filter=$(shown php -r 'stream_filter_append(STDIN, "convert.quoted-printable-decode"); echo stream_get_contents(STDIN);')
ruby=$(shown ruby -e 'print $stdin.read.unpack1("M")')
python=$(shown python3 -c '
import email, sys
field = b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
sys.stdout.buffer.write(email.message_from_bytes(field + sys.stdin.buffer.read()).get_payload(decode=True))')
echo "Perl: $perl, PHP: $php, its filter: '$filter', Ruby: $ruby, Python: $python (< and > for CR and LF)"
[ "$perl" = 'ab>' ] && [ "$php" = 'ab<>' ] && [ "$filter" = '' ] && [ "$ruby" = 'a= <>b<>' ] && [ "$python" = 'a= <>b<>' ]
