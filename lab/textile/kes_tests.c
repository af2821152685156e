#include "lab/textile/kes_tests.h"

#include <math.h>

#include "lab/textile/swatch.h"

enum { POINTS = WEFT_KES_POINTS, BEND_CELLS = 26 };
static const double GAUGE = 0.05, WIDTH = 0.2;            /* m */
static const double BEND_GAUGE = 0.01, BEND_WIDTH = 0.02; /* m; nothing varies along the width */
const double WEFT_KES_TENSION = 490.3325, WEFT_KES_SHEAR = 0.14, WEFT_KES_CURVATURE = 250;

double weft_kes_slope(const double *x, const double *y, int count) {
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

static weft_result pull_all(frame *f, double most, weft_kes_curve *c) {
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

weft_result weft_kes_tensile(const weft_fabric *fabric, int turned, double most, weft_kes_curve *c) {
    frame f = {0};
    weft_result result = create_frame(&f, fabric, turned);
    if (result.code == WEFT_OK)
        result = pull_all(&f, most, c);
    weft_swatch_destroy(&f.swatch);
    return result;
}

weft_result weft_kes_clamped(const weft_fabric *fabric, int turned, double strain, double *modulus) {
    frame f = {0};
    weft_result result = create_frame(&f, fabric, turned);
    if (result.code == WEFT_OK)
        result = move_frame(&f, 0, strain, 0, 0);
    *modulus = f.tension / strain;
    weft_swatch_destroy(&f.swatch);
    return result;
}

static weft_result shear_all(frame *f, weft_kes_curve *c) {
    for (int i = 0; i < POINTS; i++) {
        c->x[i] = WEFT_KES_SHEAR * i / (POINTS - 1);
        double s = 0.5 * c->x[i], shorter = sqrt(1 - s * s) - 1;
        WEFT_TRY(move_frame(f, 1, shorter, shorter, s));
        c->y[i] = f->shear;
        c->count = i + 1;
    }
    return weft_ok();
}

weft_result weft_kes_shear(const weft_fabric *fabric, weft_kes_curve *c) {
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
static weft_result bend_all(clamps *c, weft_kes_curve *out) {
    double longer = 0, h = BEND_GAUGE / (BEND_CELLS - 2);
    for (int side = 0; side < 2; side++) {
        longer = 0;
        for (int i = 1; i < POINTS; i++) {
            double k = (side ? -1 : 1) * WEFT_KES_CURVATURE * i / (POINTS - 1);
            WEFT_TRY(bend(c, k * h, &longer));
            int at = side ? POINTS - 1 - i : POINTS - 1 + i;
            out->x[at] = k;
            out->y[at] = c->couple / BEND_WIDTH;
        }
        for (int i = POINTS - 2; i >= 0; i--)
            WEFT_TRY(move_clamps(c, (side ? -1 : 1) * h * WEFT_KES_CURVATURE * i / (POINTS - 1), 0));
    }
    out->x[POINTS - 1] = out->y[POINTS - 1] = 0;
    out->count = 2 * POINTS - 1;
    return weft_ok();
}

weft_result weft_kes_bending(const weft_fabric *fabric, int turned, weft_kes_curve *out) {
    clamps c = {0};
    const double size[2] = {BEND_GAUGE * BEND_CELLS / (BEND_CELLS - 2), BEND_WIDTH};
    weft_result result = weft_swatch_create(&c.swatch, fabric, turned, (const int32_t[2]){BEND_CELLS, 2}, size);
    if (result.code == WEFT_OK)
        result = bend_all(&c, out);
    weft_swatch_destroy(&c.swatch);
    return result;
}
