/* Plays the MTA before a milter: sends one message over and over, on many connections, and says how many a second.
 *
 * milterload -s SOCKET -m MESSAGE [-c CONNECTIONS] [-p MESSAGES A CONNECTION] [-r RECIPIENTS] -t SECONDS | -n MESSAGES
 *
 * SOCKET is a path. The packets are those of Postfix: macros before every event, a body in pieces of 65,535 octets, an
 * abort after every message; what needs no answer goes out with what follows it. A line of JSON comes out. It reads
 * what a milter writes into a buffer of fixed size, and waits ten seconds at most.
 *
 * cc -O2 milterload.c -lpthread
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PIECE 65535
#define MACROS "i\0004ABCDEF0123"

struct buffer {
	unsigned char *at;
	size_t length, room;
};

struct connection {
	int socket;
	unsigned steps; /* what the milter wants to hear, and to answer */
	struct buffer out;
	unsigned char in[65536];
	size_t start, end;
	long replies; /* octets */
};

static const char *path;
static unsigned char *header, *body;
static size_t header_length, body_length;
static long connections = 8, per_connection = 50, recipients = 1, wanted = -1;
static double seconds = 0;
static atomic_long taken, done, errors, reply_octets;
static atomic_int stopped;

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *text)
{
	fprintf(stderr, "milterload: %s\n", text);
	exit(1);
}

static void append(struct buffer *buffer, const void *octets, size_t length)
{
	if (buffer->length + length > buffer->room) {
		buffer->room = 2 * (buffer->length + length);
		buffer->at = realloc(buffer->at, buffer->room);
		if (buffer->at == NULL)
			fail("no memory");
	}
	memcpy(buffer->at + buffer->length, octets, length);
	buffer->length += length;
}

static void packet(struct buffer *out, char command, const void *octets, size_t length)
{
	size_t all = length + 1;
	unsigned char head[5] = { all >> 24, all >> 16, all >> 8, all, command };
	append(out, head, 5);
	append(out, octets, length);
}

static int flush(struct connection *c)
{
	size_t sent = 0;
	while (sent < c->out.length) {
		ssize_t count = send(c->socket, c->out.at + sent, c->out.length - sent, MSG_NOSIGNAL);
		if (count <= 0)
			return -1;
		sent += count;
	}
	c->out.length = 0;
	return 0;
}

/* Takes so many octets of what the milter wrote; the last ones are kept, up to `room` of them. */
static int take(struct connection *c, unsigned char *into, size_t room, size_t length)
{
	for (size_t at = 0; at < length;) {
		if (c->start == c->end) {
			ssize_t count = recv(c->socket, c->in, sizeof c->in, 0);
			if (count <= 0)
				return -1;
			c->start = 0;
			c->end = count;
		}
		size_t some = c->end - c->start < length - at ? c->end - c->start : length - at;
		for (size_t i = 0; i < some && at + i < room; i++)
			into[at + i] = c->in[c->start + i];
		c->start += some;
		at += some;
	}
	return 0;
}

/* Reads one answer; its command, or -1. */
static int answer(struct connection *c, unsigned char *into, size_t room)
{
	unsigned char head[5];
	if (take(c, head, 5, 5) != 0)
		return -1;
	size_t length = (size_t) head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
	if (length < 1 || length > (1 << 24) || take(c, into, room, length - 1) != 0)
		return -1;
	c->replies += 4 + length;
	return head[4];
}

/* The bits of the protocol by which a milter does not want an event, and does not answer it. */
static const struct { char command; unsigned unwanted, unanswered; } STEPS[] = {
	{ 'C', 1u << 0, 1u << 12 }, { 'H', 1u << 1, 1u << 13 }, { 'M', 1u << 2, 1u << 14 }, { 'R', 1u << 3, 1u << 15 },
	{ 'B', 1u << 4, 1u << 19 }, { 'L', 1u << 5, 1u << 7 },  { 'N', 1u << 6, 1u << 18 }, { 'T', 1u << 9, 1u << 16 },
};

/* Sends an event, if the milter wants it, and hears the answer, if there is one; it must be "go on". */
static int event(struct connection *c, char command, const void *octets, size_t length)
{
	unsigned char macros[sizeof MACROS + 1] = { command };
	for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
		if (STEPS[i].command != command)
			continue;
		if (c->steps & STEPS[i].unwanted)
			return 0;
		memcpy(macros + 1, MACROS, sizeof MACROS);
		packet(&c->out, 'D', macros, sizeof macros);
		packet(&c->out, command, octets, length);
		if (c->steps & STEPS[i].unanswered)
			return 0;
		return flush(c) == 0 && answer(c, NULL, 0) == 'c' ? 0 : -1;
	}
	return -1;
}

static int negotiate(struct connection *c)
{
	static const unsigned char OFFER[] = { 0, 0, 0, 6, 0, 0, 1, 0xff, 0, 0x1f, 0xff, 0xff };
	unsigned char reply[12];
	packet(&c->out, 'O', OFFER, sizeof OFFER);
	if (flush(c) != 0 || answer(c, reply, sizeof reply) != 'O')
		return -1;
	c->steps = (unsigned) reply[8] << 24 | reply[9] << 16 | reply[10] << 8 | reply[11];
	static const char CLIENT[] = "client.example\0004\x30\x39" "192.0.2.1";
	return event(c, 'C', CLIENT, sizeof CLIENT) || event(c, 'H', "client.example", 15);
}

/* The header stands in memory as the milter is to have it: name, NUL, value, NUL. */
static int send_header(struct connection *c)
{
	for (size_t at = 0; at < header_length;) {
		size_t length = strlen((char *) header + at) + 1;
		length += strlen((char *) header + at + length) + 1;
		if (event(c, 'L', header + at, length) != 0)
			return -1;
		at += length;
	}
	return event(c, 'N', "", 0);
}

