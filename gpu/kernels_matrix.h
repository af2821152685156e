/* Kernels that assemble the matrix and the right-hand side of an implicit step:
 *   (M + h D + h^2 K) dv = M (V - v) + h f - h K u,  u = X + h v - x  (src/solve/newton_linear.c).
 * Elements write their blocks to scratch. Rows then gather them in a fixed order, so no sum needs atomics. */
#ifndef WEFT_GPU_KERNELS_MATRIX_H
#define WEFT_GPU_KERNELS_MATRIX_H

#include "kernels_force.h"
#include "slices.h"
#include "triangle_blocks.h"

/* u of a vertex; zero after the first iteration. */
WEFT_HD weft_vec3 gpu_lag(const weft_gpu *g, int32_t i) { return gpu_sub(gpu_axpy(g->X[i], g->h, g->v[i]), g->x[i]); }

WEFT_HD void gpu_write_block(const weft_gpu *g, const double *stiffness, const double *damping, float *to) {
    for (int m = 0; m < 9; m++)
        to[m * GPU_SLICE] = (float)(g->h * (g->h * stiffness[m] + damping[m]));
}

/* Writes the blocks of an element's pairs, the first number to `block`. Fills in K u of its vertices. */
WEFT_HD void gpu_write_element(const weft_gpu *g, const int32_t *vertex, int arity, const double *stiffness,
                               const double *damping, float *block, weft_vec3 *ku) {
    weft_vec3 u[4];
    for (int a = 0; a < arity && g->first; a++) {
        u[a] = gpu_lag(g, vertex[a]);
        ku[a] = gpu_vec(0, 0, 0);
    }
    for (int a = 0, pair = 0; a < arity; a++)
        for (int b = a + 1; b < arity; b++, pair++) {
            const double *k = stiffness + 9 * pair;
            gpu_write_block(g, k, damping + 9 * pair, block + 9 * pair * GPU_SLICE);
            if (!g->first)
                continue;
            weft_vec3 d = gpu_sub(u[b], u[a]);
            ku[a] = gpu_add(ku[a], gpu_block_times(k, d));
            ku[b] = gpu_sub(ku[b], gpu_transpose_times(k, d));
        }
}

WEFT_HD void gpu_triangle_matrix(const weft_gpu *g, int32_t i) {
    const weft_device_triangle *t = &g->triangle[i];
    weft_vec3 p[3], ku[3];
    double stiffness[27], damping[27];
    gpu_corners(g->x, t->vertex, 3, p);
    gpu_triangle_blocks(t, &g->material[t->material], p, stiffness, damping);
    gpu_write_element(g, t->vertex, 3, stiffness, damping, g->element_block + gpu_number(i, GPU_TRIANGLE_BLOCKS, 0),
                      ku);
    if (g->first)
        gpu_write_forces(g->element_force, i, GPU_TRIANGLE_FORCES, ku, 3, -1);
}

/* K u of a linear bending element: stiffness k_a times the weighted sum of u. */
WEFT_HD void gpu_tensor_matrix(const weft_gpu *g, int32_t i, const weft_vec3 *p, weft_vec3 *ku) {
    const weft_device_bend *b = &g->bend[i];
    double even;
    weft_vec3 m;
    gpu_bend_tensor(b, &g->material[b->material], g->h, p, &even, &m);
    gpu_store_four(g->tensor, i, (float)even, (float)m.x, (float)m.y, (float)m.z);
    if (!g->first)
        return;
    weft_vec3 u[WEFT_DEVICE_BEND_VERTICES];
    for (int a = 0; a < WEFT_DEVICE_BEND_VERTICES; a++)
        u[a] = gpu_lag(g, b->vertex[a]);
    weft_vec3 sum = gpu_bend_sum(b, u);
    for (int a = 0; a < WEFT_DEVICE_BEND_VERTICES; a++)
        ku[a] = gpu_scale(b->stiffness * b->k[a], sum);
}

WEFT_HD void gpu_write_bend_forces(const weft_gpu *g, int32_t i, const weft_vec3 *f) {
    const weft_device_bend *b = &g->bend[i];
    gpu_write_forces(g->element_force + gpu_bend_forces_at(g->triangle_count), i, GPU_BEND_FORCES, f, b->arity,
                     b->idle);
}

/* Linear elements. */
WEFT_HD void gpu_bend_matrix(const weft_gpu *g, int32_t i) {
    const weft_device_bend *b = &g->bend[i];
    weft_vec3 p[WEFT_DEVICE_BEND_VERTICES], ku[WEFT_DEVICE_BEND_VERTICES];
    if (g->material[b->material].bending != WEFT_DEVICE_BEND_LINEAR)
        return;
    gpu_corners(g->x, b->vertex, WEFT_DEVICE_BEND_VERTICES, p);
    gpu_tensor_matrix(g, i, p, ku);
    if (g->first)
        gpu_write_bend_forces(g, i, ku);
}

