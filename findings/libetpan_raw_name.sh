#!/usr/bin/env bash
# libetpan 1.9.4 keeps raw UTF-8 in `filename` of Content-Disposition, and has a `?` for each octet of it in `name` of
# Content-Type.
#
# One would guess that one library reads `filename="Grü.pdf"` and `name="Grü.pdf"` (RFC 6532) alike.
# Seen: `Grü.pdf` and `Gr??.pdf`.
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
	struct mailmime *message;
	struct mailmime_single_fields fields;
	size_t at = 0;
	mailmime_parse(messages[1], strlen(messages[1]), &at, &message);
	message = message->mm_data.mm_message.mm_msg_mime;
	mailmime_single_fields_init(&fields, message->mm_mime_fields, message->mm_content_type);
	printf("%s %s", fields.fld_disposition_filename, fields.fld_content_name);
}
C
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs libetpan)
seen=$("$folder/show" $'MIME-Version: 1.0\nContent-Type: application/pdf; name="Grü.pdf"\nContent-Disposition: attachment; filename="Grü.pdf"\n\nx\n')
echo "libetpan $(pkg-config --modversion libetpan): $seen"
[ "$seen" = 'Grü.pdf Gr??.pdf' ]
