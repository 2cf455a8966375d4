/* A milter over libmilter: cmilter SOCKET noop|replace answering|silent (the socket as libmilter writes it).
 *
 * noop takes every message as it is; replace gives it another subject and its own body again, the least that a milter
 * that changes mail must send. An answering one answers every event, as libmilter has it by default; a silent one
 * answers nothing that needs no answer, as a milter that is to be fast does.
 *
 * cc cmilter.c -lmilter -lpthread
 */

#include <libmilter/mfapi.h>
#include <stdlib.h>
#include <string.h>

struct message {
	unsigned char *body;
	size_t length, room;
};

static int replaces, silent;

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
	return smfi_setpriv(context, calloc(1, sizeof(struct message))) == MI_SUCCESS ? go_on() : SMFIS_TEMPFAIL;
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
	message->length = 0;
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

static sfsistat on_header(SMFICTX *context, char *name, char *value)
{
	(void) context, (void) name, (void) value;
	return go_on();
}

static sfsistat on_body(SMFICTX *context, unsigned char *piece, size_t length)
{
	struct message *message = smfi_getpriv(context);
	if (!replaces)
		return go_on();
	if (message->length + length > message->room) {
		size_t room = 2 * (message->length + length);
		unsigned char *body = realloc(message->body, room);
		if (body == NULL)
			return SMFIS_TEMPFAIL;
		message->body = body;
		message->room = room;
	}
	memcpy(message->body + message->length, piece, length);
	message->length += length;
	return go_on();
}

static sfsistat on_end(SMFICTX *context)
{
	struct message *message = smfi_getpriv(context);
	if (replaces) {
		smfi_chgheader(context, "Subject", 1, "changed");
		smfi_replacebody(context, message->body, message->length);
	}
	return SMFIS_CONTINUE;
}

static sfsistat on_close(SMFICTX *context)
{
	struct message *message = smfi_getpriv(context);
	if (message != NULL) {
		free(message->body);
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
	silent = strcmp(words[3], "silent") == 0;
	struct smfiDesc milter = {
		.xxfi_name = "cmilter", .xxfi_version = SMFI_VERSION, .xxfi_flags = SMFIF_CHGHDRS | SMFIF_CHGBODY,
		.xxfi_connect = on_connect, .xxfi_helo = on_helo, .xxfi_envfrom = on_mail, .xxfi_envrcpt = on_recipient,
		.xxfi_data = on_data, .xxfi_header = on_header, .xxfi_eoh = on_data, .xxfi_body = on_body,
		.xxfi_eom = on_end, .xxfi_close = on_close, .xxfi_negotiate = negotiate,
	};
	smfi_setconn(words[1]);
	smfi_setbacklog(256);
	return smfi_register(milter) == MI_SUCCESS && smfi_main() == MI_SUCCESS ? 0 : 1;
}
