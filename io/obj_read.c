/* Reader for Wavefront OBJ: `v`, `vt`, `f`, `g` and `o`. Other statements do not describe a surface and are skipped. */
#include <limits.h>
#include <string.h>

#include "io/surface.h"
#include "io/text.h"
#include "weft-io/mesh_file.h"

typedef struct reader {
    const char *at, *end, *name;
    int line;
    weft_surface surface;
    const char *group; /* text of the last `g` or `o`, null before the first */
    size_t group_length;
    int32_t group_index; /* WEFT_NONE until a face uses the group: empty groups are dropped */
    /* Faces may precede their vertices, so the largest index is checked at the end. */
    int64_t most_vertex, most_uv;
    int most_vertex_line, most_uv_line;
} reader;

static weft_result fail_line(const reader *r, int line, const char *what, const char *text, size_t length) {
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s '%.*s'", r->name, line, what, length < 60 ? (int)length : 60, text);
}

/* -- words and lines -- */

static int at_line_end(const reader *r) { return r->at == r->end || *r->at == '\n' || *r->at == '\r'; }

/* Skips a line end: \n, \r\n or \r. */
static void pass_line_end(reader *r) {
    if (r->at == r->end)
        return;
    r->at += *r->at == '\r' && r->end - r->at > 1 && r->at[1] == '\n' ? 2 : 1;
    r->line++;
}

/* A backslash as the last character of a line joins it with the next. */
static int pass_continuation(reader *r) {
    if (r->end - r->at < 2 || *r->at != '\\' || (r->at[1] != '\n' && r->at[1] != '\r'))
        return 0;
    r->at++;
    pass_line_end(r);
    return 1;
}

static void pass_blanks(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || pass_continuation(r)))
        r->at += r->at < r->end && (*r->at == ' ' || *r->at == '\t');
}

static void pass_line(reader *r) {
    while (!at_line_end(r))
        if (!pass_continuation(r))
            r->at++;
    pass_line_end(r);
}

/* Returns the next word of the line. The length is 0 at the end of the line or at a comment. */
static const char *next_word(reader *r, size_t *length) {
    pass_blanks(r);
    const char *start = r->at;
    if (r->at < r->end && *r->at == '#') {
        *length = 0;
        return start;
    }
    while (!at_line_end(r) && *r->at != ' ' && *r->at != '\t' &&
           !(*r->at == '\\' && r->end - r->at > 1 && (r->at[1] == '\n' || r->at[1] == '\r')))
        r->at++;
    *length = (size_t)(r->at - start);
    return start;
}

/* -- statements -- */

static weft_result read_numbers(reader *r, const char *statement, int count, double *numbers) {
    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = next_word(r, &length);
        if (length == 0)
            return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: '%s' has %d numbers, %d are needed", r->name, r->line,
                             statement, i, count);
        if (!weft_real_read(word, length, &numbers[i]))
            return fail_line(r, r->line, "not a finite number:", word, length);
    }
    return weft_ok();
}

/* Reads [+-]digits up to `end` or a slash. `index` is 0 if there are no digits. */
static const char *read_index(const char *at, const char *end, int64_t *index) {
    int negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int64_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        value = value < INT_MAX ? 10 * value + (*at - '0') : value;
    *index = negative ? -value : value;
    return at;
}

/* Converts an OBJ index to a 0-based one. OBJ counts from 1; negative indices count back from the last element so far.
 * Returns 0 if the index is out of range. */
static int resolve(int64_t index, size_t count, int64_t *resolved) {
    *resolved = index > 0 ? index - 1 : (int64_t)count + index;
    return index != 0 && *resolved >= 0 && *resolved < WEFT_MESH_LIMIT;
}

static weft_result fail_index(const reader *r, const char *what, const char *word, size_t length, size_t count) {
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s index out of range: '%.*s' (%zu so far)", r->name, r->line, what,
                     length < 60 ? (int)length : 60, word, count);
}

/* Reads "7", "7/1", "7//3" or "7/1/3". Each number may be negative. */
static weft_result read_corner(reader *r, const char *word, size_t length) {
    const char *end = word + length;
    int64_t written, vertex, uv = WEFT_NONE;
    const char *at = read_index(word, end, &written);
    if (at == word || (at < end && *at != '/'))
        return fail_line(r, r->line, "not a corner of a face:", word, length);
    if (!resolve(written, r->surface.position_count, &vertex))
        return fail_index(r, "vertex", word, length, r->surface.position_count);
    if (at < end && at + 1 < end && at[1] != '/') {
        const char *start = at + 1;
        at = read_index(start, end, &written);
        if (at == start || (at < end && *at != '/'))
            return fail_line(r, r->line, "not a corner of a face:", word, length);
        if (!resolve(written, r->surface.uv_count, &uv))
            return fail_index(r, "texture", word, length, r->surface.uv_count);
    }
    if (vertex > r->most_vertex) {
        r->most_vertex = vertex;
        r->most_vertex_line = r->line;
    }
    if (uv > r->most_uv) {
        r->most_uv = uv;
        r->most_uv_line = r->line;
    }
    return weft_surface_add_corner(&r->surface, (int32_t)vertex, (int32_t)uv) ? weft_ok()
                                                                              : weft_surface_fail(&r->surface, r->name);
}

