/* Converts every message of a folder: bench PROFILE TIMES FOLDER. With -m before that it says how much memory it has meanwhile. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "septet.h"

static struct {
    uint8_t *octets;
    size_t length;
} messages[100000];

static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) exit(74);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    int says_memory = argc > 1 && strcmp(argv[1], "-m") == 0;
    argv += says_memory;
    if (argc - says_memory != 4 || chdir(argv[3]) != 0) return 64;
    size_t count = 0, octets = 0, done = 0, changed = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && count < 100000;) {
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(entry->d_name, "rb");
        if (file == NULL) continue;
        uint8_t *room = malloc(1 << 20);
        messages[count].length = fread(room, 1, 1 << 20, file);
        messages[count].octets = realloc(room, messages[count].length + 1);
        count++;
        fclose(file);
    }
    closedir(folder);
    septet_profile *profile = septet_profile_named(argv[1]);
    /* One message after another, each so many times: as benches/plan.rs does it. */
    long times = atol(argv[2]);
    for (size_t i = 0; i < count * (size_t)times; i++) {
        size_t length, at = i / (size_t)times;
        septet_result *result = septet_convert(profile, messages[at].octets, messages[at].length);
        septet_result_octets(result, &length);
        octets += length;
        changed += septet_result_changed(result);
        /* What a batch gives with each message. */
        if (says_memory) septet_free(septet_report_json(result));
        septet_result_free(result);
        if (++done % 10000 == 0 && says_memory) printf("%zu messages, %ld KiB\n", done, resident());
    }
    septet_profile_free(profile);
    printf("%zu octets, %zu of %zu changed\n", octets, changed, done);
    return 0;
}
