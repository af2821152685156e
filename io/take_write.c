/* Writes frames.weft, which holds all frames of a run (layout: take.h). */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/bytes.h"
#include "io/file.h"
#include "io/take_format.h"
#include "io/take_triangles.h"
#include "io/writer_parts.h"
#include "weft-io/take.h"

struct weft_take_writer {
    weft_output output;
    int64_t frame_count, next; /* next: the index of the expected frame */
    size_t header_size, frame_size;
    unsigned char *frame; /* buffer for one frame (frame_room) */
    size_t frame_room;
    int changes;      /* 1: a mesh changes, so frames differ in size */
    uint64_t written; /* bytes of the header and complete frames */
    int32_t cloth_count;
    weft_take_counts *counts; /* (cloth_count) */
    int32_t body_count;
    int32_t *moving; /* vertices of each moving body, 0 for others (body_count) */
};

/* -- the header: built in memory, and compared with the file when a run resumes -- */

typedef struct header_buffer {
    unsigned char *bytes; /* null: only count bytes */
    size_t used;
} header_buffer;

static void put(header_buffer *s, uint64_t bits, int size) {
    if (s->bytes)
        weft_bytes_put(s->bytes + s->used, bits, size, 0);
    s->used += (size_t)size;
}

static void put_float(header_buffer *s, double number) {
    if (s->bytes)
        weft_bytes_put_float(s->bytes + s->used, number, 0);
    s->used += 4;
}

static void put_indices(header_buffer *s, const int32_t *index, size_t count) {
    for (size_t i = 0; i < count; i++)
        put(s, (uint64_t)(uint32_t)index[i], 4);
}

static void put_points(header_buffer *s, const weft_vec3 *point, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        put_float(s, point[i].x);
        put_float(s, point[i].y);
        put_float(s, point[i].z);
    }
}

static void put_text(header_buffer *s, const char *text) {
    size_t length = strlen(text);
    put(s, length, 4);
    if (s->bytes)
        memcpy(s->bytes + s->used, text, length);
    s->used += length;
}

static int32_t count_corners(const weft_mesh *mesh) {
    int32_t count = 0;
    while (count < mesh->halfedge_count && mesh->face[count] != WEFT_NONE)
        count++;
    return count;
}

/* Corner c of the input is half-edge c, and the corners of a face are consecutive. */
static void put_faces(header_buffer *s, const weft_mesh *mesh, int32_t corners) {
    for (int32_t f = 0, h = 0; f < mesh->face_count; f++) {
        int32_t first = h;
        while (h < corners && mesh->face[h] == f)
            h++;
        put(s, (uint64_t)(h - first), 4);
    }
    put_indices(s, mesh->origin, (size_t)corners);
    for (int32_t h = 0; mesh->halfedge_uv && h < corners; h++) {
        put_float(s, mesh->halfedge_uv[h].x);
        put_float(s, mesh->halfedge_uv[h].y);
    }
}

static void put_links(header_buffer *s, const weft_take_links *links) {
    for (int32_t i = 0; i < links->count; i++) {
        put(s, (uint32_t)links->link[i].a, 4);
        put(s, (uint32_t)links->link[i].b, 4);
    }
    for (int32_t i = 0; i < links->count; i++)
        put(s, (uint32_t)links->link[i].type, 4);
    for (int32_t i = 0; i < links->count; i++)
        put_float(s, links->link[i].rest_length);
}

static void put_cloth(header_buffer *s, const weft_frame_cloth *cloth, const weft_take_links *links) {
    const weft_mesh *mesh = cloth->mesh;
    int32_t corners = count_corners(mesh);
    put_text(s, cloth->name);
    put(s,
        (mesh->halfedge_uv ? WEFT_TAKE_UV : 0) | (cloth->strain ? WEFT_TAKE_STRAIN : 0) |
            (cloth->generation ? WEFT_TAKE_CHANGES : 0) | (cloth->pressure ? WEFT_TAKE_PRESSURE : 0),
        4);
    const int32_t counts[] = {mesh->vertex_count, mesh->face_count, corners, mesh->triangle_count, links->count};
    put_indices(s, counts, sizeof counts / sizeof *counts);
    put_points(s, mesh->position, mesh->vertex_count);
    put_faces(s, mesh, corners);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        put_indices(s, mesh->triangle[t], 3);
    put_indices(s, mesh->triangle_face, (size_t)mesh->triangle_count);
    put_links(s, links);
}

