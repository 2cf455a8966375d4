#!/usr/bin/env bash
# GMime 3.2.13 keeps the line end of a fold in the name of a mailbox.
#
# One would guess that a name is unfolded before it is shown (RFC 5322 §2.2.3): `Hans Meier`.
# Seen: `Hans\n Meier`, for words that are encoded and for plain ones.
# Needs: Debian 12, a C compiler, and root if libgmime-3.0-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/gmime-3.0/gmime/gmime.h=libgmime-3.0-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <gmime/gmime.h>
#include <string.h>
int main(int count, char **messages)
{
	g_mime_init();
	for (int at = 1; at < count; at++) {
		GMimeStream *stream = g_mime_stream_mem_new_with_buffer(messages[at], strlen(messages[at]));
		GMimeMessage *message = g_mime_parser_construct_message(g_mime_parser_new_with_stream(stream), NULL);
		g_print("%s\n", g_strescape(internet_address_get_name(internet_address_list_get_address(g_mime_message_get_from(message), 0)), NULL));
	}
}
C
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs gmime-3.0)
seen=$("$folder/show" $'From: Hans\n Meier <h@x.example>\n\nx\n' $'From: =?utf-8?Q?J=C3=B6rg?=\n Meier <j@x.example>\n\nx\n')
echo "GMime $(pkg-config --modversion gmime-3.0):" "$seen"
[ "$seen" = 'Hans\n Meier
J\303\266rg\n Meier' ]
