/* Bending of a grid along its lines: finite differences of the orthotropic plate. The result does not depend on the
 * diagonals of the cells.
 *
 * For an isometric deformation x(u, v), the curvatures along the grid lines and the twist between them are the lengths
 * of x_uu, x_vv and x_uv. In the axes of weft and warp the energy per area is
 *   1/2 [ B_weft |x_ww|^2 + B_warp |x_pp|^2 + (B_weft + B_warp) |x_wp|^2 ].
 * This is the energy of a cylinder of curvature q and rigidity B_weft c^2 + B_warp s^2 for any direction (c, s) of its
 * curvature. If the weft is at the angle a to u, the energy is
 *   1/2 [ B_u |x_uu|^2 + B_v |x_vv|^2 + (B_u + B_v) |x_uv|^2 + 2 G (x_uu + x_vv) . x_uv ],
 *   B_u = B_weft cos^2 a + B_warp sin^2 a, B_v likewise, G = 1/2 (B_weft - B_warp) sin 2a.
 * Without G, lines and twists are separate elements. With G, the squares are completed:
 *   B_u |x_uu + G / B_u x_uv|^2 + B_v |x_vv + G / B_v x_uv|^2 + (B_u + B_v - G^2 / B_u - G^2 / B_v) |x_uv|^2.
 * At the border this omits the terms without a line to bend, as is correct for a free border. The whole form is
 * constant, like Q(e) of Bender and Deul (2013), see bending.c. It is in equilibrium at constant curvature. */
#include <math.h>

#include "cloth/bending/bending.h"
#include "core/elementary.h"

/* If |sin 2a| is below this, the weft is parallel to the lines. */
static const double PARALLEL = 1e-9;

int weft_bending_grid_is_turned(double angle) { return fabs(weft_sin(2 * angle)) > PARALLEL; }

static int32_t at(const weft_mesh *grid, int32_t i, int32_t j) { return j * (grid->grid_cells[0] + 1) + i; }

/* With a turned weft each line has two elements, one for the cells on either side. A line at the border has one. */
int32_t weft_bending_grid_count(const weft_mesh *grid, int turned) {
    int32_t across = grid->grid_cells[0], down = grid->grid_cells[1];
    if (turned)
        return 2 * (across - 1) * down + 2 * across * (down - 1) + across * down;
    return (across - 1) * (down + 1) + (across + 1) * (down - 1) + across * down;
}

/* -- lines along the weft or the warp -- */

static void add(weft_bending *b, int32_t *n, int8_t idle, int32_t v0, int32_t v1, int32_t v2, int32_t v3) {
    int32_t *vertex = b->vertex + (size_t)b->arity * (size_t)(*n)++;
    b->idle[*n - 1] = idle;
    vertex[0] = v0;
    vertex[1] = v1;
    vertex[2] = v2;
    vertex[3] = v3;
}

/* A line over three vertices is stored like an edge: the middle vertex, a neighbour across that only defines the
 * normal, and the two outer vertices. A twist is stored like the edge along the diagonal of its cell. The order is:
 * lines along i, lines along j, twists. */
static void fill_straight(weft_bending *bending) {
    const weft_mesh *g = bending->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    for (int32_t j = 0; j <= down; j++)
        for (int32_t i = 1; i < across; i++)
            add(bending, &n, 1, at(g, i, j), at(g, i, j < down ? j + 1 : j - 1), at(g, i - 1, j), at(g, i + 1, j));
    for (int32_t j = 1; j < down; j++)
        for (int32_t i = 0; i <= across; i++)
            add(bending, &n, 1, at(g, i, j), at(g, i < across ? i + 1 : i - 1, j), at(g, i, j - 1), at(g, i, j + 1));
    for (int32_t j = 0; j < down; j++)
        for (int32_t i = 0; i < across; i++)
            add(bending, &n, -1, at(g, i, j), at(g, i + 1, j + 1), at(g, i + 1, j), at(g, i, j + 1));
}

