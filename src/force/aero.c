/* Aerodynamic drag and lift on triangles.
 *
 * K. Wilson, A. McAdams, H. Leo, M. Simmons, "Simulating wind effects on cloth and hair in Disney's Frozen", SIGGRAPH
 * Talks 2014, as given in Trendafilov (2021), appendix A:
 *   F = 1/2 rho A [ (C_D - C_L) (v_r . n) v_r + C_L |v_r|^2 n ],   v_r = air - cloth.
 *
 * The normal n is oriented so that v_r . n >= 0. Trendafilov (2021) prints the absolute velocity in the lift term. A
 * cloth at rest would then feel no lift. */
#include "force/aero.h"
#include "weft/vec.h"

typedef struct context {
    const weft_mesh *mesh;
    const uint8_t *open_face;
    double drag, lift, half_density;
    const weft_vec3 *air, *x, *v;
    weft_vec3 *share; /* a third of each triangle's force, N (triangle_count) */
    weft_vec3 *f;
} context;

static weft_vec3 mean(const weft_vec3 *of, const int32_t corner[3]) {
    return weft_scale(1.0 / 3, weft_add(weft_add(of[corner[0]], of[corner[1]]), of[corner[2]]));
}

static weft_vec3 triangle_force(const context *c, const int32_t corner[3]) {
    weft_vec3 edge1 = weft_sub(c->x[corner[1]], c->x[corner[0]]), edge2 = weft_sub(c->x[corner[2]], c->x[corner[0]]);
    weft_vec3 normal = weft_cross(edge1, edge2);
    double twice_area = weft_length(normal);
    weft_vec3 relative = weft_scale(-1, mean(c->v, corner));
    if (c->air)
        relative = weft_add(relative, mean(c->air, corner));
    double through = weft_dot(relative, normal);
    /* No force if the air flows along the surface, where the side of n is undefined, or if the triangle has no area. */
    if (through == 0 || twice_area == 0)
        return weft_vec3_make(0, 0, 0);
    normal = weft_scale((through > 0 ? 1 : -1) / twice_area, normal);
    double along = (c->drag - c->lift) * weft_dot(relative, normal);
    double up = c->lift * weft_dot(relative, relative);
    weft_vec3 pressure = weft_add_scaled(weft_scale(along, relative), up, normal);
    return weft_scale(c->half_density * 0.5 * twice_area, pressure);
}

static void triangle_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    for (int64_t t = begin; t < end; t++) {
        int open = c->open_face && c->open_face[c->mesh->triangle_face[t]];
        c->share[t] = open ? weft_vec3_make(0, 0, 0) : weft_scale(1.0 / 3, triangle_force(c, c->mesh->triangle[t]));
    }
}

static void vertex_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    const int32_t *start = c->mesh->vertex_triangle_start, *list = c->mesh->vertex_triangle;
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            c->f[i] = weft_add(c->f[i], c->share[list[k]]);
}

void weft_aero_force(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, double drag, double lift,
                     double air_density, const weft_vec3 *air, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_vec3 *share = weft_arena_take(work->arena, (size_t)mesh->triangle_count * sizeof *share, "wind forces");
    if (!share)
        return;
    context c = {mesh, open_face, drag, lift, 0.5 * air_density, air, x, v, share, f};
    weft_parallel_for(work, mesh->triangle_count, WEFT_BLOCK, triangle_block, &c);
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, vertex_block, &c);
}
