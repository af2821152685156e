/* Kernels of the additive Schwarz preconditioner (level.h). g->now_level is the level that a kernel works on. */
#ifndef WEFT_GPU_KERNELS_SCHWARZ_H
#define WEFT_GPU_KERNELS_SCHWARZ_H

#include "kernels_pcg.h"

/* -- the matrices of the levels -- */

/* Entry `number` of a vertex's row: its column and block, row-major. */
WEFT_HD int32_t gpu_vertex_entry(const weft_gpu *g, int32_t i, int32_t number, double *block) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    int32_t heads = g->gather.head_count[i];
    const gpu_slices *in = number < heads ? &g->head : &g->tail;
    int64_t e = in->base[slice] + (number < heads ? number : number - heads);
    gpu_entry_block(in, e, lane, block);
    return in->column[e * GPU_SLICE + lane];
}

/* Entry e of a level above 0: the sum of finer entries. Held vertices are no part of the coarse space. */
WEFT_HD void gpu_coarse_entries(const weft_gpu *g, int32_t e) {
    const gpu_level *l = &g->level[g->now_level];
    double sum[9], block[9];
    for (int m = 0; m < 9; m++)
        sum[m] = 0;
    for (int32_t k = l->from_start[e]; k < l->from_start[e + 1]; k++) {
        if (g->now_level > 1) {
            for (int m = 0; m < 9; m++)
                sum[m] += (double)g->level[g->now_level - 1].value[9 * (int64_t)l->from[k] + m];
            continue;
        }
        int32_t i = l->from[2 * (int64_t)k], j = gpu_vertex_entry(g, i, l->from[2 * (int64_t)k + 1], block);
        for (int m = 0; m < 9 && !g->held[i] && !g->held[j]; m++)
            sum[m] += block[m];
    }
    for (int m = 0; m < 9; m++)
        l->value[9 * (int64_t)e + m] = (float)sum[m];
}

/* What contact adds to the diagonal block of a vertex. Couplings between vertices are left out: their blocks would lead
 * out of the domains. */
WEFT_HD void gpu_add_contact_block(const weft_gpu *g, int32_t i, double *block) {
    for (int c = 0; c < 6 && g->coupling.terms > 0; c++)
        block[c] += g->coupling.diagonal[6 * (int64_t)i + c];
}

/* E of a vertex, less the blocks that lead to held vertices. */
WEFT_HD void gpu_vertex_excess(const weft_gpu *g, int32_t i, double *excess) {
    const int upper[6] = {0, 1, 2, 4, 5, 8};
    double block[9];
    for (int c = 0; c < 6; c++)
        excess[c] = (double)g->excess[(int64_t)c * g->count + i];
    int32_t entries = g->gather.entry[i + 1] - g->gather.entry[i];
    for (int32_t k = 0; k < entries; k++) {
        int32_t j = gpu_vertex_entry(g, i, k, block);
        for (int c = 0; c < 6 && g->held[j]; c++)
            excess[c] -= block[upper[c]];
    }
    gpu_add_contact_block(g, i, excess);
}

/* E of a node of a level above 0. */
WEFT_HD void gpu_coarse_excess(const weft_gpu *g, int32_t n) {
    const gpu_level *l = &g->level[g->now_level];
    double sum[6], one[6];
    for (int c = 0; c < 6; c++)
        sum[c] = 0;
    for (int32_t k = l->child_start[n]; k < l->child_start[n + 1]; k++) {
        int32_t i = l->child[k];
        if (g->now_level == 1 && g->held[i])
            continue;
        if (g->now_level == 1)
            gpu_vertex_excess(g, i, one);
        for (int c = 0; c < 6; c++)
            sum[c] += g->now_level == 1 ? one[c] : (double)g->level[g->now_level - 1].excess[6 * (int64_t)i + c];
    }
    for (int c = 0; c < 6; c++)
        l->excess[6 * (int64_t)n + c] = (float)sum[c];
}

/* -- the inverses of the domains -- */

/* Entry k of a node on any level. */
WEFT_HD int32_t gpu_level_entry(const weft_gpu *g, int level, int32_t n, int32_t k, double *block) {
    if (level == 0)
        return gpu_vertex_entry(g, n, k, block);
    const gpu_level *l = &g->level[level];
    int64_t e = l->entry[n] + k;
    for (int m = 0; m < 9; m++)
        block[m] = (double)l->value[9 * e + m];
    return l->column[e];
}

WEFT_HD void gpu_put_block(double *matrix, int row, int column, const double *block, double scale) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            matrix[(3 * row + r) * (GPU_DENSE + 1) + 3 * column + c] += scale * block[3 * r + c];
}

/* Whether a node takes part. */
WEFT_HD int gpu_node_is_free(const weft_gpu *g, int level, int32_t n) {
    return n >= 0 && (level > 0 ? g->level[level].excess[6 * (int64_t)n] > 0 : !g->held[n]);
}

