/* The framework's examples, Assuncao 2020, chapters 3 and 4: a sheet of 25 x 25 vertices held at its upper left corner.
 * The text gives no sizes, masses or stiffnesses; here springs of 0.1 m, 0.25 kg/m2, steps of 1/50 s, the engine's
 * fixed update, cut into ten, high spring constants of 60 N/m and low ones of 6 N/m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/experiment.h"
#include "experiments/spring_sheet.h"

static const weft_sheet_case SHEET = {.side_vertices = 25,
                                      .side = 2.4,
                                      .hangs = 1,
                                      .one_corner = 1,
                                      .density = 0.25,
                                      .stiffness = 60,
                                      .integrator = "symplectic-euler",
                                      .step = 0.002,
                                      .seconds = 6,
                                      .setting = {{"forces.air-damping.coefficient", "0.001"},
                                                  {"cloth.model.damping", "0.002"},
                                                  {"cloth.model.damping_kind", "isotropic"}}};
enum { NEXT = 3 };

static weft_result run_case(const weft_sheet_case *which, weft_sheet_outcome *o) {
    weft_result result = weft_sheet_run(which, o);
    free(o->x);
    o->x = NULL;
    return result;
}

static void set(weft_sheet_case *which, int slot, const char *path, const char *value) {
    which->setting[NEXT + slot][0] = path;
    which->setting[NEXT + slot][1] = value;
}

/* The wind of section 3.4, a force on each particle of amplitude A (1 - cos^2). */
static weft_sheet_case in_wind(void) {
    weft_sheet_case c = SHEET;
    c.wind = "wind-oscillating";
    set(&c, 0, "forces.wind-oscillating.as", "force");
    set(&c, 1, "forces.wind-oscillating.strength", "0.01");
    return c;
}

static const char *end(const weft_sheet_outcome *o, char text[64]) {
    if (isfinite(o->diverged))
        snprintf(text, 64, "runs away at %.2f s", o->diverged);
    else
        snprintf(text, 64, "holds, %.2g m/s", o->speed);
    return text;
}

static weft_result euler(weft_record *record) {
    static const double STIFFNESS[2] = {60, 6};
    static const char *const NAME[2] = {"high", "low"};
    for (int k = 0; k < 2; k++) {
        weft_sheet_outcome forward, symplectic;
        weft_sheet_case c = in_wind();
        char what[80], text[64];
        c.stiffness = STIFFNESS[k];
        WEFT_TRY(run_case(&c, &symplectic));
        c.integrator = "forward-euler";
        WEFT_TRY(run_case(&c, &forward));
        snprintf(what, sizeof what, "forward Euler, %s spring constants", NAME[k]);
        weft_record_claim(record, what, "unstable (4.2, 4.3)", end(&forward, text), isfinite(forward.diverged));
        snprintf(what, sizeof what, "symplectic Euler, the same scene, %s", NAME[k]);
        weft_record_claim(record, what, "stable (4.4, 4.5)", end(&symplectic, text), isinf(symplectic.diverged));
    }
    return weft_ok();
}

static weft_result constraints(weft_record *record) {
    weft_sheet_outcome o[2];
    char text[64];
    for (int k = 0; k < 2; k++) {
        weft_sheet_case c = in_wind();
        c.integrator = "verlet-constraints";
        c.seconds = 10;
        set(&c, 2, "integrator.iterations", k ? "100" : "5");
        set(&c, 3, "integrator.damping_ratio", "0.01");
        WEFT_TRY(run_case(&c, &o[k]));
    }
    snprintf(text, sizeof text, "%.3g, %.3g", o[0].stretch_max, o[1].stretch_max);
    weft_record_claim(record, "Verlet with constraints: most elongation at 5 and 100 iterations", "stiffer (4.8, 4.9)",
                      text, isinf(o[0].diverged) && isinf(o[1].diverged) && o[1].stretch_max < 0.5 * o[0].stretch_max);
    return weft_ok();
}

/* A pull at the lower side; torn where links pass the ratio. */
static weft_result tearing(weft_record *record) {
    static const char *const RATIO[4] = {"3", "2", "1.96", "1.33"};
    int64_t broken[4];
    char text[64];
    for (int k = 0; k < 4; k++) {
        weft_sheet_outcome o;
        weft_sheet_case c = SHEET;
        c.pinch = 5;
        c.seconds = 3;
        c.one_corner = 0;
        set(&c, 0, "cloth.model.tear", RATIO[k]);
        WEFT_TRY(run_case(&c, &o));
        broken[k] = o.links_broken;
    }
    snprintf(text, sizeof text, "%lld, %lld, %lld, %lld", (long long)broken[0], (long long)broken[1],
             (long long)broken[2], (long long)broken[3]);
    weft_record_claim(record, "links torn by a pull at ratios 3, 2, 1.96, 1.33", "tears (4.10, 4.11)", text,
                      broken[0] > 0 && broken[1] >= broken[0] && broken[2] >= broken[1] && broken[3] > broken[2]);
    return weft_ok();
}

static weft_result gravity(weft_record *record) {
    weft_sheet_outcome o[2];
    char text[64];
    for (int k = 0; k < 2; k++) {
        weft_sheet_case c = SHEET;
        set(&c, 0, "forces.gravity.acceleration", k ? "[0, -34.3, 0]" : "[0, -10, 0]");
        c.seconds = 10;
        WEFT_TRY(run_case(&c, &o[k]));
    }
    snprintf(text, sizeof text, "%.3f, %.3f", o[0].lowest, o[1].lowest);
    weft_record_claim(record, "lowest point (m) at gravity 10 and 34.3 m/s2", "longer", text,
                      isinf(o[1].diverged) && o[1].lowest > 1.1 * o[0].lowest);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    WEFT_TRY(euler(record));
    WEFT_TRY(constraints(record));
    WEFT_TRY(tearing(record));
    return gravity(record);
}

const weft_experiment WEFT_FRAMEWORK = {
    "framework", "both Eulers, Verlet with constraints, tearing, gravity and wind on a sheet of 25 x 25",
    "Assunção, Cloth simulation framework, 2020, chapters 3 and 4", 1, run};
