/* Lists the springs of a mesh (Provot 1995, figure 1, extended from grids to meshes). Structural springs run along
 * edges. Shear springs join corners two apart in faces with more than three corners. Flexion springs span two edges of
 * a strip of quads. On triangles they join the two vertices opposite an edge. */
#include <math.h>
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "weft/vec.h"

typedef struct builder {
    const weft_mesh *mesh;
    weft_spring_list *list;
    double *face_area;  /* (face_count) */
    int32_t *face_size; /* (face_count) */
    int32_t *previous;  /* half-edge before each half-edge (halfedge_count) */
    int32_t *bucket;    /* first spring of each lower vertex (vertex_count + 1) */
    int32_t *by_vertex; /* springs sorted by lower vertex (list->count) */
    int32_t *kept;      /* the last kept spring whose upper end is the vertex (vertex_count) */
    uint8_t *dropped;   /* (list->count) */
} builder;

static weft_vec2 corner_uv(const weft_mesh *mesh, int32_t h) {
    return mesh->halfedge_uv ? mesh->halfedge_uv[h] : mesh->uv[mesh->origin[h]];
}

/* Adds to `direction` the step from corner a to corner b of one face in rest coordinates. */
static void add_uv_step(const weft_mesh *mesh, int32_t a, int32_t b, weft_vec2 *direction) {
    if (!mesh->halfedge_uv && !mesh->uv)
        return;
    weft_vec2 from = corner_uv(mesh, a), to = corner_uv(mesh, b);
    direction->x += to.x - from.x;
    direction->y += to.y - from.y;
}

static void add_spring(weft_spring_list *list, int32_t a, int32_t b, const int32_t span[2], double area,
                       weft_vec2 direction) {
    int32_t i = list->count++;
    double squared = direction.x * direction.x + direction.y * direction.y;
    list->end[i][0] = a;
    list->end[i][1] = b;
    list->span[i][0] = span[0];
    list->span[i][1] = span[1];
    list->area[i] = (float)area;
    list->weft[i] = squared > 0 ? (float)((direction.y < 0 ? -direction.x : direction.x) / sqrt(squared)) : 2;
}

/* The fraction of a face's area that each of its edges and diagonals represents. The two weft edges of a quad
 * share its area. Each edge of a triangle takes all of it (Van Gelder, "Approximate simulation of elastic
 * membranes by triangulated spring meshes", Journal of Graphics Tools 1998). */
static double area_fraction(int32_t face_size) { return face_size == 3 ? 1 : 2.0 / face_size; }

static double face_share(const builder *b, int32_t face) {
    return face == WEFT_NONE ? 0 : area_fraction(b->face_size[face]) * b->face_area[face];
}

static void add_structural(builder *b) {
    const weft_mesh *mesh = b->mesh;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t h = mesh->edge_halfedge[e], t = mesh->twin[h];
        int32_t inside = mesh->face[h] != WEFT_NONE ? h : t;
        weft_vec2 direction = {0, 0};
        add_uv_step(mesh, inside, mesh->next[inside], &direction);
        add_spring(b->list, mesh->origin[h], mesh->origin[t], (int32_t[]){e, e},
                   face_share(b, mesh->face[h]) + face_share(b, mesh->face[t]), direction);
    }
}

/* Joins corners two apart. A quad has two such pairs. */
static void add_shear(builder *b) {
    const weft_mesh *mesh = b->mesh;
    for (int32_t face = 0; face < mesh->face_count; face++) {
        int32_t size = b->face_size[face], count = size == 3 ? 0 : size == 4 ? 2 : size;
        int32_t h = mesh->face_halfedge[face];
        for (int32_t i = 0; i < count; i++, h = mesh->next[h]) {
            int32_t opposite = mesh->next[mesh->next[h]];
            weft_vec2 direction = {0, 0};
            add_uv_step(mesh, h, opposite, &direction);
            add_spring(b->list, mesh->origin[h], mesh->origin[opposite], (int32_t[]){~face, ~face}, face_share(b, face),
                       direction);
        }
    }
}

