/* Reader for PLY files, ASCII and binary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/ply_header.h"
#include "io/surface.h"
#include "io/text.h"
#include "weft-io/mesh_file.h"

/* The vertex properties that the reader uses. */
enum { X, Y, Z, U, V, ROLES };

typedef struct reader {
    const char *bytes, *name;
    size_t size, at;
    int line; /* ASCII only */
    int has_uv, points_only;
    int64_t vertex_count;
    weft_ply_header header;
    weft_surface surface;
} reader;

/* Names the place as "body.ply:12: " or "body.ply: byte 3400: ". */
static weft_result fail(const reader *r, const weft_ply_element *e, int64_t row, const char *message, double value) {
    char place[32];
    if (r->header.format == WEFT_PLY_ASCII)
        snprintf(place, sizeof place, ":%d", r->line);
    else
        snprintf(place, sizeof place, ": byte %zu", r->at);
    return weft_fail(WEFT_BAD_INPUT, "%.280s%s: %.40s %lld: %s %.9g", r->name, place, e->name, (long long)row, message,
                     value);
}

static weft_result fail_short(const reader *r, const weft_ply_element *e, int64_t row) {
    if (r->header.format == WEFT_PLY_ASCII)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: truncated in %.40s %lld of %lld", r->name, r->line, e->name,
                         (long long)row, (long long)e->count);
    return weft_fail(WEFT_BAD_INPUT, "%.280s: truncated at byte %zu, in %.40s %lld of %lld", r->name, r->size, e->name,
                     (long long)row, (long long)e->count);
}

/* -- values -- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *next_word(reader *r, size_t *length) {
    while (r->at < r->size && is_blank(r->bytes[r->at]))
        r->line += r->bytes[r->at++] == '\n';
    size_t start = r->at;
    while (r->at < r->size && !is_blank(r->bytes[r->at]))
        r->at++;
    *length = r->at - start;
    return r->bytes + start;
}

static double decode(uint64_t bits, weft_ply_type type) {
    float narrow;
    double wide;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case WEFT_PLY_INT8:
        return (double)(int8_t)bits;
    case WEFT_PLY_INT16:
        return (double)(int16_t)bits;
    case WEFT_PLY_INT32:
        return (double)(int32_t)bits;
    case WEFT_PLY_FLOAT:
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    case WEFT_PLY_DOUBLE:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)bits;
    }
}

/* Returns 0 at the end of the file. A word that is not a number becomes NaN; the caller refuses it where it matters. */
static int read_value(reader *r, weft_ply_type type, double *value) {
    if (r->header.format == WEFT_PLY_ASCII) {
        size_t length;
        const char *word = next_word(r, &length);
        if (length > 0 && !weft_real_read(word, length, value))
            *value = NAN;
        return length > 0;
    }
    int size = weft_ply_type_size(type);
    if (r->size - r->at < (size_t)size)
        return 0;
    uint64_t bits = weft_bytes_get((const unsigned char *)r->bytes + r->at, size, r->header.format == WEFT_PLY_BIG);
    r->at += (size_t)size;
    *value = decode(bits, type);
    return 1;
}

/* Reads the count of a list. Each entry needs at least one byte (in ASCII a character and a blank), so the rest of the
 * file limits the count. */
static weft_result read_count(reader *r, const weft_ply_element *e, const weft_ply_property *p, int64_t row,
                              int64_t *count) {
    double value;
    if (!read_value(r, p->count_type, &value))
        return fail_short(r, e, row);
    if (!(value >= 0 && value <= UINT32_MAX) || value != floor(value))
        return fail(r, e, row, "not the count of a list:", value);
    *count = (int64_t)value;
    size_t entry = r->header.format == WEFT_PLY_ASCII ? 2 : (size_t)weft_ply_type_size(p->type);
    if ((uint64_t)*count > (r->size - r->at) / entry)
        return fail_short(r, e, row);
    return weft_ok();
}

static weft_result skip_property(reader *r, const weft_ply_element *e, const weft_ply_property *p, int64_t row) {
    int64_t count = 1;
    double value;
    if (p->is_list)
        WEFT_TRY(read_count(r, e, p, row, &count));
    for (int64_t i = 0; i < count; i++)
        if (!read_value(r, p->type, &value))
            return fail_short(r, e, row);
    return weft_ok();
}

