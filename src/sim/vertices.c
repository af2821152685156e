/* The arrays over all vertices: memory, areas, masses. */
#include "mesh/stages.h"
#include "sim/state.h"

/* Reserves exactly at first, later with room to spare, and clears what is new. All arrays share one block, which can
 * then use large pages. Gaps of a few cache lines separate them. Without gaps, arrays whose length is a power of two
 * would compete for the same cache sets: a step of 256 x 256 vertices took a third longer. */
weft_result sim_reserve(weft_sim *sim, int64_t count) {
    enum { LINE = 64, GAP = 9 * LINE };
    if (count <= sim->capacity)
        return weft_ok();
    if (count > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "the cloths have %lld vertices together, at most %d are allowed",
                         (long long)count, WEFT_MESH_LIMIT);
    size_t old = (size_t)sim->capacity, room = ((size_t)count + old / 2 + LINE - 1) / LINE * LINE, each = 0;
    struct {
        void **array;
        size_t size;
    } arrays[] = {{(void **)&sim->x, sizeof(weft_vec3)},
                  {(void **)&sim->v, sizeof(weft_vec3)},
                  {(void **)&sim->x_next, sizeof(weft_vec3)},
                  {(void **)&sim->v_next, sizeof(weft_vec3)},
                  {(void **)&sim->mass, sizeof(double)},
                  {(void **)&sim->inverse_mass, sizeof(double)},
                  {(void **)&sim->target, sizeof(weft_vec3)},
                  {(void **)&sim->x_before, sizeof(weft_vec3)},
                  {(void **)&sim->v_before, sizeof(weft_vec3)},
                  {(void **)&sim->pulled, sizeof(weft_vec3)},
                  {(void **)&sim->v_change, sizeof(weft_vec3)},
                  {(void **)&sim->pressing, sizeof(weft_vec3)},
                  {(void **)&sim->area, sizeof(double)},
                  {(void **)&sim->held, 1},
                  {(void **)&sim->touched, 1},
                  {(void **)&sim->scratch, sizeof(weft_vec3)}};
    enum { ARRAYS = sizeof arrays / sizeof arrays[0] };
    for (int i = 0; i < ARRAYS; i++)
        each += arrays[i].size;
    size_t bytes = room * each + ARRAYS * GAP + LINE;
    void *memory = weft_allocate_large(bytes, 1);
    if (!memory)
        return weft_fail_memory("the state", bytes);
    char *at = (char *)(((uintptr_t)memory + LINE - 1) / LINE * LINE);
    for (int i = 0; i < ARRAYS; i++, at += room * arrays[i - 1].size + GAP) {
        if (old > 0)
            memcpy(at, *arrays[i].array, old * arrays[i].size);
        *arrays[i].array = at;
    }
    free(sim->memory);
    sim->memory = memory;
    sim->capacity = (int32_t)room;
    return weft_ok();
}

