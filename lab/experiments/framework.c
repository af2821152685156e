/* The examples of Assunção (2020), chapters 3 to 5: a sheet of 25 x 25 vertices held at its upper left corner. The text
 * gives no sizes, masses or stiffnesses. Here springs are 0.1 m long, the density is 0.25 kg/m2, and steps of 1/50 s,
 * the fixed update of the game engine, are divided by ten. High spring constants are 60 N/m, low ones 6 N/m.
 * Figures 5.5 and 5.6 use 15 N/m, so that the effect of the weight is visible. */
#include <math.h>
#include <stdio.h>

#include "lab/experiments/experiment.h"
#include "lab/experiments/spring_sheet.h"

static const weft_sheet_case SHEET = {.side_vertices = 25,
                                      .side = 2.4,
                                      .hangs = 1,
                                      .hold = WEFT_HOLD_LEFT,
                                      .density = 0.25,
                                      .stiffness = 60,
                                      .integrator = "symplectic-euler",
                                      .step = 0.002,
                                      .seconds = 6,
                                      .setting = {{"forces.air-damping.coefficient", "0.001"},
                                                  {"cloth.model.damping", "0.002"},
                                                  {"cloth.model.damping_kind", "isotropic"}}};
enum { NEXT = 3 };

static void set(weft_sheet_case *which, int slot, const char *path, const char *value) {
    which->setting[NEXT + slot][0] = path;
    which->setting[NEXT + slot][1] = value;
}

/* The wind of section 3.4: a force on each particle with the amplitude A (1 - cos^2). */
static weft_sheet_case in_wind(void) {
    weft_sheet_case c = SHEET;
    c.wind = "wind-oscillating";
    set(&c, 0, "forces.wind-oscillating.as", "force");
    set(&c, 1, "forces.wind-oscillating.strength", "0.01");
    return c;
}

static const char *end(const weft_sheet_outcome *o, char text[64]) {
    if (isfinite(o->diverged))
        snprintf(text, 64, "diverges at %.2f s", o->diverged);
    else
        snprintf(text, 64, "holds, %.2g m/s", o->speed);
    return text;
}

static weft_result euler(weft_record *record, weft_shots *shots) {
    static const double STIFFNESS[2] = {60, 6};
    static const char *const NAME[2] = {"high", "low"};
    for (int k = 0; k < 2; k++) {
        weft_sheet_outcome forward, symplectic;
        weft_sheet_case c = in_wind();
        char what[80], text[64];
        c.stiffness = STIFFNESS[k];
        c.shots = shots;
        c.label = k ? "symplectic, low" : "symplectic, high";
        WEFT_TRY(weft_sheet_run(&c, &symplectic));
        c.integrator = "forward-euler";
        c.shots = NULL;
        WEFT_TRY(weft_sheet_run(&c, &forward));
        snprintf(what, sizeof what, "forward Euler, %s spring constants", NAME[k]);
        weft_record_claim(record, what, "unstable (4.2, 4.3)", end(&forward, text), isfinite(forward.diverged));
        snprintf(what, sizeof what, "symplectic Euler, the same scene, %s", NAME[k]);
        weft_record_claim(record, what, "stable (4.4, 4.5)", end(&symplectic, text), isinf(symplectic.diverged));
    }
    return weft_ok();
}

static weft_result constraints(weft_record *record, weft_shots *shots) {
    weft_sheet_outcome o[2];
    char text[64];
    for (int k = 0; k < 2; k++) {
        weft_sheet_case c = in_wind();
        c.integrator = "verlet-constraints";
        c.seconds = 10;
        c.shots = shots;
        c.label = k ? "Verlet, 100 iterations" : "Verlet, 5 iterations";
        set(&c, 2, "integrator.iterations", k ? "100" : "5");
        set(&c, 3, "integrator.damping_ratio", "0.01");
        WEFT_TRY(weft_sheet_run(&c, &o[k]));
    }
    snprintf(text, sizeof text, "%.3g, %.3g", o[0].stretch_max, o[1].stretch_max);
    weft_record_claim(record, "Verlet with constraints: largest elongation at 5 and 100 iterations",
                      "stiffer (4.8, 4.9)", text,
                      isinf(o[0].diverged) && isinf(o[1].diverged) && o[1].stretch_max < 0.5 * o[0].stretch_max);
    return weft_ok();
}

