/* The elements' part of an implicit step's matrix and right-hand side. */
#ifndef WEFT_INTEGRATE_ASSEMBLE_H
#define WEFT_INTEGRATE_ASSEMBLE_H

#include "linear/bsr.h"
#include "weft/integrator.h"

typedef struct weft_assembly {
    const weft_system *system;
    weft_bsr *matrix;          /* + h^2 K + h D */
    const weft_elements *list; /* with vertices of the simulation */
    const weft_slots *slots;
    int32_t number; /* of the list */
    double h;
    const weft_vec3 *x, *v; /* where K and D are taken */
    const weft_vec3 *u;     /* null: 0 */
    weft_vec3 *b;           /* - h K u */
} weft_assembly;

void weft_assemble(const weft_assembly *assembly);

#endif
