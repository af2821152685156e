/* Costs are counted in iterations of PCG with block-Jacobi. A choice that turns out worse is undone and not tried again
 * for a while; each time the pause doubles. */
#include "solve/solver_choice.h"

#include <math.h>

/* Meshes below SMALL vertices always use block-Jacobi. Those from LARGE on always use two levels: a solve that needs
 * hundreds of iterations with block-Jacobi may follow one that needs none, as in free fall. */
enum { SMALL = 600, LARGE = 3000 };
/* Iterations with block-Jacobi from which two levels are tried, and with two levels below which they cannot pay. */
enum { MANY = 45, FEW = 8 };
/* Cost of two levels: of the coarse matrix with its factor, and of an iteration (weft bench implicit). */
static const double SETUP = 15, DEARER = 1.4;
enum { FIRST_PAUSE = 8, LONGEST_PAUSE = 1024 };
/* Vertices up to which a direct solve is considered. Its factor takes 9 doubles per block. */
enum { LARGEST_DIRECT = 20000 };

weft_solver_memory weft_solver_memory_new(int32_t rows) {
    return (weft_solver_memory){
        .two_level = rows >= LARGE, .block_iterations = INT32_MAX, .pause = FIRST_PAUSE, .direct_pause = FIRST_PAUSE};
}

static int is_pause(int32_t pause) { return pause >= FIRST_PAUSE && pause <= LONGEST_PAUSE; }

static int is_wait(int32_t wait) { return wait >= 0 && wait <= LONGEST_PAUSE; }

int weft_solver_memory_is_valid(const weft_solver_memory *m) {
    return (m->two_level == 0 || m->two_level == 1) && m->block_iterations >= 0 && is_wait(m->wait) &&
           is_wait(m->direct_wait) && is_pause(m->pause) && is_pause(m->direct_pause);
}

static int32_t start_pause(int32_t *pause) {
    int32_t now = *pause;
    *pause = now < LONGEST_PAUSE ? 2 * now : LONGEST_PAUSE;
    return now;
}

weft_precond_kind weft_solver_precond(const weft_solver_memory *m, const weft_implicit_settings *settings) {
    if (settings->precondition != WEFT_PRECONDITION_AUTO)
        return (weft_precond_kind)(settings->precondition - 1);
    return m->two_level ? WEFT_PRECOND_TWO_LEVEL : WEFT_PRECOND_BLOCK;
}

void weft_solver_record(weft_solver_memory *m, const weft_bsr *matrix, weft_precond_kind kind, int32_t iterations) {
    if (kind == WEFT_PRECOND_BLOCK) {
        m->block_iterations = iterations;
        if (m->wait > 0)
            m->wait--;
        else
            m->two_level = matrix->rows >= SMALL && iterations > MANY;
    } else if (kind == WEFT_PRECOND_TWO_LEVEL && m->two_level && matrix->rows < LARGE) {
        int is_dearer = SETUP + DEARER * iterations > m->block_iterations;
        m->two_level = !is_dearer && iterations >= FEW;
        m->wait = is_dearer ? start_pause(&m->pause) : 0; /* an easy solve says nothing about the next */
    }
}

/* Nested dissection of a sheet of n vertices takes about 10 n^1.5 products of blocks, 54 operations each. They are
 * scalar and three times as slow as those of an iteration. */
int32_t weft_solver_direct_cost(const weft_bsr *matrix) {
    if (matrix->rows > LARGEST_DIRECT)
        return INT32_MAX;
    double rows = matrix->rows, iteration = 18.0 * matrix->blocks + 60 * rows;
    return 1 + (int32_t)(3 * 54 * 10 * rows * sqrt(rows) / iteration);
}

void weft_solver_record_direct(weft_solver_memory *m, int gave_up) {
    if (gave_up)
        m->direct_wait = start_pause(&m->direct_pause);
    else if (m->direct_wait > 0)
        m->direct_wait--;
}
