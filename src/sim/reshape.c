/* Carries a cloth's state over to a changed mesh between two steps. Initial vertices keep their numbers. State, pins
 * and drags follow vertices that are inserted, removed or renumbered. */
#include "sim/remesh.h"

static weft_result make_surface(const sim_cloth *cloth, const weft_mesh *triangles, weft_refined **made) {
    WEFT_TRY(weft_refined_create(triangles, made));
    weft_result result = sim_set_surface_maps(cloth, *made);
    if (result.code == WEFT_OK)
        return result;
    weft_refined_destroy(*made);
    *made = NULL;
    return result;
}

weft_result sim_make_whole_surface(const sim_cloth *cloth, weft_refined **made) {
    weft_mesh *triangles;
    WEFT_TRY(weft_mesh_triangulate(cloth->base, &triangles));
    weft_result result = make_surface(cloth, triangles, made);
    weft_mesh_destroy(triangles);
    return result;
}

/* For strain limits of the fabric. */
static weft_result refuse_tear(const sim_cloth *cloth) {
    return weft_fail(
        WEFT_UNSUPPORTED,
        "cloth '%.64s': fabric.%s: model '%s' does not tear at a strain of the yarns; springs, corotational "
        "and buckling do",
        cloth->name, cloth->fabric.tear_weft > 0 ? "tear_weft" : "tear_warp", cloth->model->name);
}

static weft_result fail_model(const sim_cloth *cloth, const char *others) {
    return weft_fail(WEFT_UNSUPPORTED,
                     "cloth '%.64s': model '%s' needs the mesh that it was given; %s allow it to change", cloth->name,
                     cloth->model->name, others);
}

static weft_result refuse_tailored(const sim_cloth *cloth) {
    return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': a tailored cloth can be neither refined nor torn nor cut",
                     cloth->name);
}

weft_result sim_make_separable(sim_cloth *cloth) {
    if (cloth->refined)
        return weft_ok();
    if (cloth->tailoring)
        return refuse_tailored(cloth);
    if (sim_model(cloth)->gives & WEFT_RESHAPES)
        return sim_make_refined(cloth);
    if (!sim_splits_only(cloth))
        return sim_tears(cloth) ? refuse_tear(cloth) : fail_model(cloth, "springs, corotational and buckling");
    cloth->base = cloth->mesh;
    weft_result result = sim_make_whole_surface(cloth, &cloth->refined);
    if (result.code != WEFT_OK)
        cloth->base = NULL;
    return result;
}

/* Marks the sides between triangles of one face. Triangles and their sides have the same order in both meshes. */
static void mark_diagonals(const weft_mesh *mesh, const weft_mesh *triangles, uint8_t *diagonal) {
    for (int32_t h = 0; h < 3 * triangles->triangle_count; h++) {
        int32_t other = triangles->face[triangles->twin[h]];
        diagonal[h] = other != WEFT_NONE && mesh->triangle_face[other] == mesh->triangle_face[h / 3];
    }
}

weft_result sim_make_refined(sim_cloth *cloth) {
    if (!(sim_model(cloth)->gives & WEFT_RESHAPES))
        return fail_model(cloth, "corotational and buckling");
    if (cloth->refined)
        return weft_ok();
    if (cloth->tailoring)
        return refuse_tailored(cloth);
    weft_mesh *triangles;
    WEFT_TRY(weft_mesh_triangulate(cloth->mesh, &triangles));
    uint8_t *open_face = weft_allocate((size_t)triangles->face_count, 1);
    uint8_t *diagonal = weft_allocate(3 * (size_t)triangles->triangle_count, 1);
    weft_result result = open_face && diagonal ? make_surface(cloth, triangles, &cloth->refined)
                                               : weft_fail_memory("a cloth", (size_t)triangles->face_count);
    if (result.code != WEFT_OK) {
        free(diagonal);
        free(open_face);
        weft_mesh_destroy(triangles);
        return result;
    }
    mark_diagonals(cloth->mesh, triangles, diagonal);
    free(cloth->diagonal);
    cloth->diagonal = diagonal;
    free(cloth->open_face);
    weft_mesh_destroy(cloth->mesh);
    cloth->open_face = open_face;
    cloth->mesh = cloth->base = triangles;
    return weft_ok();
}

void sim_place_cloths(weft_sim *sim) {
    int32_t count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        if (sim->prepared && !cloth->prepared)
            continue;
        cloth->first = count;
        count += cloth->refined ? cloth->refined->vertex_count : cloth->mesh->vertex_count;
    }
    sim->count = count;
}

/* -- room -- */

