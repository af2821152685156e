/* Recognises explosions: motion with more energy than the cloth can have got, and cloth that is stretched beyond
 * reason. An unstable scheme may stay finite for a long time, and halved steps then carry its garbage on.
 *
 * Where nothing drives the cloth, its kinetic energy is at most what it began with, moving, stretched or squeezed, and
 * what gravity has released. What wind, moving pins, moving bodies and seams that close do is not known, so while they
 * act only the stretch tells. */
#include <math.h>

#include "force/builtin_forces.h"
#include "sim/internal.h"
#include "weft/text.h"

/* Kinetic energy relative to what is explained. Explicit schemes near their stable step keep energy only up to a factor
 * of two; an explosion passes any factor. */
static const double MOST_ENERGY = 4;
/* Motion below this, m/s (root mean square), is never an explosion. Contact may push layers apart that start too close
 * to each other, and the rounding of a sheet at rest is not its energy. */
static const double SLOW = 3;
/* Longest sides of triangles relative to those at rest (root mean square). */
static const double MOST_STRETCH = 10;

static int is_moved(const weft_sim *sim, int32_t vertex) {
    weft_vec3 x = sim->x[vertex], to = sim->target[vertex];
    return sim->held[vertex] && (x.x != to.x || x.y != to.y || x.z != to.z);
}

static int pins_move(const weft_sim *sim) {
    for (int32_t p = 0; p < sim->pin_count; p++)
        for (int32_t i = 0; i < sim->pin[p].count; i++)
            if (is_moved(sim, sim->pin[p].vertex[i]))
                return 1;
    for (int32_t i = 0; i < sim->drag_count; i++)
        if (is_moved(sim, sim->drag[i].vertex))
            return 1;
    return 0;
}

static int body_moves(const weft_sim *sim, int32_t index, double dt) {
    weft_body_view view = sim_body_view(&sim->body[index]);
    weft_pose begin = weft_body_view_pose(&view, sim->time), end = weft_body_view_pose(&view, sim->time + dt);
    return memcmp(&begin, &end, sizeof begin) != 0 ||
           weft_body_view_frame(&view, sim->time) != weft_body_view_frame(&view, sim->time + dt) ||
           sim_body_away(sim, index, sim->time) != sim_body_away(sim, index, sim->time + dt);
}

/* A force without a potential may do any work; the drag of still air only takes energy. */
static int forces_drive(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->force_count; i++)
        if (!sim_force_functions(&sim->force[i])->energy && sim->force[i].component != &weft_air_damping_force)
            return 1;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        if (sim->cloth[i].is_padded || !sim_model(&sim->cloth[i])->energy)
            return 1;
    return 0;
}

static int is_driven(const weft_sim *sim, double dt) {
    const weft_integrator_functions *integrator = sim->integrator->functions;
    if (!(integrator->needs & (WEFT_FORCES | WEFT_LINKS)) || forces_drive(sim) || pins_move(sim))
        return 1; /* without forces, the stored energy is not that of the models */
    if (sim->crossed_sum > 0 || sim->separated.left > 0)
        return 1; /* contact parts what crosses, whatever work it takes */
    for (int32_t i = 0; i < sim->body_count; i++)
        if (body_moves(sim, i, dt))
            return 1;
    return 0;
}

/* Changed settings may store energy. */
static uint64_t key_of(const weft_sim *sim) {
    uint64_t hash = sim_fold(UINT64_C(0xcbf29ce484222325), &sim->air, sizeof sim->air);
    hash = sim_fold(hash, &sim->contact_given, sizeof sim->contact_given);
    hash = sim_fold_component(hash, sim->integrator, sim->integrator_settings);
    for (int32_t i = 0; i < sim->force_count; i++)
        hash = sim_fold_component(hash, sim->force[i].component, sim->force[i].settings);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        hash = sim_fold_component(hash, cloth->model, cloth->settings);
        hash = sim_fold(hash, &cloth->fabric, sizeof cloth->fabric);
        if (cloth->panel)
            hash = sim_fold(hash, cloth->panel, ((size_t)cloth->mesh->group_count + 1) * sizeof *cloth->panel);
    }
    for (int32_t i = 0; i < sim->body_count; i++)
        hash = sim_fold_component(hash, sim->body[i].component, sim->body[i].settings);
    return sim_fold(hash, &sim->cloth_count, sizeof sim->cloth_count);
}

