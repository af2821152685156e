/* Aerodynamic drag and lift on triangles.
 *
 * K. Wilson, A. McAdams, H. Leo, M. Simmons, "Simulating wind effects on cloth and hair in Disney's Frozen", SIGGRAPH
 * Talks 2014, as given in Trendafilov (2021), appendix A:
 *   F = 1/2 rho A [ (C_D - C_L) (v_r . n) v_r + C_L |v_r|^2 n ],   v_r = air - cloth.
 *
 * The normal n is oriented so that v_r . n >= 0. Trendafilov (2021) prints the absolute velocity in the lift term. A
 * cloth at rest would then feel no lift. There is no force if the air flows along the surface, where the side of n is
 * undefined, or if the triangle has no area. */
#include "force/aero.h"
#include "weft/vec.h"

typedef struct context {
    weft_aero aero;
    const double *share;
    weft_vec3 *force; /* of each triangle, N (triangle_count) */
    weft_vec3 *f;
} context;

static void triangle_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    weft_aero_triangle_forces(&c->aero, begin, end, c->force);
}

static void vertex_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    const int32_t *start = c->aero.mesh->vertex_triangle_start, *list = c->aero.mesh->vertex_triangle;
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            c->f[i] = weft_add_scaled(c->f[i], c->share ? c->share[k] : 1.0 / 3, c->force[list[k]]);
}

void weft_aero_force(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *share,
                     double drag, double lift, double air_density, const weft_vec3 *air, const weft_vec3 *x,
                     const weft_vec3 *v, weft_vec3 *f) {
    weft_vec3 *force = weft_arena_take(work->arena, (size_t)mesh->triangle_count * sizeof *force, "wind forces");
    if (!force)
        return;
    context c = {{mesh, open_face, drag, lift, 0.5 * air_density, air, x, v, weft_simd_isa()}, share, force, f};
    weft_parallel_for(work, mesh->triangle_count, WEFT_BLOCK, triangle_block, &c);
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, vertex_block, &c);
}
