/* A milter over libmilter: cmilter SOCKET noop|replace|convert answering|silent (the socket as libmilter writes it).
 *
 * noop takes every message as it is; replace gives it another subject and its own body again, the least that a milter
 * that changes mail must send; convert has GMime make old texts and fields UTF-8, and lets other mail alone. An
 * answering one answers every event, as libmilter has it by default; a silent one answers nothing that needs no answer,
 * as a milter that is to be fast does.
 *
 * cc cmilter.c $(pkg-config --cflags --libs gmime-3.0) -lmilter -lpthread
 */

#define _GNU_SOURCE
#include "utf8.h"
#include <libmilter/mfapi.h>
#include <stdlib.h>
#include <strings.h>

/* What is kept of a message: its body, and before it, where it is to be converted, its fields. */
struct message {
	GByteArray *octets;
	int is_old;
};

static int replaces, converts, silent;

static sfsistat negotiate(SMFICTX *context, unsigned long actions, unsigned long steps, unsigned long third,
			  unsigned long fourth, unsigned long *my_actions, unsigned long *my_steps,
			  unsigned long *my_third, unsigned long *my_fourth)
{
	(void) context, (void) third, (void) fourth;
	unsigned long quiet = SMFIP_NR_CONN | SMFIP_NR_HELO | SMFIP_NR_MAIL | SMFIP_NR_RCPT | SMFIP_NR_DATA
			    | SMFIP_NR_HDR | SMFIP_NR_EOH | SMFIP_NR_BODY;
	*my_actions = actions & (SMFIF_CHGHDRS | SMFIF_CHGBODY);
	*my_steps = silent ? steps & quiet : 0;
	*my_third = *my_fourth = 0;
	return SMFIS_CONTINUE;
}

static sfsistat go_on(void)
{
	return silent ? SMFIS_NOREPLY : SMFIS_CONTINUE;
}

static sfsistat on_connect(SMFICTX *context, char *host, _SOCK_ADDR *address)
{
	(void) host, (void) address;
	struct message *message = calloc(1, sizeof *message);
	if (message == NULL || smfi_setpriv(context, message) != MI_SUCCESS)
		return SMFIS_TEMPFAIL;
	message->octets = g_byte_array_new();
	return go_on();
}

static sfsistat on_helo(SMFICTX *context, char *name)
{
	(void) context, (void) name;
	return go_on();
}

static sfsistat on_mail(SMFICTX *context, char **words)
{
	(void) words;
	struct message *message = smfi_getpriv(context);
	if (message == NULL)
		return SMFIS_TEMPFAIL;
	g_byte_array_set_size(message->octets, 0);
	message->is_old = 0;
	return go_on();
}

static sfsistat on_recipient(SMFICTX *context, char **words)
{
	(void) context, (void) words;
	return go_on();
}

static sfsistat on_data(SMFICTX *context)
{
	(void) context;
	return go_on();
}

static void keep(struct message *message, const char *text)
{
	g_byte_array_append(message->octets, (const guint8 *) text, strlen(text));
}

/* Whether a part of this media type may be old, as all may that a multipart has. */
static int may_be_old(const char *type)
{
	const char *charset = strcasestr(type, "charset=");
	if (strncasecmp(type, "multipart/", 10) == 0)
		return 1;
	if (strncasecmp(type, "text/", 5) != 0 || charset == NULL)
		return 0;
	charset += strlen("charset=");
	charset += *charset == '"';
	return strncasecmp(charset, "utf-8", 5) != 0 && strncasecmp(charset, "us-ascii", 8) != 0;
}

static sfsistat on_header(SMFICTX *context, char *name, char *value)
{
	struct message *message = smfi_getpriv(context);
	if (!converts)
		return go_on();
	keep(message, name);
	keep(message, ": ");
	keep(message, value);
	keep(message, "\r\n");
	message->is_old |= has_old_words(value) || (strcasecmp(name, "Content-Type") == 0 && may_be_old(value));
	return go_on();
}

static sfsistat on_header_end(SMFICTX *context)
{
	if (converts)
		keep(smfi_getpriv(context), "\r\n");
	return go_on();
}

static sfsistat on_body(SMFICTX *context, unsigned char *piece, size_t length)
{
	struct message *message = smfi_getpriv(context);
	if (replaces || message->is_old)
		g_byte_array_append(message->octets, piece, length);
	return go_on();
}

static void convert_part(GMimeObject *parent, GMimeObject *part, gpointer changed)
{
	(void) parent;
	GByteArray *text = is_text(part) ? converted(part, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE) : NULL;
	if (text == NULL)
		return;
	*(int *) changed = 1;
	g_byte_array_unref(text);
}