/* -- elements -- */

/* Refuses impossible counts before reading: each row has a minimum size in bytes. */
static weft_result check_size(const reader *r, const weft_ply_element *e) {
    size_t row = 0, left = r->size - r->at;
    for (int i = e->first; i < e->first + e->property_count; i++) {
        const weft_ply_property *p = &r->header.property[i];
        row +=
            r->header.format == WEFT_PLY_ASCII ? 2 : (size_t)weft_ply_type_size(p->is_list ? p->count_type : p->type);
    }
    if (row > 0 && (uint64_t)e->count > (left + 1) / row)
        return weft_fail(
            WEFT_BAD_INPUT,
            "%.280s: truncated: %lld rows of '%.40s' need at least %llu bytes after byte %zu, %zu are there", r->name,
            (long long)e->count, e->name, (unsigned long long)e->count * row, r->at, left);
    return weft_ok();
}

static weft_result skip_element(reader *r, const weft_ply_element *e) {
    for (int64_t row = 0; e->property_count > 0 && row < e->count; row++)
        for (int i = e->first; i < e->first + e->property_count; i++)
            WEFT_TRY(skip_property(r, e, &r->header.property[i], row));
    return weft_ok();
}

static int find_scalar(const reader *r, const weft_ply_element *e, const char *name) {
    int found = weft_ply_find(&r->header, e, name);
    return found >= 0 && !r->header.property[found].is_list ? found : -1;
}

