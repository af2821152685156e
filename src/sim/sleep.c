/* Sleep: cloth at rest on resting bodies is left alone until something changes. A simulation falls asleep as a whole,
 * after all its vertices have been slow for some time. A sleeping step changes nothing but the time.
 *
 * What wakes it is not a list of events. Each step hashes all that a step depends on: state, settings, pins, drags and
 * the places of bodies at its end. If the hash is not that of the sleeping simulation, the step is computed. */
#include <string.h>

#include "sim/internal.h"

/* How long all vertices must have been slow, s. A pendulum that turns back is slow for a shorter time. */
static const double DROWSY = 0.5;

uint64_t sim_fold(uint64_t hash, const void *bytes, size_t size) {
    const char *at = bytes;
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, at + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

uint64_t sim_fold_component(uint64_t hash, const weft_component *component, const void *settings) {
    if (!component)
        return hash;
    hash = sim_fold(hash, component->name, strlen(component->name));
    return settings ? sim_fold(hash, settings, component->settings_size) : hash;
}

static uint64_t fold_cloth(uint64_t hash, const sim_cloth *cloth) {
    hash = sim_fold_component(hash, cloth->model, cloth->settings);
    hash = sim_fold(hash, &cloth->fabric, sizeof cloth->fabric);
    hash = sim_fold(hash, cloth->open_face, (size_t)cloth->mesh->face_count);
    if (cloth->panel)
        hash = sim_fold(hash, cloth->panel, ((size_t)cloth->mesh->group_count + 1) * sizeof *cloth->panel);
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        if (cloth->map[m])
            hash = sim_fold(hash, cloth->map[m], (size_t)cloth->mesh->vertex_count * sizeof *cloth->map[m]);
    return hash;
}

static uint64_t fold_body(uint64_t hash, const weft_sim *sim, int32_t index, double time) {
    weft_body_view view = sim_body_view(&sim->body[index]);
    weft_pose pose = weft_body_view_pose(&view, time);
    double frame = weft_body_view_frame(&view, time);
    int away = sim_body_away(sim, index, time);
    hash = sim_fold_component(hash, sim->body[index].component, sim->body[index].settings);
    hash = sim_fold(hash, &pose, sizeof pose);
    hash = sim_fold(hash, &frame, sizeof frame);
    return sim_fold(hash, &away, sizeof away);
}

/* All that the step of length dt depends on, except the time. Never 0. */
static uint64_t key_of(weft_sim *sim, double dt) {
    size_t vectors = (size_t)sim->count * sizeof *sim->x;
    sim_apply_inputs(sim, dt);
    uint64_t hash = sim_fold(UINT64_C(0xcbf29ce484222325), sim->x, vectors);
    hash = sim_fold(hash, sim->v, vectors);
    hash = sim_fold(hash, sim->inverse_mass, (size_t)sim->count * sizeof *sim->inverse_mass);
    for (int32_t i = 0; i < sim->count; i++)
        if (sim->inverse_mass[i] == 0)
            hash = sim_fold(hash, &sim->target[i], sizeof sim->target[i]);
    hash = sim_fold(hash, &sim->contact_given, sizeof sim->contact_given);
    hash = sim_fold(hash, &sim->air, sizeof sim->air);
    hash = sim_fold_component(hash, sim->integrator, sim->integrator_settings);
    hash = sim_fold_component(hash, sim->adapt, sim->adapt_settings);
    for (int32_t i = 0; i < sim->force_count; i++)
        hash = sim_fold_component(hash, sim->force[i].component, sim->force[i].settings);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        hash = fold_cloth(hash, &sim->cloth[i]);
    for (int32_t i = 0; i < sim->body_count; i++)
        hash = fold_body(hash, sim, i, sim->time + dt);
    return hash ? hash : 1;
}

/* Whether all forces are the same at any time and vanish with the velocity, or are constant. */
static int forces_are_calm(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->force_count; i++) {
        const weft_force_functions *functions = sim->force[i].component->functions;
        if (functions->wind || !(functions->acceleration || functions->damping))
            return 0;
    }
    return 1;
}

static int is_slow(const weft_sim *sim) {
    double most = sim->contact_settings.sleep * sim->contact_settings.sleep;
    int slow = most > 0 && !sim->adapt && forces_are_calm(sim);
    for (int32_t i = 0; i < sim->count && slow; i++)
        slow = weft_dot(sim->v[i], sim->v[i]) <= most;
    return slow;
}

static void fall_asleep(weft_sim *sim, double dt) {
    size_t vectors = (size_t)sim->count * sizeof *sim->v;
    memset(sim->v, 0, vectors);
    memset(sim_v_before(sim), 0, vectors);
    memcpy(sim_x_before(sim), sim->x, vectors);
    sim->sleep_key = key_of(sim, dt);
}

int sim_sleeps(weft_sim *sim, double dt) {
    if (sim->sleep_key != 0 && key_of(sim, dt) == sim->sleep_key)
        return 1;
    if (sim->sleep_key != 0)
        sim->slow_for = 0;
    sim->sleep_key = 0;
    return 0;
}

void sim_grow_drowsy(weft_sim *sim, double dt, int minimised) {
    sim->slow_for = minimised && is_slow(sim) ? sim->slow_for + dt : 0;
    if (sim->slow_for >= DROWSY)
        fall_asleep(sim, dt);
}
