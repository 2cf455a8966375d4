/* Reads a mailbox with GMime, makes old texts and fields UTF-8, and writes the mailbox again.
 *
 * It does as septet does, but for links and for octets that stay as they were: only what is in another charset is
 * converted, and each message that was changed is parsed again, and every text of it compared with what was meant.
 *
 * cc gmime.c $(pkg-config --cflags --libs gmime-3.0);  gmime <in.mbox >out.mbox
 */

#include "utf8.h"
#include <stdio.h>
#include <unistd.h>

/* What a message is to say: its texts in order, and nothing for one that stays. */
struct meant {
	GPtrArray *texts;
	guint compared;
	int changed, faults;
};

static void convert_part(GMimeObject *parent, GMimeObject *part, gpointer data)
{
	(void) parent;
	struct meant *meant = data;
	if (!is_text(part))
		return;
	GByteArray *text = converted(part, GMIME_CONTENT_ENCODING_DEFAULT);
	g_ptr_array_add(meant->texts, text);
	meant->changed |= text != NULL;
}

static void convert_fields(GMimeMessage *message, struct meant *meant)
{
	GMimeHeaderList *fields = g_mime_object_get_header_list(GMIME_OBJECT(message));
	for (int i = 0; i < g_mime_header_list_get_count(fields); i++) {
		GMimeHeader *field = g_mime_header_list_get_header_at(fields, i);
		if (!has_old_words(g_mime_header_get_raw_value(field)))
			continue;
		char *value = g_strdup(g_mime_header_get_value(field));
		g_mime_header_set_value(field, NULL, value, "utf-8");
		g_free(value);
		meant->changed = 1;
	}
}

static void compare_part(GMimeObject *parent, GMimeObject *part, gpointer data)
{
	(void) parent;
	struct meant *meant = data;
	if (!is_text(part))
		return;
	GByteArray *text = meant->compared < meant->texts->len ? g_ptr_array_index(meant->texts, meant->compared) : NULL;
	meant->compared++;
	if (text == NULL)
		return;
	GByteArray *read = in_utf8(part);
	if (read == NULL || read->len != text->len || memcmp(read->data, text->data, text->len) != 0)
		meant->faults++;
	if (read != NULL)
		g_byte_array_unref(read);
}

/* Parses what was written, and compares every text. */
static void prove(GMimeStream *written, struct meant *meant)
{
	g_mime_stream_reset(written);
	GMimeParser *parser = g_mime_parser_new_with_stream(written);
	GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
	meant->compared = 0;
	if (message != NULL) {
		each_part(message, compare_part, meant);
		g_object_unref(message);
	}
	meant->faults += meant->compared != meant->texts->len;
	g_object_unref(parser);
}

/* Writes a message that was changed: to memory, where it is proved, and then with lines that begin with From quoted. */
static void write_changed(GMimeStream *quoted, GMimeMessage *message, struct meant *meant)
{
	GMimeStream *written = g_mime_stream_mem_new();
	g_mime_object_write_to_stream(GMIME_OBJECT(message), NULL, written);
	prove(written, meant);
	GByteArray *octets = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(written));
	g_mime_stream_write(quoted, (char *) octets->data, octets->len);
	g_mime_stream_flush(quoted);
	g_object_unref(written);
}

/* Converts and writes one message, and tells whether all of it was proved. */
static int rewrite(GMimeStream *out, GMimeStream *quoted, char *from, GMimeMessage *message)
{
	struct meant meant = { .texts = g_ptr_array_new() };
	each_part(message, convert_part, &meant);
	convert_fields(message, &meant);
	g_mime_stream_printf(out, "%s\n", from);
	if (meant.changed)
		write_changed(quoted, message, &meant);
	else
		g_mime_object_write_to_stream(GMIME_OBJECT(message), NULL, out);
	g_mime_stream_write_string(out, "\n");
	for (guint i = 0; i < meant.texts->len; i++)
		if (g_ptr_array_index(meant.texts, i) != NULL)
			g_byte_array_unref(g_ptr_array_index(meant.texts, i));
	g_ptr_array_free(meant.texts, TRUE);
	return meant.faults == 0;
}

int main(void)
{
	long messages = 0, faulty = 0;
	g_mime_init();
	GMimeStream *in = g_mime_stream_fs_new(STDIN_FILENO);
	GMimeStream *out = g_mime_stream_buffer_new(g_mime_stream_pipe_new(STDOUT_FILENO), GMIME_STREAM_BUFFER_BLOCK_WRITE);
	GMimeStream *quoted = g_mime_stream_filter_new(out);
	g_mime_stream_filter_add(GMIME_STREAM_FILTER(quoted), g_mime_filter_from_new(GMIME_FILTER_FROM_MODE_ESCAPE));
	GMimeParser *parser = g_mime_parser_new_with_stream(in);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
	while (!g_mime_parser_eos(parser)) {
		GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
		if (message == NULL)
			break;
		char *from = g_mime_parser_get_mbox_marker(parser);
		messages++;
		faulty += !rewrite(out, quoted, from, message);
		g_free(from);
		g_object_unref(message);
	}
	fprintf(stderr, "%ld messages, %ld of them with a text that was not proved\n", messages, faulty);
	return g_mime_stream_flush(out) == 0 ? 0 : 1;
}
