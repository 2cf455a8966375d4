/*
 * Tests the library by what septet.h promises: c/check builds it, and runs it on files of mail, plainly, under ASan and under
 * valgrind.
 *
 *     test TIMES FILE...      TIMES hostile messages are made of the files
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "septet.h"

#define THREADS 4
/* As small as threads of a C program may have it. */
#define STACK (256 << 10)

typedef struct {
    uint8_t *octets;
    size_t length;
} message;

static message *files;
static size_t file_count;
static long times;

static void expect(int holds, const char *what, int line) {
    if (holds) return;
    fprintf(stderr, "c/test.c:%d: %s\n", line, what);
    exit(1);
}
#define EXPECT(what) expect((what) != 0, #what, __LINE__)

static const char latin[] =
    "Subject: =?iso-8859-1?Q?Stra=DFe?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n"
    "Content-Transfer-Encoding: 8bit\n\ncaf\xe9\n";
static const char utf8[] =
    "Subject: =?utf-8?Q?Stra=C3=9Fe?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    "Content-Transfer-Encoding: 8bit\n\ncaf\xc3\xa9\n";

static septet_result *convert(const septet_profile *profile, const char *text) {
    return septet_convert(profile, (const uint8_t *)text, strlen(text));
}

static int holds(const septet_result *result, const char *text) {
    size_t length = 1;
    const uint8_t *octets = septet_result_octets(result, &length);
    return octets != NULL && length == strlen(text) && memcmp(octets, text, length) == 0;
}

static void converts(void) {
    septet_profile *profile = septet_profile_named("utf8");
    septet_result *result = convert(profile, latin);
    EXPECT(holds(result, utf8));
    EXPECT(septet_result_changed(result) && !septet_result_left(result) && septet_result_error(result) == NULL);
    char *report = septet_report_json(result);
    EXPECT(strstr(report, "{\"part\":\"1\",\"place\":\"field\",\"field\":\"Subject\",\"changes\":[\"word=iso-8859-1>utf-8\"],") != NULL);
    septet_free(report);
    septet_result_free(result);

    result = convert(profile, "Content-Type: text/plain; charset=x-klingon\n\nQapl\xe1\n");
    EXPECT(!septet_result_changed(result) && septet_result_left(result) && septet_result_error(result) == NULL);
    septet_result_free(result);

    result = septet_convert(profile, NULL, 0);
    EXPECT(holds(result, "") && septet_result_error(result) == NULL && !septet_result_changed(result));
    report = septet_report_json(result);
    EXPECT(strcmp(report, "[]") == 0);
    septet_free(report);
    septet_result_free(result);
    septet_profile_free(profile);
}

static septet_profile *settings(const char *toml, const char *name, char **error) {
    return septet_profile_from_toml(toml, strlen(toml), name, error);
}

static void makes_profiles(void) {
    const char *toml = "default_profile = \"own\"\n[profile.own]\nbase = \"utf8\"\nheaders = \"keep\"\n";
    char *error = (char *)toml;
    EXPECT(septet_profile_named("utf9") == NULL && septet_profile_named("\xff") == NULL);

    septet_profile *own = settings(toml, "own", &error), *usual = settings(toml, NULL, NULL);
    EXPECT(own != NULL && usual != NULL && error == NULL);
    septet_result *one = convert(own, latin), *other = convert(usual, latin);
    EXPECT(!holds(one, utf8) && septet_result_changed(one));
    EXPECT(strncmp((const char *)septet_result_octets(other, NULL), latin, 35) == 0);
    septet_result_free(one), septet_result_free(other);
    septet_profile_free(own), septet_profile_free(usual);

    EXPECT(settings(toml, "utf9", &error) == NULL && strstr(error, "no profile is named \"utf9\"; did you mean ") == error);
    septet_free(error);
    EXPECT(settings("[profile.own]\nirris = 1\n\n[limits]\nparts = \"many\"\n", NULL, &error) == NULL);
    EXPECT(strstr(error, "profile.own.irris") != NULL && strstr(error, "limits.parts") != NULL);
    septet_free(error);
    EXPECT(settings("\xff", NULL, &error) == NULL && strstr(error, "UTF-8") != NULL);
    septet_free(error);
    EXPECT(settings("", "\xff", &error) == NULL && strstr(error, "UTF-8") != NULL);
    septet_free(error);
    EXPECT(settings("x = 1\n", NULL, NULL) == NULL);
    EXPECT(septet_profile_from_toml(NULL, 5, NULL, &error) == NULL && strstr(error, "NULL") != NULL);
    septet_free(error);
    septet_profile *empty = septet_profile_from_toml(NULL, 0, NULL, &error);
    EXPECT(empty != NULL && error == NULL);
    septet_profile_free(empty);
}