/* Adds the flexion spring over a middle vertex. It runs from corner `before` to `middle` in one face, then from
 * `after_middle` to `after` in the next face. It spans one side of each face, or the whole face if it is a triangle.
 * Each piece of a quad strip is visited from both sides, except at a border. A quarter of both faces therefore gives
 * the area of the strip. */
static void add_bend(builder *b, int32_t before, int32_t middle, int32_t after_middle, int32_t after) {
    const weft_mesh *mesh = b->mesh;
    int32_t first = mesh->face[middle], second = mesh->face[after_middle];
    int32_t side = mesh->next[before] == middle ? before : middle;
    int32_t second_side = mesh->next[after_middle] == after ? after_middle : after;
    int32_t span[2] = {b->face_size[first] == 3 ? ~first : mesh->edge[side],
                       b->face_size[second] == 3 ? ~second : mesh->edge[second_side]};
    int32_t from = mesh->origin[before], to = mesh->origin[after];
    if (from == to)
        return;
    weft_vec2 direction = {0, 0};
    add_uv_step(mesh, before, middle, &direction);
    add_uv_step(mesh, after_middle, after, &direction);
    add_spring(b->list, from, to, span, 0.25 * (b->face_area[first] + b->face_area[second]), direction);
}

/* Adds flexion springs at both ends of each edge between two faces. The strip of quads runs across this edge. */
static void add_flexion(builder *b) {
    const weft_mesh *mesh = b->mesh;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t h = mesh->edge_halfedge[e], t = mesh->twin[h];
        if (mesh->face[h] == WEFT_NONE || mesh->face[t] == WEFT_NONE)
            continue;
        add_bend(b, b->previous[h], h, mesh->next[t], mesh->next[mesh->next[t]]);
        add_bend(b, mesh->next[mesh->next[h]], mesh->next[h], t, b->previous[t]);
    }
}

static void measure_faces(builder *b) {
    const weft_mesh *mesh = b->mesh;
    for (int32_t h = 0; h < mesh->halfedge_count; h++) {
        b->previous[mesh->next[h]] = h;
        if (mesh->face[h] != WEFT_NONE)
            b->face_size[mesh->face[h]]++;
    }
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corner = mesh->triangle[t];
        const weft_vec3 *p = mesh->position;
        double area =
            0.5 * weft_length(weft_cross(weft_sub(p[corner[1]], p[corner[0]]), weft_sub(p[corner[2]], p[corner[0]])));
        b->face_area[mesh->triangle_face[t]] += area;
        b->list->surface += area;
    }
}

static int32_t lower(const int32_t *end) { return end[0] < end[1] ? end[0] : end[1]; }
static int32_t upper(const int32_t *end) { return end[0] < end[1] ? end[1] : end[0]; }

static void sort_by_lower_vertex(builder *b) {
    const weft_spring_list *list = b->list;
    int32_t *bucket = b->bucket;
    for (int32_t i = 0; i < list->count; i++)
        bucket[lower(list->end[i]) + 1]++;
    for (int32_t v = 0; v < b->mesh->vertex_count; v++)
        bucket[v + 1] += bucket[v];
    for (int32_t i = 0; i < list->count; i++)
        b->by_vertex[bucket[lower(list->end[i])]++] = i;
}

static int type_of(const weft_spring_list *list, int32_t i) {
    return i < list->first[1] ? WEFT_STRUCTURAL : i < list->first[2] ? WEFT_SHEAR : WEFT_FLEXION;
}

/* Two vertices have at most one spring. Structural springs take precedence over shear springs, and those over flexion
 * springs. The areas of two springs of the same type add up. */
static void find_repeated(builder *b) {
    weft_spring_list *list = b->list;
    memset(b->kept, 0xff, (size_t)b->mesh->vertex_count * sizeof *b->kept);
    sort_by_lower_vertex(b);
    for (int32_t n = 0; n < list->count; n++) {
        int32_t i = b->by_vertex[n], other = b->kept[upper(list->end[i])];
        if (other == WEFT_NONE || lower(list->end[other]) != lower(list->end[i])) {
            b->kept[upper(list->end[i])] = i;
            continue;
        }
        b->dropped[i] = 1;
        if (type_of(list, other) == type_of(list, i))
            list->area[other] += list->area[i];
    }
}

