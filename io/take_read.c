/* Reads takes. File contents are not trusted: counts are checked against the file size before memory is allocated. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/bytes.h"
#include "io/file.h"
#include "io/take_format.h"
#include "weft-io/take.h"
#include "weft/vec.h"

enum { START = 40 };

typedef struct source {
    char name[512]; /* for messages */
    FILE *file;     /* or null: use `memory` */
    const unsigned char *memory;
    uint64_t size;
    uint64_t version, header_size, frame_size;
    unsigned char *frame; /* buffer for one frame */
    uint64_t
        *body_offset; /* offset of each moving body in a frame; in version 3 relative to the first body (body_count) */
    /* Version 3: the offset of each frame (frames + 1), and the frame whose meshes are in the reader. */
    uint64_t *frame_at;
    uint64_t body_size, room; /* room: size of `frame` */
    int64_t mesh_frame;
} source;

static weft_result read_at(const source *s, uint64_t offset, void *to, size_t size) {
    if (s->memory) {
        memcpy(to, s->memory + offset, size);
        return weft_ok();
    }
    errno = 0;
    if (fseeko(s->file, (off_t)offset, SEEK_SET) != 0 || fread(to, 1, size, s->file) != size)
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", s->name, errno ? strerror(errno) : "truncated while it was read");
    return weft_ok();
}

static weft_result fail_short(const source *s, const char *what, uint64_t needed) {
    return weft_fail(WEFT_BAD_INPUT, "%.360s: a truncated take: %llu bytes there, %llu needed for %s", s->name,
                     (unsigned long long)s->size, (unsigned long long)needed, what);
}

static weft_result fail_damaged(const source *s, const char *what) {
    return weft_fail(WEFT_BAD_INPUT, "%.360s: a damaged take: %s", s->name, what);
}

/* -- the header -- */

/* A position in the header, which is in memory. Reading past the end gives zeros and sets `short_of`. */
typedef struct cursor {
    const source *source;
    const unsigned char *at, *end;
    int short_of;
} cursor;

static int has(cursor *c, uint64_t count, uint64_t size) {
    if (count > (uint64_t)(c->end - c->at) / size)
        c->short_of = 1;
    return !c->short_of;
}

static uint64_t get(cursor *c, int size) {
    if (!has(c, 1, (uint64_t)size))
        return 0;
    uint64_t bits = weft_bytes_get(c->at, size, 0);
    c->at += size;
    return bits;
}

static double get_float(cursor *c) {
    if (!has(c, 1, 4))
        return 0;
    c->at += 4;
    return weft_bytes_get_float(c->at - 4, 0);
}

static weft_result get_text(cursor *c, char *text, const char *what) {
    uint64_t length = get(c, 4);
    if (length == 0 || length > WEFT_TAKE_LONGEST_TEXT || !has(c, length, 1) || memchr(c->at, 0, (size_t)length))
        return fail_damaged(c->source, what);
    memcpy(text, c->at, (size_t)length);
    text[length] = '\0';
    c->at += length;
    return weft_ok();
}

static weft_result get_name(cursor *c, const char **name, const char *what) {
    char text[WEFT_TAKE_LONGEST_TEXT + 1];
    WEFT_TRY(get_text(c, text, what));
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return weft_fail_memory(c->source->name, strlen(text) + 1);
    strcpy(copy, text);
    *name = copy;
    return weft_ok();
}

static weft_result get_counts(cursor *c, weft_take_cloth *cloth) {
    int32_t *const count[] = {&cloth->vertex_count, &cloth->face_count, &cloth->corner_count, &cloth->triangle_count,
                              &cloth->link_count};
    for (int i = 0; i < 5; i++) {
        uint64_t number = get(c, 4);
        if (number > WEFT_MESH_LIMIT * (i == 4 ? UINT64_C(10) : 1) || (i < 4 && number == 0))
            return fail_damaged(c->source, "a count out of range");
        *count[i] = (int32_t)number;
    }
    return weft_ok();
}

static void *take_room(cursor *c, int32_t count, uint64_t file_size, size_t size, weft_result *result) {
    if (!has(c, (uint64_t)count, file_size)) {
        *result = fail_damaged(c->source, "its header is shorter than its counts");
        return NULL;
    }
    void *room = malloc(count > 0 ? (size_t)count * size : 1);
    if (!room)
        *result = weft_fail_memory(c->source->name, (size_t)count * size);
    return room;
}