void sim_remove_vertices(weft_sim *sim, int32_t first, int32_t count) {
    weft_vec3 *vectors[] = {sim->x,        sim->v,        sim->x_next, sim->v_next,   sim->target,
                            sim->x_before, sim->v_before, sim->pulled, sim->v_change, sim->pressing};
    double *numbers[] = {sim->mass, sim->inverse_mass, sim->area};
    uint8_t *bytes[] = {sim->held, sim->touched};
    size_t rest = (size_t)(sim->count - first - count);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        memmove(vectors[i] + first, vectors[i] + first + count, rest * sizeof *vectors[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        memmove(numbers[i] + first, numbers[i] + first + count, rest * sizeof *numbers[i]);
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        memmove(bytes[i] + first, bytes[i] + first + count, rest);
    sim->count -= count;
}

static double twice_shape_area(const weft_mesh *mesh, int32_t triangle) {
    const int32_t *t = mesh->triangle[triangle];
    weft_vec3 a = mesh->position[t[0]];
    return weft_length(weft_cross(weft_sub(mesh->position[t[1]], a), weft_sub(mesh->position[t[2]], a)));
}

/* Whether the model's rest shape is not the mesh's positions. */
static int has_own_areas(const sim_cloth *cloth, const weft_mesh *mesh) {
    return sim_model(cloth)->rest_area && sim_model(cloth)->rest_area(cloth->settings, mesh, 0) >= 0;
}

static double twice_rest_area(const sim_cloth *cloth, const weft_mesh *mesh, int32_t triangle, int own) {
    return own ? 2 * sim_model(cloth)->rest_area(cloth->settings, mesh, triangle) : twice_shape_area(mesh, triangle);
}

double sim_rest_area(const sim_cloth *cloth, const weft_mesh *mesh, int32_t triangle) {
    return twice_rest_area(cloth, mesh, triangle, has_own_areas(cloth, mesh)) / 2;
}

void sim_share_areas(const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched, double *area) {
    int own = has_own_areas(cloth, mesh);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (touched && !touched[v])
            continue;
        area[v] = 0;
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++)
            area[v] += twice_rest_area(cloth, mesh, mesh->vertex_triangle[i], own) / 6;
    }
}

/* Whether all vertices of a triangle have a third of it. The force of padding, for one, then is the gradient of p V. */
static int shares_thirds(const sim_cloth *cloth, const weft_mesh *mesh) {
    int refined = cloth->refined && (sim_model(cloth)->gives & WEFT_RESHAPES);
    return refined || cloth->tailoring || has_own_areas(cloth, mesh);
}

weft_result sim_make_shares(const sim_cloth *cloth, const weft_mesh *mesh, double **share) {
    size_t count = (size_t)mesh->vertex_triangle_start[mesh->vertex_count];
    *share = NULL;
    if (shares_thirds(cloth, mesh))
        return weft_ok();
    *share = weft_allocate(count, sizeof **share);
    if (!*share)
        return weft_fail_memory("the areas of a cloth", count * sizeof **share);
    weft_mesh_rest_shares(mesh, *share);
    return weft_ok();
}

void sim_set_areas(weft_sim *sim, const sim_cloth *cloth, const weft_mesh *mesh, const uint8_t *touched) {
    if (shares_thirds(cloth, mesh))
        sim_share_areas(cloth, mesh, touched, sim->area + cloth->first);
    else
        weft_mesh_rest_areas(mesh, sim->area + cloth->first);
}

/* The area of a vertex with the density factors of its faces: a third of each, m2. */
static double tailored_area(const sim_cloth *cloth, int32_t v) {
    const weft_mesh *mesh = cloth->mesh;
    double area = 0;
    for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
        int32_t t = mesh->vertex_triangle[i];
        area += cloth->tailoring->density[mesh->triangle_face[t]] * sim_rest_area(cloth, mesh, t) / 3;
    }
    return area;
}

void sim_set_masses(weft_sim *sim, const sim_cloth *cloth, int32_t count, const double *factor) {
    int tailored = cloth->tailoring && cloth->tailoring->density;
    for (int32_t i = 0; tailored && i < count; i++)
        sim->mass[cloth->first + i] = cloth->fabric.density * (factor ? factor[i] : 1) * tailored_area(cloth, i);
    if (tailored)
        return;
    for (int32_t i = 0; i < count; i++)
        sim->mass[cloth->first + i] = cloth->fabric.density * (factor ? factor[i] : 1) * sim->area[cloth->first + i];
}

void sim_view_cloth(weft_sim *sim, sim_cloth *cloth) {
    cloth->cloth = (weft_cloth){.name = cloth->name,
                                .mesh = cloth->mesh,
                                .fabric = &cloth->fabric,
                                .mass = sim->mass + cloth->first,
                                .area = sim->area + cloth->first};
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        cloth->cloth.map[m] = cloth->map[m];
    cloth->cloth.tailoring = cloth->tailoring;
}
