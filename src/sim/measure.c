/* Energies, momentum and stretch, for reports. */
#include <math.h>

#include "core/elementary.h"
#include "core/require.h"
#include "sim/internal.h"

typedef enum quantity { KINETIC, MOMENTUM_X, MOMENTUM_Y, MOMENTUM_Z, CENTRE_X, CENTRE_Y, CENTRE_Z, MASS } quantity;

typedef struct vertex_sum {
    const weft_sim *sim;
    const weft_vec3 *x, *v;
    quantity quantity;
} vertex_sum;

static double of_vertex(const vertex_sum *sum, quantity what, int64_t i) {
    const weft_vec3 x = sum->x[i], v = sum->v[i];
    switch (what) {
    case KINETIC:
        return 0.5 * weft_dot(v, v);
    case MOMENTUM_X:
        return v.x;
    case MOMENTUM_Y:
        return v.y;
    case MOMENTUM_Z:
        return v.z;
    case CENTRE_X:
        return x.x;
    case CENTRE_Y:
        return x.y;
    case CENTRE_Z:
        return x.z;
    case MASS:
        return 1;
    }
    return 0;
}

static double add_vertices(void *context, int64_t begin, int64_t end) {
    const vertex_sum *sum = context;
    double total = 0;
    for (int64_t i = begin; i < end; i++)
        total += sum->sim->mass[i] * of_vertex(sum, sum->quantity, i);
    return total;
}

static double mass_weighted(const weft_sim *sim, quantity what) {
    vertex_sum sum = {sim, sim->x, sim->v, what};
    return weft_parallel_sum(&sim->work, sim->count, WEFT_BLOCK, add_vertices, &sum);
}

double sim_kinetic(const weft_sim *sim, const weft_vec3 *v) {
    vertex_sum sum = {sim, sim->x, v, KINETIC};
    return weft_parallel_sum(&sim->work, sim->count, WEFT_BLOCK, add_vertices, &sum);
}

double sim_potential(const weft_sim *sim, const weft_vec3 *x, const weft_vec3 *v) {
    weft_force_input input = {sim->count, sim->time, x, v, sim->mass, sim->area, (uint64_t)sim->air.seed};
    double sum = 0;
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->energy)
            sum += sim_force_functions(&sim->force[i])->energy(sim->force[i].settings, &sim->work, &input);
    return sum;
}

static int edge_open(const weft_mesh *mesh, const uint8_t *open_face, int32_t h) {
    int32_t a = mesh->face[h], b = mesh->face[mesh->twin[h]];
    return (a == WEFT_NONE || open_face[a]) && (b == WEFT_NONE || open_face[b]);
}

/* Whether a half-edge became an edge only when faces were cut into triangles so that the mesh may change. */
static int is_diagonal(const sim_cloth *cloth, int32_t h) {
    int32_t t = cloth->mesh->face[h];
    if (!cloth->diagonal || t == WEFT_NONE || cloth->refined->lineage[t].generation > 0)
        return 0;
    return cloth->diagonal[3 * cloth->refined->lineage[t].face + h % 3];
}

/* The length of a half-edge's side of its triangle at rest, m; 0 where it has none. */
static double side_at_rest(const sim_cloth *cloth, int32_t h) {
    const weft_mesh *mesh = cloth->mesh;
    int32_t t = mesh->face[h];
    weft_vec2 corner[3], end[2] = {{0, 0}, {0, 0}};
    if (t == WEFT_NONE)
        return 0;
    sim_model(cloth)->rest(cloth->self, t, corner);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 2; k++)
            if (mesh->triangle[t][c] == mesh->origin[k ? mesh->next[h] : h])
                end[k] = corner[c];
    return weft_hypot(end[1].x - end[0].x, end[1].y - end[0].y);
}

/* The rest length of an edge, m. A pattern may differ from the initial shape. In a seam its two panels may differ too;
 * the longer one counts, because the other is gathered or eased. */
static double edge_at_rest(const sim_cloth *cloth, int32_t h) {
    const weft_mesh *mesh = cloth->mesh;
    if (sim_model(cloth)->rest && mesh->halfedge_uv && mesh->triangle_count == mesh->face_count)
        return fmax(side_at_rest(cloth, h), side_at_rest(cloth, mesh->twin[h]));
    return weft_distance(mesh->position[mesh->origin[h]], mesh->position[mesh->origin[mesh->next[h]]]);
}

/* Mean and largest elongation, length / rest - 1, over the edges of intact faces. Shortened edges count as 0. Diagonals
 * are left out, so that the figures do not depend on whether the mesh may change. */