/* Reads `count` groups of `width` indices below `limit`. */
static weft_result get_indices(cursor *c, int32_t count, int width, int32_t limit, int32_t **index) {
    weft_result result = weft_ok();
    *index = take_room(c, count, 4 * (uint64_t)width, (size_t)width * sizeof **index, &result);
    if (!*index)
        return result;
    for (size_t i = 0; i < (size_t)count * (size_t)width; i++) {
        uint64_t number = get(c, 4);
        if (number >= (uint64_t)limit)
            return fail_damaged(c->source, "an index out of range");
        (*index)[i] = (int32_t)number;
    }
    return weft_ok();
}

static weft_vec3 get_point(cursor *c) {
    double x = get_float(c), y = get_float(c), z = get_float(c);
    return (weft_vec3){x, y, z};
}

static weft_result get_points(cursor *c, int32_t count, weft_vec3 **point, const char *what) {
    weft_result result = weft_ok();
    *point = take_room(c, count, 12, sizeof **point, &result);
    for (int32_t v = 0; *point && v < count; v++) {
        (*point)[v] = get_point(c);
        if (!weft_vec3_is_finite((*point)[v]))
            return fail_damaged(c->source, what);
    }
    return result;
}

static weft_result get_faces(cursor *c, weft_take_cloth *cloth) {
    WEFT_TRY(get_indices(c, cloth->face_count, 1, INT32_MAX, &cloth->face_size));
    int64_t corners = 0;
    for (int32_t f = 0; f < cloth->face_count; f++) {
        corners += cloth->face_size[f];
        if (cloth->face_size[f] < 3)
            return fail_damaged(c->source, "a face of fewer than 3 corners");
    }
    if (corners != cloth->corner_count)
        return fail_damaged(c->source, "faces that do not fit their corners");
    return get_indices(c, cloth->corner_count, 1, cloth->vertex_count, &cloth->corner);
}

static weft_result get_uv(cursor *c, weft_take_cloth *cloth) {
    weft_result result = weft_ok();
    cloth->corner_uv = take_room(c, cloth->corner_count, 8, sizeof *cloth->corner_uv, &result);
    for (int32_t i = 0; cloth->corner_uv && i < cloth->corner_count; i++) {
        double u = get_float(c), v = get_float(c);
        if (!isfinite(u) || !isfinite(v))
            return fail_damaged(c->source, "rest coordinates that are not finite");
        cloth->corner_uv[i] = (weft_vec2){u, v};
    }
    return result;
}

static weft_result get_links(cursor *c, weft_take_cloth *cloth) {
    weft_result result = weft_ok();
    cloth->link = take_room(c, cloth->link_count, 16, sizeof *cloth->link, &result);
    if (!cloth->link)
        return result;
    for (int32_t i = 0; i < cloth->link_count; i++) {
        uint64_t a = get(c, 4), b = get(c, 4);
        if (a >= (uint64_t)cloth->vertex_count || b >= (uint64_t)cloth->vertex_count)
            return fail_damaged(c->source, "a link to a vertex that is not there");
        cloth->link[i] = (weft_link){.a = (int32_t)a, .b = (int32_t)b};
    }
    for (int32_t i = 0; i < cloth->link_count; i++) {
        uint64_t type = get(c, 4);
        if (type >= WEFT_LINK_TYPES)
            return fail_damaged(c->source, "a link of an unknown type");
        cloth->link[i].type = (int32_t)type;
    }
    for (int32_t i = 0; i < cloth->link_count; i++) {
        cloth->link[i].rest_length = get_float(c);
        if (!(cloth->link[i].rest_length >= 0 && isfinite(cloth->link[i].rest_length)))
            return fail_damaged(c->source, "a link with a rest length that is not finite or below 0");
    }
    return result;
}

static weft_result get_cloth(cursor *c, weft_take_cloth *cloth) {
    WEFT_TRY(get_name(c, &cloth->name, "the name of a cloth"));
    uint64_t contents = get(c, 4);
    if (contents > WEFT_TAKE_CONTENTS)
        return fail_damaged(c->source, "unknown contents of a cloth");
    cloth->has_strain = (contents & WEFT_TAKE_STRAIN) != 0;
    cloth->has_pressure = (contents & WEFT_TAKE_PRESSURE) != 0;
    cloth->changes = (contents & WEFT_TAKE_CHANGES) != 0;
    if (cloth->changes && c->source->version < 3)
        return fail_damaged(c->source, "unknown contents of a cloth");
    WEFT_TRY(get_counts(c, cloth));
    WEFT_TRY(get_points(c, cloth->vertex_count, &cloth->rest, "a rest position that is not finite"));
    WEFT_TRY(get_faces(c, cloth));
    if (contents & WEFT_TAKE_UV)
        WEFT_TRY(get_uv(c, cloth));
    WEFT_TRY(get_indices(c, cloth->triangle_count, 3, cloth->vertex_count, &cloth->triangle));
    WEFT_TRY(get_indices(c, cloth->triangle_count, 1, cloth->face_count, &cloth->triangle_face));
    return get_links(c, cloth);
}