void sim_watch_energy(weft_sim *sim, double dt) {
    sim_budget *budget = &sim->budget;
    uint64_t key = key_of(sim);
    budget->reason[0] = '\0';
    budget->driven = is_driven(sim, dt);
    budget->known = budget->known && !budget->driven && budget->key == key;
    if (budget->known || budget->driven)
        return;
    weft_system system = sim_system(sim);
    budget->known = 1;
    budget->key = key;
    budget->energy = sim_kinetic(sim, sim->v) + weft_system_energy(&system, sim->x) + sim->contact_energy;
    budget->potential = sim_potential(sim, sim->x, sim->v);
}

typedef struct size_sum {
    const sim_cloth *cloth;
    const weft_vec3 *x;
    const double *inverse_mass;
} size_sum;

/* Pins and torn faces may take a triangle anywhere. */
static int may_be_long(const size_sum *sum, int64_t triangle) {
    const sim_cloth *cloth = sum->cloth;
    const int32_t *corner = cloth->mesh->triangle[triangle];
    return cloth->open_face[cloth->mesh->triangle_face[triangle]] || sum->inverse_mass[corner[0]] == 0 ||
           sum->inverse_mass[corner[1]] == 0 || sum->inverse_mass[corner[2]] == 0;
}

static double add_sizes(void *context, int64_t begin, int64_t end) {
    const size_sum *sum = context;
    double total = 0;
    for (int64_t t = begin; t < end; t++) {
        const int32_t *corner = sum->cloth->mesh->triangle[t];
        double longest = 0;
        for (int k = 0; k < 3 && !may_be_long(sum, t); k++) {
            weft_vec3 side = weft_sub(sum->x[corner[(k + 1) % 3]], sum->x[corner[k]]);
            longest = fmax(longest, weft_dot(side, side));
        }
        total += longest;
    }
    return total;
}

/* Root mean square of the longest sides of a cloth's triangles, relative to those of its mesh. */
static double size_of(const weft_sim *sim, const sim_cloth *cloth) {
    const weft_mesh *mesh = cloth->mesh;
    size_sum sum = {cloth, sim->x_next + cloth->first, sim->inverse_mass + cloth->first};
    double now = weft_parallel_sum(&sim->work, mesh->triangle_count, WEFT_BLOCK, add_sizes, &sum);
    sum.x = mesh->position;
    double made = weft_parallel_sum(&sim->work, mesh->triangle_count, WEFT_BLOCK, add_sizes, &sum);
    return made > 0 ? sqrt(now / made) : 0;
}

static int is_overstretched(weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        double size = size_of(sim, &sim->cloth[i]);
        if (size > MOST_STRETCH) {
            weft_format(sim->budget.reason, sizeof sim->budget.reason,
                        "the edges of cloth '%.64s' are %.3g times as long as at rest", sim->cloth[i].name, size);
            return 1;
        }
    }
    return 0;
}

static double mass_of(const weft_sim *sim) {
    double sum = 0;
    for (int32_t i = 0; i < sim->count; i++)
        sum += sim->mass[i];
    return sum;
}

int sim_explodes(weft_sim *sim) {
    sim_budget *budget = &sim->budget;
    double kinetic = sim_kinetic(sim, sim->v_next), slow = 0.5 * SLOW * SLOW * mass_of(sim);
    if (kinetic <= MOST_ENERGY * slow)
        return 0;
    if (budget->driven)
        return is_overstretched(sim);
    double released = budget->potential - sim_potential(sim, sim->x_next, sim->v_next);
    double explained = budget->energy + fmax(0, released);
    if (kinetic <= MOST_ENERGY * (explained + slow))
        return 0;
    weft_format(budget->reason, sizeof budget->reason,
                "the cloth moves with %.3g J, of which gravity and its start explain %.3g J", kinetic, explained);
    return 1;
}
