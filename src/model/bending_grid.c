/* Bending of a grid by its lines: the orthotropic plate by finite differences, independent of how cells are cut.
 *
 * For an isometric deformation x(u, v) the curvatures along and between the lines of a grid are the lengths of x_uu,
 * x_vv and x_uv. The energy per area 1/2 [ B_u |x_uu|^2 + B_v |x_vv|^2 + (B_u + B_v) |x_uv|^2 ] is that of a cylinder
 * of curvature q and rigidity B_u c^2 + B_v s^2 in any direction (c, s) of its curvature. It is constant like Q(e) of
 * the documents (bending.c), and in equilibrium at even curvature. */
#include <math.h>

#include "model/bending.h"

static int32_t at(const weft_mesh *grid, int32_t i, int32_t j) { return j * (grid->grid_cells[0] + 1) + i; }

int32_t weft_bending_grid_count(const weft_mesh *grid) {
    int32_t across = grid->grid_cells[0], down = grid->grid_cells[1];
    return (across - 1) * (down + 1) + (across + 1) * (down - 1) + across * down;
}

static void add(weft_bending *b, int32_t *n, int32_t v0, int32_t v1, int32_t v2, int32_t v3) {
    int32_t *vertex = b->vertex[(*n)++];
    vertex[0] = v0;
    vertex[1] = v1;
    vertex[2] = v2;
    vertex[3] = v3;
}

/* A line over three vertices is kept like an edge: the middle one, a neighbour across that only tells the normal, and
 * the two outer ones; a twist like that over a cell's diagonal. Lines along i, lines along j, twists. */
void weft_bending_grid_fill(weft_bending *bending) {
    const weft_mesh *g = bending->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    for (int32_t j = 0; j <= down; j++)
        for (int32_t i = 1; i < across; i++)
            add(bending, &n, at(g, i, j), at(g, i, j < down ? j + 1 : j - 1), at(g, i - 1, j), at(g, i + 1, j));
    for (int32_t j = 1; j < down; j++)
        for (int32_t i = 0; i <= across; i++)
            add(bending, &n, at(g, i, j), at(g, i < across ? i + 1 : i - 1, j), at(g, i, j - 1), at(g, i, j + 1));
    for (int32_t j = 0; j < down; j++)
        for (int32_t i = 0; i < across; i++)
            add(bending, &n, at(g, i, j), at(g, i + 1, j + 1), at(g, i + 1, j), at(g, i, j + 1));
}

void weft_bending_grid_tune(weft_bending *bending, const weft_fabric *fabric, double angle) {
    const weft_mesh *g = bending->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    double hx = g->grid_size[0] / across, hy = g->grid_size[1] / down, weft = cos(angle) * cos(angle);
    double bu = weft * fabric->bend_weft + (1 - weft) * fabric->bend_warp;
    double bv = weft * fabric->bend_warp + (1 - weft) * fabric->bend_weft;
    for (int32_t j = 0; j <= down; j++) /* lines at the border stand for half the width */
        for (int32_t i = 1; i < across; i++)
            bending->bend[n++] =
                (weft_bend){.k = {-2, 0, 1, 1}, .stiffness = bu * (j % down ? hy : 0.5 * hy) / (hx * hx * hx)};
    for (int32_t j = 1; j < down; j++)
        for (int32_t i = 0; i <= across; i++)
            bending->bend[n++] =
                (weft_bend){.k = {-2, 0, 1, 1}, .stiffness = bv * (i % across ? hx : 0.5 * hx) / (hy * hy * hy)};
    for (int32_t cell = 0; cell < across * down; cell++)
        bending->bend[n++] = (weft_bend){.k = {1, 1, -1, -1}, .stiffness = (bu + bv) / (hx * hy)};
}