/* The three rows of one place. A place without a free node gets rows of the identity. */
WEFT_HD void gpu_fill_rows(const weft_gpu *g, int level, int32_t domain, int place, double *matrix) {
    const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const gpu_level *l = &g->level[level];
    int32_t n = l->node_of[domain * GPU_DOMAIN + place];
    double block[9], excess[6];
    for (int k = 0; k < 3 * (GPU_DENSE + 1); k++)
        matrix[3 * place * (GPU_DENSE + 1) + k] = 0;
    if (!gpu_node_is_free(g, level, n)) {
        for (int r = 0; r < 3; r++)
            matrix[(3 * place + r) * (GPU_DENSE + 1) + 3 * place + r] = 1;
        return;
    }
    for (int c = 0; c < 6; c++)
        excess[c] = level == 0 ? (double)g->excess[(int64_t)c * g->count + n] : (double)l->excess[6 * (int64_t)n + c];
    if (level == 0)
        gpu_add_contact_block(g, n, excess);
    for (int m = 0; m < 9; m++)
        block[m] = excess[full[m]];
    gpu_put_block(matrix, place, place, block, 1);
    int32_t entries = level == 0 ? g->gather.entry[n + 1] - g->gather.entry[n] : l->entry[n + 1] - l->entry[n];
    for (int32_t k = 0; k < entries; k++) {
        int32_t other = gpu_level_entry(g, level, n, k, block);
        gpu_put_block(matrix, place, place, block, -1);
        if (l->place_of[other] / GPU_DOMAIN == domain && gpu_node_is_free(g, level, other))
            gpu_put_block(matrix, place, l->place_of[other] % GPU_DOMAIN, block, 1);
    }
}

/* One step of the inversion by elimination in place, for one row other than the pivot's. */
WEFT_HD void gpu_eliminate_row(double *matrix, int pivot, int row) {
    const double *from = matrix + pivot * (GPU_DENSE + 1);
    double *to = matrix + row * (GPU_DENSE + 1), factor = to[pivot] / from[pivot];
    for (int c = 0; c < GPU_DENSE; c++)
        to[c] -= factor * from[c];
    to[pivot] = -factor;
}

/* And for one number of the pivot's row. */
WEFT_HD double gpu_pivot_number(const double *matrix, int pivot, int column, double diagonal) {
    return column == pivot ? 1 / diagonal : matrix[pivot * (GPU_DENSE + 1) + column] / diagonal;
}

/* One column of the result, made symmetric. Places without a free node get 0. */
WEFT_HD void gpu_store_column(const weft_gpu *g, int level, int32_t domain, int column, const double *matrix) {
    const gpu_level *l = &g->level[level];
    const int32_t *node = l->node_of + (int64_t)domain * GPU_DOMAIN;
    float *to = l->inverse + ((int64_t)domain * GPU_DENSE + column) * GPU_DENSE;
    int is_free = gpu_node_is_free(g, level, node[column / 3]);
    for (int r = 0; r < GPU_DENSE; r++) {
        double mean = 0.5 * (matrix[r * (GPU_DENSE + 1) + column] + matrix[column * (GPU_DENSE + 1) + r]);
        to[r] = is_free && gpu_node_is_free(g, level, node[r / 3]) ? (float)mean : 0;
    }
}

/* -- the preconditioner -- */

/* Residual of a node of level now_level, above 0: the sum over its children. */
WEFT_HD void gpu_restrict(const weft_gpu *g, int32_t n) {
    if (g->numbers->pcg.status != GPU_PCG_RUNS)
        return;
    const gpu_level *l = &g->level[g->now_level];
    double sum[3];
    sum[0] = sum[1] = sum[2] = 0;
    for (int32_t k = l->child_start[n]; k < l->child_start[n + 1]; k++) {
        int32_t i = l->child[k];
        if (g->now_level == 1) {
            sum[0] += (double)g->r[i].x;
            sum[1] += (double)g->r[i].y;
            sum[2] += (double)g->r[i].z;
        } else {
            for (int c = 0; c < 3; c++)
                sum[c] += (double)g->level[g->now_level - 1].r[4 * (int64_t)i + c];
        }
    }
    for (int c = 0; c < 3; c++)
        l->r[4 * (int64_t)n + c] = (float)sum[c];
}

/* Residual of a node, in float. */
WEFT_HD void gpu_node_residual(const weft_gpu *g, int level, int32_t n, float *r) {
    if (level == 0) {
        r[0] = g->r[n].x;
        r[1] = g->r[n].y;
        r[2] = g->r[n].z;
        return;
    }
    for (int c = 0; c < 3; c++)
        r[c] = g->level[level].r[4 * (int64_t)n + c];
}

/* The correction at one place of level now_level. */
WEFT_HD void gpu_correct(const weft_gpu *g, int32_t at) {
    if (g->numbers->pcg.status != GPU_PCG_RUNS)
        return;
    int level = g->now_level, place = at % GPU_DOMAIN;
    const gpu_level *l = &g->level[level];
    int32_t domain = at / GPU_DOMAIN, n = l->node_of[at];
    float y[3], r[3];
    y[0] = y[1] = y[2] = 0;
    for (int other = 0; other < GPU_DOMAIN; other++) {
        int32_t m = l->node_of[domain * GPU_DOMAIN + other];
        if (m < 0)
            continue;
        gpu_node_residual(g, level, m, r);
        for (int c = 0; c < 3; c++) {
            const float *column = l->inverse + ((int64_t)domain * GPU_DENSE + 3 * other + c) * GPU_DENSE + 3 * place;
            for (int k = 0; k < 3; k++)
                y[k] += column[k] * r[c];
        }
    }
    for (int k = 0; k < 3 && n >= 0; k++)
        l->y[4 * (int64_t)n + k] = y[k];
}

/* u of a vertex: the corrections of all levels. */
WEFT_HD void gpu_gather_levels(const weft_gpu *g, int32_t i) {
    if (g->numbers->pcg.status != GPU_PCG_RUNS)
        return;
    float sum[3];
    sum[0] = sum[1] = sum[2] = 0;
    for (int32_t level = 0, n = i; level < g->level_count && !g->held[i]; level++) {
        for (int c = 0; c < 3; c++)
            sum[c] += g->level[level].y[4 * (int64_t)n + c];
        n = g->level[level].parent ? g->level[level].parent[n] : 0;
    }
    gpu_store_four(g->u, i, sum[0], sum[1], sum[2], 0);
}

#endif
