#!/usr/bin/env bash
# libetpan 1.9.4 and mime4j 0.8.2 have no name for a file whose name stands in the extended form alone (RFC 2231).
#
# One would guess that `filename*=utf-8''%C3%9C.pdf`, which is from 1997, is read as `Ü.pdf` by a library of 2022.
# Seen: none in both, though a word of RFC 2047 in `filename="…"`, which that RFC forbids there, is given to be decoded.
# Needs: Debian 12, a C compiler, Java, and root if the packages are not installed. Exit code 0 if it is as seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/libetpan/libetpan.h=libetpan-dev \
  javac=default-jdk-headless /usr/share/java/apache-mime4j-dom.jar=libapache-mime4j-java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head=$'MIME-Version: 1.0\nContent-Type: application/pdf\nContent-Disposition: attachment; filename'
extended="$head*=utf-8''%C3%9C.pdf"$'\n\nx\n' word="$head"$'="=?utf-8?Q?=C3=9C.pdf?="\n\nx\n'
cat >"$folder/show.c" <<'C'
#include <libetpan/libetpan.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **messages)
{
	for (int number = 1; number < count; number++) {
		struct mailmime *message;
		struct mailmime_single_fields fields;
		size_t at = 0;
		mailmime_parse(messages[number], strlen(messages[number]), &at, &message);
		message = message->mm_data.mm_message.mm_msg_mime;
		mailmime_single_fields_init(&fields, message->mm_mime_fields, message->mm_content_type);
		printf("%s ", fields.fld_disposition_filename ? fields.fld_disposition_filename : "none");
	}
}
C
cat >"$folder/Show.java" <<'J'
public class Show {
    public static void main(String[] messages) throws Exception {
        for (String text : messages)
            System.out.print(new org.apache.james.mime4j.message.DefaultMessageBuilder()
                .parseMessage(new java.io.ByteArrayInputStream(text.getBytes())).getFilename() + " ");
    }
}
J
# shellcheck disable=SC2046 # The flags are words.
cc -w -o "$folder/show" "$folder/show.c" $(pkg-config --cflags --libs libetpan)
libetpan=$("$folder/show" "$extended" "$word")
jars=/usr/share/java/apache-mime4j-core.jar:/usr/share/java/apache-mime4j-dom.jar:/usr/share/java/commons-io.jar
mime4j=$(java -cp "$jars" "$folder/Show.java" "$extended" "$word")
echo "libetpan: $libetpan; mime4j: $mime4j"
[ "$libetpan" = 'none =?utf-8?Q?=C3=9C.pdf?= ' ] && [ "$mime4j" = 'null =?utf-8?Q?=C3=9C.pdf?= ' ]
