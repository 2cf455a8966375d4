#!/usr/bin/env bash
# ICU 72 begins a text in HZ-GB-2312 with `~}`, if it begins with ASCII, and writes a tilde amid Chinese as `~~`.
#
# One would guess that a text begins in ASCII, so that there is nothing to end, and that `~~` is a tilde in ASCII alone (RFC
# 1843).
# Seen: `a 你` is `~}a ~{Dc~}`, and `你~好` is `~{Dc~~:C`; of both Python reads U+FFFD for what is no HZ. A text that ends in Chinese
# is not ended, either.
# Needs: Debian 12, python3, and root if icu-devtools is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" uconv=icu-devtools
written() { printf %s "$1" | uconv -f UTF-8 -t HZ-GB-2312; }
read_again() { written "$1" | python3 -c 'import sys; print(sys.stdin.buffer.read().decode("hz", "replace"))'; }
first=$(written 'a 你 b') second=$(written '你~好')
echo "$(uconv --version | sed 's/.*  //'): $first, $second; Python: $(read_again 'a 你 b'), $(read_again '你~好')"
[ "$first" = '~}a ~{Dc~} b' ] && [ "$second" = '~{Dc~~:C' ] && [ "$(read_again 'a 你 b')" = '�}a 你 b' ] &&
  [ "$(read_again '你~好')" = '你��好' ]