weft_result sim_reserve_pin(sim_pin *pin, int32_t count) {
    if (count <= pin->capacity)
        return weft_ok();
    int32_t *vertex = realloc(pin->vertex, (size_t)count * sizeof *vertex);
    pin->vertex = vertex ? vertex : pin->vertex;
    weft_vec3 *start = vertex ? realloc(pin->start, (size_t)count * sizeof *start) : NULL;
    pin->start = start ? start : pin->start;
    if (!start)
        return weft_fail_memory("a pin", (size_t)count * sizeof *start);
    pin->capacity = count;
    return weft_ok();
}

static int pins_cloth(const sim_pin *pin, const sim_cloth *cloth, int32_t count) {
    return pin->count > 0 && pin->vertex[0] >= cloth->first && pin->vertex[0] < cloth->first + count;
}

weft_result sim_update_views(weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        if (!cloth->prepared)
            continue;
        int moved = cloth->cloth.mass != sim->mass + cloth->first;
        sim_view_cloth(sim, cloth);
        if (moved && !cloth->stale && sim_model(cloth)->retune)
            WEFT_TRY(sim_model(cloth)->retune(cloth->self, cloth->settings, &cloth->cloth));
    }
    return weft_ok();
}

/* Reserves everything that sim_reshape_end needs, since it replays the vertex log and must not fail. */
weft_result sim_reshape_begin(weft_sim *sim, sim_cloth *cloth) {
    weft_refined *r = cloth->refined;
    int64_t most = (int64_t)r->vertex_count + 2 * (int64_t)r->triangle_count + 64;
    WEFT_TRY(sim_reserve(sim, sim->count + most - r->vertex_count));
    WEFT_TRY(sim_update_views(sim));
    for (int32_t i = 0; i < sim->pin_count; i++)
        if (pins_cloth(&sim->pin[i], cloth, r->vertex_count))
            WEFT_TRY(sim_reserve_pin(&sim->pin[i], (int32_t)(sim->pin[i].given + most)));
    if (cloth->stale)
        cloth->stale = SIM_REPLACED;
    memset(r->changed, 0, (size_t)r->triangle_count);
    r->vertex_limit = (int32_t)most;
    r->change_count = 0;
    cloth->opened_count = 0;
    r->failed = 0;
    r->limited = 0;
    r->vetoed = 0;
    r->flipped = 0;
    return weft_ok();
}

/* -- transfer to the new vertices -- */

typedef struct change {
    weft_sim *sim;
    sim_cloth *cloth;
    int32_t before, after, peak; /* vertex counts of the cloth */
} change;

static change change_of(weft_sim *sim, sim_cloth *cloth) {
    const weft_refined *r = cloth->refined;
    change c = {.sim = sim, .cloth = cloth, .after = r->vertex_count};
    int32_t count = r->vertex_count;
    c.peak = count;
    for (int32_t i = r->change_count - 1; i >= 0; i--) { /* backwards, because the final count is known */
        count += r->change[i].weight[0] > 0 ? -1 : 1;
        c.peak = count > c.peak ? count : c.peak;
    }
    c.before = count;
    return c;
}

static void follow_vectors(const change *c, weft_vec3 *all, weft_vec3 *scratch) {
    const weft_refined *r = c->cloth->refined;
    int32_t first = c->cloth->first, behind = c->sim->count - first - c->before;
    memcpy(scratch, all + first, (size_t)c->before * sizeof *all);
    for (int32_t i = 0; i < r->change_count; i++) {
        const weft_vertex_change *one = &r->change[i];
        if (!(one->weight[0] > 0)) {
            scratch[one->vertex] = scratch[one->from[0]];
            continue;
        }
        weft_vec3 sum = weft_scale(one->weight[0], scratch[one->from[0]]);
        for (int k = 1; k < 3; k++)
            sum = weft_add_scaled(sum, one->weight[k], scratch[one->from[k]]);
        scratch[one->vertex] = sum;
    }
    memmove(all + first + c->after, all + first + c->before, (size_t)behind * sizeof *all);
    memcpy(all + first, scratch, (size_t)c->after * sizeof *all);
}

static void shift_reals(const change *c, double *all) {
    int32_t first = c->cloth->first, behind = c->sim->count - first - c->before;
    memmove(all + first + c->after, all + first + c->before, (size_t)behind * sizeof *all);
}

static void drop_from_pin(sim_pin *pin, int32_t *place, int32_t first, int32_t vertex) {
    int32_t at = place[vertex], last = --pin->count;
    place[vertex] = WEFT_NONE;
    if (at == last)
        return;
    pin->vertex[at] = pin->vertex[last];
    pin->start[at] = pin->start[last];
    place[pin->vertex[at] - first] = at;
}

/* A vertex inserted between pinned vertices is pinned too, unless these follow a path or a body. `place` is
 * the index of each vertex in the pin. */
