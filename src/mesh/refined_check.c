/* Invariants of an adaptive surface, and its serialisation. */
#include <math.h>

#include "core/memory.h"
#include "mesh/refined.h"
#include "weft/vec.h"

static int inside(int32_t index, int32_t count) { return index >= 0 && index < count; }

static const char *check_halfedge(const weft_refined *r, int32_t h) {
    int32_t twin = r->twin[h], corners = 3 * r->triangle_count;
    if (!inside(r->origin[h], r->vertex_count))
        return "a vertex is out of range";
    if (r->origin[h] == r->origin[weft_next(h)])
        return "an edge goes from a vertex to itself";
    if (twin == WEFT_NONE)
        return NULL;
    if (!inside(twin, corners) || twin / 3 == h / 3 || r->twin[twin] != h)
        return "a half-edge is not the twin of its twin";
    if (r->origin[weft_next(h)] != r->origin[twin] || r->origin[weft_next(twin)] != r->origin[h])
        return "a half-edge does not end where its twin starts";
    return NULL;
}

/* Whether the lineage is consistent for a triangle that was made at generation `from` and kept its place since. Even
 * generations were split, odd ones flipped or cut. */
static int remembers(const weft_lineage *l, int32_t from) {
    uint32_t first = 0, middle = 0;
    int32_t generation = from;
    while (generation < l->generation) {
        uint32_t cut = 1U << ((generation + 3) / 2);
        if (generation % 2 == 0) {
            first |= 1U << (generation / 2);
            generation++;
        } else if (l->middle & cut) {
            middle |= cut;
            generation += 3;
        } else {
            generation++;
        }
    }
    return generation == l->generation && first == l->first && middle == l->middle;
}

static int has_history(const weft_refined *r, int32_t t) {
    const weft_lineage *l = &r->lineage[t];
    if (t < r->base_triangles)
        return l->face == t && remembers(l, 0);
    for (int32_t from = 1; from <= l->generation; from += 2)
        if (remembers(l, from))
            return 1;
    return 0;
}

static const char *check_lineage(const weft_refined *r, int32_t t) {
    const weft_lineage *l = &r->lineage[t];
    if (!inside(l->generation, WEFT_GENERATIONS + 1) || !inside(l->face, r->base_triangles))
        return "a generation or a face is out of range";
    return has_history(r, t) ? NULL : "a triangle remembers what has not happened";
}

/* Each vertex has one fan, and `corner` is where it starts. */
static const char *check_fans(const weft_refined *r) {
    int64_t seen = 0;
    for (int32_t v = 0; v < r->vertex_count; v++) {
        int32_t start = r->corner[v], h = start;
        if (!inside(start, 3 * r->triangle_count) || r->origin[start] != v)
            return "a vertex's half-edge does not start there";
        do {
            if (r->origin[h] != v || ++seen > 3 * (int64_t)r->triangle_count)
                return "a fan is not that of its vertex";
            h = r->twin[weft_previous(h)];
        } while (h != WEFT_NONE && h != start);
        if ((h == WEFT_NONE) != (r->twin[start] == WEFT_NONE))
            return "a fan does not begin at the boundary";
    }
    return seen == 3 * (int64_t)r->triangle_count ? NULL : "a vertex has more than one fan";
}

static const char *check_levels(const weft_refined *r) {
    for (int32_t h = 0; h < 3 * r->triangle_count; h++) {
        if (r->twin[h] == WEFT_NONE)
            continue;
        int32_t difference = weft_refined_level(r, h / 3) - weft_refined_level(r, r->twin[h] / 3);
        if (difference < -1 || difference > 1)
            return "neighbours are more than one level apart";
    }
    return NULL;
}

