/* What the drivers in C and C++ share: a message at a time from standard input, and an answer as a line of JSON. Texts go
 * out as they are; whoever reads the line replaces what is not UTF-8. */

#include <stdio.h>
#include <stdlib.h>

static const char *comma = "";

/* Gives the next message, which ends with a NUL that does not count; NULL behind the last one. */
static char *next_message(size_t *length)
{
	if (scanf("%zu%*1[\n]", length) != 1)
		return NULL;
	char *octets = (char *) malloc(*length + 1);
	if (fread(octets, 1, *length, stdin) != *length)
		exit(1);
	octets[*length] = 0;
	return octets;
}

static void item(const char *text)
{
	fputs(comma, stdout);
	comma = ",";
	if (text == NULL) {
		fputs("null", stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if ((unsigned char) *text < ' ' || *text == '"' || *text == '\\')
			printf("\\u%04x", (unsigned char) *text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void key(const char *name)
{
	printf("%s\"%s\":", comma, name);
	comma = "";
}

/* Opens a list or an object, and closes it. */
static void open_with(char sign)
{
	putchar(sign);
	comma = "";
}

static void close_with(char sign)
{
	putchar(sign);
	comma = ",";
}

static void end_answer(void)
{
	close_with('}');
	putchar('\n');
	fflush(stdout);
	comma = "";
}