static void put_body(header_buffer *s, const weft_frame_body *body) {
    put_text(s, body->name);
    put(s, body->moves != 0, 4);
    put(s, (uint32_t)body->vertex_count, 4);
    put(s, (uint32_t)body->triangle_count, 4);
    if (!body->moves)
        put_points(s, body->position, body->vertex_count);
    for (int32_t t = 0; t < body->triangle_count; t++)
        put_indices(s, body->triangle[t], 3);
}

static int any_changes(const weft_frame *frame) {
    for (int32_t i = 0; i < frame->cloth_count; i++)
        if (frame->cloth[i].generation)
            return 1;
    return 0;
}

/* `size` is the size of the whole header, or 0 while counting. */
static void put_header(header_buffer *s, size_t size, const weft_take *take, const weft_frame *first,
                       const weft_take_links *links) {
    for (size_t i = 0; i < sizeof WEFT_TAKE_MAGIC; i++)
        put(s, (unsigned char)WEFT_TAKE_MAGIC[i], 1);
    put(s, any_changes(first) ? WEFT_TAKE_VERSION : WEFT_TAKE_STEADY, 4);
    put(s, (uint32_t)first->cloth_count, 4);
    put(s, size, 8);
    put(s, (uint64_t)take->frame_count, 8);
    uint64_t rate;
    memcpy(&rate, &take->rate, sizeof rate);
    put(s, rate, 8);
    put_text(s, take->name);
    for (int32_t i = 0; i < first->cloth_count; i++)
        put_cloth(s, &first->cloth[i], &links[i]);
    put(s, (uint32_t)first->body_count, 4);
    for (int32_t i = 0; i < first->body_count; i++)
        put_body(s, &first->body[i]);
}

/* Values too large for single precision would be read back as infinite. */
static int is_single(weft_vec3 p) { return isfinite((float)p.x) && isfinite((float)p.y) && isfinite((float)p.z); }

static weft_result fail_body(const weft_frame_body *body) {
    return weft_fail(WEFT_BAD_INPUT, "body '%.60s' has a position that is not finite in single precision", body->name);
}

/* -- opening -- */

static weft_result fail_path(const char *path) { return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(errno)); }

/* Compares the header in the file with the header of this run. */
static weft_result check_header(const char *path, const unsigned char *header, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_path(path);
    unsigned char block[4096];
    size_t used = 0, count = 1;
    int same = 1;
    while (used < size && count > 0 && same) {
        size_t wanted = size - used < sizeof block ? size - used : sizeof block;
        count = fread(block, 1, wanted, file);
        same = memcmp(block, header + used, count) == 0;
        used += count;
    }
    fclose(file);
    if (!same)
        return weft_fail(WEFT_BAD_FILE,
                         "%.360s: made with other frames, rate or vertices; start anew instead of resuming", path);
    if (used < size)
        return weft_fail(WEFT_BAD_FILE, "%.360s: too short to go on: %zu bytes there, %zu needed", path, used, size);
    return weft_ok();
}

/* Finds the offset of frame `first`. */
static weft_result find_frame(const weft_take_writer *w, const char *part, int64_t first, uint64_t *offset) {
    *offset = w->header_size;
    if (!w->changes) {
        *offset += (uint64_t)first * w->frame_size;
        return weft_ok();
    }
    FILE *file = fopen(part, "rb");
    if (!file)
        return fail_path(part);
    int64_t frame = 0;
    for (; frame < first; frame++) {
        unsigned char size[8];
        if (fseeko(file, (off_t)*offset, SEEK_SET) != 0 || fread(size, 1, 8, file) != 8)
            break;
        uint64_t bytes = weft_bytes_get(size, 8, 0);
        if (bytes > (uint64_t)INT64_MAX / 2 - *offset)
            break;
        *offset += 8 + bytes;
    }
    fclose(file);
    if (frame < first)
        return weft_fail(WEFT_BAD_FILE, "%.360s: too short to go on: it has %lld of %lld frames", part,
                         (long long)frame, (long long)first);
    return weft_ok();
}

/* If only the finished file exists, the run stopped while closing its files. Rename it to PATH.part and append. */
static weft_result resume(weft_take_writer *w, const char *path, const unsigned char *header, int64_t first) {
    char part[WEFT_PATH_SIZE + 8];
    snprintf(part, sizeof part, "%s.part", path);
    if (access(part, F_OK) != 0 && access(path, F_OK) == 0) {
        WEFT_TRY(check_header(path, header, w->header_size));
        if (rename(path, part) != 0)
            return fail_path(path);
    }
    WEFT_TRY(check_header(part, header, w->header_size));
    WEFT_TRY(find_frame(w, part, first, &w->written));
    return weft_output_reopen(&w->output, path, (int64_t)w->written);
}

