#include "tests/stress/stress_energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weft/text.h"
#include "weft/vec.h"

/* Only these schemes lose energy in every step of an undriven, conservative system. */
static int scheme_loses_energy(const weft_sim *sim) {
    const char *name = weft_sim_integrator_name(sim);
    return strcmp(name, "bdf2") == 0 || strcmp(name, "implicit-euler") == 0;
}

static int cloth_is_driven(const weft_sim *sim, int32_t cloth) {
    char path[64], value[64];
    snprintf(path, sizeof path, "cloth.%d.model.tear", cloth);
    int tears = weft_sim_get(sim, path, value, sizeof value).code == WEFT_OK && weft_real_parse(value, NULL) > 0;
    return tears || weft_sim_changes(sim, cloth);
}

static int force_drives(const char *name) { return strcmp(name, "gravity") != 0 && strcmp(name, "air-damping") != 0; }

void stress_energy_start(stress_energy *energy, const weft_sim *sim) {
    *energy = (stress_energy){.is_driven = !scheme_loses_energy(sim) || weft_sim_cut_count(sim) > 0};
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        energy->is_driven |= cloth_is_driven(sim, i);
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++)
        energy->is_driven |= weft_sim_body_moves(sim, i);
    for (int32_t i = 0; i < weft_sim_force_count(sim); i++)
        energy->is_driven |= force_drives(weft_sim_force_name(sim, i));
}

/* Pins that move give their vertices a speed. */
static int pins_move(const weft_sim *sim) {
    for (int32_t k = 0; k < weft_sim_cloth_count(sim); k++) {
        const uint8_t *held = weft_sim_held(sim, k);
        const weft_vec3 *v = weft_sim_velocities(sim, k);
        for (int32_t i = 0; i < weft_sim_cloth(sim, k)->mesh->vertex_count; i++)
            if (held[i] && weft_length(v[i]) > 0)
                return 1;
    }
    return 0;
}

void stress_energy_add(stress_energy *energy, const weft_sim *sim, const weft_measures *now, int64_t frame,
                       int64_t step) {
    /* An impact compresses the barrier, and the rebound returns its energy. Without it the rebound would look like a
     * gain: 1 to 2 % of the start where stiff cloth falls flat from a few millimetres. */
    energy->last = now->kinetic + now->elastic + now->potential + now->contact;
    if (!energy->has_start) {
        energy->has_start = 1;
        energy->start = energy->lowest = energy->last;
        energy->least_potential = now->potential;
        energy->slack = now->mass * 9.81 * weft_sim_contact_settings(sim)->thickness;
    } else {
        energy->is_driven |= pins_move(sim);
    }
    energy->least_potential = fmin(energy->least_potential, now->potential);
    energy->lowest = fmin(energy->lowest, energy->last);
    if (energy->last - energy->lowest > energy->rise) {
        energy->rise = energy->last - energy->lowest;
        energy->rise_frame = frame;
        energy->rise_step = step;
    }
}

int stress_energy_counts(const stress_energy *energy) { return energy->has_start && !energy->is_driven; }

double stress_energy_reference(const stress_energy *energy) {
    return energy->start - energy->least_potential + energy->slack;
}

double stress_energy_rise(const stress_energy *energy) { return energy->rise / stress_energy_reference(energy); }
