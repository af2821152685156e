/* Rebuilds mesh, masses, model and integrator of a cloth after its surface changed. Unchanged data is copied. */
#include "sim/remesh.h"

typedef struct rebuilt {
    weft_mesh *mesh;
    uint8_t *open_face, *changed, *touched;
    double *map[WEFT_MAP_COUNT], *share;
    void *self;
} rebuilt;

static void free_rebuilt(const sim_cloth *cloth, rebuilt *r) {
    if (r->mesh != cloth->base)
        weft_mesh_destroy(r->mesh);
    free(r->open_face);
    free(r->share);
    free(r->changed);
    free(r->touched);
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        free(r->map[m]);
}

static void touch(rebuilt *r, int32_t v) {
    if (v < r->mesh->vertex_count)
        r->touched[v] = 1;
}

/* Touches the corners of a triangle and the vertices opposite to its sides. These are all vertices whose springs,
 * triangles and bending edges involve the triangle. */
static void touch_around(rebuilt *r, const weft_mesh *mesh, int32_t t) {
    for (int32_t h = mesh->face_halfedge[t], k = 0; k < 3; h = mesh->next[h], k++) {
        touch(r, mesh->origin[h]);
        int32_t twin = mesh->twin[h];
        if (mesh->face[twin] != WEFT_NONE)
            touch(r, mesh->origin[mesh->next[mesh->next[twin]]]);
    }
}

/* Marks removed triangles of the old mesh and new triangles of the new mesh. */
static void mark_changes(const sim_cloth *cloth, rebuilt *r) {
    const weft_mesh *before = cloth->mesh, *after = r->mesh;
    int replaced = cloth->stale == SIM_REPLACED || sim_splits_only(cloth);
    for (int32_t t = 0; t < after->triangle_count; t++)
        r->changed[t] = replaced || t >= before->triangle_count || cloth->refined->changed[t];
    memset(r->touched, replaced, (size_t)after->vertex_count);
    for (int32_t v = before->vertex_count; v < after->vertex_count; v++)
        r->touched[v] = 1;
    for (int32_t t = 0; t < before->triangle_count && !replaced; t++)
        if (t >= after->triangle_count || r->changed[t])
            touch_around(r, before, t);
    for (int32_t t = 0; t < after->triangle_count && !replaced; t++)
        if (r->changed[t])
            touch_around(r, after, t);
}

static weft_result make_model(const sim_cloth *cloth, const weft_cloth *view, rebuilt *r) {
    const weft_model_functions *model = sim_model(cloth);
    if (!cloth->self || !model->reshape)
        return model->create(cloth->settings, view, &r->self);
    weft_reshape change = {cloth->mesh, r->changed, r->touched};
    return model->reshape(cloth->self, cloth->settings, view, &change, &r->self);
}

/* Without a doubled vertex the mesh is the given one. */
static weft_result make_mesh(const sim_cloth *cloth, weft_mesh **made) {
    if (!sim_splits_only(cloth))
        return weft_refined_mesh(cloth->refined, cloth->base, made);
    if (cloth->refined->vertex_count > cloth->base->vertex_count)
        return sim_split_mesh(cloth, made);
    *made = cloth->base;
    return weft_ok();
}

static weft_result make_contents(weft_sim *sim, sim_cloth *cloth, weft_cloth *view, rebuilt *r) {
    size_t triangles = (size_t)r->mesh->triangle_count;
    r->open_face = weft_allocate(triangles, 1);
    r->changed = weft_allocate(triangles, 1);
    r->touched = weft_allocate((size_t)r->mesh->vertex_count, 1);
    if (!r->open_face || !r->changed || !r->touched)
        return weft_fail_memory("a cloth", triangles);
    if (sim_splits_only(cloth))
        memcpy(r->open_face, cloth->open_face, (size_t)r->mesh->face_count);
    WEFT_TRY(sim_make_mesh_maps(cloth, r->mesh, r->map));
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        view->map[m] = r->map[m];
    mark_changes(cloth, r);
    WEFT_TRY(sim_make_shares(cloth, r->mesh, &r->share));
    sim_set_areas(sim, cloth, r->mesh, r->touched);
    sim_set_masses(sim, cloth, cloth->refined->vertex_count, r->map[WEFT_MAP_DENSITY]);
    return make_model(cloth, view, r);
}