/* Waits for the answer to the end of the message; changes come before it. */
static int verdict(struct connection *c)
{
	packet(&c->out, 'D', "E" MACROS, sizeof MACROS + 1);
	packet(&c->out, 'E', "", 0);
	if (flush(c) != 0)
		return -1;
	for (;;) {
		int command = answer(c, NULL, 0);
		if (command == 'c' || command == 'a')
			return 0;
		if (command < 0 || strchr("rtdy4", command))
			return -1;
	}
}

static int message(struct connection *c)
{
	if (event(c, 'M', "<a@example.org>", 16) != 0)
		return -1;
	for (long i = 0; i < recipients; i++) {
		char address[64];
		int length = snprintf(address, sizeof address, "<b%ld@example.net>", i);
		if (event(c, 'R', address, length + 1) != 0)
			return -1;
	}
	if (event(c, 'T', "", 0) != 0 || send_header(c) != 0)
		return -1;
	for (size_t at = 0; at < body_length; at += PIECE)
		if (event(c, 'B', body + at, body_length - at < PIECE ? body_length - at : PIECE) != 0)
			return -1;
	if (verdict(c) != 0)
		return -1;
	packet(&c->out, 'A', "", 0);
	return 0;
}

static int may_send(void)
{
	return !atomic_load(&stopped) && (wanted < 0 || atomic_fetch_add(&taken, 1) < wanted);
}

static int dial(struct connection *c)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = 10 };
	if (strlen(path) >= sizeof address.sun_path)
		fail("the socket's path is too long");
	strcpy(address.sun_path, path);
	c->socket = socket(AF_UNIX, SOCK_STREAM, 0);
	setsockopt(c->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(c->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	return c->socket < 0 ? -1 : connect(c->socket, (struct sockaddr *) &address, sizeof address);
}

/* One connection with its messages; nothing but its errors makes it -1. */
static int converse(struct connection *c, int *more)
{
	if (dial(c) != 0 || negotiate(c) != 0)
		return -1;
	for (long i = 0; i < per_connection && (*more = may_send()); i++) {
		if (message(c) != 0)
			return -1;
		atomic_fetch_add(&done, 1);
	}
	packet(&c->out, 'Q', "", 0);
	return flush(c);
}

static void *worker(void *unused)
{
	struct connection *c = calloc(1, sizeof *c);
	int more = c != NULL;
	while (more) {
		c->start = c->end = c->out.length = 0;
		if (converse(c, &more) != 0 && atomic_fetch_add(&errors, 1) > 20)
			more = 0;
		if (c->socket >= 0)
			close(c->socket);
	}
	atomic_fetch_add(&reply_octets, c ? c->replies : 0);
	return unused;
}

/* Cuts a message into the header as a milter gets it and the body with CR LF. */
static void cut(char *text, size_t length)
{
	struct buffer fields = { 0 }, lines = { 0 };
	size_t at = 0;
	while (at < length && text[at] != '\n') {
		size_t colon = at, end = at;
		while (colon < length && text[colon] != ':')
			colon++;
		do
			end = (char *) memchr(text + end, '\n', length - end) - text + 1;
		while (end < length && (text[end] == ' ' || text[end] == '\t'));
		append(&fields, text + at, colon - at);
		append(&fields, "", 1);
		append(&fields, text + colon + 2, end - colon - 3);
		append(&fields, "", 1);
		at = end;
	}
	for (at++; at < length; at++)
		append(&lines, text[at] == '\n' ? "\r\n" : text + at, text[at] == '\n' ? 2 : 1);
	header = fields.at;
	header_length = fields.length;
	body = lines.at;
	body_length = lines.length;
}

static void read_message(const char *name)
{
	FILE *file = fopen(name, "rb");
	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		fail("can't read the message");
	long length = ftell(file);
	char *text = malloc(length + 1);
	rewind(file);
	if (text == NULL || fread(text, 1, length, file) != (size_t) length || length == 0 || text[length - 1] != '\n')
		fail("the message must end with a line");
	cut(text, length);
	fclose(file);
	free(text);
}

static void report(double took)
{
	long count = done;
	printf("{\"messages\": %ld, \"seconds\": %.6f, \"rate\": %.3f, \"reply_octets\": %.0f, \"errors\": %ld}\n", count,
	       took, count / took, count ? (double) reply_octets / count : 0, (long) errors);
}

static void options(int count, char **words)
{
	for (int option; (option = getopt(count, words, "s:m:c:p:r:t:n:")) != -1;) {
		switch (option) {
		case 's': path = optarg; break;
		case 'm': read_message(optarg); break;
		case 'c': connections = atol(optarg); break;
		case 'p': per_connection = atol(optarg); break;
		case 'r': recipients = atol(optarg); break;
		case 't': seconds = atof(optarg); break;
		case 'n': wanted = atol(optarg); break;
		default: exit(64);
		}
	}
	if (path == NULL || header == NULL || connections < 1 || (seconds <= 0 && wanted < 0))
		fail("usage: -s SOCKET -m MESSAGE [-c N] [-p N] [-r N] -t SECONDS | -n MESSAGES");
}

int main(int count, char **words)
{
	options(count, words);
	pthread_t *threads = calloc(connections, sizeof *threads);
	if (threads == NULL)
		fail("no memory");
	double begun = now();
	for (long i = 0; i < connections; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
			fail("can't start a thread");
	if (wanted < 0) {
		usleep(seconds * 1e6);
		atomic_store(&stopped, 1);
	}
	for (long i = 0; i < connections; i++)
		pthread_join(threads[i], NULL);
	report(now() - begun);
	return errors > 20 || done == 0 ? 1 : 0;
}