static char *read_header(const char *value) { return septet_decode_header((const uint8_t *)value, strlen(value)); }

static char *read_text(const char *text, const char *label, char **error) {
    return septet_decode_text((const uint8_t *)text, strlen(text), label, error);
}

static void reads_fields_and_texts(void) {
    char *error = (char *)latin;
    char *subject = read_header("=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= au\r\n lait");
    EXPECT(strcmp(subject, "caf\xc3\xa9 au lait") == 0);
    septet_free(subject);
    EXPECT(septet_decode_header(NULL, 5) == NULL);
    subject = septet_decode_header(NULL, 0);
    EXPECT(strcmp(subject, "") == 0);
    septet_free(subject);

    char *text = read_text("5 +IKw-", "unicode-1-1-utf-7", &error);
    EXPECT(error == NULL && strcmp(text, "5 \xe2\x82\xac") == 0);
    septet_free(text);
    text = read_text("It\x92s", "us-ascii", NULL);
    EXPECT(strcmp(text, "It\xe2\x80\x99s") == 0);
    septet_free(text);
    EXPECT(read_text("\xe8", NULL, &error) == NULL && strstr(error, "no label") != NULL);
    septet_free(error);
    EXPECT(read_text("x", "\xff", &error) == NULL && strstr(error, "UTF-8") != NULL);
    septet_free(error);
    EXPECT(septet_decode_text(NULL, 5, NULL, &error) == NULL && strstr(error, "NULL") != NULL);
    septet_free(error);
}

static void survives_null(void) {
    size_t length = 1;
    EXPECT(septet_profile_named(NULL) == NULL);
    septet_result *result = convert(NULL, latin);
    EXPECT(holds(result, latin) && !septet_result_changed(result));
    EXPECT(strcmp(septet_result_error(result), "the profile is NULL") == 0);
    septet_result_free(result);

    septet_profile *keep = septet_profile_named("keep");
    result = septet_convert(keep, NULL, 5);
    EXPECT(holds(result, "") && strcmp(septet_result_error(result), "the message is NULL") == 0);
    septet_result_free(result);
    result = septet_convert(keep, (const uint8_t *)latin, (size_t)-1);
    EXPECT(holds(result, "") && septet_result_error(result) != NULL);
    septet_result_free(result);
    septet_profile_free(keep);

    EXPECT(septet_result_octets(NULL, &length) == NULL && length == 0 && septet_result_octets(NULL, NULL) == NULL);
    EXPECT(!septet_result_changed(NULL) && !septet_result_left(NULL));
    EXPECT(septet_result_error(NULL) == NULL && septet_report_json(NULL) == NULL);
    septet_free(NULL), septet_result_free(NULL), septet_profile_free(NULL);
}

/* xorshift64: the same messages every time. */
static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What breaks mail, where it stands where nobody wants it. */
static const char *const hostile[] = {
    "\r", "\n", "\r\n\r\n", "\n\n", "\t", "--", "=", "=?utf-8?Q?", "?=", "=?iso-2022-jp?B?GyRC?=", "\x1b$B", "+AN8-", "+", "\"", "(",
    "\\", "\xff", "\xe9", "\xc3\xa9", "\xef\xbb\xbf", "<a href=\"http://\xc3\xa9.example/\">", "boundary=", "Content-Type: multipart/mixed; boundary=x\n\n--x\n",
    "Content-Transfer-Encoding: base64\n", "Content-Type: text/html; charset=utf-16\n", "From x\n", "&#233;", "\\u00e9",
};

