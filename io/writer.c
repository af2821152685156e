/* Helpers shared by the writers: axes, paths, names and sequences of files. */
#include "weft-io/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/writer_parts.h"

const char *const WEFT_UP_CHOICES[] = {"y", "z", NULL};

weft_vec3 weft_writer_direction(const weft_writer_options *options, weft_vec3 d) {
    return options->up == 1 ? (weft_vec3){d.x, -d.z, d.y} : d;
}

weft_vec3 weft_writer_point(const weft_writer_options *options, weft_vec3 p) {
    weft_vec3 q = weft_writer_direction(options, p);
    return (weft_vec3){options->scale * q.x, options->scale * q.y, options->scale * q.z};
}

weft_result weft_writer_path(const char *directory, const char *name, int64_t frame, const char *ending,
                             char path[WEFT_PATH_SIZE]) {
    char number[24] = "";
    if (frame >= 0)
        snprintf(number, sizeof number, "_%04lld", (long long)frame);
    int length = snprintf(path, WEFT_PATH_SIZE, "%s/%s%s.%s", directory, name, number, ending);
    if (length < 0 || length >= WEFT_PATH_SIZE)
        return weft_fail(WEFT_BAD_FILE, "%.400s: the path is longer than %d characters", directory, WEFT_PATH_SIZE - 1);
    return weft_ok();
}

static weft_result check_name(const char *what, const char *name) {
    int bad = name[0] == '\0' || name[0] == '.' || strlen(name) > 200;
    for (const char *c = name; *c; c++)
        bad |= *c == '/' || (unsigned char)*c < 0x20 || *c == 0x7f;
    if (bad)
        return weft_fail(WEFT_BAD_INPUT,
                         "the %s '%.200s' cannot be the name of a file: 1 to 200 characters without '/', not "
                         "beginning with '.'",
                         what, name);
    return weft_ok();
}

weft_result weft_writer_check_names(const weft_take *take, const weft_frame *frame) {
    WEFT_TRY(check_name("scene", take->name));
    for (int32_t i = 0; i < frame->cloth_count; i++) {
        WEFT_TRY(check_name("cloth", frame->cloth[i].name));
        for (int32_t j = 0; j < i; j++)
            if (strcmp(frame->cloth[i].name, frame->cloth[j].name) == 0)
                return weft_fail(WEFT_BAD_INPUT, "two cloths have the name '%.200s'; they would write the same file",
                                 frame->cloth[i].name);
    }
    return weft_ok();
}

weft_result weft_writer_check_steady(const weft_frame *frame, const char *ending) {
    for (int32_t i = 0; i < frame->cloth_count; i++)
        if (frame->cloth[i].generation)
            return weft_fail(
                WEFT_UNSUPPORTED,
                "%s: the mesh of cloth '%.64s' changes from frame to frame, which such a file cannot hold; "
                "write obj or ply, or give the cloth a proxy",
                ending, frame->cloth[i].name);
    return weft_ok();
}

/* -- sequences of files -- */

static weft_result make_place(weft_sequence *sequence, const weft_take *take, const char *ending) {
    snprintf(sequence->name, sizeof sequence->name, "%s", take->name);
    int length = snprintf(sequence->directory, sizeof sequence->directory, "%s/%s", take->directory, ending);
    if (length < 0 || (size_t)length >= sizeof sequence->directory)
        return weft_fail(WEFT_BAD_FILE, "%.400s: the path is too long", take->directory);
    return weft_directory_make(sequence->directory);
}

weft_result weft_sequence_open(const void *settings, size_t size, const weft_take *take, const weft_frame *first,
                               const char *ending, void **self) {
    *self = NULL;
    WEFT_TRY(weft_writer_check_names(take, first));
    weft_sequence *made = calloc(1, sizeof *made + size);
    if (!made)
        return weft_fail_memory("a writer", sizeof *made + size);
    made->settings = memcpy(made + 1, settings, size);
    weft_result result = make_place(made, take, ending);
    if (result.code == WEFT_OK)
        *self = made;
    else
        free(made);
    return result;
}

weft_result weft_sequence_check(const void *settings, const weft_take *take, const weft_frame *first) {
    (void)settings;
    return weft_writer_check_names(take, first);
}

weft_result weft_sequence_sync(void *self) {
    (void)self;
    return weft_ok();
}

weft_result weft_sequence_close(void *self, int finished) {
    (void)finished;
    free(self);
    return weft_ok();
}