static weft_result rebuild(weft_sim *sim, sim_cloth *cloth) {
    rebuilt r = {0};
    WEFT_TRY(make_mesh(cloth, &r.mesh));
    weft_cloth view = {.name = cloth->name,
                       .mesh = r.mesh,
                       .fabric = &cloth->fabric,
                       .mass = sim->mass + cloth->first,
                       .area = sim->area + cloth->first};
    weft_result result = make_contents(sim, cloth, &view, &r);
    if (result.code != WEFT_OK) {
        free_rebuilt(cloth, &r);
        return result;
    }
    if (cloth->self)
        sim_model(cloth)->destroy(cloth->self);
    if (cloth->mesh != cloth->base)
        weft_mesh_destroy(cloth->mesh);
    free(cloth->open_face);
    free(cloth->share);
    free(cloth->touched);
    free(r.changed);
    for (int m = 0; m < WEFT_MAP_COUNT; m++) {
        free(cloth->map[m]);
        cloth->map[m] = r.map[m];
    }
    cloth->self = r.self;
    cloth->mesh = r.mesh;
    cloth->open_face = r.open_face;
    cloth->share = r.share;
    cloth->touched = r.touched;
    cloth->cloth = view;
    cloth->reshapes++;
    cloth->recut = 1;
    cloth->stale = 0;
    return result;
}

weft_result sim_rebuild(weft_sim *sim) {
    int any = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        any |= sim->cloth[i].stale;
    if (!any)
        return weft_ok();
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        if (!sim->cloth[i].stale)
            continue;
        if (sim->cloth[i].reshapes > 0) /* the integrator can follow only one change of elements */
            sim_forget_integrator(sim);
        WEFT_TRY(rebuild(sim, &sim->cloth[i]));
    }
    sim->grips[0].count = 0; /* pairs have other vertices */
    sim->pressing_known = 0;
    WEFT_TRY(sim_update_views(sim));
    sim_refresh_inputs(sim);
    return weft_ok();
}

/* -- the integrator -- */

static const weft_integrator_functions *functions(const weft_sim *sim) { return sim->integrator->functions; }

static int is_reshaped(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        if (sim->cloth[i].reshapes > 0)
            return 1;
    return 0;
}

int sim_integrator_fits(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        if (sim->cloth[i].stale || sim->cloth[i].reshapes > 0)
            return 0;
    return sim->integrator_self != NULL;
}

/* Maps each vertex to its number when the integrator was made, or WEFT_NONE. */
static void trace_vertices(const weft_sim *sim, int32_t *from) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        for (int32_t v = 0; v < cloth->mesh->vertex_count; v++) {
            int same = v < cloth->known_count && !(cloth->reshapes > 0 && cloth->touched[v]);
            from[cloth->first + v] = same ? cloth->known_first + v : WEFT_NONE;
        }
    }
}

/* Returns whether it succeeded. */
static int reshape_integrator(weft_sim *sim) {
    int32_t *from = functions(sim)->reshape ? weft_allocate((size_t)sim->count, sizeof *from) : NULL;
    if (!from)
        return 0;
    trace_vertices(sim, from);
    weft_system system = sim_system(sim);
    weft_result result = functions(sim)->reshape(sim->integrator_self, sim->integrator_settings, &system, from);
    free(from);
    return result.code == WEFT_OK;
}

static void note_known(weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        cloth->known_first = cloth->first;
        cloth->known_count = cloth->mesh->vertex_count;
        cloth->reshapes = 0;
        free(cloth->touched);
        cloth->touched = NULL;
    }
}

weft_result sim_prepare_integrator(weft_sim *sim) {
    if (sim->integrator_self && is_reshaped(sim) && !reshape_integrator(sim))
        sim_forget_integrator(sim);
    if (!sim->integrator_self && functions(sim)->create) {
        weft_system system = sim_system(sim);
        WEFT_TRY(functions(sim)->create(sim->integrator_settings, &system, &sim->integrator_self));
    }
    note_known(sim);
    return weft_ok();
}
