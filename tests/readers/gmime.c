/* Reads fixtures/reading.jsonl with GMime, and says for each case what it shows. */

#include <gmime/gmime.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* A part by its path; a message in another one is that part's only child. */
static GMimeObject *child(GMimeObject *part, const char *path)
{
	while (part && (path = strchr(path, '.'))) {
		int number = atoi(++path) - 1;
		if (GMIME_IS_MULTIPART(part))
			part = g_mime_multipart_get_part(GMIME_MULTIPART(part), number);
		else if (GMIME_IS_MESSAGE_PART(part))
			part = g_mime_message_get_mime_part(g_mime_message_part_get_message(GMIME_MESSAGE_PART(part)));
		else
			part = NULL;
	}
	return part;
}

/* The name of the mailbox at a number; the members of a group count like others. */
static const char *name_at(InternetAddressList *list, int *number)
{
	for (int at = 0; list && at < internet_address_list_length(list); at++) {
		InternetAddress *one = internet_address_list_get_address(list, at);
		if (INTERNET_ADDRESS_IS_GROUP(one)) {
			const char *name = name_at(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(one)), number);
			if (*number == 0)
				return name;
		} else if (--*number == 0)
			return internet_address_get_name(one);
	}
	return NULL;
}

static char *seen(GMimeMessage *message, JsonObject *place)
{
	const char *what = json_object_get_string_member_with_default(place, "what", "");
	if (json_object_has_member(place, "part")) {
		GMimeObject *part = child(g_mime_message_get_mime_part(message), json_object_get_string_member(place, "part"));
		if (strcmp(what, "filename") == 0)
			return part && GMIME_IS_PART(part) ? g_strdup(g_mime_part_get_filename(GMIME_PART(part))) : NULL;
		return part && GMIME_IS_TEXT_PART(part) ? g_mime_text_part_get_text(GMIME_TEXT_PART(part)) : NULL;
	}
	const char *field = json_object_get_string_member(place, "field");
	GMimeHeader *header = g_mime_header_list_get_header(g_mime_object_get_header_list(GMIME_OBJECT(message)), field);
	if (header == NULL || strcmp(what, "name") != 0)
		return header ? g_strdup(g_mime_header_get_value(header)) : NULL;
	int number = json_object_get_int_member_with_default(place, "at", 1);
	return g_strdup(name_at(internet_address_list_parse(NULL, g_mime_header_get_raw_value(header)), &number));
}

int main(void)
{
	g_mime_init();
	char *line = NULL;
	size_t size = 0, length;
	while (getline(&line, &size, stdin) > 0) {
		JsonObject *object = json_node_get_object(json_from_string(line, NULL)), *answer = json_object_new();
		guchar *octets = g_base64_decode(json_object_get_string_member(object, "message"), &length);
		GMimeParser *parser = g_mime_parser_new_with_stream(g_mime_stream_mem_new_with_buffer((char *) octets, length));
		char *text = seen(g_mime_parser_construct_message(parser, NULL), json_object_get_object_member(object, "place"));
		json_object_set_string_member(answer, "id", json_object_get_string_member(object, "id"));
		json_object_set_string_member(answer, "text", text ? g_utf8_make_valid(text, -1) : NULL);
		JsonNode *node = json_node_init_object(json_node_new(JSON_NODE_OBJECT), answer);
		puts(json_to_string(node, FALSE));
	}
	return 0;
}