static weft_result get_cloths(cursor *c, weft_take_reader *reader, uint64_t count) {
    /* The name and counts of a cloth have a minimum size, which bounds the number of cloths. */
    if (count == 0 || count > INT32_MAX || !has(c, count, 28))
        return fail_damaged(c->source, "the number of cloths");
    reader->cloth = calloc((size_t)count, sizeof *reader->cloth);
    if (!reader->cloth)
        return weft_fail_memory(c->source->name, (size_t)count * sizeof *reader->cloth);
    reader->cloth_count = (int32_t)count;
    for (int32_t i = 0; i < reader->cloth_count; i++)
        WEFT_TRY(get_cloth(c, &reader->cloth[i]));
    return weft_ok();
}

static weft_result get_body(cursor *c, weft_take_body *body) {
    WEFT_TRY(get_name(c, &body->name, "the name of a body"));
    uint64_t moves = get(c, 4), vertices = get(c, 4), triangles = get(c, 4);
    if (moves > 1)
        return fail_damaged(c->source, "a body whose flag for motion is not 0 or 1");
    if (vertices > WEFT_MESH_LIMIT || triangles > WEFT_MESH_LIMIT)
        return fail_damaged(c->source, "a count out of range");
    body->moves = (int32_t)moves;
    body->vertex_count = (int32_t)vertices;
    body->triangle_count = (int32_t)triangles;
    if (!body->moves)
        WEFT_TRY(get_points(c, body->vertex_count, &body->position, "a body's position that is not finite"));
    return get_indices(c, body->triangle_count, 3, body->vertex_count, &body->triangle);
}

static weft_result get_bodies(cursor *c, weft_take_reader *reader) {
    uint64_t count = get(c, 4);
    if (count > INT32_MAX || !has(c, count, 17))
        return fail_damaged(c->source, "the number of bodies");
    reader->body = calloc((size_t)count + 1, sizeof *reader->body);
    if (!reader->body)
        return weft_fail_memory(c->source->name, ((size_t)count + 1) * sizeof *reader->body);
    reader->body_count = (int32_t)count;
    for (int32_t i = 0; i < reader->body_count; i++)
        WEFT_TRY(get_body(c, &reader->body[i]));
    return weft_ok();
}

/* Reads the fixed-size start of the header. */
static weft_result get_start(source *s, weft_take_reader *reader, uint64_t *cloths) {
    unsigned char start[START];
    size_t there = s->size < START ? (size_t)s->size : START;
    WEFT_TRY(read_at(s, 0, start, there));
    if (memcmp(start, WEFT_TAKE_MAGIC, there < 8 ? there : 8) != 0)
        return weft_fail(WEFT_BAD_INPUT, "%.400s: not a take of weft", s->name);
    if (there < START)
        return fail_short(s, "the header", START);
    uint64_t frames = weft_bytes_get(start + 24, 8, 0);
    s->version = weft_bytes_get(start + 8, 4, 0);
    if (s->version < 1 || s->version > WEFT_TAKE_VERSION)
        return weft_fail(WEFT_BAD_INPUT, "%.380s: a take of version %llu; this program reads versions 1 to %d", s->name,
                         (unsigned long long)s->version, WEFT_TAKE_VERSION);
    uint64_t rate = weft_bytes_get(start + 32, 8, 0);
    memcpy(&reader->rate, &rate, sizeof reader->rate);
    if (frames < 1 || frames > INT32_MAX)
        return fail_damaged(s, "the number of frames");
    if (!(reader->rate > 0 && reader->rate < 1e9))
        return fail_damaged(s, "the number of frames per second");
    *cloths = weft_bytes_get(start + 12, 4, 0);
    reader->frame_wanted = (int64_t)frames;
    s->header_size = weft_bytes_get(start + 16, 8, 0);
    if (s->header_size < START)
        return fail_damaged(s, "the size of its header");
    return s->header_size > s->size ? fail_short(s, "the header", s->header_size) : weft_ok();
}