static void follow_pin(const change *c, sim_pin *pin, int32_t *place) {
    const weft_refined *r = c->cloth->refined;
    int32_t first = c->cloth->first;
    for (int32_t v = 0; v < c->peak; v++)
        place[v] = WEFT_NONE;
    for (int32_t i = 0; i < pin->count; i++)
        place[pin->vertex[i] - first] = i;
    for (int32_t i = 0; i < r->change_count; i++) {
        const weft_vertex_change *one = &r->change[i];
        if (one->weight[0] > 0) {
            weft_vec3 start = weft_vec3_make(0, 0, 0);
            int all = !pin->path && !pin->attachment;
            for (int k = 0; k < 3 && all; k++) {
                int32_t at = place[one->from[k]];
                all = at != WEFT_NONE || !(one->weight[k] > 0);
                if (all && at != WEFT_NONE)
                    start = weft_add_scaled(start, one->weight[k], pin->start[at]);
            }
            place[one->vertex] = all ? pin->count : WEFT_NONE;
            if (all) {
                pin->vertex[pin->count] = first + one->vertex;
                pin->start[pin->count++] = start;
            }
            continue;
        }
        int32_t last = one->from[0];
        if (place[one->vertex] != WEFT_NONE)
            drop_from_pin(pin, place, first, one->vertex);
        if (last != one->vertex && place[last] != WEFT_NONE) {
            place[one->vertex] = place[last];
            pin->vertex[place[last]] = first + one->vertex;
            place[last] = WEFT_NONE;
        }
    }
}

/* A dragged vertex is never removed (adaptation.c), but it may be renumbered. */
static void follow_drags(const change *c) {
    const weft_refined *r = c->cloth->refined;
    int32_t first = c->cloth->first;
    for (int32_t d = 0; d < c->sim->drag_count; d++) {
        sim_drag *drag = &c->sim->drag[d];
        if (drag->vertex >= first + c->before)
            drag->vertex += c->after - c->before;
        else if (drag->vertex >= first)
            for (int32_t i = 0; i < r->change_count; i++)
                if (!(r->change[i].weight[0] > 0) && drag->vertex == first + r->change[i].from[0])
                    drag->vertex = first + r->change[i].vertex;
    }
}

static void follow_pins(const change *c, int32_t *place) {
    int32_t end = c->cloth->first + c->before;
    for (int32_t i = 0; i < c->sim->pin_count; i++) {
        sim_pin *pin = &c->sim->pin[i];
        for (int32_t k = 0; k < pin->late_count; k++)
            pin->late[k] += pin->late[k] >= end ? c->after - c->before : 0;
        if (pins_cloth(pin, c->cloth, c->before))
            follow_pin(c, pin, place);
        else
            for (int32_t k = 0; k < pin->count && pin->vertex[k] >= end; k++)
                pin->vertex[k] += c->after - c->before;
    }
}

void sim_reshape_end(weft_sim *sim, sim_cloth *cloth) {
    change c = change_of(sim, cloth);
    weft_vec3 *vectors[] = {sim->x, sim->v, sim->x_before, sim->v_before, sim->x_next, sim->v_next, sim->pulled};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        follow_vectors(&c, vectors[i], sim->scratch);
    shift_reals(&c, sim->mass);
    shift_reals(&c, sim->area);
    follow_pins(&c, (int32_t *)(void *)sim->scratch);
    follow_drags(&c);
    sim_place_cloths(sim);
    size_t behind = (size_t)(sim->count - cloth->first);
    memset(sim->touched + cloth->first, 0, behind);
    memset(sim->v_change + cloth->first, 0, behind * sizeof *sim->v_change);
    cloth->refined->change_count = 0;
    if (!cloth->stale)
        cloth->stale = SIM_RESHAPED;
}

/* Shifts the pinned vertices of later cloths. */
void sim_replace_refined(weft_sim *sim, sim_cloth *cloth, weft_refined *refined) {
    int32_t end = cloth->first + cloth->refined->vertex_count;
    int32_t more = refined->vertex_count - cloth->refined->vertex_count;
    for (int32_t i = 0; i < sim->pin_count; i++) {
        sim_pin *pin = &sim->pin[i];
        for (int32_t k = 0; k < pin->given; k++)
            pin->vertex[k] += pin->vertex[k] >= end ? more : 0;
        for (int32_t k = 0; k < pin->late_count; k++)
            pin->late[k] += pin->late[k] >= end ? more : 0;
    }
    weft_refined_destroy(cloth->refined);
    cloth->refined = refined;
    cloth->stale = SIM_REPLACED;
    sim_place_cloths(sim);
}
