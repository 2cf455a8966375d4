/* Reads messages with GMime, and shows each on a line of JSON; see ../readers.py for what goes in and out. */

#include <gmime/gmime.h>
#include <stdio.h>
#include <stdlib.h>

static void string(const char *text)
{
	if (text == NULL) {
		printf("null");
		return;
	}
	putchar('"');
	char *valid = g_utf8_make_valid(text, -1);
	for (const char *at = valid; *at; at++) {
		if ((unsigned char) *at < ' ' || *at == '"' || *at == '\\')
			printf("\\u%04x", *at);
		else
			putchar(*at);
	}
	g_free(valid);
	putchar('"');
}

static int comma;

static void next(const char *text)
{
	if (comma)
		putchar(',');
	comma = 1;
	string(text);
}

static void list(const char *key)
{
	printf("],\"%s\":[", key);
	comma = 0;
}

typedef enum { TREE, FILES, TEXTS } Wanted;

static void walk(GMimeObject *part, Wanted wanted)
{
	if (part == NULL)
		return;
	if (wanted == TREE) {
		char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(part));
		next(type);
		g_free(type);
	}
	if (wanted == FILES && GMIME_IS_PART(part))
		next(g_mime_part_get_filename(GMIME_PART(part)));
	if (wanted == TEXTS && GMIME_IS_TEXT_PART(part)) {
		char *text = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
		next(text);
		g_free(text);
	}
	for (int at = 0; GMIME_IS_MULTIPART(part) && at < g_mime_multipart_get_count(GMIME_MULTIPART(part)); at++)
		walk(g_mime_multipart_get_part(GMIME_MULTIPART(part), at), wanted);
}

static void show(const char *octets, size_t length)
{
	GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, length);
	GMimeParser *parser = g_mime_parser_new_with_stream(stream);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	GMimeObject *root = g_mime_message_get_mime_part(message);
	InternetAddressList *from = g_mime_message_get_from(message);
	GMimeHeaderList *headers = g_mime_object_get_header_list(GMIME_OBJECT(message));
	printf("{\"subject\":");
	string(g_mime_message_get_subject(message));
	printf(",\"fields\":[");
	comma = 0;
	for (int at = 0; at < g_mime_header_list_get_count(headers); at++) {
		char *name = g_ascii_strdown(g_mime_header_get_name(g_mime_header_list_get_header_at(headers, at)), -1);
		next(name);
		g_free(name);
	}
	list("names");
	for (int at = 0; at < internet_address_list_length(from); at++)
		next(internet_address_get_name(internet_address_list_get_address(from, at)));
	list("addresses");
	for (int at = 0; at < internet_address_list_length(from); at++) {
		InternetAddress *one = internet_address_list_get_address(from, at);
		next(INTERNET_ADDRESS_IS_MAILBOX(one) ? internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(one)) : "group");
	}
	list("tree");
	walk(root, TREE);
	list("files");
	walk(root, FILES);
	list("texts");
	walk(root, TEXTS);
	puts("]}");
	g_object_unref(message);
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
