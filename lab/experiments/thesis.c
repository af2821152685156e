/* Experiments 1 to 5 of Trendafilov (2021), section 2.3: a sheet of springs, 32 x 32 vertices, 5 m, 20 degrees C. The
 * text gives parameters and describes videos. Here each statement becomes a number. The text does not say how the sheet
 * was held; here it is at two corners. All springs have the stiffness K and no damping. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/experiments/experiment.h"
#include "lab/experiments/spring_sheet.h"

static const weft_sheet_case SHEET = {
    .side_vertices = 32,
    .side = 5,
    .hangs = 1,
    .density = 0.15,
    .stiffness = 76,
    .integrator = "symplectic-euler",
    .step = 0.0032,
    .seconds = 10,
    .setting = {{"forces.air-damping.coefficient", "0.027"}, {"cloth.model.damping", "0"}, {"air.temperature", "20"}}};
enum { NEXT = 3, MOST = 6 }; /* NEXT: first free setting; MOST: largest number of cases of an experiment */

typedef weft_sheet_outcome outcome;

/* Runs the case and adds a picture of its end, labelled "BEFORE VALUE". */
static weft_result run_shown(weft_sheet_case *c, weft_shots *shots, const char *before, double value, outcome *o) {
    char label[64];
    snprintf(label, sizeof label, "%s %g", before, value);
    c->shots = shots;
    c->label = label;
    weft_result result = weft_sheet_run(c, o);
    c->shots = NULL;
    c->label = NULL;
    return result;
}

static void set(weft_sheet_case *which, int slot, const char *path, const char *value) {
    which->setting[NEXT + slot][0] = path;
    which->setting[NEXT + slot][1] = value;
}

/* Writes "a, b, c" of one field. */
static const char *list(const outcome *o, int count, size_t field, char text[128]) {
    int used = 0;
    for (int i = 0; i < count; i++)
        used += snprintf(text + used, (size_t)(128 - used), "%s%.3g", i > 0 ? ", " : "",
                         *(const double *)((const char *)&o[i] + field));
    return text;
}

/* Writes the divergence time of each. */
static void times(const outcome *o, int count, char text[128]) {
    int used = 0;
    for (int i = 0; i < count; i++) {
        char time[32] = "never";
        if (isfinite(o[i].diverged))
            snprintf(time, sizeof time, "%.3f", o[i].diverged);
        used += snprintf(text + used, (size_t)(128 - used), "%s%s", i > 0 ? ", " : "", time);
    }
}

static int all_finite(const outcome *o, int count) {
    for (int i = 0; i < count; i++)
        if (isfinite(o[i].diverged))
            return 0;
    return 1;
}

/* Returns 1 if the field increases from case to case, -1 if it decreases. */
static int trend(const outcome *o, int count, size_t field) {
    int up = 1, down = 1;
    for (int i = 1; i < count; i++) {
        double before = *(const double *)((const char *)&o[i - 1] + field);
        double now = *(const double *)((const char *)&o[i] + field);
        up &= now > before;
        down &= now < before;
    }
    return up - down;
}

static weft_result first(weft_record *record, weft_shots *shots) {
    static const double STIFFNESS[] = {10, 25, 50, 100}, DENSITY[] = {0.15, 0.3, 0.6, 1};
    outcome o[MOST];
    char text[128];
    for (int i = 0; i < 4; i++) {
        weft_sheet_case c = SHEET;
        c.density = 0.3; /* 0.15 diverges at K = 100 N/m with this step */
        c.stiffness = STIFFNESS[i];
        WEFT_TRY(run_shown(&c, shots, "1: K", STIFFNESS[i], &o[i]));
    }
    weft_record_claim(record, "1: lowest point (m) at K = 10, 25, 50, 100 N/m", "sags less",
                      list(o, 4, offsetof(outcome, lowest), text), trend(o, 4, offsetof(outcome, lowest)) < 0);
    snprintf(text, sizeof text, "%.2g, %.2g", o[3].stretch_mean, o[3].stretch_max);
    weft_record_differs(
        record, "1: mean and largest elongation at K = 100 N/m", "almost inextensible", text,
        "This holds for the sheet as a whole: its edges are longer by about 1 % on average. The edges at the pins "
        "carry half of the weight of 74 N each. No stiffness of 100 N/m can make them inextensible.",
        o[3].stretch_mean < 0.015 && o[3].stretch_max > 0.1);
    for (int i = 0; i < 4; i++) {
        weft_sheet_case c = SHEET;
        c.density = DENSITY[i];
        WEFT_TRY(run_shown(&c, shots, "1: density", DENSITY[i], &o[i]));
    }
    weft_record_claim(record, "1: lowest point (m) at 0.15, 0.3, 0.6, 1.0 kg/m2", "sags more",
                      list(o, 4, offsetof(outcome, lowest), text), trend(o, 4, offsetof(outcome, lowest)) > 0);
    return weft_ok();
}

