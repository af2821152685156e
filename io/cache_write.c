/* Writers for PC2 and MDD point caches: one file of vertex positions per cloth, played back on a base mesh (OBJ).
 *
 * PC2 (3ds Max, Maya, Blender), little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float first frame,
 * float frames per sample, int32 samples; then float32 x y z.
 * MDD (LightWave, Blender), big-endian: int32 frames, int32 points, float32 times in s; then float32 x y z. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/bytes.h"
#include "io/file.h"
#include "io/writer_parts.h"

typedef struct format {
    const char *ending;
    int big_endian;
    size_t count_at; /* where the header has the number of frames, if that may change; else 0 */
    size_t (*header_size)(const weft_take *take);
    void (*put_header)(const weft_take *take, int32_t points, unsigned char *at);
} format;

typedef struct track {
    weft_output output;
    int32_t points;
} track;

typedef struct cache {
    const format *format;
    weft_writer_options options;
    int64_t frame_count, next; /* next: the index of the expected frame */
    size_t header_size;
    int32_t track_count;
    track *track;
} cache;

/* -- headers -- */

static size_t pc2_header_size(const weft_take *take) {
    (void)take;
    return 32;
}

static void pc2_put_header(const weft_take *take, int32_t points, unsigned char *at) {
    memcpy(at, "POINTCACHE2", 12);
    weft_bytes_put(at + 12, 1, 4, 0);
    weft_bytes_put(at + 16, (uint64_t)points, 4, 0);
    weft_bytes_put_float(at + 20, 0.0, 0);
    weft_bytes_put_float(at + 24, 1.0, 0);
    weft_bytes_put(at + 28, (uint64_t)take->frame_count, 4, 0);
}

static size_t mdd_header_size(const weft_take *take) { return 8 + 4 * (size_t)take->frame_count; }

static void mdd_put_header(const weft_take *take, int32_t points, unsigned char *at) {
    weft_bytes_put(at, (uint64_t)take->frame_count, 4, 1);
    weft_bytes_put(at + 4, (uint64_t)points, 4, 1);
    for (int64_t i = 0; i < take->frame_count; i++)
        weft_bytes_put_float(at + 8 + 4 * i, (double)i / take->rate, 1);
}

static const format PC2 = {"pc2", 0, 28, pc2_header_size, pc2_put_header};
static const format MDD = {"mdd", 1, 0, mdd_header_size, mdd_put_header};

/* File size in bytes with `frames` complete frames. */
static int64_t size_at(const cache *c, const track *t, int64_t frames) {
    return (int64_t)c->header_size + frames * t->points * 12;
}

/* -- opening -- */

static weft_result write_base(const cache *c, const weft_take *take, const weft_frame *first, int32_t index) {
    char path[WEFT_PATH_SIZE];
    weft_frame_cloth cloth = first->cloth[index];
    WEFT_TRY(weft_writer_path(take->directory, cloth.name, -1, "obj", path));
    if (take->first_frame > 0) {
        if (access(path, F_OK) == 0)
            return weft_ok();
        cloth.position = cloth.mesh->position; /* the file was deleted: use the start shape of the mesh */
        cloth.open_face = NULL;
    }
    const weft_frame one = {.index = 0, .cloth_count = 1, .cloth = &cloth};
    return weft_obj_write(path, &c->options, &one);
}

/* Compares the header in the file with the header of this run. */
static weft_result check_header(const cache *c, const char *path, const unsigned char *header) {
    size_t size = c->header_size;
    unsigned char *there = malloc(size);
    FILE *file = there ? fopen(path, "rb") : NULL;
    size_t used = file ? fread(there, 1, size, file) : 0;
    weft_result result = weft_ok();
    if (!there)
        result = weft_fail_memory(path, size);
    else if (!file)
        result = weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
    else if (used < size)
        result = weft_fail(WEFT_BAD_FILE, "%.360s: too short to go on: %zu bytes there, %zu needed", path, used, size);
    else if (c->format->count_at > 0)
        memcpy(there + c->format->count_at, header + c->format->count_at, 4);
    if (result.code == WEFT_OK && memcmp(there, header, size) != 0)
        result = weft_fail(WEFT_BAD_FILE,
                           "%.360s: made with other frames, rate or vertices; start anew instead of resuming", path);
    if (file)
        fclose(file);
    free(there);
    return result;
}

