/* Filters one message from standard input to standard output: cc -Ic/include c/example.c -o example -lseptet; ./example utf8 */

#include <stdio.h>
#include <stdlib.h>

#include "septet.h"

/* Reads all of a file; the octets are NULL if there is no memory, or if the file can't be read. */
static unsigned char *read_all(FILE *file, size_t *length) {
    size_t room = 1 << 16;
    unsigned char *octets = malloc(room);
    *length = 0;
    while (octets != NULL) {
        *length += fread(octets + *length, 1, room - *length, file);
        if (*length < room) break;
        unsigned char *more = realloc(octets, room *= 2);
        if (more == NULL) free(octets);
        octets = more;
    }
    if (ferror(file)) free(octets), octets = NULL;
    return octets;
}

int main(int argc, char **argv) {
    size_t length, after;
    septet_profile *profile = septet_profile_named(argc > 1 ? argv[1] : "utf8");
    if (profile == NULL) return fprintf(stderr, "no profile is named %s\n", argv[1]), 64;
    unsigned char *message = read_all(stdin, &length);
    if (message == NULL) return fprintf(stderr, "can't read the message\n"), 75;

    septet_result *result = septet_convert(profile, message, length);
    const uint8_t *octets = septet_result_octets(result, &after);
    char *report = septet_report_json(result);
    const char *error = septet_result_error(result);
    fprintf(stderr, "%s %s\n", septet_result_changed(result) ? "changed" : "not changed", error ? error : report);
    int failed = fwrite(octets, 1, after, stdout) < after || fflush(stdout) != 0;

    septet_free(report);
    septet_result_free(result);
    septet_profile_free(profile);
    free(message);
    return failed ? 75 : 0;
}
