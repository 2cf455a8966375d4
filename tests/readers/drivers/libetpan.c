/* libetpan: mailmime_parse for the tree, mailmime_encoded_phrase_parse for subject, names and the names of files,
 * mailmime_part_parse and charconv for texts. */

#include <libetpan/libetpan.h>
#include <string.h>
#include <strings.h>

#include "answer.h"

static void show_words(const char *text)
{
	size_t at = 0;
	char *shown = NULL;
	if (text && mailmime_encoded_phrase_parse("utf-8", text, strlen(text), &at, "utf-8", &shown) == MAILIMF_NO_ERROR)
		item(shown);
	else
		item(text);
	free(shown);
}

static void show_mailbox(struct mailimf_mailbox *mailbox, int is_name)
{
	if (is_name)
		show_words(mailbox->mb_display_name);
	else
		item(mailbox->mb_addr_spec);
}

static void show_mailboxes(struct mailimf_mailbox_list *list, int is_name)
{
	for (clistiter *at = list ? clist_begin(list->mb_list) : NULL; at; at = clist_next(at))
		show_mailbox(clist_content(at), is_name);
}

static void show_addresses(struct mailimf_address_list *list)
{
	for (clistiter *at = list ? clist_begin(list->ad_list) : NULL; at; at = clist_next(at)) {
		struct mailimf_address *one = clist_content(at);
		if (one->ad_type == MAILIMF_ADDRESS_MAILBOX)
			show_mailbox(one->ad_data.ad_mailbox, 1);
		else
			show_mailboxes(one->ad_data.ad_group->grp_mb_list, 1);
	}
}

static void show_fields(struct mailimf_fields *fields)
{
	struct mailimf_single_fields one;
	mailimf_single_fields_init(&one, fields);
	key("subject");
	show_words(one.fld_subject ? one.fld_subject->sbj_value : NULL);
	key("comments");
	show_words(one.fld_comments ? one.fld_comments->cm_value : NULL);
	key("names");
	open_with('{');
	key("from");
	open_with('[');
	show_mailboxes(one.fld_from ? one.fld_from->frm_mb_list : NULL, 1);
	close_with(']');
	key("sender");
	open_with('[');
	if (one.fld_sender && one.fld_sender->snd_mb)
		show_mailbox(one.fld_sender->snd_mb, 1);
	close_with(']');
	key("to");
	open_with('[');
	show_addresses(one.fld_to ? one.fld_to->to_addr_list : NULL);
	close_with(']');
	key("cc");
	open_with('[');
	show_addresses(one.fld_cc ? one.fld_cc->cc_addr_list : NULL);
	close_with(']');
	key("reply-to");
	open_with('[');
	show_addresses(one.fld_reply_to ? one.fld_reply_to->rt_addr_list : NULL);
	close_with(']');
	close_with('}');
	key("addresses");
	open_with('[');
	show_mailboxes(one.fld_from ? one.fld_from->frm_mb_list : NULL, 0);
	close_with(']');
}

typedef enum { TREE, FILES, TEXTS } Wanted;

static const char *discrete(int type)
{
	static const char *names[] = { "", "text", "image", "audio", "video", "application" };
	return type <= MAILMIME_DISCRETE_TYPE_APPLICATION ? names[type] : "extension";
}

static void show_type(struct mailmime *part)
{
	struct mailmime_content *content = part->mm_content_type;
	char type[300];
	if (content == NULL)
		strcpy(type, "text/plain");
	else if (content->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE)
		snprintf(type, sizeof type, "%s/%s", discrete(content->ct_type->tp_data.tp_discrete_type->dt_type), content->ct_subtype);
	else
		snprintf(type, sizeof type, "%s/%s", part->mm_type == MAILMIME_MULTIPLE ? "multipart" : "message", content->ct_subtype);
	for (char *at = type; *at; at++)
		*at |= *at >= 'A' && *at <= 'Z' ? 0x20 : 0;
	item(type);
}

static int is_text(struct mailmime_content *content)
{
	return content == NULL || (content->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
		content->ct_type->tp_data.tp_discrete_type->dt_type == MAILMIME_DISCRETE_TYPE_TEXT);
}

static void show_text(struct mailmime *part, struct mailmime_single_fields *fields)
{
	struct mailmime_data *data = part->mm_data.mm_single;
	int encoding = fields->fld_encoding ? fields->fld_encoding->enc_type : data->dt_encoding;
	const char *charset = fields->fld_content_charset ? fields->fld_content_charset : "us-ascii";
	size_t at = 0, length;
	char *octets = NULL, *text = NULL;
	if (mailmime_part_parse(data->dt_data.dt_text.dt_data, data->dt_data.dt_text.dt_length, &at, encoding, &octets, &length) ||
	    charconv("utf-8", charset, octets, length, &text))
		text = NULL;
	item(text);
	free(text);
	if (octets)
		mailmime_decoded_part_free(octets);
}

static void walk(struct mailmime *part, Wanted wanted)
{
	struct mailmime_single_fields fields;
	int is_top = part->mm_type == MAILMIME_MESSAGE && part->mm_parent == NULL;
	memset(&fields, 0, sizeof fields);
	mailmime_single_fields_init(&fields, part->mm_mime_fields, part->mm_content_type);
	if (wanted == TREE && !is_top)
		show_type(part);
	if (wanted == FILES && !is_top && (fields.fld_disposition_filename || fields.fld_content_name))
		show_words(fields.fld_disposition_filename ? fields.fld_disposition_filename : fields.fld_content_name);
	if (part->mm_type == MAILMIME_SINGLE && wanted == TEXTS && is_text(part->mm_content_type) && part->mm_data.mm_single)
		show_text(part, &fields);
	if (part->mm_type == MAILMIME_MULTIPLE)
		for (clistiter *at = clist_begin(part->mm_data.mm_multipart.mm_mp_list); at; at = clist_next(at))
			walk(clist_content(at), wanted);
	if (part->mm_type == MAILMIME_MESSAGE && part->mm_data.mm_message.mm_msg_mime)
		walk(part->mm_data.mm_message.mm_msg_mime, wanted);
}

static void show_parts(const char *name, struct mailmime *message, Wanted wanted)
{
	key(name);
	open_with('[');
	walk(message, wanted);
	close_with(']');
}

int main(void)
{
	size_t length;
	char *octets;
	while ((octets = next_message(&length))) {
		struct mailmime *message = NULL;
		size_t at = 0;
		begin_answer();
		if (mailmime_parse(octets, length, &at, &message) == MAILIMF_NO_ERROR && message->mm_data.mm_message.mm_fields) {
			show_fields(message->mm_data.mm_message.mm_fields);
			show_parts("tree", message, TREE);
			show_parts("files", message, FILES);
			show_parts("texts", message, TEXTS);
			end_answer();
		} else {
			fail_answer("mailmime_parse");
		}
		free(octets);
	}
	return 0;
}