static void tune_straight(weft_bending *bending, double bu, double bv) {
    const weft_mesh *g = bending->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    double hx = g->grid_size[0] / across, hy = g->grid_size[1] / down;
    for (int32_t j = 0; j <= down; j++) /* lines at the border represent half the width */
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

/* -- lines across a turned weft -- */

/* v0 is the middle of a line, v2 and v3 are its outer vertices. v1 and v4 are the neighbours of v3 and v2 in the next
 * line. */
static void add_with_neighbours(weft_bending *b, int32_t *n, int8_t idle, int32_t v0, int32_t v1, int32_t v2,
                                int32_t v3, int32_t v4) {
    b->vertex[(size_t)b->arity * (size_t)*n + 4] = v4;
    add(b, n, idle, v0, v1, v2, v3);
}

/* Adds each line with the next line on one side, then on the other. The fifth vertex of a twist is arbitrary. */
static void fill_turned(weft_bending *b) {
    const weft_mesh *g = b->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t j = side < 0 ? 1 : 0; j <= (side < 0 ? down : down - 1); j++)
            for (int32_t i = 1; i < across; i++)
                add_with_neighbours(b, &n, -1, at(g, i, j), at(g, i + 1, j + side), at(g, i - 1, j), at(g, i + 1, j),
                                    at(g, i - 1, j + side));
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t i = side < 0 ? 1 : 0; i <= (side < 0 ? across : across - 1); i++)
            for (int32_t j = 1; j < down; j++)
                add_with_neighbours(b, &n, -1, at(g, i, j), at(g, i + side, j + 1), at(g, i, j - 1), at(g, i, j + 1),
                                    at(g, i + side, j - 1));
    for (int32_t j = 0; j < down; j++)
        for (int32_t i = 0; i < across; i++)
            add_with_neighbours(b, &n, 4, at(g, i, j), at(g, i + 1, j + 1), at(g, i + 1, j), at(g, i, j + 1),
                                i > 0 ? at(g, i - 1, j) : at(g, i + 2, j));
}

/* (x3 - 2 x0 + x2) / h^2 + twist (x1 - x4 - x3 + x2) / (2 h across), as a difference over h^2. */
static weft_bend line_of(double rigidity, double h, double across, double twist) {
    double t = 0.5 * twist * h / across;
    return (weft_bend){.k = {-2, t, 1 + t, 1 - t, -t}, .stiffness = 0.5 * rigidity * across / (h * h * h)};
}

static void tune_turned(weft_bending *bending, double bu, double bv, double mixed) {
    const weft_mesh *g = bending->mesh;
    int32_t across = g->grid_cells[0], down = g->grid_cells[1], n = 0;
    double hx = g->grid_size[0] / across, hy = g->grid_size[1] / down;
    double with_u = bu > 0 ? mixed / bu : 0, with_v = bv > 0 ? mixed / bv : 0;
    for (int side = -1; side <= 1; side += 2)
        for (int32_t line = 0; line < (across - 1) * down; line++)
            bending->bend[n++] = line_of(bu, hx, hy, side * with_u);
    for (int side = -1; side <= 1; side += 2)
        for (int32_t line = 0; line < across * (down - 1); line++)
            bending->bend[n++] = line_of(bv, hy, hx, side * with_v);
    double left = fmax(bu + bv - mixed * (with_u + with_v), 0);
    for (int32_t cell = 0; cell < across * down; cell++)
        bending->bend[n++] = (weft_bend){.k = {1, 1, -1, -1}, .stiffness = left / (hx * hy)};
}

void weft_bending_grid_fill(weft_bending *bending) {
    if (bending->turned)
        fill_turned(bending);
    else
        fill_straight(bending);
}

void weft_bending_grid_tune(weft_bending *bending, const weft_fabric *fabric, double angle) {
    double weft = weft_cos(angle) * weft_cos(angle);
    double bu = weft * fabric->bend_weft + (1 - weft) * fabric->bend_warp;
    double bv = weft * fabric->bend_warp + (1 - weft) * fabric->bend_weft;
    double mixed = 0.5 * (fabric->bend_weft - fabric->bend_warp) * weft_sin(2 * angle);
    if (bending->turned)
        tune_turned(bending, bu, bv, mixed);
    else
        tune_straight(bending, bu, bv);
}
