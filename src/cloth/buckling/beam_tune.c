/* Calibration of the interactions. Tension is calibrated like springs (spring_tune.c). This holds for a sheet under
 * tension, because an interaction of type 1 is slack in compression.
 *
 * A beam of rigidity k and span L along the unit vector u, in a surface with the small curvatures K, stores 1/2 k L
 * (u^T K u)^2. Consider a vertex between four quads of spacings hx and hy, with P = hx hy. Beams of the spans 2 hx, 2
 * hy and two of 2 sqrt(hx^2 + hy^2) cross there. A cylinder of curvature q, bent along the angle t, should store
 *     1/2 q^2 (B_x cos^4 t + 2 H cos^2 t sin^2 t + B_y sin^4 t)
 * per area, with H = sqrt(B_x B_y) (Huber's estimate; H = B for an isotropic sheet). Comparing coefficients gives
 *     k_x = P (B_x - r H / 3) / L_x,   k_y = P (B_y - H / (3 r)) / L_y,   k_d = P H (1 + r)^2 / (6 r L_d),
 * with r = (hx / hy)^2. On a square grid this is B h / 3 and B h / (3 sqrt 2). If k_x or k_y would be negative, H is
 * reduced. If no diagonals cross a strip, its beam gets all of B.
 *
 * For triangles, E = (A1 + A2) k_b kappa^2 per edge. In a regular mesh three edges share the area A1 + A2 of a vertex.
 * The sum of cos^4 over three directions 60 degrees apart is 9/8, so k_b = 4 B / 9. For a woven fabric, averaged over
 * the directions of edges, the Fourier terms B_0, B_2 cos 2t and B_4 cos 4t of B get the factors 4/9, 2/3 and 8/3. k_b
 * is never below 0. */
#include <float.h>
#include <string.h>

#include "cloth/buckling/buckling.h"

static double interpolate(double weight, double a, double b) { return weight * a + (1 - weight) * b; }

/* k_b L of a beam in a quad mesh, N m3 */
static double quad_beam(const weft_fabric *fabric, double weft, double area, double ratio, int diagonal) {
    double along = interpolate(weft, fabric->bend_weft, fabric->bend_warp);
    double across = interpolate(weft, fabric->bend_warp, fabric->bend_weft);
    if (!(ratio > 0))
        return area * along;
    double twist = fmin(sqrt(along * across), fmin(3 * along / ratio, 3 * across * ratio));
    if (diagonal)
        return area * twist * (1 + ratio) * (1 + ratio) / (6 * ratio);
    return area * fmax(along - ratio * twist / 3, 0);
}

/* k_b in (A1 + A2) k_b kappa^2, N m */
static double triangle_rigidity(const weft_fabric *fabric, double weft) {
    double p = sqrt(fabric->bend_weft), q = sqrt(fabric->bend_warp), sum = p + q, difference = p - q;
    double cos2 = 2 * weft - 1, cos4 = 2 * cos2 * cos2 - 1;
    double b4 = difference * difference / 8, b2 = sum * difference / 2, b0 = sum * sum / 4 + b4;
    return fmax(4.0 / 9 * b0 + 2.0 / 3 * b2 * cos2 + 8.0 / 3 * b4 * cos4, 0);
}

double weft_buckling_rigidity(const weft_buckling *b, double area, double weft, double rest) {
    const weft_fabric *fabric = b->fabric;
    double rigidity =
        weft > 1 ? 2.0 / 9 * (fabric->bend_weft + fabric->bend_warp) : triangle_rigidity(fabric, weft * weft);
    int takes = weft_springs_ask_fabric(b->settings.source, b->settings.flexion_triangles);
    return 4 * area / rest * (takes ? rigidity : b->settings.flexion_triangles);
}

/* k_b of a beam, N m2 */
static double rigidity(const weft_buckling *b, int32_t i) {
    const weft_spring_list *list = &b->springs.list;
    int diagonal = i >= b->first_diagonal;
    double area = list->area[i], weft = list->weft[i], rest = b->springs.rest[i];
    if (!(rest > 0))
        return 0;
    if (!diagonal && list->span[i][0] < 0 && list->span[i][1] < 0)
        return weft_buckling_rigidity(b, area, weft, rest);
    if (!weft_springs_ask_fabric(b->settings.source, b->settings.flexion))
        return b->settings.flexion;
    weft = weft > 1 ? 0.5 : weft * weft;
    return quad_beam(b->fabric, weft, area, b->ratio[i - list->first[WEFT_FLEXION]], diagonal) / rest;
}

/* k_s of the edge `span`, or the mean k_s of the edges around the face ~span. */
static double edge_stiffness(const weft_springs *s, int32_t span) {
    if (span >= 0)
        return s->stiffness[span];
    double sum = 0;
    int count = 0;
    int32_t first = s->mesh->face_halfedge[~span], h = first;
    do {
        sum += s->stiffness[s->mesh->edge[h]];
        count++;
        h = s->mesh->next[h];
    } while (h != first);
    return sum / count;
}