const char *weft_refined_flaw(const weft_refined *r) {
    if (r->vertex_count < r->base_vertices || r->triangle_count < r->base_triangles)
        return "what was there from the beginning is gone";
    for (int32_t h = 0; h < 3 * r->triangle_count; h++) {
        const char *flaw = check_halfedge(r, h);
        if (flaw)
            return flaw;
    }
    for (int32_t t = 0; t < r->triangle_count; t++) {
        const char *flaw = check_lineage(r, t);
        if (flaw)
            return flaw;
    }
    for (int32_t v = 0; v < r->vertex_count; v++)
        if (!weft_vec3_is_finite(r->position[v]) || r->birth[v] > WEFT_GENERATIONS ||
            (v < r->base_vertices && r->birth[v] > 0))
            return "a vertex makes no sense";
    for (int32_t i = 0; i < r->vertex_count * r->map_count; i++)
        if (!isfinite(r->map[i]) || r->map[i] < 0)
            return "a value of a map makes no sense";
    for (int32_t h = 0; r->uv && h < 3 * r->triangle_count; h++)
        if (!isfinite(r->uv[h].x) || !isfinite(r->uv[h].y))
            return "a rest coordinate is not finite";
    const char *flaw = check_fans(r);
    return flaw ? flaw : check_levels(r);
}

typedef struct header {
    int32_t vertices, triangles, has_uv, maps;
} header;

static size_t map_size(const weft_refined *r, int32_t vertices) {
    return (size_t)vertices * (size_t)r->map_count * sizeof *r->map;
}

size_t weft_refined_size(const weft_refined *r) {
    weft_refined_array array[WEFT_REFINED_ARRAYS];
    size_t sum = sizeof(header);
    for (int i = 0, count = weft_refined_arrays(r, array); i < count; i++)
        sum += array[i].size;
    return sum;
}

void weft_refined_save(const weft_refined *r, void *buffer) {
    weft_refined_array array[WEFT_REFINED_ARRAYS];
    header head = {r->vertex_count, r->triangle_count, r->uv != NULL, r->map_count};
    char *at = (char *)memcpy(buffer, &head, sizeof head) + sizeof head;
    for (int i = 0, count = weft_refined_arrays(r, array); i < count; at += array[i++].size)
        memcpy(at, array[i].data, array[i].size);
}

static void fill(weft_refined *r, const char *at) {
    weft_refined_array array[WEFT_REFINED_ARRAYS];
    for (int i = 0, count = weft_refined_arrays(r, array); i < count; at += array[i++].size)
        memcpy(array[i].data, at, array[i].size);
    memset(r->changed, 1, (size_t)r->triangle_count);
}

static weft_result take_bytes(const weft_refined *like, const header *head, const void *buffer, size_t size,
                              weft_refined *r) {
    int32_t more = head->vertices - r->vertex_count, triangles = head->triangles - r->triangle_count;
    if (!weft_refined_reserve(r, more > 0 ? more : 0, triangles > 0 ? triangles : 0, 0))
        return weft_fail_memory("refined mesh", size);
    r->vertex_count = head->vertices;
    r->triangle_count = head->triangles;
    if (weft_refined_size(r) != size)
        return weft_fail(WEFT_BAD_INPUT, "refined mesh: %zu bytes, %zu are needed", size, weft_refined_size(r));
    fill(r, (const char *)buffer + sizeof *head);
    const char *flaw = weft_refined_flaw(r);
    if (!flaw && memcmp(r->position, like->position, (size_t)like->base_vertices * sizeof *r->position) != 0)
        flaw = "what was there from the beginning is elsewhere";
    if (!flaw && r->map && memcmp(r->map, like->map, map_size(r, like->base_vertices)) != 0)
        flaw = "the maps are others";
    return flaw ? weft_fail(WEFT_BAD_INPUT, "refined mesh: %s", flaw) : weft_ok();
}

weft_result weft_refined_load(const weft_refined *like, const void *buffer, size_t size, weft_refined **made) {
    *made = NULL;
    header head;
    if (size < sizeof head)
        return weft_fail(WEFT_BAD_INPUT, "refined mesh: %zu bytes, at least %zu are needed", size, sizeof head);
    memcpy(&head, buffer, sizeof head);
    if (head.vertices < like->base_vertices || head.vertices > WEFT_MESH_LIMIT ||
        head.triangles < like->base_triangles || head.triangles > WEFT_MESH_LIMIT / 3 ||
        head.has_uv != (like->uv != NULL) || head.maps != like->map_count)
        return weft_fail(WEFT_BAD_INPUT, "refined mesh: %d vertices and %d triangles do not fit this cloth",
                         (int)head.vertices, (int)head.triangles);
    weft_refined *r;
    WEFT_TRY(weft_refined_copy(like, &r));
    weft_result result = take_bytes(like, &head, buffer, size, r);
    if (result.code == WEFT_OK)
        *made = r;
    else
        weft_refined_destroy(r);
    return result;
}
