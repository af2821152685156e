#include "lab/textile/bending_length.h"

#include <math.h>

#include "lab/textile/clamps.h"

static const double GRAVITY = 9.81;                    /* m/s2 */
static const double ANGLE = 41.5 * 0.0174532925199433; /* rad */
enum { CELLS = 24, TRIES = 8 };

double weft_bending_length(double rigidity, double density) { return cbrt(rigidity / (density * GRAVITY)); }

static int before(weft_vec3 rest, const void *x) { return rest.x < *(const double *)x; }

static weft_fabric turn(const weft_fabric *f) {
    weft_fabric turned = *f;
    turned.stretch_weft = f->stretch_warp;
    turned.stretch_warp = f->stretch_weft;
    turned.poisson_weft = f->poisson_warp;
    turned.poisson_warp = f->poisson_weft;
    turned.bend_weft = f->bend_warp;
    turned.bend_warp = f->bend_weft;
    return turned;
}

/* The first cell is held. The strip begins to bend in the middle of that cell, so the overhang is CELLS - 1/2 cells. */
static weft_result hang(weft_rig *rig, const weft_fabric *fabric, double overhang, weft_cantilever *found) {
    double h = overhang / (CELLS - 0.5), held = 1.5 * h;
    weft_mesh *mesh;
    WEFT_TRY(weft_strip_create((const int32_t[2]){CELLS, 2}, CELLS * h, 2 * h, &mesh));
    WEFT_TRY(weft_rig_create(rig, mesh, fabric, "isometric", weft_vec3_make(0, -GRAVITY, 0)));
    WEFT_TRY(weft_rig_hold(rig, before, &held));
    WEFT_TRY(weft_rig_settle(rig, 0.03, 1e-6, 4000));
    const weft_vec3 *p = weft_sim_positions(rig->sim, 0);
    found->count = 0;
    for (int32_t i = 0; i <= CELLS; i++) {
        found->x[found->count] = i > 0 ? p[i].x - 0.5 * h : 0; /* row j = 0 along one side */
        found->y[found->count++] = i > 0 ? p[i].y : 0;
    }
    return weft_ok();
}

static weft_result angle_of(const weft_fabric *fabric, double overhang, weft_cantilever *found, double *angle) {
    weft_rig rig = {0};
    weft_result result = hang(&rig, fabric, overhang, found);
    weft_rig_destroy(&rig);
    if (result.code == WEFT_OK)
        *angle = atan2(-found->y[CELLS], found->x[CELLS]);
    return result;
}

/* The angle follows from the weight number w L^3 / B alone, nearly in proportion to its logarithm here: a secant search
 * in log L from the length of Peirce's relation ends after two or three strips. */
weft_result weft_cantilever_test(const weft_fabric *fabric, int turned, weft_cantilever *found) {
    weft_fabric f = turned ? turn(fabric) : *fabric;
    double length = 2 * weft_bending_length(f.bend_weft, f.density), before_length = 0, angle = 0, before_angle = 0;
    if (!(f.bend_weft > 0))
        return weft_fail(WEFT_BAD_INPUT, "the cantilever test needs a bending rigidity above 0");
    for (int k = 0; k < TRIES; k++) {
        WEFT_TRY(angle_of(&f, length, found, &angle));
        if (fabs(angle - ANGLE) < 1e-4)
            break;
        double slope = k > 0 ? (angle - before_angle) / log(length / before_length) : 0.9; /* rad */
        before_angle = angle;
        before_length = length;
        length *= exp(fmax(-0.5, fmin(0.5, (ANGLE - angle) / slope)));
    }
    found->overhang = length;
    found->bending_length = 0.5 * length;
    found->rigidity = f.density * GRAVITY * pow(found->bending_length, 3);
    return weft_ok();
}
