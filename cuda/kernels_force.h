/* Kernels of forces and energies. Each function does one item: a vertex, a triangle, a bending element, a pair. */
#ifndef WEFT_CUDA_KERNELS_FORCE_H
#define WEFT_CUDA_KERNELS_FORCE_H

#include "air.h"
#include "bend.h"
#include "gpu.h"
#include "triangle.h"

WEFT_HD void gpu_corners(const weft_vec3 *from, const int32_t *vertex, int count, weft_vec3 *to) {
    for (int k = 0; k < count; k++)
        to[k] = from[vertex[k]];
}

WEFT_HD void gpu_triangle_forces(const weft_gpu *g, int32_t i) {
    const weft_device_triangle *t = &g->triangle[i];
    weft_vec3 p[3], q[3];
    gpu_corners(g->x, t->vertex, 3, p);
    gpu_corners(g->v, t->vertex, 3, q);
    gpu_triangle_force(t, &g->material[t->material], p, q, g->element_force + 3 * (int64_t)i);
}

WEFT_HD void gpu_bend_forces(const weft_gpu *g, int32_t i) {
    const weft_device_bend *b = &g->bend[i];
    weft_vec3 p[WEFT_DEVICE_BEND_VERTICES], q[WEFT_DEVICE_BEND_VERTICES];
    gpu_corners(g->x, b->vertex, WEFT_DEVICE_BEND_VERTICES, p);
    gpu_corners(g->v, b->vertex, WEFT_DEVICE_BEND_VERTICES, q);
    gpu_bend_force(b, &g->material[b->material], p, q,
                   g->element_force + gpu_bend_slot(g) + WEFT_DEVICE_BEND_VERTICES * (int64_t)i);
}

WEFT_HD void gpu_pair_forces(const weft_gpu *g, int32_t i) {
    const weft_device_pair *a = &g->pair[i];
    weft_vec3 d = gpu_sub(g->x[a->vertex[1]], g->x[a->vertex[0]]), e = gpu_sub(g->v[a->vertex[1]], g->v[a->vertex[0]]);
    weft_vec3 *f = g->element_force + gpu_pair_slot(g) + 2 * (int64_t)i;
    f[0] = gpu_pair_force(a, &g->material[a->material], g->sinc, d, e);
    f[1] = gpu_scale(-1, f[0]);
}

WEFT_HD void gpu_facet_forces(const weft_gpu *g, int32_t i) {
    const weft_device_facet *t = &g->facet[i];
    weft_vec3 p[3], q[3];
    gpu_corners(g->x, t->vertex, 3, p);
    gpu_corners(g->v, t->vertex, 3, q);
    gpu_facet_air(&g->air, &g->material[t->material], p, q, &g->facet_force[i], g->facet_block + 6 * (int64_t)i);
}

/* Gravity, air damping and the wind of the facets around a vertex. */
WEFT_HD void gpu_external_forces(const weft_gpu *g, int32_t i) {
    weft_vec3 f = gpu_axpy(g->air.push, g->mass[i], g->air.acceleration);
    f = gpu_axpy(f, -(g->air.damp_vertex + g->air.damp_area * g->area[i]), g->v[i]);
    for (int32_t k = g->facet_start[i]; g->air.has_wind && k < g->facet_start[i + 1]; k++)
        f = gpu_add(f, g->facet_force[g->facet_index[k]]);
    g->external[i] = f;
}

/* All forces on a vertex, from external forces and those of elements. */
WEFT_HD void gpu_sum_forces(const weft_gpu *g, int32_t i) {
    double alpha = g->material[g->material_of[i]].alpha;
    weft_vec3 sum = gpu_scale(-alpha * g->mass[i], g->v[i]);
    for (int32_t k = g->force_start[i]; k < g->force_start[i + 1]; k++)
        sum = gpu_add(sum, g->element_force[g->force_index[k]]);
    g->f[i] = gpu_add(g->external[i], sum);
}

/* -df/dv of the forces that depend on the velocity of one vertex. Uses the facets of gpu_facet_forces. */
WEFT_HD void gpu_vertex_damping(const weft_gpu *g, int32_t i) {
    double *block = g->damping + 6 * (int64_t)i;
    double even =
        g->material[g->material_of[i]].alpha * g->mass[i] + g->air.damp_vertex + g->air.damp_area * g->area[i];
    for (int m = 0; m < 6; m++)
        block[m] = m == 0 || m == 3 || m == 5 ? even : 0;
    for (int32_t k = g->facet_start[i]; g->air.has_wind && k < g->facet_start[i + 1]; k++)
        for (int m = 0; m < 6; m++)
            block[m] += g->facet_block[6 * (int64_t)g->facet_index[k] + m];
}

/* -- energies at g->at_x, J -- */

WEFT_HD void gpu_triangle_energies(const weft_gpu *g, int32_t i, double *sum) {
    const weft_device_triangle *t = &g->triangle[i];
    weft_vec3 p[3];
    gpu_corners(g->at_x, t->vertex, 3, p);
    sum[0] = gpu_triangle_energy(t, &g->material[t->material], p);
}

WEFT_HD void gpu_bend_energies(const weft_gpu *g, int32_t i, double *sum) {
    const weft_device_bend *b = &g->bend[i];
    weft_vec3 p[WEFT_DEVICE_BEND_VERTICES];
    gpu_corners(g->at_x, b->vertex, WEFT_DEVICE_BEND_VERTICES, p);
    sum[0] = gpu_bend_energy(b, &g->material[b->material], p);
}

WEFT_HD void gpu_pair_energies(const weft_gpu *g, int32_t i, double *sum) {
    const weft_device_pair *a = &g->pair[i];
    sum[0] = gpu_pair_energy(a, g->sinc, gpu_sub(g->at_x[a->vertex[1]], g->at_x[a->vertex[0]]));
}

/* Inertia and the work of the external forces in the incremental potential. */
WEFT_HD void gpu_inertia(const weft_gpu *g, int32_t i, double *sum) {
    if (g->held[i]) {
        sum[0] = 0;
        return;
    }
    weft_vec3 ahead = gpu_sub(g->at_x[i], gpu_axpy(g->X[i], g->h, g->V[i]));
    sum[0] = g->mass[i] / (2 * g->h * g->h) * gpu_dot(ahead, ahead) -
             gpu_dot(g->search[i], gpu_sub(g->at_x[i], g->x_start[i]));
}

#endif
