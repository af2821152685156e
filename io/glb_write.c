/* Writer for binary glTF 2.0 (GLB). Each cloth is a mesh and a node. The first frame is the base shape, and each key is
 * a morph target of displacements. An animation sets the weights of the targets: at key k only target k has weight 1,
 * and weights are linear between keys.
 *
 * Specification: glTF 2.0, Khronos Group 2021 (ISO/IEC 12113:2022). Section 4.4 describes the container. */
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/glb_parts.h"

enum {
    MOST_TARGETS = 4096,
    JSON_PER_TARGET = 1100, /* upper bound in bytes, with 17 digits in every bound */
    GLB_MAGIC = 0x46546C67,
    JSON_CHUNK = 0x4E4F534A,
    BINARY_CHUNK = 0x004E4942
};
static const int64_t LARGEST_FILE = (INT64_C(1) << 32) - 1; /* the header stores the file size as a uint32 */

/* -- sizes -- */

static void find_sizes(weft_glb *glb) {
    const weft_store *store = glb->store;
    int64_t points = 0;
    glb->target_count = store->key_count > 1 ? (int32_t)store->key_count : 0;
    glb->uv_size = glb->index_size = 0;
    for (int32_t i = 0; i < store->cloth_count; i++) {
        points += glb->shape[i].point_count;
        glb->uv_size += glb->shape[i].uv ? 8 * (int64_t)glb->shape[i].point_count : 0;
        glb->index_size += 4 * (int64_t)glb->shape[i].index_count;
    }
    glb->base_size = 12 * points * weft_glb_vectors(glb);
    glb->target_size = glb->target_count * glb->base_size;
    glb->time_size = 4 * (int64_t)glb->target_count;
    glb->weight_size = 4 * (int64_t)glb->target_count * glb->target_count;
}

static void clear(weft_glb *glb) {
    for (int32_t i = 0; glb->shape && i < glb->store->cloth_count; i++)
        weft_glb_shape_free(&glb->shape[i]);
    free(glb->shape);
}

static weft_result prepare(weft_glb *glb, weft_store *store) {
    *glb = (weft_glb){.store = store, .shape = calloc((size_t)store->cloth_count + 1, sizeof *glb->shape)};
    if (!glb->shape)
        return weft_fail_memory("the shapes of a GLB file", ((size_t)store->cloth_count + 1) * sizeof *glb->shape);
    for (int32_t i = 0; i < store->cloth_count; i++)
        WEFT_TRY(weft_glb_shape_make(&glb->shape[i], &store->cloth[i]));
    return weft_ok();
}

static weft_result check_size(weft_store *store) {
    weft_glb glb;
    weft_result result = prepare(&glb, store);
    if (result.code == WEFT_OK) {
        for (int32_t i = 0; i < store->cloth_count; i++)
            glb.shape[i].index_count = 3 * store->cloth[i].triangle_count;
        find_sizes(&glb);
        int64_t size = weft_glb_chunk_size(&glb) + (int64_t)glb.target_count * store->cloth_count * JSON_PER_TARGET;
        if (size > LARGEST_FILE)
            result = weft_fail(WEFT_UNSUPPORTED,
                               "%.200s: would have about %.1f GB for %d frames; a GLB file has at most 4.29 GB: write "
                               "fewer frames with glb.every, or glb.normals: false",
                               store->path, 1e-9 * (double)size, glb.target_count);
    }
    clear(&glb);
    return result;
}

static weft_result check(weft_store *store) {
    if (store->settings.options.up != 0)
        return weft_fail(WEFT_UNSUPPORTED,
                         "output.glb.up: glTF files are always y up, and programs turn them when they read "
                         "them; leave `up` out");
    if (store->cloth_count == 0)
        return weft_fail(WEFT_UNSUPPORTED, "%.300s: a GLB file needs at least one cloth", store->path);
    if (store->key_count > MOST_TARGETS)
        return weft_fail(WEFT_UNSUPPORTED,
                         "%.200s: %lld frames, but a GLB file takes at most %d as morph targets; write fewer with "
                         "glb.every: %lld",
                         store->path, (long long)store->key_count, MOST_TARGETS,
                         (long long)((store->frame_count + MOST_TARGETS - 3) / (MOST_TARGETS - 1)));
    return check_size(store);
}

/* -- the binary chunk -- */

/* The vectors of one cloth in the first key and in the current key. */
typedef struct vectors {
    float *first, *now;
} vectors;

static weft_result read_vectors(weft_store *store, int64_t key, int32_t cloth, int normals, float *xyz) {
    return normals ? weft_store_read_normals(store, key, cloth, xyz) : weft_store_read_points(store, key, cloth, xyz);
}