/* The others. They have a kernel of their own, because they need many more registers. */
WEFT_HD void gpu_hinge_matrix(const weft_gpu *g, int32_t i) {
    const weft_device_bend *b = &g->bend[i];
    weft_vec3 p[4], ku[WEFT_DEVICE_BEND_VERTICES];
    double stiffness[54], damping[54];
    float *block = g->element_block + gpu_hinge_blocks_at(g->triangle_count, g->pair_count);
    if (g->material[b->material].bending == WEFT_DEVICE_BEND_LINEAR)
        return;
    gpu_corners(g->x, b->vertex, 4, p);
    gpu_bend_blocks(b, &g->material[b->material], p, stiffness, damping);
    gpu_write_element(g, b->vertex, 4, stiffness, damping, block + gpu_number(i, GPU_HINGE_BLOCKS, 0), ku);
    if (g->first)
        gpu_write_bend_forces(g, i, ku);
}

WEFT_HD void gpu_pair_matrix(const weft_gpu *g, int32_t i) {
    const weft_device_pair *a = &g->pair[i];
    double stiffness[9], damping[9];
    weft_vec3 d = gpu_sub(g->x[a->vertex[1]], g->x[a->vertex[0]]), ku[2];
    float *block = g->element_block + gpu_pair_blocks_at(g->triangle_count);
    gpu_pair_blocks(a, &g->material[a->material], g->sinc, d, stiffness, damping);
    gpu_write_element(g, a->vertex, 2, stiffness, damping, block + gpu_number(i, GPU_PAIR_BLOCKS, 0), ku);
    if (g->first)
        gpu_write_forces(g->element_force + gpu_pair_forces_at(g->triangle_count, g->bend_count), i, GPU_PAIR_FORCES,
                         ku, 2, -1);
}

/* Sums entry e, row-major. */
WEFT_HD void gpu_sum_entry(const weft_gpu *g, int32_t e, float *sum) {
    const gpu_gather *from = &g->gather;
    for (int m = 0; m < 9; m++)
        sum[m] = 0;
    for (int32_t k = from->block_start[e]; k < from->block_start[e + 1]; k++) {
        const float *block = g->element_block + (from->block[k] >> 1);
        int across = from->block[k] & 1 ? GPU_SLICE : 3 * GPU_SLICE, along = 4 * GPU_SLICE - across;
        for (int m = 0; m < 9; m++)
            sum[m] += block[m / 3 * across + m % 3 * along];
    }
    for (int32_t k = from->tensor_start[e]; k < from->tensor_start[e + 1]; k++) {
        float t[4], weight = from->weight[k];
        gpu_load_four(g->tensor, from->tensor[k], t);
        for (int m = 0; m < 9; m++)
            sum[m] += weight * (t[1 + m / 3] * t[1 + m % 3] + (m % 4 == 0 ? t[0] : 0));
    }
}

/* An entry of the tail that is one tensor: a and m. */
WEFT_HD void gpu_axial_entry(const weft_gpu *g, int32_t e, float *sum) {
    int32_t k = g->gather.tensor_start[e];
    float t[4], weight = g->gather.weight[k], root = sqrtf(fabsf(weight));
    gpu_load_four(g->tensor, g->gather.tensor[k], t);
    sum[0] = weight * t[0];
    for (int c = 1; c < 4; c++)
        sum[c] = root * t[c];
}

/* Stores an entry in as many floats as its slices have. */
WEFT_HD void gpu_store_entry(const gpu_slices *to, int64_t entry, int lane, const float *sum) {
    const int upper[6] = {0, 1, 2, 4, 5, 8};
    float *value = to->value + entry * to->floats * GPU_SLICE + lane;
    for (int c = 0; c < 6 && to->floats == GPU_SYMMETRIC; c++)
        value[c * GPU_SLICE] = sum[upper[c]];
    for (int c = 0; c < 9 && to->floats != GPU_SYMMETRIC; c++)
        if (c < to->floats)
            value[c * GPU_SLICE] = sum[c];
}

/* The row of item `at` of the slices, and the number of the entry in it. */
WEFT_HD int32_t gpu_row_at(const gpu_slices *in, int32_t at, int32_t *number) {
    int32_t e = at / GPU_SLICE, slice = in->slice_of[e];
    *number = e - in->base[slice];
    return slice * GPU_SLICE + at % GPU_SLICE;
}

