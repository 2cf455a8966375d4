#!/usr/bin/env bash
# glibc 2.36: iconv does not read the ISO-2022-CN that it writes.
#
# One would guess that what it writes of `你臺好` it reads as such: the first is of GB 2312, the others are of CNS 11643, to which it
# switches by their designation (RFC 1922) without leaving Chinese.
# Seen: `你曜秋`. Reading, it minds no designation behind SO; ICU 72 does, and reads `你臺好`.
# Needs: Debian 12, and root if icu-devtools is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" uconv=icu-devtools
written() { printf 你臺好 | iconv -f UTF-8 -t ISO-2022-CN; }
iconv=$(written | iconv -f ISO-2022-CN -t UTF-8)
icu=$(written | uconv -f ISO-2022-CN -t UTF-8)
echo "glibc $(iconv --version | sed -n '1s/.* //p'): $iconv; ICU: $icu"
[ "$iconv" = 你曜秋 ] && [ "$icu" = 你臺好 ]
