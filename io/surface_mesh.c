/* Growing arrays of polygons, and their conversion to a mesh. */
#include "io/surface.h"

#include <stdlib.h>
#include <string.h>

#include "weft-io/checkpoint.h"

static const char TOO_MANY[] = "more vertices, corners or groups than are allowed";

static int fail(weft_surface *s, const char *why) {
    s->failure = why;
    return 0;
}

/* Makes room for one more element. Doubling keeps the total copying cost linear. */
static int grow(weft_surface *s, void *array, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return 1;
    if (count >= WEFT_MESH_LIMIT)
        return fail(s, TOO_MANY);
    size_t wanted = *room > 0 ? 2 * *room : 256;
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    larger = realloc(old, wanted * size);
    if (!larger)
        return fail(s, "");
    memcpy(array, &larger, sizeof larger);
    *room = wanted;
    return 1;
}

int weft_surface_add_position(weft_surface *s, weft_vec3 position) {
    if (!grow(s, &s->position, &s->position_room, s->position_count, sizeof position))
        return 0;
    s->position[s->position_count++] = position;
    return 1;
}

int weft_surface_add_uv(weft_surface *s, weft_vec2 uv) {
    if (!grow(s, &s->uv, &s->uv_room, s->uv_count, sizeof uv))
        return 0;
    s->uv[s->uv_count++] = uv;
    return 1;
}

int weft_surface_add_corner(weft_surface *s, int32_t vertex, int32_t uv) {
    size_t room = s->corner_room;
    if (!grow(s, &s->corner, &room, s->corner_count, sizeof vertex) ||
        !grow(s, &s->corner_uv, &s->corner_room, s->corner_count, sizeof uv))
        return 0;
    s->corner[s->corner_count] = vertex;
    s->corner_uv[s->corner_count++] = uv;
    return 1;
}

int weft_surface_end_face(weft_surface *s, int32_t group) {
    size_t room = s->face_room;
    if (!grow(s, &s->face_size, &room, s->face_count, sizeof group) ||
        !grow(s, &s->face_group, &s->face_room, s->face_count, sizeof group))
        return 0;
    s->face_size[s->face_count] = (int32_t)(s->corner_count - s->face_start);
    s->face_group[s->face_count++] = group;
    s->face_start = s->corner_count;
    return 1;
}

/* -- groups -- */

static size_t slot_of(const weft_surface *s, const char *name, size_t length) {
    size_t slot = weft_hash_bytes(WEFT_HASH_START, name, length) & (s->slot_count - 1);
    for (; s->group_slot[slot] != WEFT_NONE; slot = (slot + 1) & (s->slot_count - 1)) {
        const char *there = s->group_name[s->group_slot[slot]];
        if (strncmp(there, name, length) == 0 && there[length] == '\0')
            break;
    }
    return slot;
}

static int grow_slots(weft_surface *s) {
    if (2 * s->group_count < s->slot_count)
        return 1;
    size_t wanted = s->slot_count > 0 ? 4 * s->slot_count : 64;
    int32_t *slots = malloc(wanted * sizeof *slots);
    if (!slots)
        return fail(s, "");
    free(s->group_slot);
    s->group_slot = slots;
    s->slot_count = wanted;
    for (size_t i = 0; i < wanted; i++)
        slots[i] = WEFT_NONE;
    for (size_t g = 0; g < s->group_count; g++)
        slots[slot_of(s, s->group_name[g], strlen(s->group_name[g]))] = (int32_t)g;
    return 1;
}

int weft_surface_group(weft_surface *s, const char *name, size_t length, int32_t *group) {
    const char *end = memchr(name, '\0', length);
    length = end ? (size_t)(end - name) : length;
    if (!grow_slots(s))
        return 0;
    size_t slot = slot_of(s, name, length);
    if (s->group_slot[slot] == WEFT_NONE) {
        if (!grow(s, &s->group_name, &s->group_room, s->group_count, sizeof *s->group_name))
            return 0;
        char *copy = malloc(length + 1);
        if (!copy)
            return fail(s, "");
        memcpy(copy, name, length);
        copy[length] = '\0';
        s->group_name[s->group_count] = copy;
        s->group_slot[slot] = (int32_t)s->group_count++;
    }
    *group = s->group_slot[slot];
    return 1;
}

/* -- the mesh -- */

weft_result weft_surface_fail(const weft_surface *s, const char *name) {
    if (s->failure && s->failure[0])
        return weft_fail(WEFT_BAD_INPUT, "%.300s: %s (%d)", name, s->failure, WEFT_MESH_LIMIT);
    return weft_fail_memory(name, (s->position_room + s->corner_room) * sizeof *s->position);
}

/* *corner_uv is null if any corner has no coordinates. Returns 0 if memory runs out. */
static int resolve_uv(const weft_surface *s, weft_vec2 **corner_uv) {
    *corner_uv = NULL;
    for (size_t i = 0; i < s->corner_count; i++)
        if (s->corner_uv[i] == WEFT_NONE)
            return 1;
    if (s->corner_count == 0)
        return 1;
    *corner_uv = malloc(s->corner_count * sizeof **corner_uv);
    for (size_t i = 0; *corner_uv && i < s->corner_count; i++)
        (*corner_uv)[i] = s->uv[s->corner_uv[i]];
    return *corner_uv != NULL;
}

