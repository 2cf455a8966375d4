/* GMime 3, as its reference has it: GMimeMessage for names and subject, GMimePart for files, GMimeTextPart for texts. */

#include <gmime/gmime.h>

#include "answer.h"

typedef enum { TREE, FILES, TEXTS } Wanted;

static void walk(GMimeObject *part, Wanted wanted)
{
	if (part == NULL)
		return;
	if (wanted == TREE) {
		char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(part));
		char *lower = g_ascii_strdown(type, -1);
		item(lower);
		g_free(lower);
		g_free(type);
	}
	if (wanted == FILES && GMIME_IS_PART(part) && g_mime_part_get_filename(GMIME_PART(part)))
		item(g_mime_part_get_filename(GMIME_PART(part)));
	if (wanted == TEXTS && GMIME_IS_TEXT_PART(part)) {
		char *text = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
		item(text);
		g_free(text);
	}
	for (int at = 0; GMIME_IS_MULTIPART(part) && at < g_mime_multipart_get_count(GMIME_MULTIPART(part)); at++)
		walk(g_mime_multipart_get_part(GMIME_MULTIPART(part), at), wanted);
	if (GMIME_IS_MESSAGE_PART(part) && g_mime_message_part_get_message(GMIME_MESSAGE_PART(part)))
		walk(g_mime_message_get_mime_part(g_mime_message_part_get_message(GMIME_MESSAGE_PART(part))), wanted);
}

static void parts(const char *name, GMimeMessage *message, Wanted wanted)
{
	key(name);
	open_with('[');
	walk(g_mime_message_get_mime_part(message), wanted);
	close_with(']');
}

static void people(InternetAddressList *list, gboolean is_name)
{
	for (int at = 0; list && at < internet_address_list_length(list); at++) {
		InternetAddress *one = internet_address_list_get_address(list, at);
		if (INTERNET_ADDRESS_IS_GROUP(one))
			people(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(one)), is_name);
		else
			item(is_name ? internet_address_get_name(one) : internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(one)));
	}
}

static void mailboxes(const char *name, GMimeMessage *message, GMimeAddressType field)
{
	key(name);
	open_with('[');
	people(g_mime_message_get_addresses(message, field), TRUE);
	close_with(']');
}

static void show(GMimeMessage *message)
{
	GMimeHeaderList *headers = g_mime_object_get_header_list(GMIME_OBJECT(message));
	GMimeHeader *comments = g_mime_header_list_get_header(headers, "Comments");
	begin_answer();
	key("subject");
	item(g_mime_message_get_subject(message));
	key("comments");
	item(comments ? g_mime_header_get_value(comments) : NULL);
	key("fields");
	open_with('[');
	for (int at = 0; at < g_mime_header_list_get_count(headers); at++) {
		char *name = g_ascii_strdown(g_mime_header_get_name(g_mime_header_list_get_header_at(headers, at)), -1);
		item(name);
		g_free(name);
	}
	close_with(']');
	key("names");
	open_with('{');
	mailboxes("from", message, GMIME_ADDRESS_TYPE_FROM);
	mailboxes("sender", message, GMIME_ADDRESS_TYPE_SENDER);
	mailboxes("to", message, GMIME_ADDRESS_TYPE_TO);
	mailboxes("cc", message, GMIME_ADDRESS_TYPE_CC);
	mailboxes("reply-to", message, GMIME_ADDRESS_TYPE_REPLY_TO);
	close_with('}');
	key("addresses");
	open_with('[');
	people(g_mime_message_get_from(message), FALSE);
	close_with(']');
	parts("tree", message, TREE);
	parts("files", message, FILES);
	parts("texts", message, TEXTS);
	end_answer();
}

int main(void)
{
	size_t length;
	char *octets;
	g_mime_init();
	while ((octets = next_message(&length))) {
		GMimeStream *stream = g_mime_stream_mem_new_with_buffer(octets, length);
		GMimeParser *parser = g_mime_parser_new_with_stream(stream);
		GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
		if (message) {
			show(message);
			g_object_unref(message);
		} else {
			begin_answer();
			fail_answer("no message");
		}
		g_object_unref(parser);
		g_object_unref(stream);
		free(octets);
	}
	return 0;
}
