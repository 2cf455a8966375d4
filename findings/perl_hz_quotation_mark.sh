#!/usr/bin/env bash
# Perl's Encode 3.17 writes a quotation mark into HZ for a character that is not in it.
#
# One would guess that `㎜`, which GB 2312 has not, becomes `?`, or an escape, as Encode has it in other charsets.
# Seen: `6㎜` is written as `6"`, which is another length; in EUC-CN it is `6?`.
# Needs: Debian 12, and root if perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl
write() { perl -MEncode -e 'print encode($ARGV[0], "6\x{339c}")' "$1"; }
hz=$(write hz) euc=$(write euc-cn)
echo "Encode $(perl -MEncode -e 'print $Encode::VERSION'): $hz in HZ, $euc in EUC-CN"
[ "$hz" = '6"' ] && [ "$euc" = '6?' ]