/* Faces whose corners all have coordinates. */
static int32_t count_uv_faces(const weft_surface *s) {
    int32_t faces = 0;
    size_t at = 0;
    for (size_t f = 0; f < s->face_count; f++) {
        int whole = 1;
        for (int32_t k = 0; k < s->face_size[f]; k++)
            whole &= s->corner_uv[at++] != WEFT_NONE;
        faces += whole;
    }
    return faces;
}

weft_result weft_surface_finish(weft_surface *s, const char *name, weft_mesh **mesh) {
    weft_vec2 *corner_uv;
    if (!resolve_uv(s, &corner_uv))
        return weft_fail_memory(name, s->corner_count * sizeof *corner_uv);
    weft_polygons polygons = {.name = name,
                              .position = s->position,
                              .vertex_count = (int64_t)s->position_count,
                              .corner = s->corner,
                              .corner_count = (int64_t)s->corner_count,
                              .face_size = s->face_size,
                              .face_count = (int64_t)s->face_count,
                              .corner_uv = corner_uv,
                              .face_group = s->group_count > 0 ? s->face_group : NULL,
                              .group_name = (const char *const *)s->group_name,
                              .group_count = (int32_t)s->group_count};
    weft_result result = s->soup ? weft_mesh_create_soup(&polygons, mesh, s->soup) : weft_mesh_create(&polygons, mesh);
    if (result.code == WEFT_OK && !corner_uv)
        (*mesh)->partial_uv = count_uv_faces(s);
    free(corner_uv);
    return result;
}

/* -- welding -- */

static size_t position_slot(const weft_surface *s, const int32_t *slot, size_t slots, const weft_vec3 *p) {
    size_t at = weft_hash_bytes(WEFT_HASH_START, p, sizeof *p) & (slots - 1);
    while (slot[at] != WEFT_NONE && memcmp(&s->position[slot[at]], p, sizeof *p) != 0)
        at = (at + 1) & (slots - 1);
    return at;
}

/* The first vertex at the position of each (position_count). Null if memory is exhausted. */
static int32_t *first_at_position(weft_surface *s) {
    size_t slots = 64;
    while (slots < 2 * s->position_count)
        slots *= 2;
    int32_t *slot = malloc(slots * sizeof *slot), *first = malloc((s->position_count + 1) * sizeof *first);
    for (size_t i = 0; slot && i < slots; i++)
        slot[i] = WEFT_NONE;
    for (size_t v = 0; slot && first && v < s->position_count; v++) {
        weft_vec3 *p = &s->position[v];
        *p = (weft_vec3){p->x + 0.0, p->y + 0.0, p->z + 0.0}; /* -0 and 0 are the same position */
        size_t at = position_slot(s, slot, slots, p);
        slot[at] = slot[at] == WEFT_NONE ? (int32_t)v : slot[at];
        first[v] = slot[at];
    }
    if (!slot) {
        free(first);
        return NULL;
    }
    free(slot);
    return first;
}

/* Joins the corners of each face that fall on the same vertex as the one before, and leaves out faces that become lines
 * or points. */
static void join_corners(weft_surface *s, const int32_t *first) {
    size_t corners = 0, faces = 0, at = 0;
    for (size_t f = 0; f < s->face_count; f++) {
        size_t size = (size_t)s->face_size[f], begin = corners;
        for (size_t k = 0; k < size; k++) {
            int32_t vertex = first[s->corner[at + k]];
            if ((k > 0 && corners > begin && s->corner[corners - 1] == vertex) ||
                (k + 1 == size && corners > begin && s->corner[begin] == vertex))
                continue;
            s->corner_uv[corners] = s->corner_uv[at + k];
            s->corner[corners++] = vertex;
        }
        at += size;
        if (corners - begin < 3) {
            corners = begin;
            continue;
        }
        s->face_size[faces] = (int32_t)(corners - begin);
        s->face_group[faces++] = s->face_group[f];
    }
    s->corner_count = corners;
    s->face_count = faces;
}

static int32_t *copy_of(const int32_t *from, size_t count) {
    int32_t *copy = malloc((count + 1) * sizeof *copy);
    if (copy && count > 0)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

weft_result weft_surface_finish_welded(weft_surface *s, const char *name, weft_mesh **mesh) {
    for (size_t i = 0; i < s->corner_count; i++)
        if (s->corner[i] < 0 || (size_t)s->corner[i] >= s->position_count)
            return weft_surface_finish(s, name, mesh); /* which refuses it */
    weft_surface welded = *s;
    int32_t *first = first_at_position(s);
    welded.corner = copy_of(s->corner, s->corner_count);
    welded.corner_uv = copy_of(s->corner_uv, s->corner_count);
    welded.face_size = copy_of(s->face_size, s->face_count);
    welded.face_group = copy_of(s->face_group, s->face_count);
    weft_result result = weft_fail_memory(name, s->corner_count * sizeof *s->corner);
    if (first && welded.corner && welded.corner_uv && welded.face_size && welded.face_group) {
        join_corners(&welded, first);
        result = weft_surface_finish(&welded, name, mesh);
    }
    free(welded.face_group);
    free(welded.face_size);
    free(welded.corner_uv);
    free(welded.corner);
    free(first);
    return result.code == WEFT_BAD_INPUT ? weft_surface_finish(s, name, mesh) : result;
}

void weft_surface_free(weft_surface *s) {
    for (size_t g = 0; g < s->group_count; g++)
        free(s->group_name[g]);
    free(s->group_slot);
    free(s->group_name);
    free(s->face_group);
    free(s->face_size);
    free(s->corner_uv);
    free(s->corner);
    free(s->uv);
    free(s->position);
    *s = (weft_surface){0};
}
