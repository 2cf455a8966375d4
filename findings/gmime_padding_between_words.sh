#!/usr/bin/env bash
# GMime 3.2.13 reads no further than the padding of the first of two encoded-words in base64.
#
# One would guess that each word is decoded by itself (RFC 2047 §5 asks that each can be), and that both are shown: `ééèè`.
# Seen: `éé`. If the first word needs no padding, both are shown.
# Needs: Debian 12, a C compiler, and root if libgmime-3.0-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/gmime-3.0/gmime/gmime.h=libgmime-3.0-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <gmime/gmime.h>
int main(int count, char **texts)
{
	g_mime_init();
	for (int at = 1; at < count; at++)
		puts(g_mime_utils_header_decode_text(NULL, texts[at]));
}
C
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs gmime-3.0)
seen=$("$folder/show" '=?utf-8?B?w6nDqcOp?= =?utf-8?B?w6jDqA==?=' '=?utf-8?B?w6nDqQ==?= =?utf-8?B?w6jDqA==?=')
echo "GMime $(pkg-config --modversion gmime-3.0):" "$seen"
[ "$seen" = 'éééèè
éé' ]
