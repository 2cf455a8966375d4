#!/usr/bin/env bash
# ICU 72 finds a fault in HZ-GB-2312 wherever a line of Chinese is continued.
#
# One would guess that `~` and a line end are read as nothing (RFC 1843): since each line must end in ASCII, `~}~`, the line end
# and `~{` are the one way to go on.
# Seen: U+FFFD between the two lines, and uconv ends there if it is not told to go on; Python and PHP's mbstring read the text.
# Needs: Debian 12, python3, and root if icu-devtools, php-cli or php-mbstring are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" uconv=icu-devtools php=php-cli /usr/share/doc/php-mbstring=php-mbstring
written() { printf '~{<:Ky2;~}~\n~{S{~}'; }
icu=$(written | uconv -f HZ-GB-2312 -t UTF-8 --callback substitute)
python=$(written | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("hz"))')
php=$(written | php -r 'echo mb_convert_encoding(stream_get_contents(STDIN), "UTF-8", "HZ");')
echo "$(uconv --version | sed 's/.*  //'): $icu; Python: $python; PHP: $php"
[ "$icu" = '己所不�欲' ] && [ "$python" = '己所不欲' ] && [ "$php" = '己所不欲' ]
