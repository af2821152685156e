/* The tensile, shear and bending tests of S. Kawabata, "The standardization and analysis of hand evaluation", 1980
 * (KES-FB1, KES-FB2; Trendafilov (2021), appendix D) on virtual swatches. The measured moduli must equal the input.
 *
 * Tensile and shear: a swatch of 5 cm gauge and 20 cm width in a frame that moves the whole border by one affine map.
 *     tensile  x grows by e; the sides move until they carry no force, so that stress is uniaxial: with the
 *              elasticity matrix C the tension is (C11 - C12^2 / C22) e = E e and the sides move by -nu e,
 *              nu = C12 / C22.
 *     clamped  as in KES: only the two clamps hold, the sides are free. The clamps hinder contraction near them,
 *              so the modulus lies between E (free) and C11 (hindered everywhere).
 *     shear    (x, y) -> (c x + s y, c y + s x), c^2 + s^2 = 1: yarns turn and keep their length; stress 2 s E_s.
 * Forces are per width at rest. KES pulls to 490 N/m; here all fabrics are pulled to the same strain.
 *
 * Bending: a gauge of 1 cm, whose first and last cell are held on a circle of curvature k up to 2.5 /cm. The clamps
 * move along their chord until they carry only a couple. The couple per width is B k. */
#include <math.h>
#include <stdlib.h>

#include "experiments/experiment.h"
#include "experiments/swatch.h"
#include "io/file.h"
#include "io/plot.h"

enum { POINTS = 6, FABRICS = 24, BEND_CELLS = 26 };
/* Fabrics per plot. Those of table 3.1 are soft and light; those of table 3.2 and the typical ones need other scales.
 */
enum { TABLE = 4 };
static const double GAUGE = 0.05, WIDTH = 0.2;            /* m */
static const double BEND_GAUGE = 0.01, BEND_WIDTH = 0.02; /* m; nothing varies along the width */
static const double MOST_STRAIN = 0.05, MOST_SHEAR = 0.14 /* 8 degrees */, MOST_CURVATURE = 250 /* 1/m */;

typedef struct curve {
    double x[2 * POINTS], y[2 * POINTS], side[POINTS];
    int count;
} curve;

typedef struct findings {
    const char *name;
    curve tensile[2], shear, bending[2]; /* weft and warp */
    double clamped[2];                   /* N/m */
} findings;

/* Slope of the least-squares line through the origin. */
static double slope(const double *x, const double *y, int count) {
    double xy = 0, xx = 0;
    for (int i = 0; i < count; i++) {
        xy += x[i] * y[i];
        xx += x[i] * x[i];
    }
    return xy / xx;
}

/* -- the frame -- */

typedef struct frame {
    weft_swatch swatch;
    double tension, side, shear; /* N/m at the end x = +: along x; at the side y = +: along y; at the end along y */
} frame;

static int is_held(const weft_swatch *s, int32_t i, int32_t j, int sides) {
    return i == 0 || i == s->cells[0] || (sides && (j == 0 || j == s->cells[1]));
}

static void read_frame(frame *f) {
    const weft_swatch *s = &f->swatch;
    f->tension = f->side = f->shear = 0;
    for (int32_t j = 0; j <= s->cells[1]; j++) {
        f->tension += s->reaction[weft_swatch_vertex(s, s->cells[0], j)].x / WIDTH;
        f->shear += s->reaction[weft_swatch_vertex(s, s->cells[0], j)].y / WIDTH;
    }
    for (int32_t i = 0; i <= s->cells[0]; i++)
        f->side += s->reaction[weft_swatch_vertex(s, i, s->cells[1])].y / GAUGE;
}

/* Sets the elongations along x and y and half the shear. */
static weft_result move_frame(frame *f, int sides, double ex, double ey, double half_shear) {
    weft_swatch *s = &f->swatch;
    for (int32_t j = 0; j <= s->cells[1]; j++)
        for (int32_t i = 0; i <= s->cells[0]; i++) {
            int32_t v = weft_swatch_vertex(s, i, j);
            weft_vec3 p = s->mesh->position[v];
            weft_vec3 to = {(1 + ex) * p.x + half_shear * p.y, (1 + ey) * p.y + half_shear * p.x, 0};
            if (is_held(s, i, j, sides))
                WEFT_TRY(weft_sim_drag(s->sim, 0, v, to));
        }
    WEFT_TRY(weft_swatch_settle(s));
    read_frame(f);
    return weft_ok();
}

static weft_result create_frame(frame *f, const weft_fabric *fabric, int turned) {
    return weft_swatch_create(&f->swatch, fabric, turned, (const int32_t[2]){6, 16}, (const double[2]){GAUGE, WIDTH});
}

