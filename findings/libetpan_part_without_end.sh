#!/usr/bin/env bash
# libetpan 1.9.4 ends a part that no delimiter ends at its first line that begins with two hyphens.
#
# One would guess that a part without a closing delimiter goes on to the end of the message, as a line with two hyphens is a
# delimiter only with the boundary behind them (RFC 2046 §5.1.1).
# Seen: a signature (`-- `) and what is behind it is gone; with the closing delimiter it is there.
# Needs: Debian 12, a C compiler, and root if libetpan-dev is not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/libetpan/libetpan.h=libetpan-dev
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/show.c" <<'C'
#include <libetpan/libetpan.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **messages)
{
	for (int number = 1; number < count; number++) {
		struct mailmime *message, *part;
		size_t at = 0;
		mailmime_parse(messages[number], strlen(messages[number]), &at, &message);
		part = message->mm_data.mm_message.mm_msg_mime;
		part = clist_content(clist_begin(part->mm_data.mm_multipart.mm_mp_list));
		struct mailmime_data *data = part->mm_data.mm_single;
		for (size_t octet = 0; octet < data->dt_data.dt_text.dt_length; octet++) {
			char is = data->dt_data.dt_text.dt_data[octet];
			if (is != '\r')
				putchar(is == '\n' ? '|' : is);
		}
		puts("");
	}
}
C
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs libetpan)
top=$'From: a@x.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'
part=$'--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n-- \r\nAnn\r\n'
seen=$("$folder/show" "$top$part"$'--b--\r\n' "$top$part")
echo "libetpan 1.9.4:" "$seen"
[ "$seen" = 'Hello|-- |Ann
Hello' ]
