/* Reads messages with GMime, and shows the tree of each on a line of JSON; see tree.py for what goes in and out.
 *
 * cc gmime.c $(pkg-config --cflags --libs gmime-3.0)
 */

#include <gmime/gmime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count;

/* Octets over 127 are shown as if they were ISO-8859-1: the same octets are the same text. */
static void characters(const char *text)
{
	for (const unsigned char *at = (const unsigned char *) text; *at; at++) {
		if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\')
			printf("\\u%04x", *at);
		else
			putchar(*at);
	}
}

static void string(const char *key, const char *text)
{
	printf("\"%s\":", key);
	if (text == NULL) {
		printf("null,");
		return;
	}
	putchar('"');
	characters(text);
	printf("\",");
}

static void names(GMimeHeaderList *headers, int *first)
{
	for (int at = 0; headers && at < g_mime_header_list_get_count(headers); at++) {
		char *name = g_ascii_strdown(g_mime_header_get_name(g_mime_header_list_get_header_at(headers, at)), -1);
		printf(*first ? "\"" : ",\"");
		*first = 0;
		characters(name);
		putchar('"');
		g_free(name);
	}
}

/* GMime keeps the fields of a message in two lists: its own, and those of the part that it is. */
static void fields(GMimeHeaderList *own, GMimeHeaderList *of_part)
{
	int first = 1;
	printf("\"fields\":[");
	names(own, &first);
	if (of_part != own)
		names(of_part, &first);
	printf("],");
}

static int is_sure(const char *label)
{
	static const char *const sure[] = { "utf-8", "utf-7", "utf-16", "utf-16be", "utf-16le",
		"iso-2022-jp", "iso-2022-kr" };
	for (size_t at = 0; at < G_N_ELEMENTS(sure); at++)
		if (g_ascii_strcasecmp(label, sure[at]) == 0)
			return 1;
	return 0;
}

/* Not where the transfer encoding is written oddly, and each reader makes something else of it. */
static int is_plainly_carried(GMimeObject *part)
{
	static const char *const plain[] = { "7bit", "8bit", "binary", "quoted-printable", "base64" };
	const char *named = g_mime_object_get_header(part, "Content-Transfer-Encoding");
	for (size_t at = 0; named && at < G_N_ELEMENTS(plain); at++)
		if (g_ascii_strcasecmp(named, plain[at]) == 0)
			return 1;
	return named == NULL;
}

/* The octets of a part as they are carried, or decoded. */
static GByteArray *octets_of(GMimeObject *part, int decoded)
{
	GMimeDataWrapper *content = g_mime_part_get_content(GMIME_PART(part));
	GByteArray *octets = g_byte_array_new();
	if (content == NULL)
		return octets;
	GMimeStream *stream = g_mime_stream_mem_new();
	g_mime_stream_mem_set_byte_array(GMIME_STREAM_MEM(stream), octets);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
	GMimeStream *carried = g_mime_data_wrapper_get_stream(content);
	if (decoded)
		g_mime_data_wrapper_write_to_stream(content, stream);
	else
		g_mime_stream_write_to_stream(carried, stream);
	g_mime_stream_reset(carried);
	g_object_unref(stream);
	return octets;
}

/* A backslash and a tilde are no characters of UTF-7 to the C library, which leaves them out; other readers take them. */
static int has_what_iconv_drops(const GByteArray *octets)
{
	for (guint at = 0; at < octets->len; at++)
		if (octets->data[at] == '\\' || octets->data[at] == '~')
			return 1;
	return 0;
}

/* An escape of quoted-printable that the end cuts off is nothing to GMime, and text to others. */
static int ends_in_an_escape(const GByteArray *octets)
{
	guint end = octets->len;
	while (end > 0 && (octets->data[end - 1] == '\r' || octets->data[end - 1] == '\n'))
		end--;
	return (end > 0 && octets->data[end - 1] == '=') || (end > 1 && octets->data[end - 2] == '=');
}