static weft_result in_wind(double density, const char *drag, weft_shots *shots, outcome *o) {
    weft_sheet_case c = SHEET;
    c.density = density;
    c.wind = "wind";
    set(&c, 0, "forces.wind.speed", "10");
    set(&c, 1, "forces.wind.direction", "[0, 0, 1]");
    set(&c, 2, "cloth.fabric.lift", "0.2");
    set(&c, 3, "cloth.fabric.drag", drag);
    return run_shown(&c, shots, density > 0.3 ? "2: density" : "2: drag", density > 0.3 ? density : atof(drag), o);
}

static weft_result second(weft_record *record, weft_shots *shots) {
    static const double DENSITY[] = {0.3, 0.5, 0.8};
    static const char *const DRAG[] = {"0.106", "0.2", "0.433"};
    outcome o[MOST];
    char text[128];
    for (int i = 0; i < 3; i++)
        WEFT_TRY(in_wind(DENSITY[i], "0.106", shots, &o[i]));
    weft_record_claim(record, "2.1: height of the centre (m) at 0.3, 0.5, 0.8 kg/m2", "lighter flies more",
                      list(o, 3, offsetof(outcome, centre.y), text), trend(o, 3, offsetof(outcome, centre.y)) < 0);
    weft_record_claim(record, "2.3: speed in steady cross wind, persistent (m/s)", "turbulent effects",
                      list(o, 1, offsetof(outcome, speed), text), o[0].speed > 0.5);
    for (int i = 0; i < 3; i++)
        WEFT_TRY(in_wind(0.3, DRAG[i], i > 0 ? shots : NULL, &o[i]));
    list(o, 3, offsetof(outcome, centre.z), text);
    weft_record_differs(record, "2.2: centre downwind (m) at C_D = 0.106, 0.2, 0.433", "drag and lift oppose", text,
                        "The force is rho A / 2 [(C_D - C_L)(v.n) v + C_L v^2 n]. On a face perpendicular to the wind, "
                        "lift contributes nothing and only C_D counts. On an inclined face, drag grows along the wind "
                        "while lift keeps pushing along the normal. More drag carries the sheet further downwind. The "
                        "part along the wind is the one that changes its sign at C_D = C_L.",
                        trend(o, 3, offsetof(outcome, centre.z)) > 0);
    return weft_ok();
}

/* "Stiff springs" use Provot's limit of 1 % with 20 passes. The spring force alone must be stable at 0.04 s, which
 * needs about K dt^2 < m / 4: 0.3 N/m. */
static void stiffen(weft_sheet_case *c) {
    c->hangs = 0;
    c->stiffness = 0.3;
    set(c, 0, "cloth.model.limit", "0.01");
    set(c, 1, "cloth.model.limit_passes", "20");
}

static weft_result third(weft_record *record, weft_shots *shots) {
    static const double STEP[] = {0.005, 0.01, 0.02, 0.03, 0.04};
    outcome o[MOST];
    char text[128];
    for (int i = 0; i < 5; i++) {
        weft_sheet_case c = SHEET;
        stiffen(&c);
        c.integrator = "verlet";
        c.step = STEP[i];
        WEFT_TRY(run_shown(&c, shots, "3: step", STEP[i], &o[i]));
    }
    weft_record_claim(record, "3: Verlet, stiff springs, speed (m/s) at 0.005, 0.01, 0.02, 0.03, 0.04 s",
                      "stable, calm", list(o, 5, offsetof(outcome, speed), text), all_finite(o, 5) && o[4].speed < 0.2);
    weft_record_claim(record, "3: lowest point (m) at these steps", "sags more",
                      list(o, 5, offsetof(outcome, lowest), text), trend(o, 5, offsetof(outcome, lowest)) > 0);
    weft_record_note(record, "The published reason, slow propagation of forces, holds: a pass moves a correction by "
                             "one spring, and a longer step has fewer passes per second.");
    return weft_ok();
}

