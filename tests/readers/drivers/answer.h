/* What the drivers in C and C++ share: a message at a time from standard input, and an answer as a line of JSON. Texts go
 * out as they are; whoever reads the line replaces what is not UTF-8. */

#include <stdio.h>
#include <stdlib.h>

static FILE *answer;
static char *line;
static size_t size;
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

/* An answer is written as a whole, or not at all. */
static void begin_answer(void)
{
	answer = open_memstream(&line, &size);
	putc('{', answer);
	comma = "";
}

static void put_line(void)
{
	fclose(answer);
	fwrite(line, 1, size, stdout);
	fflush(stdout);
	free(line);
}

static void end_answer(void)
{
	fputs("}\n", answer);
	put_line();
}

static void item(const char *text)
{
	fputs(comma, answer);
	comma = ",";
	if (text == NULL) {
		fputs("null", answer);
		return;
	}
	putc('"', answer);
	for (; *text; text++) {
		if ((unsigned char) *text < ' ' || *text == '"' || *text == '\\')
			fprintf(answer, "\\u%04x", (unsigned char) *text);
		else
			putc(*text, answer);
	}
	putc('"', answer);
}

static void key(const char *name)
{
	fprintf(answer, "%s\"%s\":", comma, name);
	comma = "";
}

/* Opens a list or an object, and closes it. */
static void open_with(char sign)
{
	putc(sign, answer);
	comma = "";
}

static void close_with(char sign)
{
	putc(sign, answer);
	comma = ",";
}

/* What is said where the reader fails. */
static inline void fail_answer(const char *why)
{
	fclose(answer);
	free(line);
	begin_answer();
	key("error");
	item(why);
	end_answer();
}
