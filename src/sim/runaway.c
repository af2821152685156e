/* Recognises a diverged step: states that are not finite, and cloth that grows tenfold in one step. */
#include <math.h>

#include "core/sane.h"
#include "sim/internal.h"

/* Relative to its longest side. An edge of 1 cm would need 10 m/s between its ends in a step of 10 ms. */
static const double MOST_GROWTH = 10;

static double count_insane(void *context, int64_t begin, int64_t end) {
    const weft_sim *sim = context;
    return !(weft_sane(sim->x_next + begin, end - begin) && weft_sane(sim->v_next + begin, end - begin));
}

typedef struct growth {
    const int32_t (*triangle)[3];
    const weft_vec3 *before, *after;
    const double *inverse_mass;
    double edge; /* mean edge length at rest: a crumpled triangle may unfold quickly */
} growth;

/* A held vertex goes where it is dragged, however far. */
static int is_held(const growth *g, const int32_t *corner) {
    return g->inverse_mass[corner[0]] == 0 || g->inverse_mass[corner[1]] == 0 || g->inverse_mass[corner[2]] == 0;
}

static double longest_side_squared(const weft_vec3 *x, const int32_t *corner) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        weft_vec3 side = weft_sub(x[corner[(k + 1) % 3]], x[corner[k]]);
        longest = fmax(longest, weft_dot(side, side));
    }
    return longest;
}

static double count_grown(void *context, int64_t begin, int64_t end) {
    const growth *g = context;
    int64_t grown = 0;
    for (int64_t t = begin; t < end; t++) {
        const int32_t *corner = g->triangle[t];
        double before = fmax(longest_side_squared(g->before, corner), g->edge * g->edge);
        grown += longest_side_squared(g->after, corner) > MOST_GROWTH * MOST_GROWTH * before && !is_held(g, corner);
    }
    return (double)grown;
}

/* Contact takes very long over an exploding cloth, because every triangle then sweeps through all others. */
static int explodes(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        const weft_mesh *mesh = cloth->mesh;
        growth g = {.triangle = (const int32_t(*)[3])mesh->triangle,
                    .before = sim->x + cloth->first,
                    .after = sim->x_next + cloth->first,
                    .inverse_mass = sim->inverse_mass + cloth->first,
                    .edge = cloth->edge};
        if (weft_parallel_sum(&sim->work, mesh->triangle_count, WEFT_BLOCK, count_grown, &g) > 0)
            return 1;
    }
    return 0;
}

int sim_has_diverged(const weft_sim *sim, int is_checked) {
    return (!is_checked && weft_parallel_sum(&sim->work, sim->count, WEFT_BLOCK, count_insane, (void *)sim) > 0) ||
           (sim->contact && explodes(sim));
}
