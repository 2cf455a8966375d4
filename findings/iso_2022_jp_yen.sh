#!/usr/bin/env bash
# Perl's Encode 3.17 and Ruby 3.1 read a yen sign of ISO-2022-JP as a backslash.
#
# One would guess that behind `ESC ( J`, which RFC 1468 has for JIS X 0201, 5C is `¥` and 7E is `‾`.
# Seen: `\1,000~` in both; Python, PHP's mbstring and glibc's iconv read `¥1,000‾`.
# Needs: Debian 12, python3, and root if ruby, php-cli or php-mbstring are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl php=php-cli /usr/share/doc/php-mbstring=php-mbstring ruby=ruby
written() { printf '\e(J\\1,000~\e(B'; }
perl=$(written | perl -MEncode -0777 -ne 'print encode("UTF-8", decode("ISO-2022-JP", $_))')
ruby=$(written | ruby -e 'print $stdin.read.force_encoding("ISO-2022-JP").encode("UTF-8")')
python=$(written | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("iso-2022-jp"))')
php=$(written | php -r 'echo mb_convert_encoding(stream_get_contents(STDIN), "UTF-8", "ISO-2022-JP");')
iconv=$(written | iconv -f ISO-2022-JP -t UTF-8)
echo "Encode $(perl -MEncode -e 'print $Encode::VERSION'): $perl; Ruby $(ruby -e 'print RUBY_VERSION'): $ruby;" \
  "Python: $python; PHP: $php; iconv: $iconv"
[ "$perl" = '\1,000~' ] && [ "$ruby" = "$perl" ] && [ "$python" = '¥1,000‾' ] && [ "$php" = "$python" ] && [ "$iconv" = "$python" ]