/* Moves the sides by a secant search until they carry no force. */
static weft_result pull(frame *f, double e, double *side) {
    double before = *side, force_before;
    WEFT_TRY(move_frame(f, 1, e, before, 0));
    force_before = f->side;
    double now = before - 0.1 * e;
    for (int i = 0; i < 12; i++) {
        WEFT_TRY(move_frame(f, 1, e, now, 0));
        if (fabs(f->side) <= 1e-8 * fabs(f->tension) || f->side == force_before)
            break;
        double next = now - f->side * (now - before) / (f->side - force_before);
        before = now;
        force_before = f->side;
        now = next;
    }
    *side = now;
    return weft_ok();
}

static weft_result pull_all(frame *f, double most, curve *c) {
    double side = 0;
    for (int i = 0; i < POINTS; i++) {
        c->x[i] = most * i / (POINTS - 1);
        if (i > 0)
            WEFT_TRY(pull(f, c->x[i], &side));
        c->y[i] = i > 0 ? f->tension : 0;
        c->side[i] = i > 0 ? side : 0;
        c->count = i + 1;
    }
    return weft_ok();
}

static weft_result test_tension(const weft_fabric *fabric, int turned, curve *c) {
    frame f = {0};
    weft_result result = create_frame(&f, fabric, turned);
    if (result.code == WEFT_OK)
        result = pull_all(&f, MOST_STRAIN, c);
    weft_swatch_destroy(&f.swatch);
    return result;
}

static weft_result test_clamped(const weft_fabric *fabric, int turned, double *modulus) {
    frame f = {0};
    double e = MOST_STRAIN / 10;
    weft_result result = create_frame(&f, fabric, turned);
    if (result.code == WEFT_OK)
        result = move_frame(&f, 0, e, 0, 0);
    *modulus = f.tension / e;
    weft_swatch_destroy(&f.swatch);
    return result;
}

static weft_result shear_all(frame *f, curve *c) {
    for (int i = 0; i < POINTS; i++) {
        c->x[i] = MOST_SHEAR * i / (POINTS - 1);
        double s = 0.5 * c->x[i], shorter = sqrt(1 - s * s) - 1;
        WEFT_TRY(move_frame(f, 1, shorter, shorter, s));
        c->y[i] = f->shear;
        c->count = i + 1;
    }
    return weft_ok();
}

static weft_result test_shear(const weft_fabric *fabric, curve *c) {
    frame f = {0};
    weft_result result = create_frame(&f, fabric, 0);
    if (result.code == WEFT_OK)
        result = shear_all(&f, c);
    weft_swatch_destroy(&f.swatch);
    return result;
}

/* -- the bending clamps -- */

typedef struct clamps {
    weft_swatch swatch;
    double thrust, couple; /* N, N m: reaction of the right clamp along x, and about -y */
} clamps;

/* Distance of the clamps if every cell between them has length `h` and turns by `turn` relative to the previous one. */
static double chord(double h, double turn) {
    double sum = 0;
    for (int k = 1; k <= BEND_CELLS - 2; k++)
        sum += h * cos((k - 0.5 * (BEND_CELLS - 1)) * turn);
    return sum;
}

static weft_result move_clamps(clamps *c, double turn, double longer) {
    weft_swatch *s = &c->swatch;
    double h = BEND_GAUGE / (BEND_CELLS - 2), half = 0.5 * (1 + longer) * chord(h, turn);
    double angle = 0.5 * (BEND_CELLS - 1) * turn;
    const double x[4] = {-half - h * cos(angle), -half, half, half + h * cos(angle)};
    const double z[4] = {h * sin(angle), 0, 0, h * sin(angle)};
    const int32_t column[4] = {0, 1, BEND_CELLS - 1, BEND_CELLS};
    for (int k = 0; k < 4; k++)
        for (int32_t j = 0; j <= s->cells[1]; j++) {
            int32_t v = weft_swatch_vertex(s, column[k], j);
            WEFT_TRY(weft_sim_drag(s->sim, 0, v, weft_vec3_make(x[k], s->mesh->position[v].y, z[k])));
        }
    WEFT_TRY(weft_swatch_settle(s));
    c->thrust = c->couple = 0;
    for (int k = 2; k < 4; k++)
        for (int32_t j = 0; j <= s->cells[1]; j++) {
            weft_vec3 force = s->reaction[weft_swatch_vertex(s, column[k], j)];
            c->thrust += force.x;
            c->couple += (x[k] - half) * force.z - z[k] * force.x;
        }
    return weft_ok();
}