/* Figures 4.10 and 4.11: a hand pulls at the lower side until links exceed the tear ratio. */
static weft_result tear_by_hand(weft_record *record, weft_shots *shots) {
    static const char *const RATIO[2] = {"3", "2"}, *const SCHEME[2] = {"symplectic-euler", "verlet-constraints"};
    static const char *const WHAT[2] = {"links torn by hand: symplectic Euler, ratio 3",
                                        "links torn by hand: Verlet with 100 iterations, ratio 2"};
    for (int k = 0; k < 2; k++) {
        weft_sheet_outcome torn, whole;
        weft_sheet_case c = SHEET;
        char text[64];
        c.pinch = 5;
        c.seconds = 1.5;
        c.integrator = SCHEME[k];
        if (k == 1) {
            set(&c, 0, "integrator.iterations", "100");
            set(&c, 1, "integrator.damping_ratio", "0.01");
        }
        WEFT_TRY(weft_sheet_run(&c, &whole));
        set(&c, 2 * k, "cloth.model.tear", RATIO[k]);
        c.shots = shots;
        c.label = k ? "Verlet, ratio 2" : "Euler, ratio 3";
        WEFT_TRY(weft_sheet_run(&c, &torn));
        snprintf(text, sizeof text, "%lld; without a tear ratio %lld", (long long)torn.links_broken,
                 (long long)whole.links_broken);
        weft_record_claim(record, WHAT[k], k ? "tears (4.11)" : "tears (4.10)", text,
                          torn.links_broken > 0 && whole.links_broken == 0);
    }
    return weft_ok();
}

/* Figure 5.6: three vertices are held at each end. Gravity acts, and the tear ratio decreases from 1.96 to 1.33. */
static weft_result tear_by_weight(weft_record *record, weft_shots *shots) {
    static const char *const RATIO[2] = {"1.96", "1.33"}, *const LABEL[2] = {"weight, ratio 1.96",
                                                                             "weight, ratio 1.33"};
    weft_sheet_outcome o[2];
    char text[64];
    for (int k = 0; k < 2; k++) {
        weft_sheet_case c = SHEET;
        c.hold = WEFT_HOLD_THREES;
        c.stiffness = 15;
        c.seconds = 0.7;
        set(&c, 0, "cloth.model.tear", RATIO[k]);
        c.shots = shots;
        c.label = LABEL[k];
        WEFT_TRY(weft_sheet_run(&c, &o[k]));
    }
    snprintf(text, sizeof text, "%lld, %lld", (long long)o[0].links_broken, (long long)o[1].links_broken);
    weft_record_claim(record, "links torn by weight at ratios 1.96, 1.33", "the lower ratio tears (5.6)", text,
                      o[1].links_broken > o[0].links_broken);
    return weft_ok();
}

/* Figure 5.5. */
static weft_result gravity(weft_record *record, weft_shots *shots) {
    weft_sheet_outcome o[2];
    char text[64];
    for (int k = 0; k < 2; k++) {
        weft_sheet_case c = SHEET;
        c.hold = WEFT_HOLD_THREES;
        c.stiffness = 15;
        c.seconds = 10;
        set(&c, 0, "forces.gravity.acceleration", k ? "[0, -34.3, 0]" : "[0, -10, 0]");
        set(&c, 1, "cloth.model.damping", "0.01");
        c.shots = shots;
        c.label = k ? "gravity 34.3" : "gravity 10";
        WEFT_TRY(weft_sheet_run(&c, &o[k]));
    }
    snprintf(text, sizeof text, "%.3f, %.3f", o[0].lowest, o[1].lowest);
    weft_record_claim(record, "lowest point (m) at gravity 10 and 34.3 m/s2", "longer (5.5)", text,
                      isinf(o[1].diverged) && o[1].lowest > 1.1 * o[0].lowest);
    return weft_ok();
}

/* -- the cylinder of figure 3.16: 20 quads around, 5 high, its upper ring held -- */

enum { AROUND = 20, HIGH = 5, SLEEVE = AROUND * (HIGH + 1) };
static const double SLEEVE_RADIUS = 0.4, SLEEVE_HEIGHT = 1.2, SLEEVE_DENSITY = 0.2;