/* The steps of Trendafilov (2021) came from the clock of a program that shows each frame: as many caps as fit into 1/60
 * s, and the remainder. */
static weft_result in_frames(double cap, const char *rate, weft_shots *shots, outcome *o) {
    weft_sheet_case c = SHEET;
    stiffen(&c);
    c.integrator = "verlet-taylor";
    c.step = cap;
    if (rate) {
        set(&c, 2, "time.mode", "variable");
        set(&c, 3, "time.rate", rate);
    }
    return run_shown(&c, shots, "4: cap", cap, o);
}

static weft_result fourth(weft_record *record, weft_shots *shots) {
    static const double CAP[] = {0.0053, 0.0113, 0.0165};
    outcome steady[3], at60[3], at75[3];
    char text[128];
    for (int i = 0; i < 3; i++) {
        WEFT_TRY(in_frames(CAP[i], NULL, NULL, &steady[i]));
        WEFT_TRY(in_frames(CAP[i], "60", shots, &at60[i]));
        WEFT_TRY(in_frames(CAP[i], "75", NULL, &at75[i]));
    }
    snprintf(text, sizeof text, "%.2g; equal steps %.2g", at60[0].speed, steady[0].speed);
    weft_record_claim(record, "4: variable Verlet, cap 0.0053 s: speed at rest (m/s)", "vibrates", text,
                      isinf(at60[0].diverged) && at60[0].speed > 3 * steady[0].speed);
    snprintf(text, sizeof text, "%.2g; equal steps %.2g", at60[1].speed, steady[1].speed);
    weft_record_claim(record, "4: the same at the cap 0.0113 s", "vibrations stop", text,
                      isinf(at60[1].diverged) && at60[1].speed < 1.5 * steady[1].speed);
    times(&at60[2], 1, text);
    weft_record_claim(record, "4: at the cap 0.0165 s it diverges after (s)", "catastrophic", text,
                      isfinite(at60[2].diverged));
    weft_record_claim(record, "4: speed at rest (m/s) at these caps, 75 frames per second instead of 60", "none of it",
                      list(at75, 3, offsetof(outcome, speed), text), all_finite(at75, 3) && at75[0].speed < 0.2);
    weft_record_note(
        record,
        "Trendafilov (2021) does not say how the steps varied. A program that shows each frame divides 1/60 s by these "
        "caps, which leaves last steps of 0.8, 5.4 and 0.2 ms. This alone causes the effect: a position correction d "
        "becomes the velocity d / dt of the next step, which is large after a short step. The remainder of a frame "
        "decides, not the cap: at 75 frames per second (2.7, 2.0 and 13.3 ms) all three are calm.");
    return weft_ok();
}

/* The longest step that survives the case, by bisection. Frames are divided into equal steps, so the accuracy is one
 * step per frame. */
static weft_result longest_step(const weft_sheet_case *given, double from, double *longest) {
    weft_sheet_case c = *given;
    double fails = 4 * from;
    *longest = from;
    for (int i = 0; i < 8; i++) {
        outcome o;
        c.step = sqrt(*longest * fails);
        WEFT_TRY(weft_sheet_run(&c, &o));
        *(all_finite(&o, 1) ? longest : &fails) = c.step;
    }
    return weft_ok();
}

