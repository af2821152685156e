/* A strip clamped at one end and standing on edge buckles sideways under its weight at a critical weight number
 * w L^3 / B.
 *
 * Narrow strip (Michell 1899, Prandtl 1899; Timoshenko & Gere, "Theory of elastic stability", 6.3): with the bending
 * rigidity b and the twisting rigidity c of the strip (N m2) and its weight q per length, q L^3 / sqrt(b c) = 12.85. A
 * plate of rigidity D and Poisson ratio nu has b = D (1 - nu^2) W, c = 2 D (1 - nu) W, so that
 *     w L^3 / D = 12.85 sqrt(2 (1 - nu) (1 - nu^2)),
 * 18.17 at nu = 0 and 13.72 at nu = 0.35. V. Romero, M. Ly, A. Rasheed, R. Charrondiere, A. Lazarus, S. Neukirch, F.
 * Bertails-Descoubes, "Physical validation of simulators in computer graphics", SIGGRAPH 2021, measured it.
 *
 * `isometric` on a grid has the energy 1/2 [B_u k_uu^2 + B_v k_vv^2 + (B_u + B_v) k_uv^2]: b = B_u W, c = (B_u + B_v)
 * W. With B_u = D (1 - nu^2) and B_v = D (1 - nu)^2 both equal those of the plate of Poisson ratio nu.
 *
 * Sums over edges, on the alternating triangles of a grid: edges across the strip give k_uu^2. Diagonals see only
 * twist, |e|^2 theta^2 / (A0 + A1) = 4 k_uv^2 per area where the plate has 2, so c is twice too large. b decreases to
 * 5/6 (bending.c). The limit is 12.85 sqrt(5/6 . 4) = 23.5.
 *
 * A purely Laplacian form |x_uu + x_vv|^2 would have c = 0. It would buckle at any weight, like a strip without bending
 * stiffness. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/experiments/experiment.h"
#include "lab/textile/clamps.h"

static const double GRAVITY = 9.81, LENGTH = 0.3, DENSITY = 0.2, STRETCH = 2e5, PUSH = 1e-5;
static const double NARROW = 12.85;

typedef struct strip {
    const char *bending; /* bending of `corotational`; "buckling" selects that model */
    int32_t cells[2];
    double width;         /* relative to the length */
    double along, across; /* B_u and B_v over D */
} strip;

static int before(weft_vec3 rest, const void *x) { return rest.x < *(const double *)x; }

/* The length is measured from the middle of the first cell, which is held; see cantilever.c. The strip lies flat in x
 * and z. Gravity acts along z, its width. */
static weft_result sway(const strip *s, double weight_number, double *aside) {
    double rigidity = DENSITY * GRAVITY * LENGTH * LENGTH * LENGTH / weight_number;
    double h = LENGTH / (s->cells[0] - 0.5), held = 1.5 * h;
    weft_fabric fabric = {.density = DENSITY,
                          .thickness = 1e-3,
                          .stretch_weft = STRETCH,
                          .stretch_warp = STRETCH,
                          .shear = 0.5 * STRETCH,
                          .bend_weft = s->along * rigidity,
                          .bend_warp = s->across * rigidity};
    weft_mesh *mesh;
    weft_rig rig = {0};
    WEFT_TRY(weft_strip_create(s->cells, s->cells[0] * h, s->width * LENGTH, &mesh));
    const weft_vec3 gravity = {0, PUSH * GRAVITY, -GRAVITY};
    weft_result result = strcmp(s->bending, "buckling") == 0
                             ? weft_rig_create_buckling(&rig, mesh, &fabric, gravity)
                             : weft_rig_create(&rig, mesh, &fabric, s->bending, gravity);
    if (result.code == WEFT_OK)
        result = weft_rig_hold(&rig, before, &held);
    if (result.code == WEFT_OK)
        result = weft_rig_settle(&rig, 1, 1e-8, 2000);
    if (result.code == WEFT_OK)
        *aside = weft_sim_positions(rig.sim, 0)[(s->cells[1] / 2) * (s->cells[0] + 1) + s->cells[0]].y / LENGTH;
    weft_rig_destroy(&rig);
    return result;
}

/* The push is proportional to the weight, and the deflection grows as 1 / (1 - (G / G_c)^2). G / y is therefore linear
 * in G^2 and vanishes at G_c^2. */
static weft_result critical(const strip *s, double guess, double *found) {
    for (int round = 0; round < 4; round++) {
        double weight[2] = {0.92 * guess, 0.98 * guess}, inverse[2];
        for (int k = 0; k < 2; k++) {
            double aside = 0;
            WEFT_TRY(sway(s, weight[k], &aside));
            inverse[k] = weight[k] / aside;
        }
        double a = weight[0] * weight[0], b = weight[1] * weight[1];
        *found = sqrt(b + inverse[1] * (b - a) / (inverse[0] - inverse[1]));
        if (fabs(*found - guess) < 0.01 * guess)
            break;
        guess = *found;
    }
    return weft_ok();
}