static float to_float(double a) { return a < (double)FLT_MAX ? (float)a : FLT_MAX; }

/* Newton's method for q'(s) = g (s - 1), both in units of 2 k_b / L^2, starting at an `s` where the bending force is
 * below the line. The difference is concave, so the iteration reaches the nearest crossing without passing it. `way` is
 * the direction of the search, +1 or -1. Returns -1 if the curves separate again before they cross. */
static double find_crossing(const weft_sinc *sinc, double g, double s, int way) {
    for (int i = 0; i < 200; i++) {
        double gap = weft_sinc_at(sinc->slope, s) - g * (s - 1), change = weft_sinc_at(sinc->bend, s) - g;
        if (!(gap < 0))
            return s;
        if (!(change * way > 0))
            return -1;
        double next = s - gap / change;
        if (!(next >= 0 && next <= 1))
            return -1;
        if ((next - s) * way <= 1e-16)
            return next;
        s = next;
    }
    return s;
}

void weft_buckling_curve(const weft_sinc *sinc, weft_interaction a, double curve[2]) {
    curve[0] = curve[1] = 0;
    if (!(a.critical > 0))
        return;
    double g = -6 * a.stiffness * a.rest / a.critical, to = find_crossing(sinc, g, 1, -1);
    if (to < 0)
        return;
    curve[0] = find_crossing(sinc, g, 0, 1);
    curve[1] = to;
}

static void tune_beam(weft_buckling *b, int32_t i, const weft_cloth *cloth) {
    weft_springs *s = &b->springs;
    int32_t beam = i - s->list.first[WEFT_FLEXION];
    const int32_t *span = s->list.span[i];
    double rest = s->rest[i], load = 12 * rigidity(b, i) / (rest * rest);
    load *= weft_map_mean(cloth->map[WEFT_MAP_BEND], s->list.end[i], 2);
    double resistance = 0.5 * (edge_stiffness(s, span[0]) + edge_stiffness(s, span[1]));
    s->stiffness[i] = -to_float(b->settings.compression * resistance);
    b->critical[beam] = rest > 0 ? to_float(load) : 0;
    weft_buckling_curve(&b->sinc, weft_buckling_at(b, i), b->curve[beam]);
}

/* The largest derivative of the force by length, N/m. */
static double largest_stiffness(const weft_buckling *b, int32_t i) {
    weft_interaction a = weft_buckling_at(b, i);
    if (a.stiffness >= 0)
        return a.stiffness;
    if (!(a.critical > 0))
        return 0;
    const double *curve = b->curve[i - b->springs.list.first[WEFT_FLEXION]];
    double bent = curve[1] > curve[0] ? a.critical / (6 * a.rest) * weft_sinc_at(b->sinc.bend, curve[0]) : 0;
    return fmax(-a.stiffness, bent);
}

static void sum_at_vertices(weft_buckling *b) {
    weft_springs *s = &b->springs;
    size_t bytes = (size_t)s->mesh->vertex_count * sizeof *s->stiffness_sum;
    memset(s->stiffness_sum, 0, bytes);
    memset(s->damping_sum, 0, bytes);
    for (int32_t i = 0; i < s->list.count; i++) {
        double k = largest_stiffness(b, i), damping = weft_buckling_damping(s, weft_buckling_at(b, i));
        for (int e = 0; e < 2; e++) {
            s->stiffness_sum[s->list.end[i][e]] += k;
            s->damping_sum[s->list.end[i][e]] += damping;
        }
    }
}

static void fill_slots(weft_buckling *b) {
    const weft_springs *s = &b->springs;
    weft_springs_refresh(&b->springs);
    weft_buckling_set_laws(b);
    for (int64_t slot = 0; slot < s->layout.slot_count; slot++) {
        int32_t i = s->layout.spring[slot];
        weft_interaction a = i < 0 ? (weft_interaction){0, 0, 0} : weft_buckling_at(b, i);
        b->slot[slot][0] = (float)a.critical;
        b->slot[slot][1] = weft_buckling_damping(s, a);
    }
}

void weft_buckling_tune(weft_buckling *b, const weft_cloth *cloth) {
    const weft_buckling_settings *from = &b->settings;
    weft_springs *s = &b->springs;
    s->settings = (weft_springs_settings){.on = {1, 1, 0},
                                          .stiffness = {from->stretch, from->shear, 0},
                                          .source = from->source,
                                          .damping = from->damping,
                                          .damping_time = from->damping_time,
                                          .damping_kind = from->damping_kind};
    b->fabric = cloth->fabric;
    weft_springs_tune(s, cloth);
    s->settings.on[WEFT_FLEXION] = 1;
    for (int32_t i = s->list.first[WEFT_FLEXION]; i < s->list.count; i++)
        tune_beam(b, i, cloth);
    sum_at_vertices(b);
    fill_slots(b);
}
