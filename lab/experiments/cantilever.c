/* Strips that bend under their weight. The heavy elastica is theta'' = G (1 - s) cos theta with theta(0) = theta'(1) =
 * 0 and the weight number G = w L^3 / B (w: weight per area, B: bending rigidity). References: F. T. Peirce, "The
 * handle of cloth as a measurable quantity", 1930; the bending length of ASTM D1388; A. G. Greenhill's upright column,
 * 1881, which buckles at w L^3 / B = 7.837. */
#include <math.h>

#include "lab/experiments/experiment.h"
#include "lab/textile/clamps.h"

static const double GRAVITY = 9.81, LENGTH = 0.2, DENSITY = 0.2, STRETCH = 2e4;
enum { GRIDS = 3, LOADS = 5 };
static const int32_t CELLS[GRIDS] = {8, 16, 32};

/* A fabric of weight number G without Poisson effect. It is stiff in tension: G = 200 lengthens it by 2e-5. */
static weft_fabric fabric_of(double weight_number) {
    double rigidity = DENSITY * GRAVITY * LENGTH * LENGTH * LENGTH / weight_number;
    return (weft_fabric){.density = DENSITY,
                         .thickness = 1e-3,
                         .stretch_weft = STRETCH,
                         .stretch_warp = STRETCH,
                         .shear = 0.5 * STRETCH,
                         .bend_weft = rigidity,
                         .bend_warp = rigidity};
}

static int before(weft_vec3 rest, const void *x) { return rest.x < *(const double *)x; }

/* The first cell is held. The strip begins to bend in the middle of that cell, so the length is cells - 1/2. */
static weft_result clamp(weft_rig *rig, int32_t cells, double weight_number, weft_vec3 gravity) {
    weft_mesh *mesh;
    weft_fabric fabric = fabric_of(weight_number);
    double h = LENGTH / (cells - 0.5), held = 1.5 * h;
    WEFT_TRY(weft_strip_create((const int32_t[2]){cells, 2}, cells * h, 2 * h, &mesh));
    WEFT_TRY(weft_rig_create(rig, mesh, &fabric, "isometric", gravity));
    return weft_rig_hold(rig, before, &held);
}

/* The rest position of the tip relative to the clamp, divided by the length. At rest means slower than `speed`. */
static weft_result tip_of(int32_t cells, double weight_number, weft_vec3 gravity, double speed, weft_vec3 *tip) {
    weft_rig rig = {0};
    weft_result result = clamp(&rig, cells, weight_number, gravity);
    if (result.code == WEFT_OK)
        result = weft_rig_settle(&rig, 0.03, speed, 4000);
    if (result.code == WEFT_OK)
        *tip = weft_scale(1 / LENGTH, weft_sim_positions(rig.sim, 0)[cells]);
    tip->x -= 0.5 / (cells - 0.5);
    weft_rig_destroy(&rig);
    return result;
}

static weft_result drops(weft_record *record) {
    static const double WEIGHT[LOADS] = {1, 5, 10, 50, 200};
    static const double DROP[LOADS] = {0.12347, 0.49591, 0.70020, 0.90792, 0.95677};
    const weft_vec3 down = {0, -GRAVITY, 0};
    double cells[GRIDS], off[LOADS][GRIDS];
    weft_series series[LOADS];
    char name[LOADS][32];
    int first = weft_record_is_quick(record) ? 1 : 0, grids = weft_record_is_quick(record) ? 1 : GRIDS;
    for (int k = 0; k < LOADS; k++) {
        weft_refined refined = {0};
        char what[64];
        for (int g = first; g < first + grids; g++) {
            weft_vec3 tip = {0, 0, 0};
            WEFT_TRY(tip_of(CELLS[g], WEIGHT[k], down, 1e-6, &tip));
            snprintf(what, sizeof what, "drop over length at G = %g, %d cells", WEIGHT[k], CELLS[g]);
            cells[g] = log2(CELLS[g]);
            off[k][g] = 100 * (-tip.y / DROP[k] - 1);
            weft_refined_add(&refined, DROP[k], -tip.y);
            if (g == 0) /* for reference only */
                weft_record_value(record, what, -tip.y);
            else
                weft_record_figure(record, what, DROP[k], -tip.y, 0.01);
        }
        snprintf(what, sizeof what, "drop over length at G = %g", WEIGHT[k]);
        weft_record_converges(record, what, &refined, 0.01);
        snprintf(name[k], sizeof name[k], "G = %g", WEIGHT[k]);
        series[k] = (weft_series){name[k], cells, off[k], GRIDS, k, 0};
    }
    if (weft_record_is_quick(record))
        return weft_ok();
    weft_plot plot = {"Cantilever compared with the heavy elastica",
                      "log2 of cells along",
                      "error of the drop (%)",
                      series,
                      LOADS,
                      0};
    return weft_record_plot(record, "cantilever.svg", &plot);
}