static int is_read_by_all(GMimeObject *part, const char *label)
{
	GByteArray *text = octets_of(part, 1), *carried = octets_of(part, 0);
	int is_quoted = g_mime_part_get_content_encoding(GMIME_PART(part)) == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE;
	int is_read = !(g_ascii_strcasecmp(label, "utf-7") == 0 && has_what_iconv_drops(text))
		&& !(is_quoted && ends_in_an_escape(carried));
	g_byte_array_unref(text);
	g_byte_array_unref(carried);
	return is_read;
}

/* Line ends, and blanks before them, are left out, as tree.py does. */
static void text(GMimeObject *part)
{
	GMimeContentType *type = g_mime_object_get_content_type(part);
	const char *label = g_mime_object_get_content_type_parameter(part, "charset");
	printf("\"text\":");
	if (!GMIME_IS_TEXT_PART(part) || !g_mime_content_type_is_type(type, "text", "plain") || label == NULL
	    || !is_sure(label) || !is_plainly_carried(part)
	    || !is_read_by_all(part, label)) {
		printf("null");
		return;
	}
	char *decoded = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
	if (decoded == NULL) {
		printf("[0,\"unreadable\"]");
		return;
	}
	char **lines = g_strsplit(g_str_has_prefix(decoded, "\xEF\xBB\xBF") ? decoded + 3 : decoded, "\n", -1);
	for (char **line = lines; *line; line++)
		g_strchomp(*line);
	char *whole = g_strjoinv("\n", lines);
	g_strchug(g_strchomp(whole));
	char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1, whole, -1);
	printf("[%zu,\"%.16s\"]", strlen(whole), hash);
	g_free(hash);
	g_free(whole);
	g_strfreev(lines);
	g_free(decoded);
}

static void walk(GMimeObject *part, GMimeHeaderList *headers, int depth)
{
	if (part == NULL)
		return;
	GMimeContentType *type = g_mime_object_get_content_type(part);
	char *media = g_mime_content_type_get_mime_type(type);
	char *lower = g_ascii_strdown(strcmp(media, "message/global") ? media : "message/rfc822", -1);
	printf(count++ ? ",{" : "{");
	printf("\"depth\":%d,", depth);
	string("media", lower);
	string("boundary", GMIME_IS_MULTIPART(part) ? g_mime_object_get_content_type_parameter(part, "boundary") : NULL);
	string("name", GMIME_IS_PART(part) ? g_mime_part_get_filename(GMIME_PART(part)) : NULL);
	fields(headers, g_mime_object_get_header_list(part));
	text(part);
	putchar('}');
	g_free(lower);
	g_free(media);
	if (GMIME_IS_MULTIPART(part)) {
		for (int at = 0; at < g_mime_multipart_get_count(GMIME_MULTIPART(part)); at++) {
			GMimeObject *inner = g_mime_multipart_get_part(GMIME_MULTIPART(part), at);
			walk(inner, g_mime_object_get_header_list(inner), depth + 1);
		}
	} else if (GMIME_IS_MESSAGE_PART(part)) {
		GMimeMessage *inner = g_mime_message_part_get_message(GMIME_MESSAGE_PART(part));
		if (inner != NULL)
			walk(g_mime_message_get_mime_part(inner), g_mime_object_get_header_list(GMIME_OBJECT(inner)), depth + 1);
	}
}

static void show(const char *octets, size_t length)
{
	GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, length);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	count = 0;
	putchar('[');
	if (message != NULL) {
		walk(g_mime_message_get_mime_part(message), g_mime_object_get_header_list(GMIME_OBJECT(message)), 0);
		g_object_unref(message);
	}
	puts("]");
	g_object_unref(parser);
	g_object_unref(stream);
}

int main(void)
{
	size_t length;
	g_mime_init();
	while (scanf("%zu%*1[\n]", &length) == 1) {
		char *octets = malloc(length + 1);
		if (fread(octets, 1, length, stdin) != length)
			return 1;
		show(octets, length);
		free(octets);
	}
	return 0;
}
