/* Kernels of forces and energies. Each function does one item: a vertex, a triangle, a bending element, a pair. */
#ifndef WEFT_GPU_KERNELS_FORCE_H
#define WEFT_GPU_KERNELS_FORCE_H

#include "air.h"
#include "bend.h"
#include "gpu.h"
#include "triangle.h"

WEFT_HD void gpu_corners(const weft_vec3 *from, const int32_t *vertex, int count, weft_vec3 *to) {
    for (int k = 0; k < count; k++)
        to[k] = from[vertex[k]];
}

/* Writes the forces of an element of `width` numbers, except that on vertex `idle`. */
WEFT_HD void gpu_write_forces(double *to, int32_t i, int width, const weft_vec3 *f, int vertices, int idle) {
    for (int k = 0; 3 * k < width; k++) { /* the bound is a constant, so that f stays in registers */
        double *at = to + gpu_number(i, width, 3 * k);
        if (k >= vertices || k == idle)
            continue;
        at[0] = f[k].x;
        at[GPU_SLICE] = f[k].y;
        at[2 * GPU_SLICE] = f[k].z;
    }
}

/* The force on a vertex at a place of the list. */
WEFT_HD weft_vec3 gpu_read_force(const double *from) { return gpu_vec(from[0], from[GPU_SLICE], from[2 * GPU_SLICE]); }

/* Adds what elements wrote for vertex i to `sum`. */
WEFT_HD weft_vec3 gpu_gather_elements(const weft_gpu *g, int32_t i, weft_vec3 sum) {
    const int32_t end = g->force_start[i + 1];
    GPU_GATHER
    for (int32_t k = g->force_start[i]; k < end; k++)
        sum = gpu_add(sum, gpu_read_force(g->element_force + g->force_index[k]));
    return sum;
}

WEFT_HD void gpu_triangle_forces(const weft_gpu *g, int32_t i) {
    const weft_device_triangle *t = &g->triangle[i];
    weft_vec3 p[3], q[3], f[3];
    gpu_corners(g->x, t->vertex, 3, p);
    gpu_corners(g->v, t->vertex, 3, q);
    gpu_triangle_force(t, &g->material[t->material], p, q, f);
    gpu_write_forces(g->element_force, i, GPU_TRIANGLE_FORCES, f, 3, -1);
}

WEFT_HD void gpu_bend_forces(const weft_gpu *g, int32_t i) {
    const weft_device_bend *b = &g->bend[i];
    weft_vec3 p[WEFT_DEVICE_BEND_VERTICES], q[WEFT_DEVICE_BEND_VERTICES], f[WEFT_DEVICE_BEND_VERTICES];
    gpu_corners(g->x, b->vertex, WEFT_DEVICE_BEND_VERTICES, p);
    gpu_corners(g->v, b->vertex, WEFT_DEVICE_BEND_VERTICES, q);
    gpu_bend_force(b, &g->material[b->material], p, q, f);
    gpu_write_forces(g->element_force + gpu_bend_forces_at(g->triangle_count), i, GPU_BEND_FORCES, f, b->arity,
                     b->idle);
}

WEFT_HD void gpu_pair_forces(const weft_gpu *g, int32_t i) {
    const weft_device_pair *a = &g->pair[i];
    weft_vec3 d = gpu_sub(g->x[a->vertex[1]], g->x[a->vertex[0]]), e = gpu_sub(g->v[a->vertex[1]], g->v[a->vertex[0]]);
    weft_vec3 f[2];
    f[0] = gpu_pair_force(a, &g->material[a->material], g->sinc, d, e);
    f[1] = gpu_scale(-1, f[0]);
    gpu_write_forces(g->element_force + gpu_pair_forces_at(g->triangle_count, g->bend_count), i, GPU_PAIR_FORCES, f, 2,
                     -1);
}

