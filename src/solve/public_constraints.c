/* Contact constraints of the solve, for integrators that only have the public headers. Built-in integrators call the
 * table of weft_contact_solver directly. */
#include "solve/equations.h"

int32_t weft_system_constraints(const weft_system *system, double dt, weft_constraint **list) {
    *list = NULL;
    return system->contact ? system->contact->constraints(system->contact->context, system, dt, list) : 0;
}

int32_t weft_system_reconsider(const weft_system *system, double h, const weft_vec3 *x_end, const weft_vec3 *force,
                               weft_constraint **list, int32_t *count) {
    return system->contact->reconsider(system->contact->context, h, x_end, force, list, count);
}

int32_t weft_system_constraint_solves(const weft_system *system) {
    return system->contact ? system->contact->solves : 1;
}
