/* Jacobian of drag and lift (aero.c) for implicit schemes. With the relative velocity v and n oriented along it,
 *   -dF/dv_cloth = 1/2 rho A [ (C_D - C_L) (v n^T + (v.n) 1) + 2 C_L n v^T ].
 * The part from air through the surface, v = (v.n) n, is kept: (v.n) [ (C_D + C_L) n n^T + (C_D - C_L) 1 ]. Air along
 * the surface adds an indefinite part, which is omitted. Its positive half would damp the flutter of a flag. */
#include "force/aero.h"
#include "weft/vec.h"

typedef struct context {
    const weft_mesh *mesh;
    const uint8_t *open_face;
    double drag, lift, half_density;
    const weft_vec3 *air, *x, *v;
    double *share; /* a third of each triangle's block (triangle_count x 6) */
    double *block;
} context;

static weft_vec3 sum(const weft_vec3 *of, const int32_t corner[3]) {
    return weft_add(weft_add(of[corner[0]], of[corner[1]]), of[corner[2]]);
}

static void triangle_share(const context *c, const int32_t corner[3], double *share) {
    weft_vec3 edge1 = weft_sub(c->x[corner[1]], c->x[corner[0]]), edge2 = weft_sub(c->x[corner[2]], c->x[corner[0]]);
    weft_vec3 normal = weft_cross(edge1, edge2);
    double twice_area = weft_length(normal);
    weft_vec3 v = weft_scale(1.0 / 3, weft_sub(sum(c->air, corner), sum(c->v, corner)));
    double through = weft_dot(v, normal);
    for (int k = 0; k < 6; k++)
        share[k] = 0;
    if (through == 0 || twice_area == 0)
        return;
    normal = weft_scale((through > 0 ? 1 : -1) / twice_area, normal);
    through = weft_dot(v, normal);
    double scale = c->half_density * 0.5 * twice_area / 3 * through;
    double across = scale * (c->drag + c->lift), even = c->drag > c->lift ? scale * (c->drag - c->lift) : 0;
    const weft_vec3 e = normal;
    share[0] = even + across * e.x * e.x;
    share[1] = across * e.x * e.y;
    share[2] = across * e.x * e.z;
    share[3] = even + across * e.y * e.y;
    share[4] = across * e.y * e.z;
    share[5] = even + across * e.z * e.z;
}

static void triangle_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    for (int64_t t = begin; t < end; t++) {
        if (c->open_face && c->open_face[c->mesh->triangle_face[t]])
            for (int k = 0; k < 6; k++)
                c->share[6 * t + k] = 0;
        else
            triangle_share(c, c->mesh->triangle[t], c->share + 6 * t);
    }
}

static void vertex_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    const int32_t *start = c->mesh->vertex_triangle_start, *list = c->mesh->vertex_triangle;
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            for (int m = 0; m < 6; m++)
                c->block[6 * i + m] += c->share[6 * (int64_t)list[k] + m];
}

void weft_aero_damping(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, double drag, double lift,
                       double air_density, const weft_vec3 *air, const weft_vec3 *x, const weft_vec3 *v,
                       double *block) {
    double *share = weft_arena_take(work->arena, 6 * (size_t)mesh->triangle_count * sizeof *share, "damping by wind");
    if (!share)
        return;
    context c = {mesh, open_face, drag, lift, 0.5 * air_density, air, x, v, share, block};
    weft_parallel_for(work, mesh->triangle_count, WEFT_BLOCK, triangle_block, &c);
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, vertex_block, &c);
}
