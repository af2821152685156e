/* Reads the mesh of a body and its animation: a numbered sequence of mesh files, or a PC2 or MDD cache. */
#include "io/body_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/bytes.h"
#include "io/file.h"
#include "weft-io/mesh_file.h"

/* -- sequences: "walk_%04d.obj" -- */

enum { MOST_FIRST = 10000, MOST_DIGITS = 9 };

typedef struct sequence {
    const char *path;
    size_t before;     /* bytes before the number */
    const char *after; /* text after the number */
    int digits;
} sequence;

static int is_sequence(const char *path) { return strchr(path, '%') != NULL; }

static weft_result parse(const char *path, sequence *s) {
    const char *percent = strchr(path, '%'), *at = percent + 1;
    *s = (sequence){.path = path, .before = (size_t)(percent - path)};
    if (*at == '0' && at[1] >= '1' && at[1] <= '0' + MOST_DIGITS) {
        s->digits = at[1] - '0';
        at += 2;
    }
    if (*at != 'd' || strchr(at, '%'))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: the number of a sequence is written %%d or %%04d, and once", path);
    s->after = at + 1;
    return weft_ok();
}

static weft_result name_of(const sequence *s, int number, char *name, size_t size) {
    if (snprintf(name, size, "%.*s%0*d%s", (int)s->before, s->path, s->digits, number, s->after) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", s->path);
    return weft_ok();
}

static weft_result find_first(const sequence *s, int *first) {
    char name[1024];
    for (*first = 0; *first < MOST_FIRST; (*first)++) {
        WEFT_TRY(name_of(s, *first, name, sizeof name));
        if (access(name, F_OK) == 0)
            return weft_ok();
    }
    WEFT_TRY(name_of(s, 0, name, sizeof name));
    return weft_fail(WEFT_BAD_FILE, "%.300s: no file of that sequence, from %.100s on", s->path,
                     strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
}

static int count_files(const sequence *s, int first, int most) {
    char name[1024];
    int count = 0;
    while (count < most && name_of(s, first + count, name, sizeof name).code == WEFT_OK && access(name, F_OK) == 0)
        count++;
    return count;
}

weft_result weft_body_file_first(const char *path, char *name, size_t size) {
    sequence s;
    int first;
    if (!is_sequence(path)) {
        if ((size_t)snprintf(name, size, "%s", path) >= size)
            return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
        return weft_ok();
    }
    WEFT_TRY(parse(path, &s));
    WEFT_TRY(find_first(&s, &first));
    return name_of(&s, first, name, size);
}

weft_result weft_body_file_read(const char *path, weft_mesh **mesh, weft_soup *soup) {
    char name[1024];
    *mesh = NULL;
    *soup = (weft_soup){0};
    WEFT_TRY(weft_body_file_first(path, name, sizeof name));
    return weft_mesh_file_read_soup(name, mesh, soup);
}

/* Compares faces, not triangles, because the diagonals of quads depend on the shape. */
static weft_result check_same(const char *name, const weft_mesh *mesh, const weft_mesh *base) {
    if (mesh->vertex_count != base->vertex_count || mesh->face_count != base->face_count)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.300s: %d vertices and %d faces, but the first of the sequence has %d and %d", name,
                         mesh->vertex_count, mesh->face_count, base->vertex_count, base->face_count);
    for (int32_t h = 0; h < mesh->halfedge_count && h < base->halfedge_count; h++)
        if (mesh->origin[h] != base->origin[h] || mesh->face[h] != base->face[h])
            return weft_fail(WEFT_BAD_INPUT,
                             "%.300s: face %d has other corners than in the first of the sequence (counting from 0)",
                             name, mesh->face[h] == WEFT_NONE ? base->face[h] : mesh->face[h]);
    return weft_ok();
}

static weft_result make_room(const char *path, int32_t vertices, int64_t count, weft_body_frames *frames,
                             weft_vec3 **position) {
    if (count < 1 || vertices < 1 || count * vertices > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: %lld frames of %d vertices, 1 to %d positions are allowed", path,
                         (long long)count, vertices, WEFT_MESH_LIMIT);
    size_t size = (size_t)count * (size_t)vertices * sizeof **position;
    *position = malloc(size);
    if (!*position)
        return weft_fail_memory(path, size);
    frames->position = *position;
    frames->vertex_count = vertices;
    frames->frame_count = (int32_t)count;
    return weft_ok();
}

static weft_result read_shape(const sequence *s, int number, const weft_mesh *base, weft_vec3 *position) {
    char name[1024];
    weft_mesh *mesh;
    weft_soup soup;
    WEFT_TRY(name_of(s, number, name, sizeof name));
    WEFT_TRY(weft_mesh_file_read_soup(name, &mesh, &soup));
    weft_result result = check_same(name, mesh, base);
    if (result.code == WEFT_OK)
        memcpy(position, mesh->position, (size_t)base->vertex_count * sizeof *position);
    weft_mesh_destroy(mesh);
    return result;
}

static weft_result read_sequence(const char *path, const weft_mesh *mesh, weft_body_frames *frames) {
    sequence s;
    int first;
    WEFT_TRY(parse(path, &s));
    WEFT_TRY(find_first(&s, &first));
    int64_t count = count_files(&s, first, WEFT_MESH_LIMIT / mesh->vertex_count + 1);
    weft_vec3 *position;
    WEFT_TRY(make_room(path, mesh->vertex_count, count, frames, &position));
    for (int32_t i = 0; i < frames->frame_count; i++)
        WEFT_TRY(read_shape(&s, first + i, mesh, position + (size_t)i * (size_t)mesh->vertex_count));
    return weft_ok();
}

/* -- caches: see cache_write.c for the formats -- */

static weft_result read_cache(const char *path, int is_pc2, const unsigned char *bytes, size_t size,
                              const weft_mesh *mesh, weft_body_frames *frames) {
    size_t header = is_pc2 ? 32 : 8;
    if (size < header || (is_pc2 && memcmp(bytes, "POINTCACHE2", 12) != 0))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: not a cache of this kind", path);
    int64_t points = (int32_t)weft_bytes_get(bytes + (is_pc2 ? 16 : 4), 4, !is_pc2);
    int64_t count = (int32_t)weft_bytes_get(bytes + (is_pc2 ? 28 : 0), 4, !is_pc2);
    if (mesh && points != mesh->input_vertex_count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: a cache of %lld vertices, but the mesh has %d", path,
                         (long long)points, mesh->input_vertex_count);
    if (count < 1 || points < 1 ||
        (size - header) / 4 < (size_t)count * (is_pc2 ? 3 * (size_t)points : 3 * (size_t)points + 1))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: %lld frames of %lld vertices do not fit %zu bytes", path,
                         (long long)count, (long long)points, size);
    weft_vec3 *position;
    WEFT_TRY(make_room(path, mesh ? mesh->vertex_count : (int32_t)points, count, frames, &position));
    const unsigned char *data = bytes + header + (is_pc2 ? 0 : 4 * (size_t)count);
    for (int64_t i = 0; i < count; i++)
        for (int32_t v = 0; v < frames->vertex_count; v++) {
            int32_t point = mesh ? mesh->source_vertex[v] : v;
            const unsigned char *at = data + 12 * ((size_t)i * (size_t)points + (size_t)point);
            *position++ = (weft_vec3){weft_bytes_get_float(at, !is_pc2), weft_bytes_get_float(at + 4, !is_pc2),
                                      weft_bytes_get_float(at + 8, !is_pc2)};
        }
    return weft_ok();
}

static weft_result read_frames(const char *path, const weft_mesh *mesh, weft_body_frames *frames) {
    if (is_sequence(path) && mesh)
        return read_sequence(path, mesh, frames);
    const char *point = strrchr(path, '.');
    int is_pc2 = point && strcmp(point, ".pc2") == 0;
    if (!is_pc2 && !(point && strcmp(point, ".mdd") == 0))
        return weft_fail(WEFT_BAD_INPUT, "%.300s: neither a sequence (walk_%%04d.obj) nor a cache (.pc2, .mdd)", path);
    char *bytes;
    size_t size;
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    weft_result result = read_cache(path, is_pc2, (const unsigned char *)bytes, size, mesh, frames);
    free(bytes);
    return result;
}

weft_result weft_body_frames_read(const char *path, const weft_mesh *mesh, weft_body_frames *frames) {
    frames->position = NULL;
    weft_result result = read_frames(path, mesh, frames);
    if (result.code != WEFT_OK) {
        free((void *)frames->position);
        frames->position = NULL;
    }
    return result;
}
