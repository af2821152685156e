/* Jacobian of drag and lift (aero.c) for implicit schemes. With the relative velocity v and n oriented along it,
 *   -dF/dv_cloth = 1/2 rho A [ (C_D - C_L) (v n^T + (v.n) 1) + 2 C_L n v^T ].
 * The part from air through the surface, v = (v.n) n, is kept: (v.n) [ (C_D + C_L) n n^T + (C_D - C_L) 1 ]. Air along
 * the surface adds an indefinite part, which is omitted. Its positive half would damp the flutter of a flag. */
#include "force/aero.h"
#include "weft/vec.h"

typedef struct context {
    weft_aero aero;
    const double *share;
    double *part; /* the block of each triangle (triangle_count x 6) */
    double *block;
} context;

static void triangle_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    weft_aero_triangle_blocks(&c->aero, begin, end, c->part);
}

static void vertex_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    const int32_t *start = c->aero.mesh->vertex_triangle_start, *list = c->aero.mesh->vertex_triangle;
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            double share = c->share ? c->share[k] : 1.0 / 3;
            for (int m = 0; m < 6; m++)
                c->block[6 * i + m] += share * c->part[6 * (int64_t)list[k] + m];
        }
}

void weft_aero_damping(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *share,
                       double drag, double lift, double air_density, const weft_vec3 *air, const weft_vec3 *x,
                       const weft_vec3 *v, double *block) {
    double *part = weft_arena_take(work->arena, 6 * (size_t)mesh->triangle_count * sizeof *part, "damping by wind");
    if (!part)
        return;
    context c = {{mesh, open_face, drag, lift, 0.5 * air_density, air, x, v, weft_simd_isa()}, share, part, block};
    weft_parallel_for(work, mesh->triangle_count, WEFT_BLOCK, triangle_block, &c);
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, vertex_block, &c);
}