static weft_result make_sleeve(weft_mesh **mesh) {
    weft_vec3 position[SLEEVE];
    int32_t corner[4 * AROUND * HIGH], size[AROUND * HIGH];
    for (int i = 0; i < SLEEVE; i++) {
        double angle = 2 * acos(-1) * (i % AROUND) / AROUND;
        int ring = i / AROUND;
        position[i] =
            weft_vec3_make(SLEEVE_RADIUS * cos(angle), -SLEEVE_HEIGHT / HIGH * ring, SLEEVE_RADIUS * sin(angle));
    }
    for (int f = 0; f < AROUND * HIGH; f++) {
        int ring = f / AROUND * AROUND, i = f % AROUND, next = (i + 1) % AROUND;
        const int32_t quad[4] = {ring + i, ring + next, ring + AROUND + next, ring + AROUND + i};
        for (int k = 0; k < 4; k++)
            corner[4 * f + k] = quad[k];
        size[f] = 4;
    }
    weft_polygons polygons = {.name = "cylinder",
                              .position = position,
                              .vertex_count = SLEEVE,
                              .corner = corner,
                              .corner_count = 4 * AROUND * HIGH,
                              .face_size = size,
                              .face_count = AROUND * HIGH};
    return weft_mesh_create(&polygons, mesh);
}

typedef struct sleeve {
    weft_registry *registry;
    weft_sim *sim;
} sleeve;

static weft_result create_sleeve(sleeve *s, const char *const (*setting)[2], int count, const char *wind) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    weft_pin still = weft_pin_default();
    int32_t ring[AROUND];
    weft_mesh *mesh;
    fabric.density = SLEEVE_DENSITY;
    for (int i = 0; i < AROUND; i++)
        ring[i] = i;
    WEFT_TRY(weft_registry_create(&s->registry));
    WEFT_TRY(weft_sim_create(s->registry, &s->sim));
    WEFT_TRY(make_sleeve(&mesh));
    WEFT_TRY(weft_sim_add_cloth(s->sim, "sleeve", mesh, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_add_force(s->sim, "gravity", NULL));
    WEFT_TRY(weft_sim_add_force(s->sim, "air-damping", NULL));
    if (wind)
        WEFT_TRY(weft_sim_add_force(s->sim, wind, NULL));
    WEFT_TRY(weft_sim_set_integrator(s->sim, "symplectic-euler"));
    for (int i = 0; i < count; i++)
        WEFT_TRY(weft_sim_set(s->sim, setting[i][0], setting[i][1]));
    weft_sim_set_threads(s->sim, 1);
    return weft_sim_add_pin(s->sim, 0, &still, ring, AROUND);
}

static void destroy_sleeve(sleeve *s) {
    weft_sim_destroy(s->sim);
    weft_registry_destroy(s->registry);
}

/* Its columns are chains. The i-th link carries all vertices below it, and the last vertex has half a mass. The
 * elongation is therefore m g / k times 4.5 + 3.5 + 2.5 + 1.5 + 0.5. */
static weft_result lengthen(weft_record *record, double gravity, const char *acceleration) {
    const char *const setting[][2] = {{"forces.gravity.acceleration", acceleration},
                                      {"cloth.model.structural_stiffness", "40"},
                                      {"cloth.model.shear", "false"},
                                      {"cloth.model.flexion", "false"},
                                      {"forces.air-damping.coefficient", "0.01"}};
    double chord = 2 * SLEEVE_RADIUS * sin(acos(-1) / AROUND);
    double mass = SLEEVE_DENSITY * chord * SLEEVE_HEIGHT / HIGH, longer = 0;
    sleeve s = {0};
    char what[80];
    weft_result result = create_sleeve(&s, setting, sizeof setting / sizeof setting[0], NULL);
    for (int k = 0; k < 20000 && result.code == WEFT_OK; k++) {
        weft_report report;
        result = weft_sim_step(s.sim, 5e-4, &report);
    }
    if (result.code == WEFT_OK)
        longer = -weft_sim_positions(s.sim, 0)[SLEEVE - 1].y - SLEEVE_HEIGHT;
    destroy_sleeve(&s);
    WEFT_TRY(result);
    snprintf(what, sizeof what, "cylinder: elongation at %g m/s2 (m)", gravity);
    weft_record_figure(record, what, 12.5 * mass * gravity / 40, longer, 0.01);
    return weft_ok();
}

