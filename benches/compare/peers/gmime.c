/* Reads a mailbox with GMime, makes every text UTF-8, and writes the mailbox again.
 *
 * cc gmime.c $(pkg-config --cflags --libs gmime-3.0);  gmime <in.mbox >out.mbox
 */

#include <gmime/gmime.h>
#include <stdio.h>

/* Returns a copy of a text in UTF-8, or nothing where GMime doesn't know its charset. */
static GMimeStream *in_utf_8(GMimeTextPart *text, const char *charset)
{
	GMimeFilter *filter = g_mime_filter_charset_new(charset, "utf-8");
	if (filter == NULL)
		return NULL;
	GMimeStream *memory = g_mime_stream_mem_new();
	GMimeStream *filtered = g_mime_stream_filter_new(memory);
	g_mime_stream_filter_add(GMIME_STREAM_FILTER(filtered), filter);
	g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(GMIME_PART(text)), filtered);
	g_mime_stream_flush(filtered);
	g_mime_stream_reset(memory);
	g_object_unref(filter);
	g_object_unref(filtered);
	return memory;
}

static void convert(GMimeObject *parent, GMimeObject *part, gpointer data)
{
	(void) parent;
	(void) data;
	if (!GMIME_IS_TEXT_PART(part) || g_mime_part_get_content(GMIME_PART(part)) == NULL)
		return;
	const char *charset = g_mime_text_part_get_charset(GMIME_TEXT_PART(part));
	GMimeStream *text = in_utf_8(GMIME_TEXT_PART(part), charset ? charset : "us-ascii");
	if (text == NULL)
		return;
	GMimeDataWrapper *content = g_mime_data_wrapper_new_with_stream(text, GMIME_CONTENT_ENCODING_8BIT);
	g_mime_part_set_content(GMIME_PART(part), content);
	g_mime_text_part_set_charset(GMIME_TEXT_PART(part), "utf-8");
	GMimeContentEncoding encoding = g_mime_part_get_content_encoding(GMIME_PART(part));
	if (encoding == GMIME_CONTENT_ENCODING_DEFAULT || encoding == GMIME_CONTENT_ENCODING_7BIT)
		encoding = g_mime_part_get_best_content_encoding(GMIME_PART(part), GMIME_ENCODING_CONSTRAINT_7BIT);
	g_mime_part_set_content_encoding(GMIME_PART(part), encoding);
	g_object_unref(content);
	g_object_unref(text);
}

/* GMime walks the parts of a multipart; a message that is one part has none to walk. */
static void convert_all(GMimeMessage *message)
{
	GMimeObject *top = g_mime_message_get_mime_part(message);
	if (top != NULL && !GMIME_IS_MULTIPART(top))
		convert(NULL, top, NULL);
	else if (top != NULL)
		g_mime_message_foreach(message, convert, NULL);
}

static void write_message(GMimeStream *out, GMimeStream *quoted, char *from, GMimeMessage *message)
{
	g_mime_stream_printf(out, "%s\n", from);
	g_mime_object_write_to_stream(GMIME_OBJECT(message), NULL, quoted);
	g_mime_stream_flush(quoted);
	g_mime_stream_write_string(out, "\n");
}

int main(void)
{
	g_mime_init();
	GMimeStream *in = g_mime_stream_buffer_new(g_mime_stream_file_new(stdin), GMIME_STREAM_BUFFER_BLOCK_READ);
	GMimeStream *out = g_mime_stream_buffer_new(g_mime_stream_file_new(stdout), GMIME_STREAM_BUFFER_BLOCK_WRITE);
	GMimeStream *quoted = g_mime_stream_filter_new(out);
	g_mime_stream_filter_add(GMIME_STREAM_FILTER(quoted), g_mime_filter_from_new(GMIME_FILTER_FROM_MODE_ESCAPE));
	GMimeParser *parser = g_mime_parser_new_with_stream(in);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
	while (!g_mime_parser_eos(parser)) {
		GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
		if (message == NULL)
			break;
		convert_all(message);
		char *from = g_mime_parser_get_mbox_marker(parser);
		write_message(out, quoted, from, message);
		g_free(from);
		g_object_unref(message);
	}
	return g_mime_stream_flush(out) == 0 ? 0 : 1;
}