static weft_result get_header(source *s, weft_take_reader *reader) {
    uint64_t cloths = 0;
    WEFT_TRY(get_start(s, reader, &cloths));
    size_t size = (size_t)s->header_size - START;
    unsigned char *bytes = malloc(size + 1);
    if (!bytes)
        return weft_fail_memory(s->name, size);
    weft_result result = read_at(s, START, bytes, size);
    cursor c = {.source = s, .at = bytes, .end = bytes + size};
    if (result.code == WEFT_OK)
        result = get_text(&c, reader->name, "the name of the scene");
    if (result.code == WEFT_OK)
        result = get_cloths(&c, reader, cloths);
    if (result.code == WEFT_OK && s->version > 1)
        result = get_bodies(&c, reader);
    if (result.code == WEFT_OK && c.at != c.end)
        result = fail_damaged(s, "its header is longer than its counts");
    free(bytes);
    return result;
}

/* -- frames -- */

static weft_take_counts counts_of(const weft_take_cloth *cloth) {
    return (weft_take_counts){cloth->vertex_count, cloth->face_count, cloth->link_count,
                              cloth->has_strain ? cloth->triangle_count : 0,
                              cloth->has_pressure ? cloth->vertex_count : 0};
}

/* Finds the offsets of the moving bodies. *end is their start and is advanced past them. */
static weft_result place_bodies(source *s, const weft_take_reader *reader, uint64_t *end) {
    size_t count = (size_t)reader->body_count + 1;
    s->body_offset = calloc(count, sizeof *s->body_offset);
    if (!s->body_offset)
        return weft_fail_memory(s->name, count * sizeof *s->body_offset);
    for (int32_t i = 0; i < reader->body_count; i++) {
        s->body_offset[i] = *end;
        *end += reader->body[i].moves ? 12 * (uint64_t)reader->body[i].vertex_count : 0;
    }
    return weft_ok();
}

/* Version 3: finds the complete frames. Each frame stores its size. */
static weft_result list_frames(source *s, weft_take_reader *reader, int unfinished) {
    uint64_t at = s->header_size, wanted = (uint64_t)reader->frame_wanted;
    s->mesh_frame = -1;
    WEFT_TRY(place_bodies(s, reader, &s->body_size));
    uint64_t most = (s->size - s->header_size) / 8, count = 0;
    most = most < wanted ? most : wanted;
    s->frame_at = malloc((size_t)(most + 1) * sizeof *s->frame_at);
    if (!s->frame_at)
        return weft_fail_memory(s->name, (size_t)(most + 1) * sizeof *s->frame_at);
    for (s->frame_at[0] = at; count < most && s->size - at >= 8; count++) {
        unsigned char size[8];
        WEFT_TRY(read_at(s, at, size, sizeof size));
        uint64_t bytes = weft_bytes_get(size, 8, 0);
        if (bytes > s->size - at - 8)
            break;
        if (bytes < s->body_size)
            return fail_damaged(s, "a frame shorter than its bodies");
        at += 8 + bytes;
        s->frame_at[count + 1] = at;
    }
    if (!unfinished && count < wanted)
        return fail_short(s, "all frames", at + 8);
    if (!unfinished && at < s->size)
        return fail_damaged(s, "bytes after the last frame");
    if (count == 0)
        return fail_short(s, "a frame", at + 8);
    reader->frame_count = (int64_t)count;
    return weft_ok();
}

/* Reads a range of the file into `frame`. */
static weft_result read_part(source *s, uint64_t begin, uint64_t size) {
    if (size > s->room || !s->frame) {
        void *grown = realloc(s->frame, (size_t)size + 1);
        if (!grown)
            return weft_fail_memory(s->name, (size_t)size);
        s->frame = grown;
        s->room = size;
    }
    return read_at(s, begin, s->frame, (size_t)size);
}

static weft_result read_frame(source *s, int64_t frame) {
    if (!s->frame_at)
        return read_part(s, s->header_size + (uint64_t)frame * s->frame_size, s->frame_size);
    s->frame_size = s->frame_at[frame + 1] - s->frame_at[frame] - 8;
    return read_part(s, s->frame_at[frame] + 8, s->frame_size);
}