/* A PC2 file may get another number of frames, because its header has the same size for any. */
static weft_result put_count(const cache *c, const char *path, const unsigned char *header) {
    FILE *file = fopen(path, "r+b");
    int good = file && fseek(file, (long)c->format->count_at, SEEK_SET) == 0 &&
               fwrite(header + c->format->count_at, 1, 4, file) == 4;
    if (file && fclose(file) != 0)
        good = 0;
    return good ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

/* Resumes an interrupted run. The file is normally "PATH.part". A complete file "PATH" is renamed to "PATH.part" and
 * continued: the run was interrupted while it closed its files, or its last frames are computed again. An MDD file with
 * another frame count has a different header and is refused. */
static weft_result resume(const cache *c, track *t, const char *path, const unsigned char *header, int64_t first) {
    char part[WEFT_PATH_SIZE + 8];
    snprintf(part, sizeof part, "%s.part", path);
    if (access(part, F_OK) != 0 && access(path, F_OK) == 0) {
        WEFT_TRY(check_header(c, path, header));
        if (rename(path, part) != 0)
            return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno));
    }
    WEFT_TRY(check_header(c, part, header));
    if (c->format->count_at > 0)
        WEFT_TRY(put_count(c, part, header));
    return weft_output_reopen(&t->output, path, size_at(c, t, first));
}

static weft_result open_track(cache *c, const weft_take *take, const weft_frame *first, int32_t index) {
    track *t = &c->track[index];
    char path[WEFT_PATH_SIZE];
    t->points = first->cloth[index].mesh->vertex_count;
    WEFT_TRY(weft_writer_path(take->directory, first->cloth[index].name, -1, c->format->ending, path));
    WEFT_TRY(write_base(c, take, first, index));
    unsigned char *header = malloc(c->header_size);
    if (!header)
        return weft_fail_memory(path, c->header_size);
    c->format->put_header(take, t->points, header);
    weft_result result;
    if (take->first_frame > 0) {
        result = resume(c, t, path, header, take->first_frame);
    } else {
        result = weft_output_open(&t->output, path);
        if (result.code == WEFT_OK) {
            weft_output_write(&t->output, header, c->header_size);
            result = weft_output_flush(&t->output);
        }
    }
    free(header);
    return result;
}

static void destroy(cache *c) {
    free(c->track);
    free(c);
}

/* Cleans up after a failed open. A new run leaves no files; a resumed run keeps the files that it can resume from. */
static void give_up(cache *c, int resumed) {
    for (int32_t i = 0; i < c->track_count; i++) {
        if (!resumed)
            weft_output_discard(&c->track[i].output);
        else if (c->track[i].output.file)
            weft_output_suspend(&c->track[i].output);
    }
    destroy(c);
}

static weft_result check_cache(const format *kind, const weft_take *take, const weft_frame *first) {
    WEFT_TRY(weft_writer_check_names(take, first));
    WEFT_TRY(weft_writer_check_steady(first, kind->ending));
    if (take->frame_count < 1 || take->frame_count > INT32_MAX)
        return weft_fail(WEFT_BAD_INPUT, "%s holds 1 to %d frames, not %lld", kind->ending, INT32_MAX,
                         (long long)take->frame_count);
    return weft_ok();
}

static weft_result check_pc2(const void *settings, const weft_take *take, const weft_frame *first) {
    (void)settings;
    return check_cache(&PC2, take, first);
}

static weft_result check_mdd(const void *settings, const weft_take *take, const weft_frame *first) {
    (void)settings;
    return check_cache(&MDD, take, first);
}

static weft_result open_cache(const format *kind, const void *settings, const weft_take *take, const weft_frame *first,
                              void **self) {
    *self = NULL;
    WEFT_TRY(check_cache(kind, take, first));
    cache *c = calloc(1, sizeof *c);
    if (!c || !(c->track = calloc((size_t)first->cloth_count + 1, sizeof *c->track))) {
        free(c);
        return weft_fail_memory("a cache writer", sizeof *c + ((size_t)first->cloth_count + 1) * sizeof *c->track);
    }
    c->format = kind;
    c->options = *(const weft_writer_options *)settings;
    c->frame_count = take->frame_count;
    c->next = take->first_frame;
    c->header_size = kind->header_size(take);
    c->track_count = first->cloth_count;
    for (int32_t i = 0; i < c->track_count; i++) {
        weft_result result = open_track(c, take, first, i);
        if (result.code != WEFT_OK) {
            give_up(c, take->first_frame > 0);
            return result;
        }
    }
    *self = c;
    return weft_ok();
}

static weft_result open_pc2(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return open_cache(&PC2, settings, take, first, self);
}

