/* A loose solve leaves errors of slow motion. In a part of the cloth that nothing holds, the largest is a common
 * translation: the residual of cloth that touches elsewhere drowns that of a sheet in flight, which would gain or lose
 * speed. Forces within a part add up to nothing, so its momentum is known and a translation sets it right. */
#include <math.h>

#include "core/memory.h"
#include "solve/newton.h"
#include "weft/vec.h"

/* Sums over a part, kept at its root. */
typedef struct part_sums {
    weft_vec3 missing; /* momentum, kg m/s */
    double mass;       /* and the momentum that air takes per speed, kg */
    int held;          /* by a pin or a body */
} part_sums;

/* The lowest number of a part is its root. */
static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int32_t *parent, int32_t a, int32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

int32_t *weft_newton_parts(const weft_newton *n) {
    const weft_bsr *matrix = n->self->matrix;
    int32_t *part = weft_arena_take(n->at_end.work->arena, (size_t)n->at_end.count * sizeof *part, "parts of cloth");
    for (int32_t i = 0; part && i < n->at_end.count; i++)
        part[i] = i;
    for (int32_t i = 0; part && i < n->at_end.count; i++)
        for (int32_t k = matrix->start[i]; k < matrix->start[i + 1] && matrix->column[k] < i; k++)
            join(part, i, matrix->column[k]);
    return part;
}

/* A touch joins its vertices. The weights of a body's vertices are left out, so that the others do not add up to 0. */
static void add_touch(const weft_touch *touch, int32_t *parent, part_sums *sums) {
    int32_t first = -1;
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += touch->weight[i];
        if (touch->weight[i] == 0)
            continue;
        if (first >= 0)
            join(parent, first, touch->vertex[i]);
        else
            first = touch->vertex[i];
    }
    if (first >= 0 && fabs(sum) >= 1e-9)
        sums[first].held = 1;
}

/* What the solution leaves of the equation of motion of one vertex, without the forces within the cloth. Air enters
 * the divisor with the trace of its damping. This is at least the damping in any direction, so that the correction
 * never goes too far. */
static void add_vertex(const weft_newton *n, int32_t i, part_sums *sum) {
    double m = n->at_end.mass[i];
    weft_vec3 dv = n->dv[i];
    weft_vec3 missing = weft_scale(m, weft_sub(weft_sub(n->V[i], n->v[i]), dv));
    missing = weft_add_scaled(missing, n->h, n->f[i]);
    sum->mass += m;
    if (n->has_air) {
        const double *d = n->air + 6 * (size_t)i;
        weft_vec3 drag = {d[0] * dv.x + d[1] * dv.y + d[2] * dv.z, d[1] * dv.x + d[3] * dv.y + d[4] * dv.z,
                          d[2] * dv.x + d[4] * dv.y + d[5] * dv.z};
        missing = weft_add_scaled(missing, -n->h, drag);
        sum->mass += n->h * (d[0] + d[3] + d[5]);
    }
    sum->missing = weft_add(sum->missing, missing);
    sum->held |= n->at_end.inverse_mass[i] == 0;
}

int weft_newton_keep_momentum(const weft_newton *n, const int32_t *part, const weft_touch *touch, int32_t count) {
    size_t rows = (size_t)n->at_end.count;
    int32_t *parent = weft_arena_take(n->at_end.work->arena, rows * sizeof *parent, "parts of cloth");
    part_sums *sums = weft_arena_take(n->at_end.work->arena, rows * sizeof *sums, "parts of cloth");
    if (!parent || !sums)
        return 0;
    memcpy(parent, part, rows * sizeof *parent);
    memset(sums, 0, rows * sizeof *sums);
    for (int32_t k = 0; k < count; k++)
        add_touch(&touch[k], parent, sums);
    for (int32_t i = 0; i < n->at_end.count; i++) {
        part_sums *sum = &sums[root_of(parent, i)];
        sum->held |= sums[i].held;
        add_vertex(n, i, sum);
    }
    for (int32_t i = 0; i < n->at_end.count; i++) {
        const part_sums *sum = &sums[root_of(parent, i)];
        if (!sum->held)
            n->dv[i] = weft_add_scaled(n->dv[i], 1 / sum->mass, sum->missing);
    }
    return 1;
}