/* Finds the property of each role, -1 if absent. */
static weft_result find_roles(const reader *r, const weft_ply_element *e, int role[ROLES]) {
    static const char *const PAIRS[][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
    role[X] = find_scalar(r, e, "x");
    role[Y] = find_scalar(r, e, "y");
    role[Z] = find_scalar(r, e, "z");
    role[U] = role[V] = -1;
    for (int i = 0; i < 3 && (role[U] < 0 || role[V] < 0); i++) {
        role[U] = find_scalar(r, e, PAIRS[i][0]);
        role[V] = find_scalar(r, e, PAIRS[i][1]);
    }
    if (role[X] < 0 || role[Y] < 0 || role[Z] < 0)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: 'vertex' needs the properties x, y and z", r->name);
    return weft_ok();
}

static weft_result read_vertex(reader *r, const weft_ply_element *e, const int role[ROLES], int64_t row) {
    double value[ROLES] = {0};
    for (int i = e->first; i < e->first + e->property_count; i++) {
        int wanted = 0;
        while (wanted < ROLES && role[wanted] != i)
            wanted++;
        if (wanted == ROLES) {
            WEFT_TRY(skip_property(r, e, &r->header.property[i], row));
            continue;
        }
        if (!read_value(r, r->header.property[i].type, &value[wanted]))
            return fail_short(r, e, row);
        if (!isfinite(value[wanted]))
            return fail(r, e, row, "not a finite number:", value[wanted]);
    }
    if (!weft_surface_add_position(&r->surface, (weft_vec3){value[X], value[Y], value[Z]}) ||
        (r->has_uv && !weft_surface_add_uv(&r->surface, (weft_vec2){value[U], value[V]})))
        return weft_surface_fail(&r->surface, r->name);
    return weft_ok();
}

static weft_result read_vertices(reader *r, const weft_ply_element *e) {
    int role[ROLES];
    WEFT_TRY(find_roles(r, e, role));
    for (int64_t row = 0; row < e->count; row++)
        WEFT_TRY(read_vertex(r, e, role, row));
    return weft_ok();
}

static weft_result read_face(reader *r, const weft_ply_element *e, const weft_ply_property *p, int64_t row) {
    int64_t count = 0;
    WEFT_TRY(read_count(r, e, p, row, &count));
    if (count < 3)
        return fail(r, e, row, "a face needs at least 3 corners, not", (double)count);
    for (int64_t i = 0; i < count; i++) {
        double index;
        if (!read_value(r, p->type, &index))
            return fail_short(r, e, row);
        if (!(index >= 0 && index < (double)r->vertex_count) || index != floor(index))
            return fail(r, e, row, "vertex index out of range:", index);
        if (!weft_surface_add_corner(&r->surface, (int32_t)index, r->has_uv ? (int32_t)index : WEFT_NONE))
            return weft_surface_fail(&r->surface, r->name);
    }
    return weft_surface_end_face(&r->surface, 0) ? weft_ok() : weft_surface_fail(&r->surface, r->name);
}

static weft_result read_faces(reader *r, const weft_ply_element *e) {
    int list = weft_ply_find(&r->header, e, "vertex_indices");
    if (list < 0)
        list = weft_ply_find(&r->header, e, "vertex_index");
    if (list < 0 || !r->header.property[list].is_list)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: 'face' needs a list 'vertex_indices'", r->name);
    for (int64_t row = 0; row < e->count; row++)
        for (int i = e->first; i < e->first + e->property_count; i++)
            WEFT_TRY(i == list ? read_face(r, e, &r->header.property[i], row)
                               : skip_property(r, e, &r->header.property[i], row));
    return weft_ok();
}

static const weft_ply_element *find_element(const reader *r, const char *name) {
    for (int i = 0; i < r->header.element_count; i++)
        if (strcmp(r->header.element[i].name, name) == 0)
            return &r->header.element[i];
    return NULL;
}

/* Faces may precede vertices, so this takes the vertex count and properties from the header. */
static weft_result prepare(reader *r) {
    const weft_ply_element *vertex = find_element(r, "vertex");
    int role[ROLES];
    if (!vertex || (!r->points_only && !find_element(r, "face")))
        return weft_fail(WEFT_BAD_INPUT,
                         r->points_only ? "%.300s: no points: the element 'vertex' is needed"
                                        : "%.300s: no surface: the elements 'vertex' and 'face' are needed",
                         r->name);
    WEFT_TRY(find_roles(r, vertex, role));
    if (vertex->count > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: %lld vertices, at most %d are allowed", r->name,
                         (long long)vertex->count, WEFT_MESH_LIMIT);
    r->vertex_count = vertex->count;
    r->has_uv = role[U] >= 0 && role[V] >= 0;
    return weft_ok();
}

static weft_result read_elements(reader *r) {
    WEFT_TRY(weft_ply_header_read(r->bytes, r->size, r->name, &r->header));
    r->at = r->header.size;
    r->line = r->header.lines + 1;
    WEFT_TRY(prepare(r));
    for (int i = 0; i < r->header.element_count; i++) {
        const weft_ply_element *e = &r->header.element[i];
        WEFT_TRY(check_size(r, e));
        if (strcmp(e->name, "vertex") == 0)
            WEFT_TRY(read_vertices(r, e));
        else if (strcmp(e->name, "face") == 0 && !r->points_only)
            WEFT_TRY(read_faces(r, e));
        else
            WEFT_TRY(skip_element(r, e));
    }
    return weft_ok();
}

static weft_result read_all(reader *r, weft_mesh **mesh) {
    WEFT_TRY(read_elements(r));
    /* Programs write a vertex once for each normal and texture coordinate. Weft does not, and cracks in torn cloth must
     * stay open. */
    return r->header.is_ours ? weft_surface_finish(&r->surface, r->name, mesh)
                             : weft_surface_finish_welded(&r->surface, r->name, mesh);
}

weft_result weft_ply_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup) {
    *mesh = NULL;
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return weft_fail_memory(name, sizeof *r);
    r->bytes = bytes;
    r->size = size;
    r->name = name;
    r->surface.soup = soup;
    weft_result result = read_all(r, mesh);
    weft_surface_free(&r->surface);
    free(r);
    return result;
}

weft_result weft_ply_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh) {
    return weft_ply_read_soup(bytes, size, name, mesh, NULL);
}

weft_result weft_ply_read_points(const char *bytes, size_t size, const char *name, weft_vec3 **point, int32_t *count) {
    *point = NULL;
    *count = 0;
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return weft_fail_memory(name, sizeof *r);
    r->bytes = bytes;
    r->size = size;
    r->name = name;
    r->points_only = 1;
    weft_result result = read_elements(r);
    if (result.code == WEFT_OK) {
        *point = r->surface.position;
        *count = (int32_t)r->surface.position_count;
        r->surface.position = NULL;
    }
    weft_surface_free(&r->surface);
    free(r);
    return result;
}