static weft_result bend(clamps *c, double turn, double *longer) {
    double before = *longer, now = before - 1e-5;
    WEFT_TRY(move_clamps(c, turn, before));
    double thrust_before = c->thrust;
    for (int i = 0; i < 12; i++) {
        WEFT_TRY(move_clamps(c, turn, now));
        if (fabs(c->thrust) * BEND_GAUGE <= 1e-6 * fabs(c->couple) || c->thrust == thrust_before)
            break;
        double next = now - c->thrust * (now - before) / (c->thrust - thrust_before);
        before = now;
        thrust_before = c->thrust;
        now = next;
    }
    *longer = now;
    return weft_ok();
}

/* Bends from flat to one side and back, then to the other side. */
static weft_result bend_all(clamps *c, curve *out) {
    double longer = 0, h = BEND_GAUGE / (BEND_CELLS - 2);
    for (int side = 0; side < 2; side++) {
        longer = 0;
        for (int i = 1; i < POINTS; i++) {
            double k = (side ? -1 : 1) * MOST_CURVATURE * i / (POINTS - 1);
            WEFT_TRY(bend(c, k * h, &longer));
            int at = side ? POINTS - 1 - i : POINTS - 1 + i;
            out->x[at] = k;
            out->y[at] = c->couple / BEND_WIDTH;
        }
        for (int i = POINTS - 2; i >= 0; i--)
            WEFT_TRY(move_clamps(c, (side ? -1 : 1) * h * MOST_CURVATURE * i / (POINTS - 1), 0));
    }
    out->x[POINTS - 1] = out->y[POINTS - 1] = 0;
    out->count = 2 * POINTS - 1;
    return weft_ok();
}

static weft_result test_bending(const weft_fabric *fabric, int turned, curve *out) {
    clamps c = {0};
    const double size[2] = {BEND_GAUGE * BEND_CELLS / (BEND_CELLS - 2), BEND_WIDTH};
    weft_result result = weft_swatch_create(&c.swatch, fabric, turned, (const int32_t[2]){BEND_CELLS, 2}, size);
    if (result.code == WEFT_OK)
        result = bend_all(&c, out);
    weft_swatch_destroy(&c.swatch);
    return result;
}

/* -- the report -- */

static weft_result test_fabric(const weft_fabric_preset *preset, findings *f) {
    f->name = preset->name;
    for (int turned = 0; turned < 2; turned++) {
        WEFT_TRY(test_tension(&preset->fabric, turned, &f->tensile[turned]));
        WEFT_TRY(test_clamped(&preset->fabric, turned, &f->clamped[turned]));
        WEFT_TRY(test_bending(&preset->fabric, turned, &f->bending[turned]));
    }
    return test_shear(&preset->fabric, &f->shear);
}

static void figure(weft_record *record, const char *fabric, const char *what, double expected, double ours,
                   double bound) {
    char text[64];
    snprintf(text, sizeof text, "%-16s %s", fabric, what);
    weft_record_figure(record, text, expected, ours, bound);
}

static void report(weft_record *record, const weft_fabric *p, const findings *f) {
    const curve *weft = &f->tensile[0], *warp = &f->tensile[1], *bent = f->bending;
    /* If the printed digits make the two products differ, the model uses their mean. */
    double product = 0.5 * (p->poisson_warp * p->stretch_weft + p->poisson_weft * p->stretch_warp);
    double c = 1 / (1 - p->poisson_weft * p->poisson_warp);
    figure(record, f->name, "E_x (N/m)", p->stretch_weft, slope(weft->x, weft->y, POINTS), 0.01);
    figure(record, f->name, "E_y (N/m)", p->stretch_warp, slope(warp->x, warp->y, POINTS), 0.01);
    figure(record, f->name, "nu_xy", p->poisson_weft, -slope(weft->x, weft->side, POINTS), 0.01);
    figure(record, f->name, "nu_yx", p->poisson_warp, -slope(warp->x, warp->side, POINTS), 0.01);
    figure(record, f->name, "E_s (N/m)", p->shear, slope(f->shear.x, f->shear.y, POINTS), 0.01);
    for (int turned = 0; turned < 2; turned++) {
        double across = turned ? p->stretch_weft : p->stretch_warp, along = turned ? p->stretch_warp : p->stretch_weft;
        char text[64];
        snprintf(text, sizeof text, "%-16s clamped, %s (N/m)", f->name, turned ? "warp" : "weft");
        /* The range between free and fully hindered contraction, with a margin for rounding. */
        weft_record_range(record, text, c * (along - product * product / across) * (1 - 1e-6), c * along * (1 + 1e-6),
                          f->clamped[turned]);
    }
    figure(record, f->name, "B_weft (N m)", p->bend_weft, slope(bent[0].x, bent[0].y, bent[0].count), 0.02);
    figure(record, f->name, "B_warp (N m)", p->bend_warp, slope(bent[1].x, bent[1].y, bent[1].count), 0.02);
}

