/* Rebuilds the finite elements after a change of the mesh (adaptive refinement of Bender and Deul 2013). Triangles,
 * edges and vertices without a changed neighbour are copied. The others are computed anew. */
#include "cloth/corotational/corotational.h"
#include "core/memory.h"

static int allocate_old_indices(weft_corotational *c) {
    c->from[0] = weft_allocate((size_t)c->lists[0].count, sizeof *c->from[0]);
    c->from[1] = weft_allocate((size_t)c->lists[1].count, sizeof *c->from[1]);
    c->lists[0].from = c->from[0];
    c->lists[1].from = c->from[1];
    return c->from[0] && c->from[1];
}

static weft_result reuse_triangles(weft_corotational *c, const weft_corotational *before, const char *name,
                                   const weft_reshape *change) {
    for (int32_t t = 0; t < c->mesh->triangle_count; t++) {
        c->from[0][t] = change->changed[t] ? WEFT_NONE : t;
        if (!change->changed[t]) {
            memcpy(c->corner[t], before->corner[t], sizeof c->corner[t]);
            weft_corotational_set(c, t, &before->triangle[t]);
            continue;
        }
        WEFT_TRY(weft_rest_of(&c->settings, c->mesh, name, c->rest, t, c->corner[t]));
        weft_triangle triangle = weft_corotational_element(c, t);
        weft_corotational_set(c, t, &triangle);
    }
    return weft_ok();
}

static weft_result reuse(weft_corotational *c, const weft_corotational *before, const weft_cloth *cloth,
                         const weft_reshape *change) {
    if (!allocate_old_indices(c))
        return weft_fail_memory("finite elements", (size_t)c->lists[1].count * sizeof *c->from[1]);
    c->rest = before->rest;
    weft_corotational_take_settings(c, &before->settings, cloth);
    WEFT_TRY(reuse_triangles(c, before, cloth->name ? cloth->name : "", change));
    weft_bending_match(&c->bending, &before->bending, change, c->from[1]);
    weft_bending_reuse(&c->bending, &before->bending, c->from[1], cloth, (const weft_vec2(*)[3])c->corner);
    for (int32_t v = 0; v < c->mesh->vertex_count; v++)
        c->bound[v] = change->touched[v] ? weft_corotational_bound_at(c, v) : before->bound[v];
    return weft_ok();
}

/* `rest: auto` keeps the choice made for the first mesh. */
weft_result weft_corotational_reshape(const void *self, const void *settings, const weft_cloth *cloth,
                                      const weft_reshape *change, void **made) {
    const weft_corotational *before = self;
    *made = NULL;
    weft_corotational *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory("finite elements", sizeof *c);
    weft_result result = weft_corotational_arrange(c, settings, cloth);
    if (result.code == WEFT_OK)
        result = reuse(c, before, cloth, change);
    if (result.code == WEFT_OK)
        *made = c;
    else
        weft_corotational_destroy(c);
    return result;
}