/* ASTM D1388 extends the strip until its chord is 41.5 degrees below the clamp. Half the length is the bending length
 * c, with c^3 = B / w, which means G = (L / c)^3 = 8. (Peirce: c = L (cos(a / 2) / (8 tan a))^(1/3), 0.51 L at that
 * angle a.) The exact value is G = 8.004. */
static weft_result bending_test(weft_record *record, int32_t cells, weft_refined *refined) {
    weft_vec3 tip = {0, 0, 0};
    char what[80];
    WEFT_TRY(tip_of(cells, 8.004, weft_vec3_make(0, -GRAVITY, 0), 1e-6, &tip));
    snprintf(what, sizeof what, "ASTM D1388: angle of the chord at G = 8.004 (degrees), %d cells", cells);
    double angle = atan2(-tip.y, tip.x) * 180 / acos(-1);
    weft_refined_add(refined, 41.5, angle);
    if (cells == CELLS[0])
        weft_record_value(record, what, angle);
    else
        weft_record_figure(record, what, 41.5, angle, 0.01);
    return weft_ok();
}

/* A strip stands on its clamp and is pushed sideways by a hundred-thousandth of its weight. Near the critical weight
 * number the sway grows as 1 / (1 - G / G_c) (Southwell). The inverse sway at two weights therefore gives G_c. */
static weft_result upright(weft_record *record, int32_t cells, weft_refined *refined) {
    static const double CRITICAL = 7.837;
    const double weight[2] = {0.9 * CRITICAL, 0.95 * CRITICAL};
    const weft_vec3 gravity = {-GRAVITY, -1e-5 * GRAVITY, 0};
    double inverse[2] = {0, 0};
    char what[80];
    for (int k = 0; k < 2; k++) {
        weft_vec3 tip = {0, 0, 0};
        WEFT_TRY(tip_of(cells, weight[k], gravity, 1e-9, &tip)); /* the sway is 2e-5 m, and slow */
        inverse[k] = -weight[k] / tip.y;                         /* the push is proportional to the weight */
    }
    snprintf(what, sizeof what, "upright strip: buckles at w L^3 / B, %d cells", cells);
    double found = weight[1] + inverse[1] * (weight[1] - weight[0]) / (inverse[0] - inverse[1]);
    weft_refined_add(refined, CRITICAL, found);
    if (cells == CELLS[0])
        weft_record_value(record, what, found);
    else
        weft_record_figure(record, what, CRITICAL, found, 0.01);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    weft_refined angle = {0}, critical = {0};
    WEFT_TRY(drops(record));
    for (int g = weft_record_is_quick(record); g < (weft_record_is_quick(record) ? 2 : GRIDS); g++) {
        WEFT_TRY(bending_test(record, CELLS[g], &angle));
        WEFT_TRY(upright(record, CELLS[g], &critical));
    }
    weft_record_converges(record, "ASTM D1388: angle of the chord", &angle, 0.01);
    weft_record_converges(record, "upright strip, critical weight", &critical, 0.01);
    return weft_ok();
}

const weft_experiment WEFT_CANTILEVER = {
    "cantilever",
    "strips that bend under their own weight, horizontal and upright, compared with the heavy elastica",
    "Peirce, The handle of cloth as a measurable quantity, 1930; ASTM D1388; Greenhill 1881",
    1,
    run,
    NULL};