static void measure_stretch(const weft_sim *sim, weft_measures *measures) {
    double sum = 0, largest = 0;
    int64_t count = 0;
    for (int32_t c = 0; c < sim->cloth_count; c++) {
        const sim_cloth *cloth = &sim->cloth[c];
        const weft_mesh *mesh = cloth->mesh;
        const weft_vec3 *x = sim->x + cloth->first;
        for (int32_t e = 0; e < mesh->edge_count; e++) {
            int32_t h = mesh->edge_halfedge[e];
            if (edge_open(mesh, cloth->open_face, h) || is_diagonal(cloth, h) || is_diagonal(cloth, mesh->twin[h]))
                continue;
            int32_t a = mesh->origin[h], b = mesh->origin[mesh->next[h]];
            double stretch = fmax(0, weft_distance(x[a], x[b]) / edge_at_rest(cloth, h) - 1);
            sum += stretch;
            largest = stretch > largest ? stretch : largest;
            count++;
        }
    }
    measures->stretch_mean = count > 0 ? sum / (double)count : 0;
    measures->stretch_max = largest;
}

/* The columns of the deformation gradient are where the unit vectors along weft and warp go. */
typedef struct yarns {
    double stretch[2]; /* elongation along weft and warp */
    double off;        /* change of the angle between them, rad */
} yarns;

static yarns yarns_of(const weft_vec2 rest[3], const weft_vec3 x[3]) {
    weft_vec2 a = {rest[1].x - rest[0].x, rest[1].y - rest[0].y}, b = {rest[2].x - rest[0].x, rest[2].y - rest[0].y};
    weft_vec3 p = weft_sub(x[1], x[0]), q = weft_sub(x[2], x[0]);
    double scale = 1 / (a.x * b.y - a.y * b.x);
    weft_vec3 weft = weft_scale(scale, weft_sub(weft_scale(b.y, p), weft_scale(a.y, q)));
    weft_vec3 warp = weft_scale(scale, weft_sub(weft_scale(a.x, q), weft_scale(b.x, p)));
    double off = weft_atan2(fabs(weft_dot(weft, warp)), weft_length(weft_cross(weft, warp)));
    return (yarns){{weft_length(weft) - 1, weft_length(warp) - 1}, off};
}

/* Returns 0 if the yarns of a triangle are not known, its face is open, or the fabric is gathered there. */
static int find_yarns(const weft_sim *sim, const sim_cloth *cloth, int32_t t, yarns *found) {
    const weft_mesh *mesh = cloth->mesh;
    int32_t face = mesh->triangle_face[t];
    const uint8_t *gathered = cloth->tailoring ? cloth->tailoring->gathered : NULL;
    weft_vec2 rest[3];
    weft_vec3 x[3];
    if (!sim_model(cloth)->rest || cloth->open_face[face] || (gathered && gathered[face]))
        return 0;
    sim_model(cloth)->rest(cloth->self, t, rest);
    for (int k = 0; k < 3; k++)
        x[k] = sim->x[cloth->first + mesh->triangle[t][k]];
    *found = yarns_of(rest, x);
    return 1;
}

static void measure_yarns(const weft_sim *sim, weft_measures *measures) {
    yarns found;
    for (int32_t c = 0; c < sim->cloth_count; c++)
        for (int32_t t = 0; t < sim->cloth[c].mesh->triangle_count; t++)
            if (find_yarns(sim, &sim->cloth[c], t, &found)) {
                measures->yarn_max = fmax(measures->yarn_max, fmax(found.stretch[0], found.stretch[1]));
                measures->shear_max = fmax(measures->shear_max, found.off);
            }
}

weft_result weft_sim_yarns(weft_sim *sim, int32_t cloth, double (*stretch)[2]) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(stretch);
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, cloth));
    for (int32_t t = 0; t < sim->cloth[cloth].mesh->triangle_count; t++) {
        yarns found = {{0, 0}, 0};
        find_yarns(sim, &sim->cloth[cloth], t, &found);
        stretch[t][0] = found.stretch[0];
        stretch[t][1] = found.stretch[1];
    }
    return weft_ok();
}

weft_result weft_sim_measure(weft_sim *sim, weft_measures *measures) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(measures);
    WEFT_TRY(weft_sim_prepare(sim));
    weft_arena_empty(sim->work.arena);
    *measures = (weft_measures){0};
    measures->mass = mass_weighted(sim, MASS);
    measures->kinetic = sim_kinetic(sim, sim->v);
    measures->momentum =
        (weft_vec3){mass_weighted(sim, MOMENTUM_X), mass_weighted(sim, MOMENTUM_Y), mass_weighted(sim, MOMENTUM_Z)};
    weft_vec3 first_moment = {mass_weighted(sim, CENTRE_X), mass_weighted(sim, CENTRE_Y), mass_weighted(sim, CENTRE_Z)};
    measures->centre = weft_scale(1 / measures->mass, first_moment);
    weft_system system = sim_system(sim);
    measures->elastic = weft_system_energy(&system, sim->x);
    measures->potential = sim_potential(sim, sim->x, sim->v);
    measure_stretch(sim, measures);
    measure_yarns(sim, measures);
    measures->links_broken = sim->links_broken;
    measures->contact = sim->contact_energy;
    return weft_ok();
}
