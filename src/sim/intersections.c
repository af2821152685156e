/* Edges through triangles: counted, listed and watched. */
#include "sim/internal.h"

static weft_result audit_cloth(const weft_sim *sim, int32_t index, weft_audit_surface *surface, uint8_t **skip) {
    const sim_cloth *cloth = &sim->cloth[index];
    const weft_mesh *mesh = cloth->mesh;
    *skip = weft_allocate((size_t)mesh->triangle_count, 1);
    if (!*skip)
        return weft_fail_memory("the audit of intersections", (size_t)mesh->triangle_count);
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        (*skip)[i] = cloth->open_face[mesh->triangle_face[i]];
    *surface = (weft_audit_surface){sim->x + cloth->first, mesh->vertex_count, mesh->triangle_count,
                                    (const int32_t(*)[3])mesh->triangle, *skip};
    return weft_ok();
}

static weft_result count_bodies(const weft_sim *sim, const weft_audit_surface *cloth, weft_intersections *found) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_surface surface;
        WEFT_TRY(weft_sim_body_surface(sim, i, &surface));
        weft_audit_surface body = {surface.position, surface.vertex_count, surface.triangle_count,
                                   (const int32_t(*)[3])surface.triangle, NULL};
        int64_t crossings = 0;
        weft_result result = weft_audit(cloth, &body, &crossings);
        free(surface.triangle);
        free(surface.position);
        WEFT_TRY(result);
        found->bodies += crossings;
    }
    return weft_ok();
}

static weft_result count_cloth(const weft_sim *sim, int32_t index, weft_intersections *found) {
    weft_audit_surface cloth, other;
    uint8_t *skip = NULL, *skip_other = NULL;
    int64_t crossings = 0;
    weft_result result = audit_cloth(sim, index, &cloth, &skip);
    if (result.code == WEFT_OK)
        result = weft_audit(&cloth, NULL, &crossings);
    found->self += crossings;
    for (int32_t i = index + 1; result.code == WEFT_OK && i < sim->cloth_count; i++) {
        crossings = 0;
        result = audit_cloth(sim, i, &other, &skip_other);
        if (result.code == WEFT_OK)
            result = weft_audit(&cloth, &other, &crossings);
        found->cloths += crossings;
        free(skip_other);
    }
    if (result.code == WEFT_OK)
        result = count_bodies(sim, &cloth, found);
    free(skip);
    return result;
}

weft_result weft_sim_intersections(weft_sim *sim, weft_intersections *found) {
    *found = (weft_intersections){0};
    WEFT_TRY(weft_sim_prepare(sim));
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(count_cloth(sim, i, found));
    return weft_ok();
}
