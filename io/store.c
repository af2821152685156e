/* Intermediate file of frame records for writers that assemble their file at the end of a run. */
#include "io/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/bytes.h"
#include "weft-io/checkpoint.h"

static const char MARK[8] = "WEFTKEYS";
enum { HEADER_SIZE = 16 }; /* MARK and the hash of the store */

/* -- keys and records -- */

int64_t weft_store_key_frame(const weft_store *s, int64_t key) {
    int64_t frame = key * s->settings.every;
    return frame < s->frame_count ? frame : s->frame_count - 1;
}

static int is_key(const weft_store *s, int64_t frame) {
    return frame % s->settings.every == 0 || frame == s->frame_count - 1;
}

/* File size in bytes when all frames before `frame` are written. */
static int64_t size_at(const weft_store *s, int64_t frame) {
    int64_t every = s->settings.every;
    int64_t keys = frame == s->frame_count ? s->key_count : (frame + every - 1) / every;
    return HEADER_SIZE + keys * s->record_size;
}

static int64_t vectors_size(const weft_store_cloth *cloth) { return 12 * (int64_t)cloth->vertex_count; }

static int64_t cloth_size(const weft_store *s, const weft_store_cloth *cloth) {
    return (s->settings.normals ? 2 : 1) * vectors_size(cloth) + cloth->face_count;
}

/* -- opening -- */

static uint64_t hash_all(const weft_store *s) {
    uint64_t hash = weft_hash_bytes(WEFT_HASH_START, &s->rate, sizeof s->rate);
    const int64_t numbers[6] = {s->settings.options.up, s->settings.every, s->settings.normals,
                                s->frame_count,         s->cloth_count,    s->record_size};
    hash = weft_hash_bytes(hash, numbers, sizeof numbers);
    hash = weft_hash_bytes(hash, &s->settings.options.scale, sizeof s->settings.options.scale);
    for (int32_t i = 0; i < s->cloth_count; i++) {
        const weft_store_cloth *cloth = &s->cloth[i];
        hash = weft_hash_bytes(hash, cloth->name, strlen(cloth->name) + 1);
        hash = weft_hash_bytes(hash, cloth->corner, (size_t)cloth->corner_count * sizeof *cloth->corner);
    }
    return hash;
}

static weft_result fill(weft_store *s, const weft_frame *first) {
    size_t most = 1;
    s->cloth = calloc((size_t)first->cloth_count + 1, sizeof *s->cloth);
    if (!s->cloth)
        return weft_fail_memory("the cloths of a file", ((size_t)first->cloth_count + 1) * sizeof *s->cloth);
    for (int32_t i = 0; i < first->cloth_count; i++) {
        s->cloth_count = i + 1;
        WEFT_TRY(weft_store_cloth_copy(&s->cloth[i], first->cloth[i].name, first->cloth[i].mesh));
        s->record_size += cloth_size(s, &s->cloth[i]);
        most = most > (size_t)s->cloth[i].vertex_count ? most : (size_t)s->cloth[i].vertex_count;
    }
    s->normal = malloc(most * sizeof *s->normal);
    if (!s->normal)
        return weft_fail_memory("the normals of a cloth", most * sizeof *s->normal);
    s->hash = hash_all(s);
    return weft_ok();
}

weft_result weft_store_create(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                              const char *ending, weft_store **store) {
    *store = NULL;
    WEFT_TRY(weft_writer_check_names(take, first));
    WEFT_TRY(weft_writer_check_steady(first, ending));
    if (take->frame_count < 1)
        return weft_fail(WEFT_BAD_INPUT, "%s: a run has 1 frame or more, not %lld", ending,
                         (long long)take->frame_count);
    weft_store *s = calloc(1, sizeof *s);
    if (!s)
        return weft_fail_memory("a writer", sizeof *s);
    s->settings = *settings;
    s->rate = take->rate;
    s->frame_count = take->frame_count;
    s->key_count = (take->frame_count - 1 + settings->every - 1) / settings->every + 1;
    snprintf(s->name, sizeof s->name, "%s", take->name);
    weft_result result = weft_writer_path(take->directory, take->name, -1, ending, s->path);
    if (result.code == WEFT_OK)
        result = fill(s, first);
    if (result.code == WEFT_OK)
        *store = s;
    else
        weft_store_destroy(s);
    return result;
}

