/* c-client, the library of UW IMAP and of PHP's imap: rfc822_parse_msg for the tree and the fields, utf8_mime2text for words,
 * rfc822_qprint, rfc822_base64 and utf8_text for texts. It knows nothing of RFC 2231: what is extended is no name of a file. */

#include <c-client/c-client.h>
#include <ctype.h>
#include <string.h>

#include "answer.h"

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

/* A text as it is where it does not end with a NUL. */
static void show_sized(const unsigned char *text, unsigned long size)
{
	char *copy = calloc(size + 1, 1);
	memcpy(copy, text, size);
	item(copy);
	free(copy);
}

static void show_words(char *text)
{
	SIZEDTEXT from = { (unsigned char *) text, text ? strlen(text) : 0 }, to = { NULL, 0 };
	if (text && utf8_mime2text(&from, &to, 0) && to.data)
		show_sized(to.data, to.size);
	else
		item(text);
	if (to.data && to.data != from.data)
		fs_give((void **) &to.data);
}

static void show_people(const char *name, ADDRESS *list, int is_name)
{
	char address[MAILTMPLEN];
	key(name);
	open_with('[');
	for (; list; list = list->next) {
		/* Where a group begins and ends there is an entry without a host. */
		if (list->host == NULL)
			continue;
		snprintf(address, sizeof address, "%s@%s", list->mailbox, list->host);
		if (is_name)
			show_words(list->personal);
		else
			item(address);
	}
	close_with(']');
}

static char *parameter(PARAMETER *list, const char *name)
{
	for (; list; list = list->next)
		if (strcasecmp(list->attribute, name) == 0)
			return list->value;
	return NULL;
}

static void show_type(BODY *body)
{
	char type[300];
	snprintf(type, sizeof type, "%s/%s", body_types[body->type], body->subtype ? body->subtype : "");
	for (char *at = type; *at; at++)
		*at = tolower((unsigned char) *at);
	item(type);
}

static void show_text(BODY *body, char *text)
{
	unsigned char *octets = (unsigned char *) text + body->contents.offset;
	unsigned long size = body->contents.text.size;
	void *decoded = NULL;
	char *charset = parameter(body->parameter, "CHARSET");
	if (body->encoding == ENCBASE64)
		octets = decoded = rfc822_base64(octets, size, &size);
	else if (body->encoding == ENCQUOTEDPRINTABLE)
		octets = decoded = rfc822_qprint(octets, size, &size);
	SIZEDTEXT from = { octets, size }, to = { NULL, 0 };
	if (octets && utf8_text(&from, charset ? charset : "US-ASCII", &to, 0))
		show_sized(to.data, to.size);
	else
		item(NULL);
	if (to.data && to.data != from.data)
		fs_give((void **) &to.data);
	if (decoded)
		fs_give(&decoded);
}

typedef enum { TREE, FILES, TEXTS } Wanted;

static void walk(BODY *body, char *text, Wanted wanted)
{
	char *file = parameter(body->disposition.parameter, "FILENAME");
	file = file ? file : parameter(body->parameter, "NAME");
	if (wanted == TREE)
		show_type(body);
	if (wanted == FILES && file)
		show_words(file);
	if (wanted == TEXTS && body->type == TYPETEXT)
		show_text(body, text);
	for (PART *part = body->type == TYPEMULTIPART ? body->nested.part : NULL; part; part = part->next)
		walk(&part->body, text, wanted);
	if (body->type == TYPEMESSAGE && body->subtype && strcmp(body->subtype, "RFC822") == 0 && body->nested.msg && body->nested.msg->body)
		walk(body->nested.msg->body, text, wanted);
}

static void show_parts(const char *name, BODY *body, char *text, Wanted wanted)
{
	key(name);
	open_with('[');
	walk(body, text, wanted);
	close_with(']');
}

/* A field that is not in the envelope, unfolded. */
static char *field(char *header, const char *name)
{
	STRINGLIST *lines = mail_newstringlist();
	char *found = NULL;
	lines->text.data = (unsigned char *) cpystr(name);
	lines->text.size = strlen(name);
	char *copy = cpystr(header);
	if (mail_filter(copy, strlen(copy), lines, 0) && strchr(copy, ':')) {
		found = cpystr(strchr(copy, ':') + 1);
		char *to = found;
		for (char *at = found + strspn(found, " \t"); *at; at++)
			if (*at != '\r' && *at != '\n')
				*to++ = *at;
		*to = 0;
	}
	fs_give((void **) &copy);
	mail_free_stringlist(&lines);
	return found;
}

static void show(char *octets)
{
	ENVELOPE *envelope = NULL;
	BODY *body = NULL;
	STRING string;
	char *end = strncmp(octets, "\r\n", 2) ? strstr(octets, "\r\n\r\n") : octets - 2;
	char *text = end ? end + 4 : octets + strlen(octets);
	char *header = calloc(text - octets + 1, 1);
	memcpy(header, octets, text - octets);
	INIT(&string, mail_string, text, strlen(text));
	rfc822_parse_msg(&envelope, &body, octets, text - octets, &string, "", 0);
	char *comments = field(header, "Comments");
	key("subject");
	show_words(envelope->subject);
	key("comments");
	show_words(comments);
	key("names");
	open_with('{');
	show_people("from", envelope->from, 1);
	show_people("sender", envelope->sender, 1);
	show_people("to", envelope->to, 1);
	show_people("cc", envelope->cc, 1);
	show_people("reply-to", envelope->reply_to, 1);
	close_with('}');
	show_people("addresses", envelope->from, 0);
	show_parts("tree", body, text, TREE);
	show_parts("files", body, text, FILES);
	show_parts("texts", body, text, TEXTS);
	free(header);
	mail_free_envelope(&envelope);
	mail_free_body(&body);
}

/* The library takes lines that end with CRLF, and no NUL. */
static char *with_crlf(const char *octets, size_t length)
{
	char *copy = malloc(2 * length + 1), *to = copy;
	for (size_t at = 0; at < length; at++) {
		if (octets[at] == '\n' && (at == 0 || octets[at - 1] != '\r'))
			*to++ = '\r';
		*to++ = octets[at] ? octets[at] : '?';
	}
	*to = 0;
	return copy;
}

int main(void)
{
	size_t length;
	char *octets;
	while ((octets = next_message(&length))) {
		char *copy = with_crlf(octets, length);
		begin_answer();
		show(copy);
		end_answer();
		free(copy);
		free(octets);
	}
	return 0;
}
