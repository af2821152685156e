/* Takes over the tailoring of a cloth, with vertices renumbered from the input to the mesh. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

static const double HALF_TURN = 3.1415926535897940; /* a little more than pi */

static weft_result check_factors(const sim_cloth *cloth, const char *what, const double *factor) {
    for (int32_t f = 0; factor && f < cloth->mesh->face_count; f++)
        if (!(factor[f] >= 0 && factor[f] <= 1e6))
            return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': tailoring.%s: %g of face %d is not from 0 to 10^6",
                             cloth->name, what, factor[f], f);
    return weft_ok();
}

static weft_result check_sizes(const sim_cloth *cloth, const char *what, const double *factor) {
    for (int32_t f = 0; factor && f < cloth->mesh->face_count; f++)
        if (!(factor[f] >= 1e-3 && factor[f] <= 1e3))
            return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': tailoring.%s: %g of face %d is not from 0.001 to 1000",
                             cloth->name, what, factor[f], f);
    return weft_ok();
}

static weft_result check_ends(const sim_cloth *cloth, const char *what, int32_t i, const int32_t end[2]) {
    int32_t count = cloth->mesh->input_vertex_count;
    if (end[0] >= 0 && end[0] < count && end[1] >= 0 && end[1] < count && end[0] != end[1])
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': tailoring: %s %d between vertices %d and %d, but there are %d",
                     cloth->name, what, i, end[0], end[1], count);
}

static weft_result check(const sim_cloth *cloth, const weft_tailoring *t) {
    if (!(sim_model(cloth)->gives & WEFT_TAILORS))
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': model '%s' cannot be tailored; use corotational",
                         cloth->name, cloth->model->name);
    if (cloth->mesh->face_count != cloth->mesh->triangle_count)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': tailoring needs a mesh of triangles", cloth->name);
    if (!(t->sewing >= 0 && isfinite(t->sewing)))
        return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': tailoring.sewing: %g s is not finite and at least 0",
                         cloth->name, t->sewing);
    WEFT_TRY(check_factors(cloth, "density", t->density));
    WEFT_TRY(check_factors(cloth, "stretch", t->stretch));
    WEFT_TRY(check_factors(cloth, "bend", t->bend));
    WEFT_TRY(check_sizes(cloth, "width", t->width));
    WEFT_TRY(check_sizes(cloth, "length", t->length));
    for (int32_t i = 0; i < t->crease_count; i++) {
        const weft_crease *c = &t->crease[i];
        WEFT_TRY(check_ends(cloth, "crease", i, c->vertex));
        if (!(fabs(c->angle) <= HALF_TURN && c->bend >= 0 && isfinite(c->bend) && c->yield >= 0 && isfinite(c->yield)))
            return weft_fail(WEFT_BAD_INPUT,
                             "cloth '%.64s': tailoring: crease %d: angle %g, bend %g or yield %g is out of range",
                             cloth->name, i, c->angle, c->bend, c->yield);
    }
    for (int32_t i = 0; i < t->tie_count; i++) {
        WEFT_TRY(check_ends(cloth, "tie", i, t->tie[i].vertex));
        if (!(t->tie[i].length >= 0 && isfinite(t->tie[i].length) && t->tie[i].stiffness > 0 &&
              isfinite(t->tie[i].stiffness)))
            return weft_fail(WEFT_BAD_INPUT,
                             "cloth '%.64s': tailoring: tie %d: length %g or stiffness %g is out of range", cloth->name,
                             i, t->tie[i].length, t->tie[i].stiffness);
    }
    return weft_ok();
}

static void *copy(const void *from, size_t count, size_t size, int *complete) {
    if (!from || count == 0)
        return NULL;
    void *made = weft_allocate(count, size);
    *complete &= made != NULL;
    return made ? memcpy(made, from, count * size) : NULL;
}

void sim_free_tailoring(weft_tailoring *tailoring) {
    if (!tailoring)
        return;
    free((void *)tailoring->density);
    free((void *)tailoring->stretch);
    free((void *)tailoring->bend);
    free((void *)tailoring->width);
    free((void *)tailoring->length);
    free((void *)tailoring->crease);
    free((void *)tailoring->tie);
    free((void *)tailoring->gathered);
    free(tailoring);
}