static weft_result fifth(weft_record *record, weft_shots *shots) {
    static const char *const DAMPING[] = {"0.027", "0.111", "0.385"};
    outcome light, o[MOST];
    char text[128];
    double longest[2];
    weft_sheet_case c = SHEET;
    c.stiffness = 75;
    c.pinch = 1.5;
    c.seconds = 6;
    c.density = 0.16;
    WEFT_TRY(weft_sheet_run(&c, &light));
    WEFT_TRY(longest_step(&c, light.stable_step, &longest[0]));
    c.density = 1;
    WEFT_TRY(longest_step(&c, 2 * light.stable_step, &longest[1]));
    for (int i = 0; i < 3; i++) {
        c.setting[0][1] = DAMPING[i];
        WEFT_TRY(run_shown(&c, shots, "5: damping", atof(DAMPING[i]), &o[i]));
    }
    snprintf(text, sizeof text, "%.4f s, %.4f s", longest[0], longest[1]);
    weft_record_differs(record, "5: longest step that survives the pinch at 0.16 and 1.0 kg/m2",
                        "heavier is less stable", text,
                        "The highest frequency of the springs is proportional to sqrt(K / m). At the same stiffness, a "
                        "heavier cloth is therefore more stable, by sqrt(1.0 / 0.16) = 2.5 (steps here divide a "
                        "frame). What Trendafilov (2021) saw is slower damping: the same damping C v takes 6 times "
                        "longer to calm the heavier cloth, so it keeps shaking after a pinch. Nothing diverges.",
                        fabs(longest[1] / longest[0] - 2.5) < 0.5 && all_finite(&light, 1) && all_finite(o, 3));
    snprintf(text, sizeof text, "%.2g, %.2g", light.speed, o[0].speed);
    weft_record_claim(record, "5: speed 4.5 s after a pinch (m/s) at 0.16 and 1.0 kg/m2", "heavier shakes", text,
                      o[0].speed > 3 * light.speed);
    weft_record_claim(record, "5: the same at 1.0 kg/m2 and C = 0.027, 0.111 kg/s", "calmer",
                      list(o, 2, offsetof(outcome, speed), text), o[1].speed < 0.3 * o[0].speed);
    for (int i = 0; i < 3; i++) {
        weft_sheet_case f = SHEET;
        f.hangs = 0;
        f.density = 1;
        f.stiffness = 75;
        f.seconds = 1.5;
        f.setting[0][1] = DAMPING[i];
        WEFT_TRY(weft_sheet_run(&f, &o[i]));
    }
    weft_record_claim(record, "5: descent in 1 s from flat (m), C = 0.027, 0.111, 0.385 kg/s", "air seems viscous",
                      list(o, 3, offsetof(outcome, fallen), text),
                      trend(o, 3, offsetof(outcome, fallen)) < 0 && o[2].fallen < 0.5 * o[0].fallen);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    static weft_result (*const PART[])(weft_record *, weft_shots *) = {first, second, third, fourth, fifth};
    weft_shots shots = {.azimuth = 0.6, .elevation = 0.15, .low = {0, -6.5, -1}, .high = {5, 0, 3}};
    weft_result result = weft_ok();
    weft_record_note(
        record,
        "A sheet of 32 x 32 vertices and 5 m side in air of 20 degrees C, held at two corners (the text does not say "
        "where). Defaults: springs of K = 76 N/m, 0.15 kg/m2, damping C = 0.027 kg/s, symplectic Euler at 0.0032 s, "
        "state after 10 s. Experiment 1 varies K at 0.3 kg/m2, because 0.15 is not stable at 100 N/m with that step. "
        "Experiment 2: wind of 10 m/s, lift 0.2, drag 0.106. Experiments 3 and 4: springs of K = 0.3 N/m, which is "
        "stable at 0.04 s, made stiff by a limit of 1 %% on their elongation in 20 passes (Provot). Experiment 5: K = "
        "75 N/m; a vertex of the lower side is pulled 1.5 m up and out and released.");
    for (size_t i = 0; i < sizeof PART / sizeof PART[0] && result.code == WEFT_OK; i++)
        result = PART[i](record, &shots);
    if (result.code == WEFT_OK)
        result = weft_shots_show(&shots, record, "thesis", 4,
                                 "The sheets at the end of each case (K in N/m, density in kg/m2, steps in s, damping "
                                 "in kg/s); diverged ones are empty");
    weft_shots_clear(&shots);
    return result;
}

const weft_experiment WEFT_THESIS = {"thesis",
                                     "experiments 1 to 5 of Trendafilov (2021): a sheet of springs of 32 x 32 vertices",
                                     "Trendafilov, Cloth simulation, 2021, section 2.3",
                                     1,
                                     run,
                                     NULL};