static weft_result count_frames(source *s, weft_take_reader *reader, int unfinished) {
    if (s->version > WEFT_TAKE_STEADY)
        return list_frames(s, reader, unfinished);
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        weft_take_counts counts = counts_of(&reader->cloth[i]);
        s->frame_size += weft_take_state_size(&counts);
    }
    WEFT_TRY(place_bodies(s, reader, &s->frame_size));
    uint64_t whole = (s->size - s->header_size) / s->frame_size, wanted = (uint64_t)reader->frame_wanted;
    /* Positions of moving bodies are not in the header, so the header size does not bound their counts. */
    if (s->frame_size > UINT64_MAX / 4 / wanted)
        return fail_damaged(s, "a count out of range");
    if (!unfinished && s->size < s->header_size + wanted * s->frame_size)
        return fail_short(s, "all frames", s->header_size + wanted * s->frame_size);
    if (!unfinished && s->size > s->header_size + wanted * s->frame_size)
        return fail_damaged(s, "bytes after the last frame");
    if (whole == 0)
        return fail_short(s, "a frame", s->header_size + s->frame_size);
    reader->frame_count = (int64_t)(whole < wanted ? whole : wanted);
    return weft_ok();
}

static const unsigned char *get_bits(const unsigned char *at, int32_t count, uint8_t *to) {
    for (int32_t i = 0; i < count; i++)
        to[i] = at[i / 8] >> i % 8 & 1;
    return at + weft_take_bits(count);
}

/* `strain` may be null. */
static int get_strains(cursor *c, int32_t count, weft_strain *strain) {
    int finite = 1;
    for (int32_t t = 0; t < count; t++)
        for (int k = 0; k < 6; k++) {
            double value = get_float(c);
            finite &= isfinite(value) != 0;
            if (strain)
                *(k < 3 ? &strain[t].strain[k] : &strain[t].stress[k - 3]) = value;
        }
    return finite;
}

/* `pressure` may be null. */
static int get_pressures(cursor *c, int32_t count, double *pressure) {
    int finite = 1;
    for (int32_t v = 0; v < count; v++) {
        double value = get_float(c);
        finite &= isfinite(value) != 0;
        if (pressure)
            pressure[v] = value;
    }
    return finite;
}

static weft_result check_frame(const weft_take_reader *reader, int64_t frame) {
    const source *s = reader->self;
    if (frame < 0 || frame >= reader->frame_count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: there is no frame %lld; there are 0 to %lld", s->name,
                         (long long)frame, (long long)reader->frame_count - 1);
    return weft_ok();
}

/* `what`: "cloth" or "body" */
static weft_result get_positions(cursor *c, int64_t frame, const char *what, const char *name, int32_t count,
                                 weft_vec3 *position) {
    for (int32_t v = 0; v < count; v++) {
        position[v] = get_point(c);
        if (!weft_vec3_is_finite(position[v]))
            return weft_fail(WEFT_BAD_INPUT, "%.300s: a damaged take: frame %lld, %s '%.60s', vertex %d is not finite",
                             c->source->name, (long long)frame, what, name, v);
    }
    return weft_ok();
}

weft_result weft_take_reader_read_mesh(weft_take_reader *reader, int64_t frame) {
    source *s = reader->self;
    WEFT_TRY(check_frame(reader, frame));
    if (!s->frame_at || s->mesh_frame == frame)
        return weft_ok();
    s->mesh_frame = -1;
    WEFT_TRY(read_frame(s, frame));
    const unsigned char *at = s->frame, *end = s->frame + s->frame_size;
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        if (reader->cloth[i].changes)
            WEFT_TRY(weft_take_mesh_read(&reader->cloth[i], &at, end, s->name));
        weft_take_counts counts = counts_of(&reader->cloth[i]);
        if (weft_take_state_size(&counts) > (uint64_t)(end - at))
            return fail_damaged(s, "a frame shorter than its counts");
        at += weft_take_state_size(&counts);
    }
    if ((uint64_t)(end - at) != s->body_size)
        return fail_damaged(s, "a frame that does not fit its counts");
    s->mesh_frame = frame;
    return weft_ok();
}