static weft_result start(weft_take_writer *w, const char *path, const unsigned char *header) {
    WEFT_TRY(weft_output_open(&w->output, path));
    weft_output_write(&w->output, header, w->header_size);
    w->written = w->header_size;
    weft_result result = weft_output_flush(&w->output);
    if (result.code != WEFT_OK)
        weft_output_discard(&w->output);
    return result;
}

static weft_result open_file(weft_take_writer *w, const weft_take *take, const weft_frame *first,
                             const weft_take_links *links) {
    char path[WEFT_PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s", take->directory, WEFT_TAKE_FILE) >= (int)sizeof path)
        return weft_fail(WEFT_BAD_FILE, "%.400s: the path is too long", take->directory);
    header_buffer count = {NULL, 0};
    put_header(&count, 0, take, first, links);
    w->header_size = count.used;
    unsigned char *header = malloc(w->header_size);
    if (!header)
        return weft_fail_memory(path, w->header_size);
    header_buffer whole = {header, 0};
    put_header(&whole, w->header_size, take, first, links);
    weft_result result = take->first_frame > 0 ? resume(w, path, header, take->first_frame) : start(w, path, header);
    free(header);
    return result;
}

static void destroy(weft_take_writer *w) {
    free(w->frame);
    free(w->moving);
    free(w->counts);
    free(w);
}

static weft_result reserve_frame(weft_take_writer *w, size_t size) {
    if (w->frame && size <= w->frame_room)
        return weft_ok();
    void *grown = realloc(w->frame, size + 1);
    if (!grown)
        return weft_fail_memory("a frame of the take", size);
    w->frame = grown;
    w->frame_room = size;
    return weft_ok();
}

static weft_result make_room(weft_take_writer *w, const weft_frame *first, const weft_take_links *links) {
    w->counts = calloc((size_t)first->cloth_count + 1, sizeof *w->counts);
    if (!w->counts)
        return weft_fail_memory("a take", ((size_t)first->cloth_count + 1) * sizeof *w->counts);
    w->cloth_count = first->cloth_count;
    for (int32_t i = 0; i < first->cloth_count; i++) {
        const weft_mesh *mesh = first->cloth[i].mesh;
        w->counts[i] = (weft_take_counts){mesh->vertex_count, mesh->face_count, links[i].count,
                                          first->cloth[i].strain ? mesh->triangle_count : 0,
                                          first->cloth[i].pressure ? mesh->vertex_count : 0};
        w->frame_size += weft_take_state_size(&w->counts[i]);
    }
    w->moving = calloc((size_t)first->body_count + 1, sizeof *w->moving);
    if (!w->moving)
        return weft_fail_memory("a take", ((size_t)first->body_count + 1) * sizeof *w->moving);
    w->body_count = first->body_count;
    for (int32_t i = 0; i < first->body_count; i++) {
        w->moving[i] = first->body[i].moves ? first->body[i].vertex_count : 0;
        w->frame_size += 12 * (size_t)w->moving[i];
    }
    w->changes = any_changes(first);
    return reserve_frame(w, w->frame_size);
}

/* Refuses what the reader would refuse: bad names, and positions in the header that are not finite. */
static weft_result check_bodies(const weft_frame *first) {
    for (int32_t i = 0; i < first->body_count; i++) {
        const weft_frame_body *body = &first->body[i];
        size_t length = strlen(body->name);
        if (length == 0 || length > WEFT_TAKE_LONGEST_TEXT)
            return weft_fail(WEFT_BAD_INPUT, "body %d: a name has 1 to %d characters, not %zu", i,
                             WEFT_TAKE_LONGEST_TEXT, length);
        for (int32_t v = 0; !body->moves && v < body->vertex_count; v++)
            if (!is_single(body->position[v]))
                return fail_body(body);
    }
    return weft_ok();
}

static weft_result open_writer(const weft_take *take, const weft_frame *first, const weft_take_links *links,
                               weft_take_writer **writer) {
    WEFT_TRY(weft_writer_check_names(take, first));
    WEFT_TRY(check_bodies(first));
    if (take->frame_count < 1 || take->frame_count > INT32_MAX)
        return weft_fail(WEFT_BAD_INPUT, "a take holds 1 to %d frames, not %lld", INT32_MAX,
                         (long long)take->frame_count);
    weft_take_writer *w = calloc(1, sizeof *w);
    if (!w)
        return weft_fail_memory("a take", sizeof *w);
    w->frame_count = take->frame_count;
    w->next = take->first_frame;
    weft_result result = make_room(w, first, links);
    if (result.code == WEFT_OK)
        result = open_file(w, take, first, links);
    if (result.code != WEFT_OK)
        destroy(w);
    else
        *writer = w;
    return result;
}

weft_result weft_take_writer_open(const weft_take *take, const weft_frame *first, const weft_take_links *links,
                                  weft_take_writer **writer) {
    weft_take_triangles triangles;
    weft_frame frame = *first;
    *writer = NULL;
    weft_result result = weft_take_triangles_make(&triangles, &frame);
    if (result.code == WEFT_OK)
        result = open_writer(take, &frame, links, writer);
    weft_take_triangles_free(&triangles);
    return result;
}

/* -- frames -- */

static int put_positions(unsigned char *at, const weft_vec3 *position, int32_t count) {
    int finite = 1;
    for (int32_t i = 0; i < count; i++, at += 12) {
        const double xyz[3] = {position[i].x, position[i].y, position[i].z};
        finite &= is_single(position[i]);
        for (int k = 0; k < 3; k++)
            weft_bytes_put_float(at + 4 * k, xyz[k], 0);
    }
    return finite;
}

static int put_strains(unsigned char *at, const weft_strain *strain, int32_t count) {
    int finite = 1;
    for (int32_t t = 0; t < count; t++)
        for (int k = 0; k < 6; k++, at += 4) {
            double value = k < 3 ? strain[t].strain[k] : strain[t].stress[k - 3];
            finite &= isfinite((float)value) != 0;
            weft_bytes_put_float(at, value, 0);
        }
    return finite;
}

static int put_pressures(unsigned char *at, const double *pressure, int32_t count) {
    int finite = 1;
    for (int32_t v = 0; v < count; v++, at += 4) {
        finite &= isfinite((float)pressure[v]) != 0;
        weft_bytes_put_float(at, pressure[v], 0);
    }
    return finite;
}

static weft_result put_state(weft_take_writer *w, int32_t index, const weft_frame_cloth *cloth,
                             const weft_take_links *links, unsigned char *at) {
    const weft_take_counts *counts = &w->counts[index];
    if (cloth->mesh->vertex_count != counts->vertices || cloth->mesh->face_count != counts->faces ||
        links->count != counts->links || (cloth->strain ? cloth->mesh->triangle_count : 0) != counts->strained ||
        (cloth->pressure ? cloth->mesh->vertex_count : 0) != counts->pressed)
        return weft_fail(WEFT_UNSUPPORTED,
                         "%.300s: cloth %d has %d vertices, %d faces and %d links, the take %d, %d, %d", w->output.path,
                         index, cloth->mesh->vertex_count, cloth->mesh->face_count, links->count, counts->vertices,
                         counts->faces, counts->links);
    if (!put_positions(at, cloth->position, counts->vertices))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: cloth '%.60s' has a position that is not finite in single precision",
                         w->output.path, cloth->name);
    assert(at); /* the frame buffer was sized for these counts */
    at += 12 * (size_t)counts->vertices;
    memset(at, 0, weft_take_state_size(counts) - 12 * (size_t)counts->vertices);
    for (int32_t f = 0; cloth->open_face && f < counts->faces; f++)
        at[f / 8] |= (unsigned char)((cloth->open_face[f] != 0) << f % 8);
    at += weft_take_bits(counts->faces);
    for (int32_t i = 0; i < counts->links; i++)
        at[i / 8] |= (unsigned char)((links->link[i].stiffness == 0) << i % 8);
    at += weft_take_bits(counts->links);
    if (!put_strains(at, cloth->strain, counts->strained))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: cloth '%.60s' has a strain that is not finite in single precision",
                         w->output.path, cloth->name);
    if (!put_pressures(at + 24 * (size_t)counts->strained, cloth->pressure, counts->pressed))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: cloth '%.60s' has a pressure that is not finite in single precision",
                         w->output.path, cloth->name);
    return weft_ok();
}