void weft_store_destroy(weft_store *s) {
    if (!s)
        return;
    if (s->reader)
        fclose(s->reader);
    if (s->output.file)
        weft_output_suspend(&s->output);
    for (int32_t i = 0; i < s->cloth_count; i++)
        weft_store_cloth_free(&s->cloth[i]);
    free(s->cloth);
    free(s->normal);
    free(s);
}

static weft_result records_path(const weft_store *s, char path[WEFT_PATH_SIZE], char part[WEFT_PATH_SIZE + 8]) {
    int length = snprintf(path, WEFT_PATH_SIZE, "%s.frames", s->path);
    if (length < 0 || length >= WEFT_PATH_SIZE)
        return weft_fail(WEFT_BAD_FILE, "%.400s: the path is longer than %d characters", s->path, WEFT_PATH_SIZE - 8);
    snprintf(part, WEFT_PATH_SIZE + 8, "%s.part", path);
    return weft_ok();
}

static void put_header(const weft_store *s, unsigned char header[HEADER_SIZE]) {
    memcpy(header, MARK, sizeof MARK);
    weft_bytes_put(header + sizeof MARK, s->hash, 8, 0);
}

static weft_result check_header(const weft_store *s, const char *part) {
    unsigned char header[HEADER_SIZE], there[HEADER_SIZE];
    put_header(s, header);
    FILE *file = fopen(part, "rb");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", part, strerror(errno));
    size_t used = fread(there, 1, sizeof there, file);
    fclose(file);
    if (used < sizeof there || memcmp(header, there, sizeof there) != 0)
        return weft_fail(WEFT_BAD_FILE,
                         "%.360s: made with other frames, settings or meshes; start anew instead of resuming", part);
    return weft_ok();
}

static weft_result resume(weft_store *s, const char *path, const char *part, int64_t first_frame) {
    if (access(part, F_OK) != 0 && access(s->path, F_OK) == 0) {
        if (first_frame < s->frame_count)
            return weft_fail(WEFT_BAD_FILE, "%.360s: is complete and cannot be resumed; start anew", s->path);
        s->done = 1; /* interrupted after the file was completed and before the run ended */
        return weft_ok();
    }
    WEFT_TRY(check_header(s, part));
    return weft_output_reopen(&s->output, path, size_at(s, first_frame));
}

weft_result weft_store_start(weft_store *s, int64_t first_frame) {
    char path[WEFT_PATH_SIZE], part[WEFT_PATH_SIZE + 8];
    WEFT_TRY(records_path(s, path, part));
    s->next = first_frame;
    if (first_frame > 0)
        return resume(s, path, part, first_frame);
    unsigned char header[HEADER_SIZE];
    put_header(s, header);
    WEFT_TRY(weft_output_open(&s->output, path));
    weft_output_write(&s->output, header, sizeof header);
    weft_result result = weft_output_flush(&s->output);
    if (result.code != WEFT_OK)
        weft_output_discard(&s->output);
    return result;
}

/* -- frames -- */