/* Makes a message of a file: some octets change, go, or come, and it may end early. */
static message mutate(uint64_t *state) {
    const message *file = &files[next(state) % file_count];
    message made = {malloc(file->length + 64 * 64 + 1), file->length};
    memcpy(made.octets, file->octets, file->length);
    for (uint64_t changes = next(state) % 64; changes > 0; changes--) {
        size_t at = made.length ? next(state) % made.length : 0, rest = made.length - at;
        const char *with = hostile[next(state) % (sizeof hostile / sizeof *hostile)];
        size_t length = strlen(with), gone = next(state) % 9;
        switch (next(state) % 3) {
        case 0:
            if (made.length) made.octets[at] = (uint8_t)next(state);
            break;
        case 1:
            memmove(made.octets + at + length, made.octets + at, rest);
            memcpy(made.octets + at, with, length);
            made.length += length;
            break;
        default:
            if (gone > rest) gone = rest;
            memmove(made.octets + at, made.octets + at + gone, rest - gone);
            made.length -= gone;
        }
    }
    if (next(state) % 16 == 0 && made.length) made.length = next(state) % made.length;
    /* So that a checker of memory sees who reads beyond the end. */
    uint8_t *fitted = realloc(made.octets, made.length ? made.length : 1);
    if (fitted != NULL) made.octets = fitted;
    return made;
}

/* Converts hostile messages, and each result again, which must change nothing that is whole. */
static long attack(const septet_profile *profile, uint64_t seed, long count) {
    long changed = 0;
    for (uint64_t state = seed * 2654435761 + 1; count > 0; count--) {
        message made = mutate(&state);
        septet_result *result = septet_convert(profile, made.octets, made.length);
        size_t length = 0;
        const uint8_t *octets = septet_result_octets(result, &length);
        EXPECT(octets != NULL && septet_result_error(result) == NULL);
        int is_same = length == made.length && memcmp(octets, made.octets, length) == 0;
        EXPECT(septet_result_changed(result) || is_same);
        free(made.octets);
        char *report = septet_report_json(result);
        EXPECT(report[0] == '[' && report[strlen(report) - 1] == ']');
        septet_free(report);
        septet_result *again = septet_convert(profile, octets, length);
        size_t length_again = 0;
        const uint8_t *octets_again = septet_result_octets(again, &length_again);
        EXPECT(length_again == length && memcmp(octets, octets_again, length) == 0);
        septet_result_free(again);
        changed += septet_result_changed(result);
        septet_result_free(result);
    }
    return changed;
}

static const septet_profile *shared;
static long changed_by[THREADS];

static void *one_thread(void *number) {
    size_t thread = (size_t)number;
    changed_by[thread] = attack(shared, thread, times / THREADS);
    return NULL;
}

/* Many threads use one profile, and find what one thread finds. */
static void survives_attacks_in_threads(void) {
    septet_profile *profile = septet_profile_named("utf8");
    pthread_t threads[THREADS];
    pthread_attr_t small;
    long changed = 0;
    shared = profile;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (size_t i = 0; i < THREADS; i++) EXPECT(pthread_create(&threads[i], &small, one_thread, (void *)i) == 0);
    for (size_t i = 0; i < THREADS; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
    for (size_t i = 0; i < THREADS; i++) changed += changed_by[i];
    EXPECT(attack(profile, 1, times / THREADS) == changed_by[1]);
    pthread_attr_destroy(&small);
    septet_profile_free(profile);
    printf("%ld hostile messages, %ld changed\n", times / THREADS * THREADS, changed);
}

static void read_files(int count, char **names) {
    files = calloc((size_t)count, sizeof *files);
    for (; file_count < (size_t)count; file_count++) {
        FILE *file = fopen(names[file_count], "rb");
        EXPECT(file != NULL);
        uint8_t *octets = malloc(1 << 20);
        files[file_count] = (message){octets, fread(octets, 1, 1 << 20, file)};
        fclose(file);
    }
}

int main(int argc, char **argv) {
    EXPECT(argc > 2);
    times = atol(argv[1]);
    read_files(argc - 2, argv + 2);
    converts();
    makes_profiles();
    reads_fields_and_texts();
    survives_null();
    survives_attacks_in_threads();
    for (size_t i = 0; i < file_count; i++) free(files[i].octets);
    free(files);
    return 0;
}
