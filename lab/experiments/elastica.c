/* Weightless strips bent at their end, compared with Euler's elastica. One is rolled into a circle by the moment 2 pi B
 * / L. The other is pulled sideways by the force P at P L^2 / B = 1. Its exact tip deflection is 0.30172 L and the
 * shortening 0.05643 L (K. E. Bisshopp, D. C. Drucker, "Large deflection of cantilever beams", 1945). The end is moved,
 * and the reaction forces are read. */
#include <math.h>

#include "lab/experiments/experiment.h"
#include "lab/textile/clamps.h"

static const double LENGTH = 0.2, RIGIDITY = 1e-5, STRETCH = 2e4;
enum { GRIDS = 3 };
static const int32_t CELLS[GRIDS] = {16, 32, 64};

static int before(weft_vec3 rest, const void *x) { return rest.x < *(const double *)x; }

/* The first cell is held. The strip bends from the middle of that cell to `free_cells` + 1/2 cells further. */
static weft_result clamp(weft_rig *rig, int32_t cells, double h) {
    const weft_fabric fabric = {.density = 0.2,
                                .thickness = 1e-3,
                                .stretch_weft = STRETCH,
                                .stretch_warp = STRETCH,
                                .shear = 0.5 * STRETCH,
                                .bend_weft = RIGIDITY,
                                .bend_warp = RIGIDITY};
    double held = 1.5 * h;
    weft_mesh *mesh;
    WEFT_TRY(weft_strip_create((const int32_t[2]){cells, 2}, cells * h, 2 * h, &mesh));
    WEFT_TRY(weft_rig_create(rig, mesh, &fabric, "isometric", weft_vec3_make(0, 0, 0)));
    return weft_rig_hold(rig, before, &held);
}

static weft_result move_column(weft_rig *rig, int32_t cells, int32_t column, double x, double y) {
    for (int32_t j = 0; j <= 2; j++) {
        int32_t v = j * (cells + 1) + column;
        WEFT_TRY(weft_sim_drag(rig->sim, 0, v, weft_vec3_make(x, y, rig->mesh->position[v].z)));
    }
    return weft_ok();
}

static weft_vec3 force_on(const weft_rig *rig, int32_t cells, int32_t column) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t j = 0; j <= 2; j++)
        sum = weft_add(sum, rig->reaction[j * (cells + 1) + column]);
    return sum;
}

/* -- the circle -- */

/* Each cell is turned by `turn` relative to the previous one. The last two columns follow the polygon. */
static weft_result turn_end(weft_rig *rig, int32_t cells, double h, double turn, double at[4]) {
    double x = 0, y = 0;
    for (int32_t k = 0; k < cells; k++) {
        at[0] = x, at[1] = y;
        x += h * cos(k * turn);
        y += h * sin(k * turn);
    }
    at[2] = x, at[3] = y;
    WEFT_TRY(move_column(rig, cells, cells - 1, at[0], at[1]));
    return move_column(rig, cells, cells, at[2], at[3]);
}

static weft_result roll_up(weft_record *record, int32_t cells, weft_refined *refined) {
    enum { STAGES = 40 };
    double h = LENGTH / (cells - 1), pi = acos(-1), at[4] = {0};
    char what[80];
    weft_rig rig = {0};
    weft_result result = clamp(&rig, cells, h);
    for (int k = 1; k <= STAGES && result.code == WEFT_OK; k++) {
        result = turn_end(&rig, cells, h, 2 * pi / (cells - 1) * k / STAGES, at);
        if (result.code == WEFT_OK)
            result = weft_rig_settle(&rig, 1, 1e-9, 200);
    }
    if (result.code == WEFT_OK) {
        weft_vec3 inner = force_on(&rig, cells, cells - 1), outer = force_on(&rig, cells, cells);
        double couple = (at[2] - at[0]) * outer.y - (at[3] - at[1]) * outer.x;
        snprintf(what, sizeof what, "moment of a rolled-up strip over 2 pi B / L, %d cells", cells);
        double ratio = couple / (2 * h) / (2 * pi * RIGIDITY / LENGTH);
        weft_refined_add(refined, 1, ratio);
        if (cells == CELLS[0]) /* for reference only: each cell turns by 24 degrees */
            weft_record_value(record, what, ratio);
        else
            weft_record_figure(record, what, 1, ratio, 0.01);
        snprintf(what, sizeof what, "residual force times L / moment, %d cells", cells);
        weft_record_range(record, what, 0, 0.01, weft_length(weft_add(inner, outer)) * LENGTH / fabs(couple));
    }
    weft_rig_destroy(&rig);
    return result;
}

/* -- force at the end -- */

