/* Connected parts of a cloth, found by flood fill over faces that share an edge. */
#include "core/require.h"
#include "sim/remesh.h"

typedef struct filling {
    const sim_cloth *cloth;
    int32_t *part; /* part of each face; WEFT_NONE: torn, or not visited yet (mesh->face_count) */
    int32_t *stack;
} filling;

static void fill(filling *f, int32_t start, int32_t part) {
    const weft_mesh *mesh = f->cloth->mesh;
    int32_t depth = 0;
    f->part[start] = part;
    f->stack[depth++] = start;
    while (depth > 0) {
        int32_t first = mesh->face_halfedge[f->stack[--depth]], h = first;
        do {
            int32_t next = mesh->face[mesh->twin[h]];
            if (next != WEFT_NONE && f->part[next] == WEFT_NONE && !f->cloth->open_face[next]) {
                f->part[next] = part;
                f->stack[depth++] = next;
            }
            h = mesh->next[h];
        } while (h != first);
    }
}

static weft_result find_parts(const sim_cloth *cloth, int32_t *part, int32_t *count) {
    size_t faces = (size_t)cloth->mesh->face_count;
    filling f = {cloth, part, weft_allocate(faces, sizeof *f.stack)};
    *count = 0;
    if (!f.stack)
        return weft_fail_memory("pieces", faces * sizeof *f.stack);
    for (int32_t i = 0; i < cloth->mesh->face_count; i++)
        part[i] = WEFT_NONE;
    for (int32_t i = 0; i < cloth->mesh->face_count; i++)
        if (part[i] == WEFT_NONE && !cloth->open_face[i])
            fill(&f, i, (*count)++);
    free(f.stack);
    return weft_ok();
}

/* Each corner carries a third of the triangle's mass. */
static void add_triangle(const weft_sim *sim, const sim_cloth *cloth, int32_t t, weft_piece *piece) {
    const int32_t *corner = cloth->mesh->triangle[t];
    const weft_vec3 *x = sim->x + cloth->first;
    double area = sim_rest_area(cloth, cloth->mesh, t);
    const double *factor = cloth->map[WEFT_MAP_DENSITY],
                 *tailored = cloth->tailoring ? cloth->tailoring->density : NULL;
    double density = cloth->fabric.density * (tailored ? tailored[cloth->mesh->triangle_face[t]] : 1);
    for (int k = 0; k < 3; k++) {
        double mass = density * (factor ? factor[corner[k]] : 1) * area / 3;
        piece->mass += mass;
        piece->centre = weft_add_scaled(piece->centre, mass, x[corner[k]]);
    }
    piece->area += area;
    piece->triangles++;
}

static void measure_parts(const weft_sim *sim, const sim_cloth *cloth, const int32_t *part_of, int32_t capacity,
                          weft_piece *piece) {
    for (int32_t i = 0; i < capacity; i++)
        piece[i] = (weft_piece){.triangle = WEFT_NONE};
    for (int32_t t = 0; t < cloth->mesh->triangle_count; t++) {
        int32_t i = part_of[cloth->mesh->triangle_face[t]];
        if (i == WEFT_NONE || i >= capacity)
            continue;
        if (piece[i].triangle == WEFT_NONE)
            piece[i].triangle = t;
        add_triangle(sim, cloth, t, &piece[i]);
    }
    for (int32_t i = 0; i < capacity; i++)
        if (piece[i].mass > 0)
            piece[i].centre = weft_scale(1 / piece[i].mass, piece[i].centre);
}

weft_result weft_sim_list_pieces(const weft_sim *sim, int32_t index, weft_piece *piece, int32_t capacity,
                                 int32_t *count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE_IF(capacity > 0, piece);
    WEFT_REQUIRE(count);
    WEFT_TRY(sim_require_cloth(sim, index));
    const sim_cloth *cloth = &sim->cloth[index];
    size_t faces = (size_t)cloth->mesh->face_count;
    int32_t *part_of = weft_allocate(faces, sizeof *part_of);
    *count = 0;
    if (!part_of)
        return weft_fail_memory("pieces", faces * sizeof *part_of);
    weft_result result = find_parts(cloth, part_of, count);
    if (result.code == WEFT_OK && capacity > 0)
        measure_parts(sim, cloth, part_of, *count < capacity ? *count : capacity, piece);
    free(part_of);
    return result;
}

weft_result weft_sim_pieces(const weft_sim *sim, int32_t index, int32_t *pieces) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(pieces);
    return weft_sim_list_pieces(sim, index, NULL, 0, pieces);
}