/* One entry of the head, or of the tail. Entries beyond the end of a row stay 0. */
WEFT_HD void gpu_head_matrix(const weft_gpu *g, int32_t at) {
    int32_t number, row = gpu_row_at(&g->head, at, &number);
    float sum[9];
    if (row >= g->count || number >= g->gather.head_count[row])
        return;
    gpu_sum_entry(g, g->gather.entry[row] + number, sum);
    gpu_store_entry(&g->head, at / GPU_SLICE, at % GPU_SLICE, sum);
}

WEFT_HD void gpu_tail_matrix(const weft_gpu *g, int32_t at) {
    int32_t number, row = gpu_row_at(&g->tail, at, &number);
    float sum[9];
    if (row >= g->count)
        return;
    int32_t e = g->gather.entry[row] + g->gather.head_count[row] + number;
    if (e >= g->gather.entry[row + 1])
        return;
    if (g->tail.floats == GPU_AXIAL)
        gpu_axial_entry(g, e, sum);
    else
        gpu_sum_entry(g, e, sum);
    gpu_store_entry(&g->tail, at / GPU_SLICE, at % GPU_SLICE, sum);
}

/* Subtracts the blocks of row i from its diagonal, xx xy xz yy yz zz. */
WEFT_HD void gpu_subtract_row(const gpu_slices *a, int32_t i, double *diagonal) {
    const int upper[6] = {0, 1, 2, 4, 5, 8};
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    double block[9];
    GPU_GATHER
    for (int32_t e = a->base[slice]; e < a->base[slice + 1]; e++) {
        gpu_entry_block(a, e, lane, block);
        for (int c = 0; c < 6; c++)
            diagonal[c] -= block[upper[c]];
    }
}

/* Inverts a symmetric block, xx xy xz yy yz zz, by cofactors. A block that is not safely positive definite is replaced
 * by its diagonal. */
WEFT_HD void gpu_invert(const double *a, double *m) {
    const double least = 1e-6;
    double cxx = a[3] * a[5] - a[4] * a[4], cxy = a[2] * a[4] - a[1] * a[5], cxz = a[1] * a[4] - a[2] * a[3];
    double cyy = a[0] * a[5] - a[2] * a[2], cyz = a[1] * a[2] - a[0] * a[4], czz = a[0] * a[3] - a[1] * a[1];
    double determinant = a[0] * cxx + a[1] * cxy + a[2] * cxz, s = 1 / determinant;
    if (a[0] > 0 && czz > least * a[0] * a[3] && determinant > least * a[0] * a[3] * a[5]) {
        m[0] = cxx * s;
        m[1] = cxy * s;
        m[2] = cxz * s;
        m[3] = cyy * s;
        m[4] = cyz * s;
        m[5] = czz * s;
        return;
    }
    m[1] = m[2] = m[4] = 0;
    m[0] = a[0] > 0 ? 1 / a[0] : 1;
    m[3] = a[3] > 0 ? 1 / a[3] : 1;
    m[5] = a[5] > 0 ? 1 / a[5] : 1;
}

/* Right-hand side of a row. The element slots hold K u in the first iteration. */
WEFT_HD weft_vec3 gpu_row_right(const weft_gpu *g, int32_t i) {
    weft_vec3 b = gpu_axpy(gpu_scale(g->mass[i], gpu_sub(g->V[i], g->v[i])), g->h, g->f[i]);
    weft_vec3 ku = g->first ? gpu_gather_elements(g, i, gpu_vec(0, 0, 0)) : gpu_vec(0, 0, 0);
    return gpu_axpy(b, -g->h, ku);
}

/* One row, after its entries: E, inverse diagonal block, right-hand side. A held row has the inverse 0. */
WEFT_HD void gpu_row_matrix(const weft_gpu *g, int32_t i) {
    double diagonal[6], inverse[6];
    gpu_load_damping(g, i, diagonal);
    for (int c = 0; c < 6; c++) {
        diagonal[c] = (c == 0 || c == 3 || c == 5 ? g->mass[i] : 0) + g->h * diagonal[c];
        g->excess[(int64_t)c * g->count + i] = (float)diagonal[c];
    }
    gpu_subtract_row(&g->head, i, diagonal);
    gpu_subtract_row(&g->tail, i, diagonal);
    for (int c = 0; c < 6 && g->coupling.terms > 0; c++)
        diagonal[c] += g->coupling.diagonal[6 * (int64_t)i + c];
    gpu_invert(diagonal, inverse);
    for (int c = 0; c < 6; c++)
        g->inverse[(int64_t)c * g->count + i] = g->held[i] ? 0 : (float)inverse[c];
    g->b[i] = gpu_row_right(g, i);
    if (g->coupling.terms > 0)
        g->b[i] = gpu_add(g->b[i], g->coupling.right[i]);
}

#endif