static void widen(float bound[6], const float *xyz) {
    for (int k = 0; k < 3; k++) {
        bound[k] = xyz[k] < bound[k] ? xyz[k] : bound[k];
        bound[3 + k] = xyz[k] > bound[3 + k] ? xyz[k] : bound[3 + k];
    }
}

static weft_result find_bounds(weft_glb *glb, int32_t cloth, const vectors *room) {
    weft_glb_shape *shape = &glb->shape[cloth];
    int32_t count = glb->store->cloth[cloth].vertex_count;
    shape->bound = calloc((size_t)glb->target_count + 1, sizeof *shape->bound);
    if (!shape->bound)
        return weft_fail_memory("the bounds of a GLB file", ((size_t)glb->target_count + 1) * sizeof *shape->bound);
    WEFT_TRY(weft_store_read_points(glb->store, 0, cloth, room->first));
    memcpy(shape->bound[0], room->first, 12);
    memcpy(shape->bound[0] + 3, room->first, 12);
    for (int32_t v = 0; v < count; v++)
        widen(shape->bound[0], room->first + 3 * (size_t)v);
    for (int32_t k = 0; k < glb->target_count; k++) {
        float *bound = shape->bound[k + 1];
        WEFT_TRY(weft_store_read_points(glb->store, k, cloth, room->now));
        for (int32_t v = 0; v < count; v++) {
            const float *p = room->now + 3 * (size_t)v, *q = room->first + 3 * (size_t)v;
            const float moved[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            if (v == 0) {
                memcpy(bound, moved, 12);
                memcpy(bound + 3, moved, 12);
            }
            widen(bound, moved);
        }
    }
    return weft_ok();
}

/* A buffer for little-endian floats and integers. */
typedef struct gather {
    weft_output *output;
    size_t used;
    unsigned char bytes[1 << 15];
} gather;

static void put_bits(gather *g, uint32_t bits) {
    if (g->used == sizeof g->bytes) {
        weft_output_write(g->output, g->bytes, g->used);
        g->used = 0;
    }
    weft_bytes_put(g->bytes + g->used, bits, 4, 0);
    g->used += 4;
}

static void put_float(gather *g, float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_bits(g, bits);
}

static void put_vectors(gather *g, const weft_glb_shape *shape, const float *xyz, const float *less) {
    for (int32_t p = 0; p < shape->point_count; p++) {
        size_t at = 3 * (size_t)shape->source[p];
        for (size_t k = at; k < at + 3; k++)
            put_float(g, less ? xyz[k] - less[k] : xyz[k]);
    }
}

static weft_result put_base(weft_glb *glb, gather *g, const vectors *room) {
    for (int32_t i = 0; i < glb->store->cloth_count; i++)
        for (int n = 0; n < weft_glb_vectors(glb); n++) {
            WEFT_TRY(read_vectors(glb->store, 0, i, n, room->first));
            put_vectors(g, &glb->shape[i], room->first, NULL);
        }
    for (int32_t i = 0; i < glb->store->cloth_count; i++)
        for (int32_t p = 0; glb->shape[i].uv && p < glb->shape[i].point_count; p++) {
            put_float(g, (float)glb->shape[i].uv[p].x);
            put_float(g, (float)glb->shape[i].uv[p].y);
        }
    for (int32_t i = 0; i < glb->store->cloth_count; i++)
        for (int32_t c = 0; c < glb->shape[i].index_count; c++)
            put_bits(g, (uint32_t)glb->shape[i].index[c]);
    return weft_ok();
}

static weft_result put_targets(weft_glb *glb, gather *g, const vectors *room) {
    for (int32_t k = 0; k < glb->target_count; k++)
        for (int32_t i = 0; i < glb->store->cloth_count; i++)
            for (int n = 0; n < weft_glb_vectors(glb); n++) {
                WEFT_TRY(read_vectors(glb->store, 0, i, n, room->first));
                WEFT_TRY(read_vectors(glb->store, k, i, n, room->now));
                put_vectors(g, &glb->shape[i], room->now, room->first);
            }
    return weft_ok();
}

static void put_animation(const weft_glb *glb, gather *g) {
    for (int32_t k = 0; k < glb->target_count; k++)
        put_float(g, (float)((double)weft_store_key_frame(glb->store, k) / glb->store->rate));
    for (int32_t k = 0; k < glb->target_count; k++)
        for (int32_t i = 0; i < glb->target_count; i++)
            put_float(g, i == k ? 1 : 0);
}

static weft_result put_binary(weft_glb *glb, weft_output *output, const vectors *room) {
    gather g = {.output = output};
    WEFT_TRY(put_base(glb, &g, room));
    WEFT_TRY(put_targets(glb, &g, room));
    put_animation(glb, &g);
    weft_output_write(output, g.bytes, g.used);
    return weft_ok();
}

/* -- the file -- */

static void put_words(weft_output *output, uint32_t first, uint32_t second) {
    unsigned char bytes[8];
    weft_bytes_put(bytes, first, 4, 0);
    weft_bytes_put(bytes + 4, second, 4, 0);
    weft_output_write(output, bytes, sizeof bytes);
}

/* The header holds the size of the JSON chunk, so it is written a second time when that size is known. */
static void put_header(weft_output *output, int64_t size, int64_t json_size) {
    unsigned char bytes[4];
    weft_bytes_put(bytes, GLB_MAGIC, 4, 0);
    weft_output_write(output, bytes, sizeof bytes);
    put_words(output, 2, (uint32_t)size);
    put_words(output, (uint32_t)json_size, JSON_CHUNK);
}

static weft_result put_file(weft_glb *glb, weft_output *output, const vectors *room) {
    enum { HEADER = 20, CHUNK_HEADER = 8 };
    put_header(output, 0, 0);
    weft_glb_put_json(glb, output);
    WEFT_TRY(weft_output_flush(output));
    int64_t json_size = (int64_t)ftello(output->file) - HEADER, binary_size = weft_glb_chunk_size(glb);
    for (; json_size % 4 != 0; json_size++)
        weft_output_write(output, " ", 1);
    int64_t size = HEADER + json_size + CHUNK_HEADER + binary_size;
    if (size > LARGEST_FILE)
        return weft_fail(WEFT_UNSUPPORTED, "%.300s: %lld bytes, more than a GLB file holds", output->path,
                         (long long)size);
    put_words(output, (uint32_t)binary_size, BINARY_CHUNK);
    WEFT_TRY(put_binary(glb, output, room));
    WEFT_TRY(weft_output_flush(output));
    rewind(output->file);
    put_header(output, size, json_size);
    return weft_output_flush(output);
}

static weft_result fill_shapes(weft_glb *glb, const vectors *room) {
    for (int32_t i = 0; i < glb->store->cloth_count; i++) {
        const weft_store_cloth *cloth = &glb->store->cloth[i];
        uint8_t *open = malloc((size_t)cloth->face_count + 1);
        if (!open)
            return weft_fail_memory("the faces of a GLB file", (size_t)cloth->face_count);
        weft_result result = weft_store_read_open(glb->store, 0, i, open);
        if (result.code == WEFT_OK)
            result = weft_glb_shape_index(&glb->shape[i], cloth, open);
        free(open);
        WEFT_TRY(result);
        find_sizes(glb);
        WEFT_TRY(find_bounds(glb, i, room));
    }
    return weft_ok();
}

static weft_result make(weft_store *store, weft_output *output) {
    weft_glb glb;
    size_t most = 1;
    for (int32_t i = 0; i < store->cloth_count; i++)
        most = most > (size_t)store->cloth[i].vertex_count ? most : (size_t)store->cloth[i].vertex_count;
    vectors room = {malloc(most * 12), malloc(most * 12)};
    weft_result result = prepare(&glb, store);
    if (result.code == WEFT_OK && (!room.first || !room.now))
        result = weft_fail_memory("the frames of a GLB file", most * 24);
    if (result.code == WEFT_OK)
        result = fill_shapes(&glb, &room);
    if (result.code == WEFT_OK)
        result = put_file(&glb, output, &room);
    clear(&glb);
    free(room.now);
    free(room.first);
    return result;
}

/* -- the writer -- */

static weft_result open_file(const void *settings, const weft_take *take, const weft_frame *first, void **self) {
    return weft_store_open(settings, take, first, "glb", check, self);
}

static weft_result check_file(const void *settings, const weft_take *take, const weft_frame *first) {
    return weft_store_check(settings, take, first, "glb", check);
}

static weft_result write_frame(void *self, const weft_frame *frame) { return weft_store_frame(self, frame); }
static weft_result sync_file(void *self) { return weft_store_sync(self); }
static weft_result close_file(void *self, int finished) { return weft_store_close(self, finished, make); }

static const weft_param PARAMS[] = {WEFT_STORE_ROWS, {.name = NULL}};
static const weft_writer_functions FUNCTIONS = {open_file, write_frame, sync_file, close_file, check_file};

const weft_component WEFT_GLB_WRITER = {
    .abi = WEFT_ABI,
    .kind = WEFT_WRITER,
    .name = "glb",
    .help = "one GLB (glTF 2.0) file with a morph target per frame, at most 4096; use every for long runs",
    .settings_size = sizeof(weft_store_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "glTF 2.0, Khronos Group 2021"};