/* The frequency (Hz) of the largest Fourier coefficient between `low` and `high` of `x` (count), sampled every `dt`. */
static double main_frequency(const double *x, int count, double dt, double low, double high) {
    double mean = 0, best = 0, most = -1;
    for (int i = 0; i < count; i++)
        mean += x[i] / count;
    const double apart = 0.002; /* Hz */
    for (int k = 0; low + apart * k <= high; k++) {
        double f = low + apart * k, re = 0, im = 0;
        for (int i = 0; i < count; i++) {
            re += (x[i] - mean) * cos(2 * acos(-1) * f * i * dt);
            im += (x[i] - mean) * sin(2 * acos(-1) * f * i * dt);
        }
        if (re * re + im * im > most) {
            most = re * re + im * im;
            best = f;
        }
    }
    return best;
}

/* Wind of speed A (1 - cos^2(pi f t)), with period 1 / f. After a while the cylinder oscillates with it. */
static weft_result swing(weft_record *record, double frequency, const char *text) {
    enum { FRAMES = 1000, FIRST = 250 };
    const double dt = 1e-3, frame = 0.02;
    const char *const setting[][2] = {
        {"forces.wind-oscillating.strength", "3"},   {"forces.wind-oscillating.frequency", text},
        {"cloth.model.structural_stiffness", "400"}, {"cloth.model.shear_stiffness", "80"},
        {"cloth.model.flexion_stiffness", "30"},     {"cloth.model.damping", "0.05"},
        {"forces.air-damping.coefficient", "0.002"}};
    static double x[FRAMES - FIRST];
    double low = 1e9, high = -1e9;
    sleeve s = {0};
    char what[80];
    weft_result result = create_sleeve(&s, setting, sizeof setting / sizeof setting[0], "wind-oscillating");
    for (int k = 0; k < FRAMES && result.code == WEFT_OK; k++) {
        weft_measures measures = {0};
        for (int i = 0; i < (int)lround(frame / dt) && result.code == WEFT_OK; i++) {
            weft_report report;
            result = weft_sim_step(s.sim, dt, &report);
        }
        if (result.code == WEFT_OK)
            result = weft_sim_measure(s.sim, &measures);
        if (k < FIRST)
            continue;
        x[k - FIRST] = measures.centre.x;
        low = fmin(low, measures.centre.x);
        high = fmax(high, measures.centre.x);
    }
    destroy_sleeve(&s);
    WEFT_TRY(result);
    snprintf(what, sizeof what, "cylinder: frequency in wind of %g Hz (Hz)", frequency);
    weft_record_figure(record, what, frequency, main_frequency(x, FRAMES - FIRST, frame, 0.1, 3), 0.02);
    snprintf(what, sizeof what, "cylinder: amplitude in wind of %g Hz (m)", frequency);
    weft_record_value(record, what, high - low);
    return weft_ok();
}

static weft_result cylinder(weft_record *record) {
    WEFT_TRY(lengthen(record, 10, "[0, -10, 0]"));
    WEFT_TRY(lengthen(record, 34.3, "[0, -34.3, 0]"));
    WEFT_TRY(swing(record, 0.5, "0.5"));
    return weft_record_is_quick(record) ? weft_ok() : swing(record, 0.3, "0.3");
}

static weft_result sheets(weft_record *record, weft_shots *shots) {
    WEFT_TRY(euler(record, shots));
    WEFT_TRY(constraints(record, shots));
    WEFT_TRY(tear_by_hand(record, shots));
    WEFT_TRY(tear_by_weight(record, shots));
    WEFT_TRY(gravity(record, shots));
    return weft_shots_show(shots, record, "framework", 4, "The sheets at the end of each case");
}

static weft_result run(weft_record *record) {
    weft_shots shots = {.azimuth = 0.5, .elevation = 0.15, .low = {-0.6, -3.2, -0.3}, .high = {2.6, 2, 3.2}};
    weft_result result = sheets(record, &shots);
    weft_shots_clear(&shots);
    return result.code == WEFT_OK ? cylinder(record) : result;
}

const weft_experiment WEFT_FRAMEWORK = {"framework",
                                        "forward and symplectic Euler, Verlet with constraints, tearing and gravity on "
                                        "a sheet of 25 x 25; a cylinder in wind",
                                        "Assunção, Cloth simulation framework, 2020, chapters 3 to 5",
                                        1,
                                        run,
                                        NULL};