static void put_curve(weft_output *file, const char *fabric, const char *test, const curve *c) {
    for (int i = 0; i < c->count; i++)
        weft_output_print(file, "%s,%s,%.9g,%.9g\n", fabric, test, c->x[i], c->y[i]);
}

static weft_result write_curves(const weft_record *record, const findings *f, int count) {
    char path[1024];
    weft_output file;
    WEFT_TRY(weft_record_path(record, "curves.csv", path));
    WEFT_TRY(weft_output_open(&file, path));
    weft_output_print(&file, "fabric,test,strain or curvature (1/m),tension (N/m) or moment (N)\n");
    for (int k = 0; k < count; k++) {
        put_curve(&file, f[k].name, "tensile weft", &f[k].tensile[0]);
        put_curve(&file, f[k].name, "tensile warp", &f[k].tensile[1]);
        put_curve(&file, f[k].name, "shear", &f[k].shear);
        put_curve(&file, f[k].name, "bending weft", &f[k].bending[0]);
        put_curve(&file, f[k].name, "bending warp", &f[k].bending[1]);
    }
    return weft_output_commit(&file);
}

/* Weft solid, warp dashed. `weft` and `warp` are offsets of the curves in the findings; `warp` is 0 for shear. */
static weft_result draw(weft_record *record, const char *name, const weft_plot *labels, const findings *f, int count,
                        size_t weft, size_t warp) {
    weft_series series[2 * FABRICS];
    weft_plot plot = *labels;
    plot.series = series;
    plot.count = 0;
    for (int k = 0; k < count; k++)
        for (int turned = 0; turned < (warp ? 2 : 1); turned++) {
            const curve *c = (const curve *)((const char *)&f[k] + (turned ? warp : weft));
            series[plot.count++] = (weft_series){f[k].name, c->x, c->y, c->count, k, turned};
        }
    return weft_record_plot(record, name, &plot);
}

static weft_result draw_all(weft_record *record, const findings *f, int count) {
    static const weft_plot TENSILE = {"Tensile test (weft solid, warp dashed)", "strain", "tension (N/m)", NULL, 0, 0};
    static const weft_plot SHEAR = {"Shear test", "shear (rad)", "shear stress (N/m)", NULL, 0, 0};
    static const weft_plot BENDING = {
        "Pure bending (weft solid, warp dashed)", "curvature (1/m)", "moment per width (N)", NULL, 0, 0};
    for (int first = 0; first < count; first += TABLE) {
        const findings *part = f + first;
        int left = count - first < TABLE ? count - first : TABLE;
        char name[3][32];
        snprintf(name[0], sizeof name[0], "tensile-%d.svg", first / TABLE + 1);
        snprintf(name[1], sizeof name[1], "shear-%d.svg", first / TABLE + 1);
        snprintf(name[2], sizeof name[2], "bending-%d.svg", first / TABLE + 1);
        WEFT_TRY(draw(record, name[0], &TENSILE, part, left, offsetof(findings, tensile[0]),
                      offsetof(findings, tensile[1])));
        WEFT_TRY(draw(record, name[1], &SHEAR, part, left, offsetof(findings, shear), 0));
        WEFT_TRY(draw(record, name[2], &BENDING, part, left, offsetof(findings, bending[0]),
                      offsetof(findings, bending[1])));
    }
    return weft_ok();
}

/* The quick subset has every fourth fabric. */
static weft_result run_all(weft_record *record, findings *f) {
    int count = 0;
    for (int k = 0; k < weft_fabric_preset_count() && count < FABRICS; k += weft_record_is_quick(record) ? 4 : 1) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(k);
        WEFT_TRY(test_fabric(preset, &f[count]));
        report(record, &preset->fabric, &f[count++]);
    }
    WEFT_TRY(write_curves(record, f, count));
    return draw_all(record, f, count);
}

static weft_result run(weft_record *record) {
    findings *f = calloc(FABRICS, sizeof *f);
    if (!f)
        return weft_fail_memory("curves of fabrics", FABRICS * sizeof *f);
    weft_result result = run_all(record, f);
    free(f);
    return result;
}

const weft_experiment WEFT_KAWABATA = {
    "kawabata",
    "virtual tensile, shear and bending tests of all fabrics recover the given moduli",
    "Kawabata, The standardization and analysis of hand evaluation, 1980; Trendafilov (2021), appendix D",
    1,
    run,
    NULL};
