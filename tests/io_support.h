/* Helpers shared by the tests of io/: a temporary folder, and checks on results. */
#ifndef WEFT_TESTS_IO_SUPPORT_H
#define WEFT_TESTS_IO_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/file.h"

#define assert_ok(expression)                                                                                          \
    do {                                                                                                               \
        weft_result checked = (expression);                                                                            \
        if (checked.code != WEFT_OK)                                                                                   \
            fail_msg("%s: %s", #expression, checked.message);                                                          \
    } while (0)

/* The expression must fail with exactly this code and a one-line message that contains `excerpt`. */
#define assert_refused(expression, wanted, excerpt)                                                                    \
    do {                                                                                                               \
        weft_result checked = (expression);                                                                            \
        assert_int_equal(checked.code, wanted);                                                                        \
        if (!strstr(checked.message, excerpt) || strchr(checked.message, '\n'))                                        \
            fail_msg("message '%s' does not contain '%s'", checked.message, excerpt);                                  \
    } while (0)

/* Returns "FOLDER/name". The folder is made once per program, below the working directory. The path stays valid for the
 * next 7 calls. */
static inline const char *in_folder(const char *name) {
    static char folder[32], path[8][512];
    static int next;
    if (!folder[0]) {
        strcpy(folder, "io_test_XXXXXX");
        assert_non_null(mkdtemp(folder));
    }
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s%s%s", folder, name[0] ? "/" : "", name);
    return path[next];
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", in_folder(""));
    return system(command);
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t size) {
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *write_text(const char *name, const char *text) {
    return write_bytes(name, text, strlen(text));
}

static inline char *read_text(const char *path, size_t *size) {
    char *bytes = NULL;
    size_t unused;
    assert_ok(weft_file_read(path, &bytes, size ? size : &unused));
    return bytes;
}

static inline int exists(const char *path) { return access(path, F_OK) == 0; }

#endif
