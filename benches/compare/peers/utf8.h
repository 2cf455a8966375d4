/* How GMime makes old mail UTF-8, for gmime.c and cmilter.c: only what is in another charset is touched. */

#include <gmime/gmime.h>
#include <string.h>

/* glibc loads the module of a charset at every iconv_open, unless somebody has one open: both ways are held open. */
static void hold_open(const char *charset)
{
	static GMutex lock;
	static GHashTable *held;
	g_mutex_lock(&lock);
	if (held == NULL)
		held = g_hash_table_new(g_str_hash, g_str_equal);
	if (!g_hash_table_contains(held, charset)) {
		g_mime_iconv_open("utf-8", charset);
		g_mime_iconv_open(charset, "utf-8");
		g_hash_table_add(held, g_strdup(charset));
	}
	g_mutex_unlock(&lock);
}

static int is_old(const char *charset)
{
	return charset != NULL && g_ascii_strcasecmp(charset, "utf-8") != 0 && g_ascii_strcasecmp(charset, "us-ascii") != 0;
}

/* Whether a field holds encoded-words of a charset that is old. */
static int has_old_words(const char *value)
{
	while (value != NULL && (value = strstr(value, "=?")) != NULL) {
		value += 2;
		if (g_ascii_isalnum(*value) && g_ascii_strncasecmp(value, "utf-8?", 6) != 0
		    && g_ascii_strncasecmp(value, "us-ascii?", 9) != 0)
			return 1;
	}
	return 0;
}

static int is_text(GMimeObject *part)
{
	return GMIME_IS_TEXT_PART(part) && g_mime_part_get_content(GMIME_PART(part)) != NULL;
}

/* Returns a text in UTF-8, or nothing where GMime doesn't know its charset. */
static GByteArray *in_utf8(GMimeObject *part)
{
	const char *charset = g_mime_text_part_get_charset(GMIME_TEXT_PART(part));
	GMimeFilter *filter = NULL;
	if (is_old(charset)) {
		hold_open(charset);
		filter = g_mime_filter_charset_new(charset, "utf-8");
		if (filter == NULL)
			return NULL;
	}
	GByteArray *text = g_byte_array_new();
	GMimeStream *memory = g_mime_stream_mem_new_with_byte_array(text);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(memory), FALSE);
	GMimeStream *filtered = g_mime_stream_filter_new(memory);
	if (filter != NULL) {
		g_mime_stream_filter_add(GMIME_STREAM_FILTER(filtered), filter);
		g_object_unref(filter);
	}
	g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(GMIME_PART(part)), filtered);
	g_mime_stream_flush(filtered);
	g_object_unref(filtered);
	g_object_unref(memory);
	return text;
}

/* Makes an old text UTF-8, in a transfer encoding or in the one that GMime finds best for seven bits, where none is
 * said. Returns the text, which the part keeps as well; nothing where it stays. */
static GByteArray *converted(GMimeObject *part, GMimeContentEncoding encoding)
{
	GByteArray *text = is_old(g_mime_text_part_get_charset(GMIME_TEXT_PART(part))) ? in_utf8(part) : NULL;
	if (text == NULL)
		return NULL;
	GMimeStream *memory = g_mime_stream_mem_new_with_byte_array(text);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(memory), FALSE);
	GMimeDataWrapper *content = g_mime_data_wrapper_new_with_stream(memory, GMIME_CONTENT_ENCODING_DEFAULT);
	g_object_set_data_full(G_OBJECT(content), "text", g_byte_array_ref(text), (GDestroyNotify) g_byte_array_unref);
	g_mime_part_set_content(GMIME_PART(part), content);
	g_mime_text_part_set_charset(GMIME_TEXT_PART(part), "utf-8");
	if (encoding == GMIME_CONTENT_ENCODING_DEFAULT)
		encoding = g_mime_part_get_best_content_encoding(GMIME_PART(part), GMIME_ENCODING_CONSTRAINT_7BIT);
	g_mime_part_set_content_encoding(GMIME_PART(part), encoding);
	g_object_unref(content);
	g_object_unref(memory);
	return text;
}

/* GMime walks the parts of a multipart; a message that is one part has none to walk. */
static void each_part(GMimeMessage *message, GMimeObjectForeachFunc visit, gpointer data)
{
	GMimeObject *top = g_mime_message_get_mime_part(message);
	if (top != NULL && GMIME_IS_MULTIPART(top))
		g_mime_message_foreach(message, visit, data);
	else if (top != NULL)
		visit(NULL, top, data);
}
