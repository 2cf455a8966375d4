#!/usr/bin/env bash
# libetpan 1.9.4 takes an encoded-word with a language (RFC 2231 §5) for one in ISO-8859-1, whatever charset it names.
#
# One would guess that `=?utf-8*de?Q?J=C3=B6rg?=` is `Jörg`, or else that it stays as it stands.
# Seen: `JÃ¶rg`; and for `=?iso-8859-2*pl?Q?=B1?=`, an ą, `±`.
# Needs: Debian 12, a C compiler, and root if libetpan-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/libetpan/libetpan.h=libetpan-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <libetpan/libetpan.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **words)
{
	for (int at = 1; at < count; at++) {
		size_t from = 0;
		char *text = NULL;
		mailmime_encoded_phrase_parse("us-ascii", words[at], strlen(words[at]), &from, "utf-8", &text);
		printf("%s\n", text);
	}
}
C
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs libetpan)
seen=$("$folder/show" '=?utf-8?Q?J=C3=B6rg?=' '=?utf-8*de?Q?J=C3=B6rg?=' '=?iso-8859-2*pl?Q?=B1?=')
echo "libetpan $(pkg-config --modversion libetpan):" "$seen"
[ "$seen" = 'Jörg
JÃ¶rg
±' ]
