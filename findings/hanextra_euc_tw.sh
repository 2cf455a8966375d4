#!/usr/bin/env bash
# Encode::HanExtra 0.23 (Perl) does not read Chinese characters of EUC-TW in their form of two octets.
#
# One would guess that it reads `一文` from C4A1 C5C6: characters of the first plane of CNS 11643 are two octets, and may be four.
# Seen: `�︸�`: of that form it has punctuation alone, and finds some across the two. It writes and reads four octets that begin with
# 8EA1; glibc's iconv reads both forms.
# Needs: Debian 12, and root if libencode-hanextra-perl is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" perl=perl /usr/share/doc/libencode-hanextra-perl=libencode-hanextra-perl
short() { printf '\xc4\xa1\xc5\xc6'; }
long() { printf '\x8e\xa1\xc4\xa1\x8e\xa1\xc5\xc6'; }
perl() { command perl -CO -MEncode -MEncode::HanExtra -0777 -ne 'print decode("euc-tw", $_)'; }
seen="$(short | perl) $(long | perl), $(short | iconv -f EUC-TW -t UTF-8) $(long | iconv -f EUC-TW -t UTF-8)"
echo "Encode::HanExtra, behind it iconv: $seen"
[ "$seen" = '�︸� 一文, 一文 一文' ]