static double narrow_limit(double nu) { return NARROW * sqrt(2 * (1 - nu) * (1 - nu * nu)); }

/* Three widths with two cells across. The narrow limit is approached from above, because the clamp also hinders
 * twisting over about one width. */
static weft_result plates(weft_record *record) {
    static const double POISSON[2] = {0.35, 0};
    enum { WIDTHS = 3 };
    int quick = weft_record_is_quick(record);
    for (int k = 0; k < (quick ? 1 : 2); k++) {
        weft_refined refined = {0};
        char what[112];
        double nu = POISSON[k];
        for (int g = quick ? WIDTHS - 1 : 0; g < WIDTHS; g++) {
            int32_t cells = 24 << g;
            double found = 0;
            strip s = {"isometric", {cells, 2}, 2.0 / cells, 1 - nu * nu, (1 - nu) * (1 - nu)};
            WEFT_TRY(critical(&s, 1.03 * narrow_limit(nu), &found));
            weft_refined_add(&refined, narrow_limit(nu), found);
            snprintf(what, sizeof what, "isometric, Poisson ratio %g, width 1/%d: buckles at w L^3 / D", nu, cells / 2);
            if (g < WIDTHS - 1)
                weft_record_value(record, what, found);
            else
                weft_record_figure(record, what, narrow_limit(nu), found, 0.05);
        }
        snprintf(what, sizeof what, "isometric, Poisson ratio %g: to the narrow limit", nu);
        weft_record_converges(record, what, &refined, 0.05);
    }
    return weft_ok();
}

/* Bending on triangle edges must agree with the sum over edges, not with the plate. */
static weft_result edges(weft_record *record) {
    static const char *const BENDING[2] = {"edges", "hinge"};
    for (int k = 0; k < 2; k++) {
        strip s = {BENDING[k], {48, 2}, 1.0 / 24, 1, 1};
        double expected = NARROW * sqrt(5.0 / 6 * 4), found = 0;
        char what[64], published[64], ours[64];
        WEFT_TRY(critical(&s, 1.03 * expected, &found));
        snprintf(what, sizeof what, "%s: buckles at w L^3 / B", BENDING[k]);
        snprintf(published, sizeof published, "%.2f (plate without Poisson effect)", narrow_limit(0));
        snprintf(ours, sizeof ours, "%.2f", found);
        weft_record_differs(record, what, published, ours,
                            "Diagonals of alternating triangles resist twist twice as much as the plate, and edges "
                            "bend with 5/6 of B: 12.85 sqrt(5/6 x 4) = 23.46.",
                            fabs(found / expected - 1) < 0.05);
    }
    return weft_ok();
}

/* Without resistance at small curvature the strip buckles at any weight; here at a tenth of the plate's. */
static weft_result limp(weft_record *record) {
    static const char *const BENDING[] = {"springs", "buckling", "none"};
    static const char *const WHY[] = {
        "Flexion springs lie in the sheet. They resist bending only at third order, so there is no initial resistance.",
        ("Beams of this model act as springs until they buckle. Bending shortens them only at second order, so there "
         "is no initial resistance either."),
        "There is no bending stiffness. A purely Laplacian form likewise has no twisting stiffness."};
    for (size_t k = 0; k < sizeof BENDING / sizeof BENDING[0]; k++) {
        strip s = {BENDING[k], {48, 2}, 1.0 / 24, 1, 1};
        double aside = 1;
        char what[64];
        weft_result result = sway(&s, 0.1 * narrow_limit(0), &aside);
        int falls = result.code != WEFT_OK || fabs(aside) > 1e3 * PUSH; /* never at rest: it also buckles */
        snprintf(what, sizeof what, "%s: at a tenth of that weight", BENDING[k]);
        weft_record_differs(record, what, "stands", falls ? "buckles" : "stands", WHY[k], falls);
    }
    return weft_ok();
}

static weft_result run(weft_record *record) {
    weft_record_note(
        record,
        "A narrow strip of a plate buckles sideways at w L^3 / D = 12.85 sqrt(2 (1 - nu) (1 - nu^2)): both bending and "
        "twisting matter. A purely Laplacian form of bending, |x_uu + x_vv|^2, does not resist twist (x_uv) and would "
        "buckle at any weight. Our isometric form treats the lines of a grid separately and adds twist, B_u k_uu^2 + "
        "B_v k_vv^2 + (B_u + B_v) k_uv^2. The strips have two cells across and 24, 48 and 96 along. The limit is "
        "approached from above, because the clamp hinders twisting over about one width.");
    WEFT_TRY(plates(record));
    WEFT_TRY(limp(record));
    return weft_record_is_quick(record) ? weft_ok() : edges(record);
}

const weft_experiment WEFT_LATERAL = {
    "lateral",
    "lateral buckling of a strip on edge under its weight, for each bending model",
    "Michell 1899; Prandtl 1899; Romero et al., Physical validation of simulators in computer graphics, SIGGRAPH 2021",
    1,
    run,
    NULL};