static void write_vectors(weft_store *s, const weft_vec3 *vector, int32_t count, int is_point) {
    enum { BLOCK = 1024 };
    unsigned char bytes[BLOCK * 12];
    const weft_writer_options *options = &s->settings.options;
    for (int32_t begin = 0; begin < count; begin += BLOCK) {
        int32_t end = count - begin < BLOCK ? count : begin + BLOCK;
        unsigned char *at = bytes;
        for (int32_t v = begin; v < end; v++, at += 12) {
            weft_vec3 p = is_point ? weft_writer_point(options, vector[v]) : weft_writer_direction(options, vector[v]);
            weft_bytes_put_float(at, p.x, 0);
            weft_bytes_put_float(at + 4, p.y, 0);
            weft_bytes_put_float(at + 8, p.z, 0);
        }
        weft_output_write(&s->output, bytes, (size_t)(at - bytes));
    }
}

static void write_open(weft_store *s, const uint8_t *open, int32_t count) {
    static const uint8_t CLOSED[1024];
    if (open)
        weft_output_write(&s->output, open, (size_t)count);
    for (int32_t begin = 0; !open && begin < count; begin += (int32_t)sizeof CLOSED)
        weft_output_write(&s->output, CLOSED,
                          (size_t)(count - begin) < sizeof CLOSED ? (size_t)(count - begin) : sizeof CLOSED);
}

/* Replaces zero normals: lighting divides by their length, and glTF forbids them. */
static void find_normals(weft_store *s, const weft_frame_cloth *cloth) {
    weft_mesh_vertex_normals(cloth->mesh, cloth->position, s->normal);
    for (int32_t v = 0; v < cloth->mesh->vertex_count; v++)
        if (s->normal[v].x == 0 && s->normal[v].y == 0 && s->normal[v].z == 0)
            s->normal[v].y = 1;
}

weft_result weft_store_check(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                             const char *ending, weft_result (*check)(weft_store *)) {
    weft_store *store;
    WEFT_TRY(weft_store_create(settings, take, first, ending, &store));
    weft_result result = check ? check(store) : weft_ok();
    weft_store_destroy(store);
    return result;
}

weft_result weft_store_open(const weft_store_settings *settings, const weft_take *take, const weft_frame *first,
                            const char *ending, weft_result (*check)(weft_store *), void **self) {
    weft_store *store;
    *self = NULL;
    WEFT_TRY(weft_store_create(settings, take, first, ending, &store));
    weft_result result = check ? check(store) : weft_ok();
    if (result.code == WEFT_OK)
        result = weft_store_start(store, take->first_frame);
    if (result.code == WEFT_OK)
        *self = store;
    else
        weft_store_destroy(store);
    return result;
}

weft_result weft_store_frame(weft_store *s, const weft_frame *frame) {
    if (frame->index != s->next || frame->index >= s->frame_count || frame->cloth_count != s->cloth_count || s->done)
        return weft_fail(WEFT_UNSUPPORTED, "%.300s: frame %lld of %d cloths, but frame %lld of %lld with %d is next",
                         s->path, (long long)frame->index, frame->cloth_count, (long long)s->next,
                         (long long)s->frame_count, s->cloth_count);
    for (int32_t i = 0; i < s->cloth_count && is_key(s, frame->index); i++) {
        const weft_frame_cloth *cloth = &frame->cloth[i];
        if (cloth->mesh->vertex_count != s->cloth[i].vertex_count || cloth->mesh->face_count != s->cloth[i].face_count)
            return weft_fail(WEFT_UNSUPPORTED, "%.300s: frame %lld of '%.60s' has %d vertices, the file %d", s->path,
                             (long long)frame->index, cloth->name, cloth->mesh->vertex_count, s->cloth[i].vertex_count);
        write_vectors(s, cloth->position, cloth->mesh->vertex_count, 1);
        if (s->settings.normals) {
            find_normals(s, cloth);
            write_vectors(s, s->normal, cloth->mesh->vertex_count, 0);
        }
        write_open(s, cloth->open_face, cloth->mesh->face_count);
    }
    WEFT_TRY(weft_output_flush(&s->output));
    s->next++;
    return weft_ok();
}

weft_result weft_store_sync(weft_store *s) { return s->done ? weft_ok() : weft_output_sync(&s->output); }

/* -- completing the file -- */

