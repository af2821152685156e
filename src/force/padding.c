/* Padding presses on its shell along the normal, whatever the shape of the shell. The force follows the surface: it has
 * a potential, -p V, only where padded panels enclose a volume V. */
#include "force/padding.h"

#include "weft/vec.h"

typedef struct context {
    const weft_mesh *mesh;
    const uint8_t *open_face;
    const double *pressure;
    const weft_vec3 *x;
    weft_vec3 *f;
} context;

/* A third of p A n. */
static weft_vec3 share_of(const context *c, int32_t triangle) {
    const int32_t *corner = c->mesh->triangle[triangle];
    int32_t face = c->mesh->triangle_face[triangle];
    double p = c->open_face[face] ? 0 : c->pressure[face];
    weft_vec3 a = weft_sub(c->x[corner[1]], c->x[corner[0]]), b = weft_sub(c->x[corner[2]], c->x[corner[0]]);
    return weft_scale(p / 6, weft_cross(a, b));
}

/* Each vertex gathers from its triangles, so that the sum does not depend on the number of threads. */
static void vertex_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    const int32_t *start = c->mesh->vertex_triangle_start, *list = c->mesh->vertex_triangle;
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            c->f[i] = weft_add(c->f[i], share_of(c, list[k]));
}

void weft_padding_force(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *pressure,
                        const weft_vec3 *x, weft_vec3 *f) {
    context c = {mesh, open_face, pressure, x, f};
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, vertex_block, &c);
}
