/* Forces and energy of the models of all cloths. */
#include <string.h>

#include "solve/equations.h"

void weft_system_rest(const weft_system *system, weft_vec3 *x) {
    const weft_equations *e = system->equations;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        memcpy(x + cloth->first, cloth->mesh->position, (size_t)cloth->mesh->vertex_count * sizeof *x);
    }
}

void weft_system_internal_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_equations *e = system->equations;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        int32_t first = cloth->first;
        cloth->model->force(cloth->self, system->work, x + first, v + first, f + first);
    }
}

void weft_system_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_system_external_force(system, x, v, f);
    weft_system_internal_force(system, x, v, f);
}

double weft_system_energy(const weft_system *system, const weft_vec3 *x) {
    const weft_equations *e = system->equations;
    double sum = 0;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        if (cloth->model->energy)
            sum += cloth->model->energy(cloth->self, system->work, x + cloth->first);
    }
    return sum;
}

void weft_system_relax(const weft_system *system, int passes, weft_vec3 *x) {
    const weft_equations *e = system->equations;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        cloth->model->relax(cloth->self, system->work, system->inverse_mass + cloth->first, passes, x + cloth->first);
    }
}