static weft_result read_at(weft_store *s, int64_t at, void *bytes, size_t size) {
    errno = 0;
    if (fseeko(s->reader, (off_t)at, SEEK_SET) != 0 || fread(bytes, 1, size, s->reader) != size)
        return weft_fail(WEFT_BAD_FILE, "%.300s.frames.part: %s", s->path,
                         errno ? strerror(errno) : "truncated while it was read");
    return weft_ok();
}

static int64_t place(const weft_store *s, int64_t key, int32_t cloth) {
    int64_t at = HEADER_SIZE + key * s->record_size;
    for (int32_t i = 0; i < cloth; i++)
        at += cloth_size(s, &s->cloth[i]);
    return at;
}

static weft_result read_vectors(weft_store *s, int64_t at, int32_t count, float *xyz) {
    WEFT_TRY(read_at(s, at, xyz, (size_t)count * 12));
    for (int64_t i = 0; i < 3 * (int64_t)count; i++) {
        uint32_t bits = (uint32_t)weft_bytes_get((const unsigned char *)&xyz[i], 4, 0);
        memcpy(&xyz[i], &bits, sizeof bits);
    }
    return weft_ok();
}

weft_result weft_store_read_points(weft_store *s, int64_t key, int32_t cloth, float *xyz) {
    return read_vectors(s, place(s, key, cloth), s->cloth[cloth].vertex_count, xyz);
}

weft_result weft_store_read_normals(weft_store *s, int64_t key, int32_t cloth, float *xyz) {
    const weft_store_cloth *c = &s->cloth[cloth];
    return read_vectors(s, place(s, key, cloth) + vectors_size(c), c->vertex_count, xyz);
}

weft_result weft_store_read_open(weft_store *s, int64_t key, int32_t cloth, uint8_t *open) {
    const weft_store_cloth *c = &s->cloth[cloth];
    int64_t at = place(s, key, cloth) + (s->settings.normals ? 2 : 1) * vectors_size(c);
    return read_at(s, at, open, (size_t)c->face_count);
}

static weft_result make_file(weft_store *s, weft_result (*make)(weft_store *, weft_output *)) {
    char path[WEFT_PATH_SIZE], part[WEFT_PATH_SIZE + 8];
    WEFT_TRY(records_path(s, path, part));
    WEFT_TRY(weft_output_flush(&s->output));
    s->reader = fopen(part, "rb");
    if (!s->reader)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", part, strerror(errno));
    weft_output output;
    WEFT_TRY(weft_output_open(&output, s->path));
    weft_result result = make(s, &output);
    if (result.code == WEFT_OK)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return result;
}

/* If the disk filled up in the middle of a frame, truncates the file to whole frames. */
static weft_result leave(weft_store *s) {
    char path[WEFT_PATH_SIZE], part[WEFT_PATH_SIZE + 8];
    WEFT_TRY(records_path(s, path, part));
    weft_result result = weft_output_suspend(&s->output);
    if (result.code != WEFT_OK && truncate(part, (off_t)size_at(s, s->next)) != 0 && s->next == 0)
        unlink(part);
    return result;
}

static weft_result finish(weft_store *s, weft_result (*make)(weft_store *, weft_output *)) {
    weft_result result = make_file(s, make);
    if (result.code == WEFT_OK)
        weft_output_discard(&s->output);
    else
        leave(s);
    return result;
}

weft_result weft_store_close(weft_store *s, int finished, weft_result (*make)(weft_store *, weft_output *)) {
    weft_result result = weft_ok();
    int complete = s->next == s->frame_count;
    if (!s->done)
        result = finished && complete && !s->output.error ? finish(s, make) : leave(s);
    if (result.code == WEFT_OK && finished && !complete)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: closed after %lld of %lld frames; the .part file stays", s->path,
                           (long long)s->next, (long long)s->frame_count);
    weft_store_destroy(s);
    return result;
}