static void drop_repeated(builder *b) {
    weft_spring_list *list = b->list;
    int32_t kept = 0, first[WEFT_LINK_TYPES + 1] = {0};
    for (int type = 0; type < WEFT_LINK_TYPES; type++) {
        for (int32_t i = list->first[type]; i < list->first[type + 1]; i++) {
            if (b->dropped[i])
                continue;
            memcpy(list->end[kept], list->end[i], sizeof list->end[i]);
            memcpy(list->span[kept], list->span[i], sizeof list->span[i]);
            list->area[kept] = list->area[i];
            list->weft[kept] = list->weft[i];
            kept++;
        }
        first[type + 1] = kept;
    }
    memcpy(list->first, first, sizeof first);
    list->count = kept;
}

/* If realloc fails, the larger array stays. */
static void *shrink(void *memory, int32_t count, size_t size) {
    void *smaller = realloc(memory, (count > 0 ? (size_t)count : 1) * size);
    return smaller ? smaller : memory;
}

static int64_t count_springs(const weft_mesh *mesh) {
    int64_t inside = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        inside += mesh->face[h] != WEFT_NONE;
    return (int64_t)mesh->edge_count + inside + 2 * (int64_t)mesh->edge_count;
}

static int allocate(builder *b, int64_t most) {
    weft_spring_list *list = b->list;
    const weft_mesh *mesh = b->mesh;
    size_t count = (size_t)most, vertices = (size_t)mesh->vertex_count, faces = (size_t)mesh->face_count;
    return (list->end = weft_allocate(count, sizeof *list->end)) &&
           (list->span = weft_allocate(count, sizeof *list->span)) &&
           (list->area = weft_allocate(count, sizeof *list->area)) &&
           (list->weft = weft_allocate(count, sizeof *list->weft)) &&
           (b->face_area = weft_allocate(faces, sizeof *b->face_area)) &&
           (b->face_size = weft_allocate(faces, sizeof *b->face_size)) &&
           (b->previous = weft_allocate((size_t)mesh->halfedge_count, sizeof *b->previous)) &&
           (b->bucket = weft_allocate(vertices + 1, sizeof *b->bucket)) &&
           (b->by_vertex = weft_allocate(count, sizeof *b->by_vertex)) &&
           (b->kept = weft_allocate(vertices, sizeof *b->kept)) && (b->dropped = weft_allocate(count, 1));
}

static void release(builder *b) {
    free(b->dropped);
    free(b->kept);
    free(b->by_vertex);
    free(b->bucket);
    free(b->previous);
    free(b->face_size);
    free(b->face_area);
}

weft_result weft_springs_build(const weft_mesh *mesh, weft_spring_list *list) {
    int64_t most = count_springs(mesh);
    memset(list, 0, sizeof *list);
    if (most > INT32_MAX)
        return weft_fail(WEFT_BAD_INPUT, "the mesh would have up to %lld springs, at most %d are allowed",
                         (long long)most, INT32_MAX);
    builder b = {.mesh = mesh, .list = list};
    if (!allocate(&b, most)) {
        release(&b);
        weft_springs_build_free(list);
        return weft_fail_memory("springs", (size_t)most * (2 * sizeof *list->end + 2 * sizeof *list->area));
    }
    measure_faces(&b);
    add_structural(&b);
    list->first[WEFT_SHEAR] = list->count;
    add_shear(&b);
    list->first[WEFT_FLEXION] = list->count;
    add_flexion(&b);
    list->first[WEFT_LINK_TYPES] = list->count;
    find_repeated(&b);
    drop_repeated(&b);
    release(&b);
    list->end = shrink(list->end, list->count, sizeof *list->end);
    list->span = shrink(list->span, list->count, sizeof *list->span);
    list->area = shrink(list->area, list->count, sizeof *list->area);
    list->weft = shrink(list->weft, list->count, sizeof *list->weft);
    return weft_ok();
}

void weft_springs_build_free(weft_spring_list *list) {
    free(list->weft);
    free(list->area);
    free(list->span);
    free(list->end);
    memset(list, 0, sizeof *list);
}
