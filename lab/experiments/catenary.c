/* Strips without bending stiffness between two supports. Hanging: the catenary y = a cosh(x / a). At length over
 * span 1.1 and 1.5 the sag over span is 0.20030 and 0.50263. Stretched: a string whose n-th mode has the frequency n /
 * (2 L) sqrt(T / rho). */
#include <math.h>
#include <stdlib.h>

#include "lab/experiments/experiment.h"
#include "lab/textile/clamps.h"

static const double GRAVITY = 9.81, LENGTH = 1, DENSITY = 0.2;
enum { GRIDS = 3 };
static const int32_t CELLS[GRIDS] = {10, 20, 40};

static int at_ends(weft_vec3 rest, const void *data) {
    (void)data;
    return rest.x < 1e-9 || rest.x > LENGTH - 1e-9;
}

static weft_result stretch_out(weft_rig *rig, int32_t cells, double stiffness, weft_vec3 gravity) {
    const weft_fabric fabric = {.density = DENSITY,
                                .thickness = 1e-3,
                                .stretch_weft = stiffness,
                                .stretch_warp = stiffness,
                                .shear = 0.5 * stiffness};
    weft_mesh *mesh;
    WEFT_TRY(weft_strip_create((const int32_t[2]){cells, 1}, LENGTH, LENGTH / cells, &mesh));
    return weft_rig_create(rig, mesh, &fabric, "none", gravity);
}

/* -- hanging -- */

static weft_result bring_together(weft_rig *rig, int32_t cells, double span) {
    enum { STAGES = 10 };
    for (int k = 1; k <= STAGES; k++) {
        for (int32_t j = 0; j <= 1; j++) {
            int32_t left = j * (cells + 1), right = left + cells;
            double part = (double)k / STAGES, x = LENGTH + part * (span - LENGTH);
            WEFT_TRY(weft_sim_drag(rig->sim, 0, left, rig->mesh->position[left]));
            WEFT_TRY(weft_sim_drag(rig->sim, 0, right, weft_vec3_make(x, 0, rig->mesh->position[right].z)));
        }
        WEFT_TRY(weft_rig_settle(rig, 0.1, k < STAGES ? 1e-2 : 1e-7, 4000));
    }
    return weft_ok();
}

/* At 1e5 N/m the weight of 2 N/m lengthens the strip by a hundred-thousandth. */
static weft_result sag_of(int32_t cells, double span, double *sag) {
    weft_rig rig = {0};
    weft_result result = stretch_out(&rig, cells, 1e5, weft_vec3_make(0, -GRAVITY, 0));
    if (result.code == WEFT_OK)
        result = bring_together(&rig, cells, span);
    if (result.code == WEFT_OK)
        *sag = -weft_sim_positions(rig.sim, 0)[cells / 2].y / span;
    weft_rig_destroy(&rig);
    return result;
}

static weft_result hang(weft_record *record) {
    static const double RATIO[2] = {1.1, 1.5}, SAG[2] = {0.20030, 0.50263};
    for (int k = 0; k < 2; k++) {
        weft_refined refined = {0};
        char what[64];
        for (int g = weft_record_is_quick(record); g < (weft_record_is_quick(record) ? 2 : GRIDS); g++) {
            double sag = 0;
            WEFT_TRY(sag_of(CELLS[g], LENGTH / RATIO[k], &sag));
            weft_refined_add(&refined, SAG[k], sag);
            snprintf(what, sizeof what, "sag over span at length over span %g, %d cells", RATIO[k], CELLS[g]);
            if (g == 0) /* for reference only */
                weft_record_value(record, what, sag);
            else
                weft_record_figure(record, what, SAG[k], sag, 0.01);
        }
        snprintf(what, sizeof what, "sag over span at length over span %g", RATIO[k]);
        weft_record_converges(record, what, &refined, 0.01);
    }
    return weft_ok();
}

/* -- vibrating -- */

/* Stretches the strip by a hundredth at `tension` (N/m), displaces it by a small mode of order n, and releases it. The
 * frequency follows from the zero crossings at the middle of the first half wave. */
static weft_result pluck(weft_rig *rig, int32_t cells, double longer, int n) {
    double pi = acos(-1);
    for (int32_t j = 0; j <= 1; j++)
        for (int32_t i = 0; i <= cells; i++) {
            int32_t v = j * (cells + 1) + i;
            double s = (double)i / cells;
            weft_vec3 x = {(1 + longer) * s * LENGTH, 1e-4 * sin(n * pi * s), rig->mesh->position[v].z};
            WEFT_TRY(weft_sim_place(rig->sim, 0, v, x, weft_vec3_make(0, 0, 0)));
        }
    WEFT_TRY(weft_sim_set_integrator(rig->sim, "bdf2"));
    return weft_rig_hold(rig, at_ends, NULL);
}

static weft_result ring(weft_rig *rig, int32_t watched, double dt, double *frequency) {
    enum { CROSSINGS = 9 };
    double first = 0, last = 0, before = weft_sim_positions(rig->sim, 0)[watched].y;
    for (int found = 0, step = 1; found < CROSSINGS; step++) {
        weft_report report;
        WEFT_TRY(weft_sim_step(rig->sim, dt, &report));
        double now = weft_sim_positions(rig->sim, 0)[watched].y;
        if (step > 100000)
            return weft_fail(WEFT_UNSUPPORTED, "the string does not swing");
        if ((before > 0) != (now > 0)) {
            last = (step - now / (now - before)) * dt;
            first = found++ == 0 ? last : first;
        }
        before = now;
    }
    *frequency = (CROSSINGS - 1) / (2 * (last - first));
    return weft_ok();
}

static weft_result mode(weft_record *record, int32_t cells, int n, weft_refined *refined) {
    const double stiffness = 1000, longer = 0.01, length = LENGTH * (1 + longer);
    /* tension per width at rest; density of the stretched strip per current length */
    double tension = stiffness * longer, density = DENSITY / (1 + longer), frequency = 0;
    double theory = n / (2 * length) * sqrt(tension / density);
    weft_rig rig = {0};
    weft_result result = stretch_out(&rig, cells, stiffness, weft_vec3_make(0, 0, 0));
    if (result.code == WEFT_OK)
        result = pluck(&rig, cells, longer, n);
    if (result.code == WEFT_OK)
        result = ring(&rig, cells / (2 * n), 1 / (200 * theory), &frequency);
    weft_rig_destroy(&rig);
    WEFT_TRY(result);
    char what[64];
    snprintf(what, sizeof what, "string, mode %d (Hz), %d cells", n, cells);
    weft_record_figure(record, what, theory, frequency, 0.01);
    weft_refined_add(refined, theory, frequency);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    static const int32_t STRING_CELLS[GRIDS] = {24, 48, 96};
    int quick = weft_record_is_quick(record);
    WEFT_TRY(hang(record));
    for (int n = 1; n <= (quick ? 1 : 3); n++) {
        weft_refined refined = {0};
        char what[64];
        for (int g = quick; g < (quick ? 2 : GRIDS); g++)
            WEFT_TRY(mode(record, STRING_CELLS[g], n, &refined));
        snprintf(what, sizeof what, "string, mode %d", n);
        weft_record_converges(record, what, &refined, 0.01);
    }
    return weft_ok();
}

const weft_experiment WEFT_CATENARY = {"catenary",
                                       "strips that hang between two supports, and strips that vibrate like strings",
                                       "Huygens, Leibniz and Johann Bernoulli 1691; Mersenne 1636",
                                       1,
                                       run,
                                       NULL};
