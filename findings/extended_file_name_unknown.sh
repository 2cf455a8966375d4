#!/usr/bin/env bash
# Four readers have no name for a file whose name stands in the extended form alone (RFC 2231).
#
# One would guess that `filename*=utf-8''%C3%9C.pdf`, which is from 1997, is read as `Ü.pdf` by a library of 2022.
# Seen: none in libetpan 1.9.4, mime4j 0.8.2, c-client 2007f and letterparser 0.1.8, though a word of RFC 2047 in
# `filename="…"`, which that RFC forbids there, is given to be decoded, or by letterparser decoded.
# Needs: Debian 12, a C compiler, Java, Node.js and npm, and root if the packages are not installed. Exit code 0 if it is as
# seen.
set -euo pipefail
"$(dirname "$0")/../.ci/packages" cc=gcc pkg-config=pkg-config /usr/include/libetpan/libetpan.h=libetpan-dev \
  /usr/include/c-client/c-client.h=libc-client2007e-dev javac=default-jdk-headless /usr/share/java/apache-mime4j-dom.jar=libapache-mime4j-java
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
cat >"$folder/c-client.c" <<'C'
#include <c-client/c-client.h>
#include <stdio.h>
#include <string.h>
void mm_searched(MAILSTREAM *stream, unsigned long number) {}
void mm_exists(MAILSTREAM *stream, unsigned long number) {}
void mm_expunged(MAILSTREAM *stream, unsigned long number) {}
void mm_flags(MAILSTREAM *stream, unsigned long number) {}
void mm_notify(MAILSTREAM *stream, char *text, long flag) {}
void mm_list(MAILSTREAM *stream, int delimiter, char *name, long attributes) {}
void mm_lsub(MAILSTREAM *stream, int delimiter, char *name, long attributes) {}
void mm_status(MAILSTREAM *stream, char *mailbox, MAILSTATUS *status) {}
void mm_log(char *text, long flag) {}
void mm_dlog(char *text) {}
void mm_login(NETMBX *box, char *user, char *password, long trial) {}
void mm_critical(MAILSTREAM *stream) {}
void mm_nocritical(MAILSTREAM *stream) {}
long mm_diskerror(MAILSTREAM *stream, long code, long serious) { return 1; }
void mm_fatal(char *text) {}
int main(int count, char **messages)
{
	for (int number = 1; number < count; number++) {
		ENVELOPE *envelope = NULL;
		BODY *body = NULL;
		STRING string;
		char *text = strstr(messages[number], "\r\n\r\n") + 4, *name = "none";
		INIT(&string, mail_string, text, strlen(text));
		rfc822_parse_msg(&envelope, &body, messages[number], text - messages[number], &string, "", 0);
		for (PARAMETER *one = body->disposition.parameter; one; one = one->next)
			if (strcmp(one->attribute, "FILENAME") == 0)
				name = one->value;
		printf("%s ", name);
	}
}
C
cat >"$folder/show.mjs" <<'JS'
import { extract, parse } from "letterparser";
for (const message of process.argv.slice(2)) process.stdout.write(`${extract(parse(message)).attachments[0].filename ?? "none"} `);
JS
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
cc -w -o "$folder/c-client" "$folder/c-client.c" -lc-client
cclient=$("$folder/c-client" "${extended//$'\n'/$'\r\n'}" "${word//$'\n'/$'\r\n'}")
npm install --silent --no-audit --no-fund --prefix "$folder" letterparser@0.1.8
letterparser=$(node "$folder/show.mjs" "$extended" "$word")
echo "libetpan: $libetpan; mime4j: $mime4j; c-client: $cclient; letterparser: $letterparser"
[ "$libetpan" = 'none =?utf-8?Q?=C3=9C.pdf?= ' ] && [ "$mime4j" = 'null =?utf-8?Q?=C3=9C.pdf?= ' ] &&
  [ "$cclient" = 'none =?utf-8?Q?=C3=9C.pdf?= ' ] && [ "$letterparser" = 'none Ü.pdf ' ]
