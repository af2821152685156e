/* Springs as distance constraints: relaxation (Jakobsen, "Advanced character physics", GDC 2001) and the elongation
 * limit of Provot (1995). A pass first processes the blocks in parallel, each with its inner springs in order. It then
 * processes the springs between blocks colour by colour. */
#include <math.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "weft/vec.h"

/* Springs that exceed the limit by less than this fraction are left alone, so rounding does not count as motion. */
#define SLACK 1e-12

typedef struct relax_context {
    const weft_springs *springs;
    const double *inverse_mass;
    weft_vec3 *x;
    int32_t end;            /* springs from this index on are left alone */
    double stretch;         /* 0: restore the rest length; otherwise shorten to this many rest lengths */
    const int32_t *between; /* springs of the current colour */
} relax_context;

/* Moves the ends of one spring. As a constraint, each end takes half of the correction, or a free end all of it
 * (Assunção 2020, section 2.8). For the elongation limit, the inverse masses wa and wb divide it, which conserves
 * momentum. Returns whether anything moved. */
static int correct(const relax_context *c, int32_t spring, weft_vec3 *a, weft_vec3 *b, double wa, double wb) {
    const weft_springs *s = c->springs;
    if (spring >= c->end || wa + wb == 0)
        return 0;
    if (s->broken_count > 0 && weft_springs_is_broken(s, spring))
        return 0;
    weft_vec3 d = weft_sub(*b, *a);
    double length = weft_length(d), goal = c->stretch > 0 ? c->stretch * s->rest[spring] : s->rest[spring];
    if (!(length > 0) || (c->stretch > 0 && length <= goal * (1 + SLACK)))
        return 0;
    double correction = (length - goal) / length, fraction = wa / (wa + wb);
    if (c->stretch == 0 && wa > 0 && wb > 0)
        fraction = 0.5;
    *a = weft_add_scaled(*a, fraction * correction, d);
    *b = weft_add_scaled(*b, (fraction - 1) * correction, d);
    return 1;
}

static double relax_block(void *context, int64_t begin, int64_t end) {
    (void)end;
    const relax_context *c = context;
    const weft_spring_layout *layout = &c->springs->layout;
    const weft_spring_block *block = &layout->block[begin / WEFT_SPRINGS_BLOCK];
    const int32_t *vertex = layout->vertex + block->vertex;
    weft_vec3 x[WEFT_SPRINGS_BLOCK];
    double w[WEFT_SPRINGS_BLOCK];
    double moved = 0;
    for (int32_t i = 0; i < block->owned; i++) {
        x[i] = c->x[vertex[i]];
        w[i] = c->inverse_mass[vertex[i]];
    }
    for (int64_t i = block->inner; i < block->inner + block->inner_count; i++) {
        uint16_t a = layout->inner[i][0], b = layout->inner[i][1];
        moved += correct(c, layout->inner_spring[i], &x[a], &x[b], w[a], w[b]);
    }
    for (int32_t i = 0; i < block->owned; i++)
        c->x[vertex[i]] = x[i];
    return moved;
}

static double relax_coloured(void *context, int64_t begin, int64_t end) {
    const relax_context *c = context;
    double moved = 0;
    for (int64_t i = begin; i < end; i++) {
        const int32_t *ends = c->springs->list.end[c->between[i]];
        moved += correct(c, c->between[i], &c->x[ends[0]], &c->x[ends[1]], c->inverse_mass[ends[0]],
                         c->inverse_mass[ends[1]]);
    }
    return moved;
}

static double pass(relax_context *c, const weft_work *work) {
    const weft_spring_layout *layout = &c->springs->layout;
    double moved = weft_parallel_sum(work, c->springs->mesh->vertex_count, WEFT_SPRINGS_BLOCK, relax_block, c);
    for (int32_t colour = 0; colour < layout->colour_count; colour++) {
        int32_t start = layout->colour_start[colour], count = layout->colour_start[colour + 1] - start;
        c->between = layout->between + start;
        moved += weft_parallel_sum(work, count, WEFT_BLOCK, relax_coloured, c);
    }
    int32_t start = layout->colour_start[layout->colour_count];
    c->between = layout->between + start;
    return moved + relax_coloured(c, 0, layout->colour_start[layout->colour_count + 1] - start);
}

void weft_springs_relax(const void *self, const weft_work *work, const double *inverse_mass, int passes, weft_vec3 *x) {
    const weft_springs *s = self;
    relax_context context = {.springs = s, .inverse_mass = inverse_mass, .x = x, .end = s->list.count};
    for (int i = 0; i < passes; i++)
        pass(&context, work);
}

typedef struct velocity_context {
    const weft_vec3 *before, *x;
    weft_vec3 *v;
    double dt;
} velocity_context;

static void add_velocity_change(void *context, int64_t begin, int64_t end) {
    const velocity_context *c = context;
    for (int64_t i = begin; i < end; i++)
        c->v[i] = weft_add_scaled(c->v[i], 1 / c->dt, weft_sub(c->x[i], c->before[i]));
}

/* Limits structural and shear springs only: flexion springs cannot elongate more than the edges that they span. */
int weft_springs_limit(const void *self, const weft_work *work, const double *inverse_mass, double dt, weft_vec3 *x,
                       weft_vec3 *v) {
    const weft_springs *s = self;
    if (!(s->settings.limit > 0))
        return 0;
    size_t size = (size_t)s->mesh->vertex_count * sizeof *x;
    weft_vec3 *before = weft_arena_take(work->arena, size, "positions before the limit");
    if (!before)
        return 0;
    memcpy(before, x, size);
    relax_context context = {.springs = s,
                             .inverse_mass = inverse_mass,
                             .x = x,
                             .end = s->list.first[WEFT_FLEXION],
                             .stretch = 1 + s->settings.limit};
    int moved = 0;
    for (int i = 0; i < s->settings.limit_passes; i++) {
        if (!(pass(&context, work) > 0))
            break;
        moved = 1;
    }
    velocity_context change = {before, x, v, dt};
    if (moved)
        weft_parallel_for(work, s->mesh->vertex_count, WEFT_BLOCK, add_velocity_change, &change);
    return moved;
}
