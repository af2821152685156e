/* The elements' part of an implicit step's matrix and right-hand side. */
#ifndef WEFT_ASSEMBLY_ASSEMBLE_H
#define WEFT_ASSEMBLY_ASSEMBLE_H

#include "assembly/assembly_plan.h"
#include "system/equations.h"
#include "weft/integrator.h"

/* About (x, v) with u = X + h v - x: the matrix M + h D + h^2 K and b = M (V - v) + h f - h K u. */
typedef struct weft_assembly {
    const weft_system *system;
    weft_bsr *matrix;
    double h;
    const weft_vec3 *x, *v, *X, *V, *f;
    const double *air; /* damping by external forces, null: none (count x 6) */
    int moved;         /* whether u is not 0 */
    weft_vec3 *b;      /* (count) */
    weft_vec3 *u;      /* scratch (count) */
    void *scratch;     /* for the part, see weft_assemble_scratch */
} weft_assembly;

void weft_assemble(const weft_assembly *assembly, const weft_cloth_rows *part);

/* The bytes of scratch that a part needs. */
size_t weft_assemble_scratch(const weft_cloth_rows *part);

/* Blocks of elements that are on the stack at a time, in double. */
enum { WEFT_BLOCKS_AT_ONCE = 384 };

/* assemble_gathered.c: the same of a part whose rows are gathered. */
void weft_assemble_gathered(const weft_assembly *assembly, const weft_cloth_rows *part);

/* assemble_rows.c: the same of a part with pairs. */
void weft_assemble_rows(const weft_assembly *assembly, const weft_cloth_rows *part);

#endif