typedef struct pull {
    double along, across; /* N/m of width, reaction at the tip */
} pull;

static weft_result hold_tip(weft_rig *rig, int32_t cells, double h, double x, double y, pull *p) {
    WEFT_TRY(move_column(rig, cells, cells, 0.5 * h + x, y));
    WEFT_TRY(weft_rig_settle(rig, 1, 1e-10, 200));
    weft_vec3 force = force_on(rig, cells, cells);
    *p = (pull){force.x / (2 * h), force.y / (2 * h)};
    return weft_ok();
}

/* Holds the tip at the deflection y and moves it along the strip until the axial force is zero. */
static weft_result find_shortening(weft_rig *rig, int32_t cells, double h, double y, double *shortening,
                                   double *force) {
    double before = 0.055 * LENGTH, now = 0.0555 * LENGTH;
    pull p, old;
    WEFT_TRY(hold_tip(rig, cells, h, LENGTH - before, y, &old));
    for (int k = 0; k < 20; k++) {
        WEFT_TRY(hold_tip(rig, cells, h, LENGTH - now, y, &p));
        if (fabs(p.along) < 1e-6 * fabs(p.across) || p.along == old.along)
            break;
        double next = now - p.along * (now - before) / (p.along - old.along);
        before = now, now = next, old = p;
    }
    *shortening = now / LENGTH;
    *force = p.across * LENGTH * LENGTH / RIGIDITY;
    return weft_ok();
}

/* Secant search for the deflection at which the force is P L^2 / B = 1, starting at 0.3 L. */
static weft_result find_deflection(weft_rig *rig, int32_t cells, double h, double *deflection, double *shortening) {
    double y[2] = {0.29 * LENGTH, 0.3 * LENGTH}, force[2] = {0, 0};
    pull p;
    for (int k = 1; k <= 10; k++) {
        double part = 0.1 * k;
        WEFT_TRY(hold_tip(rig, cells, h, LENGTH * (1 - 0.055 * part * part), part * y[0], &p));
    }
    WEFT_TRY(find_shortening(rig, cells, h, y[0], shortening, &force[0]));
    for (int k = 0; k < 20; k++) {
        WEFT_TRY(find_shortening(rig, cells, h, y[1], shortening, &force[1]));
        if (fabs(force[1] - 1) < 1e-7 || force[1] == force[0])
            break;
        double next = y[1] + (1 - force[1]) * (y[1] - y[0]) / (force[1] - force[0]);
        y[0] = y[1], force[0] = force[1], y[1] = next;
    }
    *deflection = y[1] / LENGTH;
    return fabs(force[1] - 1) < 1e-5 ? weft_ok() : weft_fail(WEFT_UNSUPPORTED, "elastica: no deflection found");
}

static weft_result end_load(weft_record *record, int32_t cells, weft_refined refined[2]) {
    static const double DEFLECTION = 0.30172, SHORTENING = 0.05643;
    double h = LENGTH / (cells - 0.5), shortening = 0, deflection = 0;
    char what[80];
    weft_rig rig = {0};
    weft_result result = clamp(&rig, cells, h);
    if (result.code == WEFT_OK)
        result = find_deflection(&rig, cells, h, &deflection, &shortening);
    weft_rig_destroy(&rig);
    WEFT_TRY(result);
    snprintf(what, sizeof what, "end load P L^2 / B = 1: tip deflection over length, %d cells", cells);
    weft_record_figure(record, what, DEFLECTION, deflection, 0.01);
    weft_refined_add(&refined[0], DEFLECTION, deflection);
    snprintf(what, sizeof what, "end load P L^2 / B = 1: shortening over length, %d cells", cells);
    weft_record_figure(record, what, SHORTENING, shortening, 0.01);
    weft_refined_add(&refined[1], SHORTENING, shortening);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    weft_refined moment = {0}, load[2] = {{{0}, {0}, 0}, {{0}, {0}, 0}};
    for (int g = weft_record_is_quick(record); g < (weft_record_is_quick(record) ? 2 : GRIDS); g++) {
        WEFT_TRY(roll_up(record, CELLS[g], &moment));
        WEFT_TRY(end_load(record, CELLS[g], load));
    }
    weft_record_converges(record, "moment of a rolled-up strip", &moment, 0.01);
    weft_record_converges(record, "tip deflection", &load[0], 0.01);
    weft_record_converges(record, "shortening", &load[1], 0.01);
    return weft_ok();
}

const weft_experiment WEFT_ELASTICA = {"elastica",
                                       "weightless strips rolled up by a moment and pulled sideways by a force",
                                       "Euler 1744; Bisshopp and Drucker, Large deflection of cantilever beams, 1945",
                                       1,
                                       run,
                                       NULL};