static weft_result put_bodies(const weft_take_writer *w, const weft_frame *frame, unsigned char *at) {
    if (frame->body_count != w->body_count)
        return weft_fail(WEFT_UNSUPPORTED, "%.300s: %d bodies, but the take has %d", w->output.path, frame->body_count,
                         w->body_count);
    for (int32_t i = 0; i < w->body_count; i++) {
        const weft_frame_body *body = &frame->body[i];
        if (w->moving[i] == 0)
            continue;
        if (body->vertex_count != w->moving[i])
            return weft_fail(WEFT_UNSUPPORTED, "%.300s: body '%.60s' has %d vertices, the take %d", w->output.path,
                             body->name, body->vertex_count, w->moving[i]);
        if (!put_positions(at, body->position, w->moving[i]))
            return fail_body(body);
        at += 12 * (size_t)w->moving[i];
    }
    return weft_ok();
}

static void put_mesh(header_buffer *s, const weft_frame_cloth *cloth) {
    const weft_mesh *mesh = cloth->mesh;
    put(s, (uint32_t)mesh->vertex_count, 4);
    put(s, (uint32_t)mesh->triangle_count, 4);
    put_points(s, mesh->position, mesh->vertex_count);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        put_indices(s, mesh->triangle[t], 3);
    for (int32_t h = 0; mesh->halfedge_uv && h < 3 * mesh->triangle_count; h++) {
        put_float(s, mesh->halfedge_uv[h].x);
        put_float(s, mesh->halfedge_uv[h].y);
    }
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        put(s, (uint32_t)cloth->generation[t], 1);
}