static weft_result open_mdd(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return open_cache(&MDD, settings, take, first, self);
}

/* -- frames -- */

static void write_points(const cache *c, track *t, const weft_vec3 *position) {
    enum { BLOCK = 1024 };
    unsigned char bytes[BLOCK * 12];
    for (int32_t begin = 0; begin < t->points; begin += BLOCK) {
        int32_t count = t->points - begin < BLOCK ? t->points - begin : BLOCK;
        for (int32_t i = 0; i < count; i++) {
            weft_vec3 p = weft_writer_point(&c->options, position[begin + i]);
            weft_bytes_put_float(bytes + 12 * i, p.x, c->format->big_endian);
            weft_bytes_put_float(bytes + 12 * i + 4, p.y, c->format->big_endian);
            weft_bytes_put_float(bytes + 12 * i + 8, p.z, c->format->big_endian);
        }
        weft_output_write(&t->output, bytes, (size_t)count * 12);
    }
}

static weft_result write_frame(void *self, const weft_frame *frame) {
    cache *c = self;
    if (frame->index != c->next || frame->index >= c->frame_count || frame->cloth_count != c->track_count)
        return weft_fail(WEFT_UNSUPPORTED, "%s: frame %lld of %d cloths, but frame %lld of %lld with %d is next",
                         c->format->ending, (long long)frame->index, frame->cloth_count, (long long)c->next,
                         (long long)c->frame_count, c->track_count);
    for (int32_t i = 0; i < c->track_count; i++) {
        track *t = &c->track[i];
        if (frame->cloth[i].mesh->vertex_count != t->points)
            return weft_fail(WEFT_UNSUPPORTED, "%.300s: frame %lld has %d vertices, the cache %d", t->output.path,
                             (long long)frame->index, frame->cloth[i].mesh->vertex_count, t->points);
        write_points(c, t, frame->cloth[i].position);
        WEFT_TRY(weft_output_flush(&t->output));
    }
    c->next++;
    return weft_ok();
}

static weft_result sync_cache(void *self) {
    cache *c = self;
    for (int32_t i = 0; i < c->track_count; i++)
        WEFT_TRY(weft_output_sync(&c->track[i].output));
    return weft_ok();
}

/* If the disk filled up in the middle of a frame, truncates the file to whole frames. */
static weft_result leave(const cache *c, track *t) {
    weft_result result = weft_output_suspend(&t->output);
    char part[WEFT_PATH_SIZE + 8];
    snprintf(part, sizeof part, "%s.part", t->output.path);
    if (result.code != WEFT_OK && truncate(part, (off_t)size_at(c, t, c->next)) != 0 && c->next == 0)
        unlink(part);
    return result;
}

static weft_result close_cache(void *self, int finished) {
    cache *c = self;
    weft_result result = weft_ok();
    int complete = finished && c->next == c->frame_count;
    for (int32_t i = 0; i < c->track_count; i++) {
        track *t = &c->track[i];
        weft_result one = complete && !t->output.error ? weft_output_commit(&t->output) : leave(c, t);
        if (result.code == WEFT_OK)
            result = one;
    }
    if (result.code == WEFT_OK && finished && !complete)
        result = weft_fail(WEFT_BAD_FILE, "%s: closed after %lld of %lld frames; the .part files stay",
                           c->format->ending, (long long)c->next, (long long)c->frame_count);
    destroy(c);
    return result;
}

static const weft_param PARAMS[] = {WEFT_WRITER_ROWS, {.name = NULL}};
static const weft_writer_functions PC2_FUNCTIONS = {open_pc2, write_frame, sync_cache, close_cache, check_pc2};
static const weft_writer_functions MDD_FUNCTIONS = {open_mdd, write_frame, sync_cache, close_cache, check_mdd};

const weft_component WEFT_PC2_WRITER = {.abi = WEFT_ABI,
                                        .kind = WEFT_WRITER,
                                        .name = "pc2",
                                        .help = "a PC2 point cache and a base OBJ per cloth",
                                        .settings_size = sizeof(weft_writer_options),
                                        .params = PARAMS,
                                        .functions = &PC2_FUNCTIONS,
                                        .paper = ""};
const weft_component WEFT_MDD_WRITER = {.abi = WEFT_ABI,
                                        .kind = WEFT_WRITER,
                                        .name = "mdd",
                                        .help = "an MDD point cache and a base OBJ per cloth",
                                        .settings_size = sizeof(weft_writer_options),
                                        .params = PARAMS,
                                        .functions = &MDD_FUNCTIONS,
                                        .paper = ""};