WEFT_HD void gpu_facet_forces(const weft_gpu *g, int32_t i) {
    const weft_device_facet *t = &g->facet[i];
    weft_vec3 p[3], q[3], f;
    double block[6], *to = g->facet_number + gpu_number(i, GPU_FACET_NUMBERS, 0);
    gpu_corners(g->x, t->vertex, 3, p);
    gpu_corners(g->v, t->vertex, 3, q);
    gpu_facet_air(&g->air, &g->material[t->material], p, q, &f, block);
    to[0] = f.x;
    to[GPU_SLICE] = f.y;
    to[2 * GPU_SLICE] = f.z;
    for (int c = 0; c < 6; c++)
        to[(3 + c) * GPU_SLICE] = block[c];
}

WEFT_HD void gpu_load_damping(const weft_gpu *g, int32_t i, double *block) {
    for (int c = 0; c < 6; c++)
        block[c] = g->damping[(int64_t)c * g->count + i];
}

/* The external damping at the start of the step, without that of the material, times a velocity. */
WEFT_HD weft_vec3 gpu_frozen_drag(const weft_gpu *g, int32_t i, weft_vec3 v) {
    double d[6], alpha = g->material[g->material_of[i]].alpha * g->mass[i];
    gpu_load_damping(g, i, d);
    weft_vec3 f = {d[0] * v.x + d[1] * v.y + d[2] * v.z, d[1] * v.x + d[3] * v.y + d[4] * v.z,
                   d[2] * v.x + d[4] * v.y + d[5] * v.z};
    return gpu_axpy(f, -alpha, v);
}

/* Gravity, air damping and the wind of the facets around a vertex. */
WEFT_HD void gpu_external_forces(const weft_gpu *g, int32_t i) {
    if (g->frozen) {
        g->external[i] = gpu_sub(g->search[i], gpu_frozen_drag(g, i, gpu_sub(g->v[i], g->v_start[i])));
        return;
    }
    weft_vec3 f = gpu_axpy(g->air.push, g->mass[i], g->air.acceleration);
    f = gpu_axpy(f, -(g->air.damp_vertex + g->air.damp_area * g->area[i]), g->v[i]);
    const int32_t end = g->air.has_wind ? g->facet_start[i + 1] : 0;
    GPU_GATHER
    for (int32_t k = g->facet_start[i]; k < end; k++)
        f = gpu_axpy(f, g->facet_share[k], gpu_read_force(g->facet_number + g->facet_index[k]));
    g->external[i] = f;
}

/* All forces on a vertex, from external forces and those of elements. */
WEFT_HD void gpu_sum_forces(const weft_gpu *g, int32_t i) {
    double alpha = g->material[g->material_of[i]].alpha;
    weft_vec3 sum = gpu_gather_elements(g, i, gpu_scale(-alpha * g->mass[i], g->v[i]));
    g->f[i] = gpu_add(g->external[i], sum);
}

/* -df/dv of the forces that depend on the velocity of one vertex. Uses the facets of gpu_facet_forces. */
WEFT_HD void gpu_vertex_damping(const weft_gpu *g, int32_t i) {
    double block[6];
    double even =
        g->material[g->material_of[i]].alpha * g->mass[i] + g->air.damp_vertex + g->air.damp_area * g->area[i];
    for (int m = 0; m < 6; m++)
        block[m] = m == 0 || m == 3 || m == 5 ? even : 0;
    const int32_t end = g->air.has_wind ? g->facet_start[i + 1] : 0;
    GPU_GATHER
    for (int32_t k = g->facet_start[i]; k < end; k++)
        for (int m = 0; m < 6; m++)
            block[m] += g->facet_share[k] * g->facet_number[g->facet_index[k] + (3 + m) * GPU_SLICE];
    for (int m = 0; m < 6; m++)
        g->damping[(int64_t)m * g->count + i] = block[m];
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
    if (g->frozen) {
        weft_vec3 faster = gpu_sub(gpu_scale(1 / g->h, gpu_sub(g->at_x[i], g->X[i])), g->v_start[i]);
        sum[0] += 0.5 * g->h * gpu_dot(faster, gpu_frozen_drag(g, i, faster));
    }
}

#endif