weft_result weft_take_reader_read_frame(weft_take_reader *reader, int64_t frame, const weft_take_state *state) {
    source *s = reader->self;
    WEFT_TRY(check_frame(reader, frame));
    if (s->frame_at && s->mesh_frame != frame)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: the meshes of frame %lld were not asked for", s->name,
                         (long long)frame);
    WEFT_TRY(read_frame(s, frame));
    const unsigned char *at = s->frame;
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        const weft_take_cloth *cloth = &reader->cloth[i];
        if (cloth->changes && !weft_take_mesh_skip(cloth, &at, s->frame + s->frame_size))
            return fail_damaged(s, "a frame that does not fit its counts");
        cursor c = {.source = s, .at = at, .end = s->frame + s->frame_size};
        WEFT_TRY(get_positions(&c, frame, "cloth", cloth->name, cloth->vertex_count, state[i].position));
        at = get_bits(c.at, cloth->face_count, state[i].open_face);
        c.at = get_bits(at, cloth->link_count, state[i].broken);
        if (!get_strains(&c, cloth->has_strain ? cloth->triangle_count : 0, state[i].strain))
            return weft_fail(WEFT_BAD_INPUT,
                             "%.300s: a damaged take: frame %lld, cloth '%.60s': a strain is not finite", s->name,
                             (long long)frame, cloth->name);
        if (!get_pressures(&c, cloth->has_pressure ? cloth->vertex_count : 0, state[i].pressure))
            return weft_fail(WEFT_BAD_INPUT,
                             "%.300s: a damaged take: frame %lld, cloth '%.60s': a pressure is not finite", s->name,
                             (long long)frame, cloth->name);
        at = c.at;
    }
    return weft_ok();
}

weft_result weft_take_reader_read_body(weft_take_reader *reader, int64_t frame, int32_t index, weft_vec3 *position) {
    source *s = reader->self;
    WEFT_TRY(check_frame(reader, frame));
    if (index < 0 || index >= reader->body_count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: there is no body %d; there are %d", s->name, index,
                         reader->body_count);
    const weft_take_body *body = &reader->body[index];
    size_t count = (size_t)body->vertex_count;
    if (!body->moves) {
        memcpy(position, body->position, count * sizeof *position);
        return weft_ok();
    }
    uint64_t bodies =
        s->frame_at ? s->frame_at[frame + 1] - s->body_size : s->header_size + (uint64_t)frame * s->frame_size;
    WEFT_TRY(read_part(s, bodies + s->body_offset[index], 12 * (uint64_t)count));
    cursor c = {.source = s, .at = s->frame, .end = s->frame + 12 * count};
    return get_positions(&c, frame, "body", body->name, body->vertex_count, position);
}

/* -- opening and closing -- */

static weft_result open_source(source *s, weft_take_reader *reader, int unfinished) {
    reader->self = s;
    weft_result result = get_header(s, reader);
    if (result.code == WEFT_OK)
        result = count_frames(s, reader, unfinished);
    if (result.code != WEFT_OK)
        weft_take_reader_close(reader);
    return result;
}

static source *create_source(const char *name) {
    source *s = calloc(1, sizeof *s);
    if (s)
        snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

weft_result weft_take_reader_open(const char *path, int unfinished, weft_take_reader *reader) {
    *reader = (weft_take_reader){0};
    WEFT_TRY(weft_file_check(path));
    source *s = create_source(path);
    if (!s)
        return weft_fail_memory(path, sizeof *s);
    struct stat status;
    s->file = fopen(path, "rb");
    int cause = !s->file || fstat(fileno(s->file), &status) != 0 ? errno : 0;
    if (cause) {
        reader->self = s;
        weft_take_reader_close(reader);
        return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(cause));
    }
    s->size = (uint64_t)status.st_size;
    return open_source(s, reader, unfinished);
}

weft_result weft_take_reader_open_memory(const void *bytes, size_t size, const char *name, int unfinished,
                                         weft_take_reader *reader) {
    *reader = (weft_take_reader){0};
    source *s = create_source(name);
    if (!s)
        return weft_fail_memory(name, sizeof *s);
    s->memory = size > 0 ? bytes : (const unsigned char *)"";
    s->size = size;
    return open_source(s, reader, unfinished);
}

void weft_take_reader_close(weft_take_reader *reader) {
    source *s = reader->self;
    for (int32_t i = 0; i < reader->cloth_count; i++) {
        weft_take_cloth *cloth = &reader->cloth[i];
        free(cloth->generation);
        free(cloth->link);
        free(cloth->triangle_face);
        free(cloth->triangle);
        free(cloth->corner_uv);
        free(cloth->corner);
        free(cloth->face_size);
        free(cloth->rest);
        free((void *)cloth->name);
    }
    for (int32_t i = 0; i < reader->body_count; i++) {
        free(reader->body[i].triangle);
        free(reader->body[i].position);
        free((void *)reader->body[i].name);
    }
    free(reader->body);
    free(reader->cloth);
    if (s && s->file)
        fclose(s->file);
    if (s) {
        free(s->frame);
        free(s->frame_at);
        free(s->body_offset);
    }
    free(s);
    *reader = (weft_take_reader){0};
}