static weft_tailoring *copy_tailoring(const sim_cloth *cloth, const weft_tailoring *t) {
    weft_tailoring *made = weft_allocate(1, sizeof *made);
    int complete = made != NULL;
    if (!made)
        return NULL;
    size_t faces = (size_t)cloth->mesh->face_count;
    made->density = copy(t->density, faces, sizeof *t->density, &complete);
    made->stretch = copy(t->stretch, faces, sizeof *t->stretch, &complete);
    made->bend = copy(t->bend, faces, sizeof *t->bend, &complete);
    made->width = copy(t->width, faces, sizeof *t->width, &complete);
    made->length = copy(t->length, faces, sizeof *t->length, &complete);
    made->crease = copy(t->crease, (size_t)t->crease_count, sizeof *t->crease, &complete);
    made->crease_count = t->crease_count;
    made->tie = copy(t->tie, (size_t)t->tie_count, sizeof *t->tie, &complete);
    made->tie_count = t->tie_count;
    made->gathered = copy(t->gathered, faces, sizeof *t->gathered, &complete);
    made->sewing = t->sewing;
    if (complete)
        return made;
    sim_free_tailoring(made);
    return NULL;
}

/* Fills in the lowest vertex of the mesh for each vertex of the input, or WEFT_NONE if no face uses it. */
static void find_vertices(const weft_mesh *mesh, int32_t *vertex) {
    for (int32_t i = 0; i < mesh->input_vertex_count; i++)
        vertex[i] = WEFT_NONE;
    for (int32_t v = mesh->vertex_count; v-- > 0;)
        vertex[mesh->source_vertex[v]] = v;
}

/* The edge of the mesh between two vertices of the input. Where vertices were split, each edge has its own. */
static void find_edge(const weft_mesh *mesh, const int32_t *vertex, int32_t end[2]) {
    int32_t wanted[2] = {end[0], end[1]};
    for (int k = 0; k < 2; k++)
        end[k] = vertex[wanted[k]];
    for (int32_t h = 0; mesh->vertex_count != mesh->input_vertex_count && h < mesh->halfedge_count; h++) {
        int32_t a = mesh->origin[h], b = mesh->origin[mesh->next[h]];
        if (mesh->source_vertex[a] == wanted[0] && mesh->source_vertex[b] == wanted[1]) {
            end[0] = a;
            end[1] = b;
        }
    }
}

static weft_result renumber(const sim_cloth *cloth, weft_tailoring *t) {
    size_t count = (size_t)cloth->mesh->input_vertex_count;
    int32_t *vertex = weft_allocate(count, sizeof *vertex);
    if (!vertex)
        return weft_fail_memory("tailoring", count * sizeof *vertex);
    find_vertices(cloth->mesh, vertex);
    weft_result result = weft_ok();
    weft_crease *crease = (weft_crease *)t->crease;
    weft_tie *tie = (weft_tie *)t->tie;
    for (int32_t i = 0; i < t->crease_count + t->tie_count; i++) {
        int32_t *end = i < t->crease_count ? crease[i].vertex : tie[i - t->crease_count].vertex;
        int32_t given[2] = {end[0], end[1]};
        find_edge(cloth->mesh, vertex, end);
        if (end[0] == WEFT_NONE || end[1] == WEFT_NONE)
            result = weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': tailoring: no face uses vertex %d", cloth->name,
                               given[end[0] != WEFT_NONE]);
    }
    free(vertex);
    return result;
}

weft_result sim_sew(weft_sim *sim, double time) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        const weft_param *row = weft_params_find(cloth->model->params, "sewn");
        if (!cloth->tailoring || !(cloth->tailoring->sewing > 0) || !row)
            continue;
        double *sewn = (double *)(void *)((char *)cloth->settings + row->offset);
        double part = fmin(1, time / cloth->tailoring->sewing), wanted = part * part * (3 - 2 * part);
        if (*sewn == wanted)
            continue;
        *sewn = wanted;
        sim_pad_panels(cloth);
        if (cloth->self)
            WEFT_TRY(sim_model(cloth)->retune(cloth->self, cloth->settings, &cloth->cloth));
        const weft_integrator_functions *integrator = sim->integrator->functions;
        if (sim->integrator_self && integrator->retuned)
            integrator->retuned(sim->integrator_self);
    }
    return weft_ok();
}

weft_result weft_sim_set_tailoring(weft_sim *sim, int32_t index, const weft_tailoring *tailoring) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(tailoring);
    WEFT_TRY(sim_require_cloth(sim, index));
    sim_cloth *cloth = &sim->cloth[index];
    if (cloth->prepared || cloth->refined)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': its tailoring must be set before it is prepared",
                         cloth->name);
    WEFT_TRY(check(cloth, tailoring));
    weft_tailoring *made = copy_tailoring(cloth, tailoring);
    if (!made)
        return weft_fail_memory("tailoring", (size_t)cloth->mesh->face_count * sizeof(double));
    weft_result result = renumber(cloth, made);
    if (result.code != WEFT_OK) {
        sim_free_tailoring(made);
        return result;
    }
    sim_free_panels(cloth);
    sim_free_tailoring(cloth->tailoring);
    cloth->tailoring = made;
    return sim_make_panels(cloth);
}