/* Selects the group of the next faces. Faces before the first `g` belong to the group that the format calls
 * "default". */
static int use_group(reader *r) {
    if (r->group_index != WEFT_NONE)
        return 1;
    return r->group ? weft_surface_group(&r->surface, r->group, r->group_length, &r->group_index)
                    : weft_surface_group(&r->surface, "default", 7, &r->group_index);
}

static weft_result read_face(reader *r) {
    int line = r->line;
    for (;;) {
        size_t length;
        const char *word = next_word(r, &length);
        if (length == 0)
            break;
        WEFT_TRY(read_corner(r, word, length));
    }
    size_t corners = r->surface.corner_count - r->surface.face_start;
    if (corners < 3)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: a face of %zu corners; at least 3 are needed", r->name, line,
                         corners);
    if (!use_group(r) || !weft_surface_end_face(&r->surface, r->group_index))
        return weft_surface_fail(&r->surface, r->name);
    return weft_ok();
}

/* The rest of the line is the name, because names after `o` may contain blanks. An empty name means "default". */
static void read_group(reader *r) {
    pass_blanks(r);
    const char *start = r->at, *stop = start;
    for (; !at_line_end(r); r->at++)
        if (*r->at != ' ' && *r->at != '\t')
            stop = r->at + 1;
    r->group = stop > start ? start : "default";
    r->group_length = stop > start ? (size_t)(stop - start) : 7;
    r->group_index = WEFT_NONE;
}

static weft_result read_statement(reader *r) {
    size_t length;
    const char *word = next_word(r, &length);
    double n[3] = {0};
    if (length == 1 && *word == 'v') {
        WEFT_TRY(read_numbers(r, "v", 3, n)); /* a weight or colours may follow */
        if (!weft_surface_add_position(&r->surface, (weft_vec3){n[0], n[1], n[2]}))
            return weft_surface_fail(&r->surface, r->name);
    } else if (length == 2 && word[0] == 'v' && word[1] == 't') {
        WEFT_TRY(read_numbers(r, "vt", 2, n));
        if (!weft_surface_add_uv(&r->surface, (weft_vec2){n[0], n[1]}))
            return weft_surface_fail(&r->surface, r->name);
    } else if (length == 1 && *word == 'f') {
        WEFT_TRY(read_face(r));
    } else if (length == 1 && (*word == 'g' || *word == 'o')) {
        read_group(r);
    }
    pass_line(r);
    return weft_ok();
}

static weft_result check_range(const reader *r) {
    const weft_surface *s = &r->surface;
    if (s->position_count == 0)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: not an OBJ surface: there is no 'v' line", r->name);
    if (r->most_vertex >= (int64_t)s->position_count)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: vertex index out of range: %lld (%zu vertices)", r->name,
                         r->most_vertex_line, (long long)r->most_vertex + 1, s->position_count);
    if (r->most_uv >= (int64_t)s->uv_count)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: texture index out of range: %lld (%zu texture coordinates)",
                         r->name, r->most_uv_line, (long long)r->most_uv + 1, s->uv_count);
    return weft_ok();
}

static weft_result read_all(reader *r, weft_mesh **mesh) {
    while (r->at < r->end)
        WEFT_TRY(read_statement(r));
    WEFT_TRY(check_range(r));
    int grouped = r->surface.group_count > 1 || r->group != NULL;
    size_t groups = r->surface.group_count;
    r->surface.group_count = grouped ? groups : 0; /* only "default": the file names no groups */
    weft_result result = weft_surface_finish(&r->surface, r->name, mesh);
    r->surface.group_count = groups;
    return result;
}

weft_result weft_obj_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup) {
    *mesh = NULL;
    reader r = {.at = bytes,
                .end = bytes + size,
                .name = name,
                .line = 1,
                .surface = {.soup = soup},
                .group_index = WEFT_NONE,
                .most_vertex = -1,
                .most_uv = -1};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        r.at += 3; /* a byte order mark */
    weft_result result = read_all(&r, mesh);
    weft_surface_free(&r.surface);
    return result;
}

weft_result weft_obj_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh) {
    return weft_obj_read_soup(bytes, size, name, mesh, NULL);
}
