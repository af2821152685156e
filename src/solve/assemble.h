/* Assembles the matrix and the right-hand side of an implicit step from the elements. */
#ifndef WEFT_SOLVE_ASSEMBLE_H
#define WEFT_SOLVE_ASSEMBLE_H

#include "solve/assembly_plan.h"
#include "solve/equations.h"
#include "weft/integrator.h"

/* Linearisation about (x, v) with u = X + h v - x: matrix M + h D + h^2 K, right-hand side b = M (V - v) + h f - h K u.
 */
typedef struct weft_assembly {
    const weft_system *system;
    weft_bsr *matrix;
    double h;
    const weft_vec3 *x, *v, *X, *V, *f;
    const double *air; /* damping by external forces; null: none (count x 6) */
    int moved;         /* 1: u is nonzero */
    weft_vec3 *b;      /* (count) */
    weft_vec3 *u;      /* scratch (count) */
    void *scratch;     /* of the cloth being assembled, see weft_assemble_scratch */
} weft_assembly;

void weft_assemble(const weft_assembly *assembly, const weft_cloth_rows *rows);

/* Bytes of scratch that the rows of a cloth need. */
size_t weft_assemble_scratch(const weft_cloth_rows *rows);

/* Element blocks on the stack at a time, in double. */
enum { WEFT_BLOCKS_AT_ONCE = 384 };

/* assemble_gathered.c: the same for gathered rows. */
void weft_assemble_gathered(const weft_assembly *assembly, const weft_cloth_rows *rows);

/* assemble_rows.c: the same for rows of two-vertex elements. */
void weft_assemble_rows(const weft_assembly *assembly, const weft_cloth_rows *rows);

#endif
