/* The mesh of a cloth that comes apart along the edges of its faces, for models that keep their faces (WEFT_SPLITS).
 *
 * The adaptive surface has the triangles of the given faces and is only ever opened. Faces and corners therefore keep
 * their numbers. An opened edge separates nothing as long as both its ends are still shared, so it stays an edge
 * between its two faces. */
#include "mesh/stages.h"
#include "sim/remesh.h"

typedef struct split {
    const weft_mesh *base;
    int32_t *corner, *twin; /* vertex now; opposite corner or WEFT_NONE (corner_count) */
    int32_t *size;          /* corners of each face (face_count) */
    unsigned char *diagonal;
    int32_t corner_count;
} split;

int32_t sim_face_of(const sim_cloth *cloth, int32_t triangle) {
    return sim_splits_only(cloth) ? cloth->base->triangle_face[triangle] : triangle;
}

int sim_may_open(const sim_cloth *cloth, int32_t h) {
    int32_t twin = cloth->refined->twin[h];
    return twin != WEFT_NONE && sim_face_of(cloth, h / 3) != sim_face_of(cloth, twin / 3);
}

/* The corner of face f at vertex v of the given mesh. */
static int32_t corner_at(const weft_mesh *base, int32_t f, int32_t v) {
    int32_t h = base->face_halfedge[f];
    while (base->origin[h] != v)
        h = base->next[h];
    return h;
}

/* A side of a triangle inside a face must be shared, others must not lead into the same face. */
static int is_sound_side(const sim_cloth *cloth, const weft_refined *r, int32_t h) {
    const weft_mesh *base = cloth->base;
    const int32_t *v = base->triangle[h / 3];
    int32_t f = base->triangle_face[h / 3], twin = r->twin[h];
    int inside = base->origin[base->next[corner_at(base, f, v[h % 3])]] != v[(h + 1) % 3];
    int joined = twin != WEFT_NONE && base->triangle_face[twin / 3] == f;
    return inside == joined;
}

const char *sim_split_flaw(const sim_cloth *cloth, const weft_refined *r) {
    const weft_mesh *base = cloth->base;
    if (!sim_splits_only(cloth))
        return NULL;
    if (r->triangle_count != base->triangle_count)
        return "it has other triangles";
    for (int32_t h = 0; h < 3 * r->triangle_count; h++) {
        weft_vec3 now = r->position[r->origin[h]], given = base->position[base->triangle[h / 3][h % 3]];
        if (weft_distance(now, given) > 0)
            return "a triangle lies elsewhere";
        if (!is_sound_side(cloth, r, h))
            return "a face has come apart";
    }
    return NULL;
}

static void find_corners(split *s, const weft_refined *r) {
    const weft_mesh *base = s->base;
    for (int32_t t = 0; t < base->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            s->corner[corner_at(base, base->triangle_face[t], base->triangle[t][k])] = r->origin[3 * t + k];
    for (int32_t t = base->triangle_count - 1; t >= 0; t--) { /* the first triangle of a face counts */
        int32_t f = base->triangle_face[t];
        s->diagonal[f] = base->triangle[t][0] != base->origin[base->face_halfedge[f]];
    }
    for (int32_t h = 0; h < s->corner_count; h++)
        s->size[base->face[h]]++;
}

static void find_twins(split *s) {
    const weft_mesh *base = s->base;
    for (int32_t h = 0; h < s->corner_count; h++) {
        int32_t g = base->twin[h];
        int shared = base->face[g] != WEFT_NONE && s->corner[h] == s->corner[base->next[g]] &&
                     s->corner[base->next[h]] == s->corner[g];
        s->twin[h] = shared ? g : WEFT_NONE;
    }
}

static weft_result keep_names(const split *s, weft_mesh *mesh) {
    const weft_mesh *base = s->base;
    for (int32_t h = 0; h < s->corner_count; h++)
        mesh->source_vertex[mesh->origin[h]] = base->source_vertex[base->origin[h]];
    mesh->input_vertex_count = base->input_vertex_count;
    for (int32_t g = 0; g < base->vertex_group_count; g++) {
        const weft_vertex_group *group = &base->vertex_group[g];
        WEFT_TRY(weft_mesh_add_vertex_group(mesh, group->name, group->vertex, group->count));
    }
    return weft_ok();
}

static weft_result build(const split *s, const weft_refined *r, weft_mesh **made) {
    const weft_mesh *base = s->base;
    weft_polygons polygons = {.name = "cut cloth",
                              .position = r->position,
                              .vertex_count = r->vertex_count,
                              .corner = s->corner,
                              .corner_count = s->corner_count,
                              .face_size = s->size,
                              .face_count = base->face_count,
                              .corner_uv = base->halfedge_uv,
                              .face_group = base->face_group,
                              .group_name = (const char *const *)base->group_name,
                              .group_count = base->group_count};
    weft_mesh_hint hint = {.diagonal = s->diagonal, .twin = s->twin};
    WEFT_TRY(weft_mesh_build(&polygons, &hint, made));
    weft_result result = (*made)->vertex_count == r->vertex_count
                             ? keep_names(s, *made)
                             : weft_fail(WEFT_BAD_INPUT, "cut cloth: %d vertices, but its faces have %d",
                                         (int)r->vertex_count, (int)(*made)->vertex_count);
    if (result.code == WEFT_OK)
        return result;
    weft_mesh_destroy(*made);
    *made = NULL;
    return result;
}

weft_result sim_split_mesh(const sim_cloth *cloth, weft_mesh **made) {
    const weft_mesh *base = cloth->base;
    split s = {.base = base};
    for (int32_t h = 0; h < base->halfedge_count; h++)
        s.corner_count += base->face[h] != WEFT_NONE;
    s.corner = weft_allocate((size_t)s.corner_count, sizeof *s.corner);
    s.twin = weft_allocate((size_t)s.corner_count, sizeof *s.twin);
    s.size = weft_allocate((size_t)base->face_count, sizeof *s.size);
    s.diagonal = weft_allocate((size_t)base->face_count, 1);
    weft_result result = weft_fail_memory("a cut", (size_t)s.corner_count * 2 * sizeof *s.corner);
    if (s.corner && s.twin && s.size && s.diagonal) {
        find_corners(&s, cloth->refined);
        find_twins(&s);
        result = build(&s, cloth->refined, made);
    }
    free(s.diagonal);
    free(s.size);
    free(s.twin);
    free(s.corner);
    return result;
}