/* Updates the counts and the frame size for meshes that may have changed. */
static weft_result measure_frame(weft_take_writer *w, const weft_frame *frame) {
    if (!w->changes)
        return weft_ok();
    header_buffer size = {NULL, 8};
    for (int32_t i = 0; i < w->cloth_count; i++) {
        const weft_frame_cloth *cloth = &frame->cloth[i];
        if (cloth->generation) {
            w->counts[i].vertices = cloth->mesh->vertex_count;
            w->counts[i].faces = cloth->mesh->face_count;
            w->counts[i].strained = w->counts[i].strained > 0 ? cloth->mesh->triangle_count : 0;
            w->counts[i].pressed = w->counts[i].pressed > 0 ? cloth->mesh->vertex_count : 0;
            put_mesh(&size, cloth);
        }
        size.used += weft_take_state_size(&w->counts[i]);
    }
    for (int32_t i = 0; i < w->body_count; i++)
        size.used += 12 * (size_t)w->moving[i];
    w->frame_size = size.used;
    return reserve_frame(w, w->frame_size);
}

static weft_result write_frame(weft_take_writer *w, const weft_frame *frame, const weft_take_links *links) {
    if (frame->index != w->next || frame->index >= w->frame_count || frame->cloth_count != w->cloth_count)
        return weft_fail(WEFT_UNSUPPORTED, "%.200s: frame %lld of %d cloths, but frame %lld of %lld with %d is next",
                         w->output.path, (long long)frame->index, frame->cloth_count, (long long)w->next,
                         (long long)w->frame_count, w->cloth_count);
    WEFT_TRY(measure_frame(w, frame));
    unsigned char *at = w->frame;
    if (w->changes) {
        weft_bytes_put(at, w->frame_size - 8, 8, 0);
        at += 8;
    }
    for (int32_t i = 0; i < w->cloth_count; i++) {
        if (frame->cloth[i].generation) {
            header_buffer mesh = {at, 0};
            put_mesh(&mesh, &frame->cloth[i]);
            at += mesh.used;
        }
        WEFT_TRY(put_state(w, i, &frame->cloth[i], &links[i], at));
        at += weft_take_state_size(&w->counts[i]);
    }
    WEFT_TRY(put_bodies(w, frame, at));
    weft_output_write(&w->output, w->frame, w->frame_size);
    WEFT_TRY(weft_output_flush(&w->output));
    w->written += w->frame_size;
    w->next++;
    return weft_ok();
}

weft_result weft_take_writer_write_frame(weft_take_writer *w, const weft_frame *frame, const weft_take_links *links) {
    weft_take_triangles triangles;
    weft_frame own = *frame;
    weft_result result = weft_take_triangles_make(&triangles, &own);
    if (result.code == WEFT_OK)
        result = write_frame(w, &own, links);
    weft_take_triangles_free(&triangles);
    return result;
}

weft_result weft_take_writer_sync(weft_take_writer *w) { return weft_output_sync(&w->output); }

/* If the disk filled up in the middle of a frame, truncates the file to whole frames. */
static weft_result leave(weft_take_writer *w) {
    weft_result result = weft_output_suspend(&w->output);
    char part[WEFT_PATH_SIZE + 8];
    snprintf(part, sizeof part, "%s.part", w->output.path);
    if (result.code != WEFT_OK && truncate(part, (off_t)w->written) != 0 && w->next == 0)
        unlink(part);
    return result;
}

weft_result weft_take_writer_close(weft_take_writer *w, int finished) {
    int complete = finished && w->next == w->frame_count;
    weft_result result = complete && !w->output.error ? weft_output_commit(&w->output) : leave(w);
    if (result.code == WEFT_OK && finished && !complete)
        result = weft_fail(WEFT_BAD_FILE, "%.300s: closed after %lld of %lld frames; the .part file stays",
                           w->output.path, (long long)w->next, (long long)w->frame_count);
    destroy(w);
    return result;
}