/* Which of the fields of this name the one at a place is, as a milter counts them. */
static int number_of(GMimeHeaderList *fields, int place, const char *name)
{
	int number = 1;
	for (int i = 0; i < place; i++)
		number += strcasecmp(g_mime_header_get_name(g_mime_header_list_get_header_at(fields, i)), name) == 0;
	return number;
}

static void convert_fields(SMFICTX *context, GMimeHeaderList *fields)
{
	for (int i = 0; i < g_mime_header_list_get_count(fields); i++) {
		GMimeHeader *field = g_mime_header_list_get_header_at(fields, i);
		const char *name = g_mime_header_get_name(field);
		if (!has_old_words(g_mime_header_get_raw_value(field)))
			continue;
		char *value = g_strdup(g_mime_header_get_value(field));
		g_mime_header_set_value(field, NULL, value, "utf-8");
		char *written = g_strdup(g_mime_header_get_raw_value(field));
		smfi_chgheader(context, (char *) name, number_of(fields, i, name), g_strstrip(written));
		g_free(written);
		g_free(value);
	}
}

/* Hands back the body, and the two fields that say what it is in. */
static void replace_text(SMFICTX *context, GMimeObject *top)
{
	GMimeFormatOptions *lines = g_mime_format_options_clone(NULL);
	g_mime_format_options_set_newline_format(lines, GMIME_NEWLINE_FORMAT_DOS);
	GMimeStream *written = g_mime_stream_mem_new();
	g_mime_object_write_content_to_stream(top, lines, written);
	GByteArray *body = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(written));
	if (GMIME_IS_PART(top)) {
		char *type = g_mime_content_type_encode(g_mime_object_get_content_type(top), lines);
		smfi_chgheader(context, "Content-Type", 1, g_strstrip(type));
		smfi_chgheader(context, "Content-Transfer-Encoding", 1, "quoted-printable");
		g_free(type);
	}
	smfi_replacebody(context, body->data, body->len);
	g_object_unref(written);
	g_mime_format_options_free(lines);
}

static void convert_message(SMFICTX *context, struct message *message)
{
	GMimeStream *memory = g_mime_stream_mem_new_with_byte_array(message->octets);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(memory), FALSE);
	GMimeParser *parser = g_mime_parser_new_with_stream(memory);
	GMimeMessage *parsed = g_mime_parser_construct_message(parser, NULL);
	if (parsed != NULL) {
		int changed = 0;
		convert_fields(context, g_mime_object_get_header_list(GMIME_OBJECT(parsed)));
		each_part(parsed, convert_part, &changed);
		if (changed)
			replace_text(context, g_mime_message_get_mime_part(parsed));
		g_object_unref(parsed);
	}
	g_object_unref(parser);
	g_object_unref(memory);
}

static sfsistat on_end(SMFICTX *context)
{
	struct message *message = smfi_getpriv(context);
	if (replaces) {
		smfi_chgheader(context, "Subject", 1, "changed");
		smfi_replacebody(context, message->octets->data, message->octets->len);
	}
	if (message->is_old)
		convert_message(context, message);
	return SMFIS_CONTINUE;
}

static sfsistat on_close(SMFICTX *context)
{
	struct message *message = smfi_getpriv(context);
	if (message != NULL) {
		g_byte_array_unref(message->octets);
		free(message);
		smfi_setpriv(context, NULL);
	}
	return SMFIS_CONTINUE;
}

int main(int count, char **words)
{
	if (count != 4)
		return 64;
	replaces = strcmp(words[2], "replace") == 0;
	converts = strcmp(words[2], "convert") == 0;
	silent = strcmp(words[3], "silent") == 0;
	g_mime_init();
	struct smfiDesc milter = {
		.xxfi_name = "cmilter", .xxfi_version = SMFI_VERSION, .xxfi_flags = SMFIF_CHGHDRS | SMFIF_CHGBODY,
		.xxfi_connect = on_connect, .xxfi_helo = on_helo, .xxfi_envfrom = on_mail, .xxfi_envrcpt = on_recipient,
		.xxfi_data = on_data, .xxfi_header = on_header, .xxfi_eoh = on_header_end, .xxfi_body = on_body,
		.xxfi_eom = on_end, .xxfi_close = on_close, .xxfi_negotiate = negotiate,
	};
	smfi_setconn(words[1]);
	smfi_setbacklog(256);
	return smfi_register(milter) == MI_SUCCESS && smfi_main() == MI_SUCCESS ? 0 : 1;
}
