/* A third level: the coarse system of a large mesh is itself too large to factor in every step. It is solved
 * approximately by the same preconditioner: the inverses of its diagonal blocks, plus a coarse level of its own
 * (additive multilevel: J. Bramble, J. Pasciak, J. Xu, Parallel multilevel preconditioners, Math. Comp. 55, 1990). */
#include "core/memory.h"
#include "solve/coarse.h"
#include "solve/precond.h"

/* The matrix has the structure of the coarse level. */
static weft_result make_matrix(weft_coarse *c) {
    size_t rows = (size_t)c->space.nodes, blocks = (size_t)c->start[rows];
    weft_bsr *m = c->matrix = weft_allocate(1, sizeof *m);
    if (!m)
        return weft_fail_memory("coarse level", sizeof *m);
    *m = (weft_bsr){.rows = c->space.nodes,
                    .blocks = c->start[rows],
                    .form = WEFT_BSR_FULL,
                    .start = c->start,
                    .column = c->column,
                    .isa = weft_simd_isa()};
    m->value = weft_allocate_large(9 * blocks + 3, sizeof *m->value);
    m->excess = weft_allocate_large(9 * rows + 3, sizeof *m->excess);
    m->diagonal = weft_allocate_large(9 * rows, sizeof *m->diagonal);
    return m->value && m->excess && m->diagonal ? weft_ok()
                                                : weft_fail_memory("coarse level", 36 * (blocks + 2 * rows));
}

weft_result weft_coarse_inner_create(weft_coarse *c, const weft_vec3 *centre) {
    WEFT_TRY(make_matrix(c));
    return weft_precond_create(c->matrix, WEFT_PRECOND_TWO_LEVEL, centre, &c->inner);
}

void weft_coarse_inner_destroy(weft_coarse *c) {
    weft_precond_destroy(c->inner);
    if (c->matrix) {
        free(c->matrix->diagonal);
        free(c->matrix->excess);
        free(c->matrix->value);
    }
    free(c->matrix);
}

/* Rounds rows of the coarse matrix. The excess is summed in double precision, see bsr.h. */
static void round_rows(void *context, int64_t begin, int64_t end) {
    const weft_coarse *c = context;
    weft_bsr *m = c->matrix;
    for (int64_t i = begin; i < end; i++) {
        double sum[9];
        for (int k = 0; k < 9; k++) {
            sum[k] = c->diagonal[9 * i + k];
            m->diagonal[9 * i + k] = (float)sum[k];
        }
        for (int64_t e = 9 * (int64_t)c->start[i]; e < 9 * (int64_t)c->start[i + 1]; e += 9)
            for (int k = 0; k < 9; k++) {
                m->value[e + k] = (float)c->value[e + k];
                sum[k] += c->value[e + k];
            }
        for (int k = 0; k < 9; k++)
            m->excess[9 * i + k] = (float)sum[k];
    }
}

void weft_coarse_inner_update(weft_coarse *c, const weft_work *work) {
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK / 4, round_rows, c);
    weft_precond_update(c->inner, c->matrix, NULL, work);
}

static void shift_nodes(void *context, int64_t begin, int64_t end) {
    const weft_coarse *c = context;
    for (int64_t i = begin; i < end; i++) {
        const weft_vec3 z = weft_precond_local(c->inner, i, c->residual[i]);
        c->shift[4 * i] = (float)z.x;
        c->shift[4 * i + 1] = (float)z.y;
        c->shift[4 * i + 2] = (float)z.z;
    }
}

void weft_coarse_inner_solve(weft_coarse *c, const weft_work *work) {
    weft_precond_prepare(c->inner, work, c->residual);
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK / 4, shift_nodes, c);
}
