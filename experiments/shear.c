/* Specimens cut into triangles without any order, in frames that move the whole border by one affine map, and between
 * clamps. In a frame the answer is the same everywhere (the patch test), so that the elasticity matrix of weft/fabric.h
 * gives the forces:
 *   picture frame  (x, z) -> (c x + s z, c z + s x), c^2 + s^2 = 1: threads turn, tau = E_s gamma, gamma = 2 s
 *   biaxial        tensions c (E_x e_x + nu_yx E_x e_y) and c (E_y e_y + nu_xy E_y e_x), c = 1 / (1 - nu_xy nu_yx)
 *   bias           weft at 45 degrees, sides give way until they carry nothing: 1 / E_45 = 1/4 (1 / E_x + 1 / E_y -
 *                  2 nu_xy / E_x + 1 / E_s), nu_45 = E_45 / (4 E_s) - E_45 / 4 (1 / E_x + 1 / E_y - 2 nu_xy / E_x)
 * (Jones, "Mechanics of composite materials", 2.8). Between clamps a strip three times as long as wide, cut at 45
 * degrees, shears in its middle like a net of threads that keep their length: with D the length less the width and d
 * the pull, the shear angle is 90 degrees - 2 acos((D + d) / (sqrt(2) D)) (Cao et al., "Characterization of mechanical
 * behavior of woven fabrics", Composites A 39, 2008). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/experiment.h"
#include "experiments/rig.h"
#include "experiments/scatter.h"

static const double SIDE = 0.1; /* m */
static const double STEP = 10, STILL = 1e-11;
enum { GRIDS = 3, MOST_STEPS = 200 };
static const int32_t CELLS[GRIDS] = {5, 10, 20};

/* -- the frame -- */

typedef struct frame {
    weft_rig rig;
    double tension[2], shear; /* N/m: along x at x = +, along z at z = +; along z at x = + */
} frame;

static int at_border(weft_vec3 p) { return fmax(fabs(p.x), fabs(p.z)) > 0.5 * SIDE - 1e-9; }

static weft_result move(frame *f, double ex, double ez, double half_shear) {
    const weft_mesh *mesh = f->rig.mesh;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = mesh->position[i];
        if (at_border(p))
            WEFT_TRY(
                weft_sim_drag(f->rig.sim, 0, i,
                              weft_vec3_make((1 + ex) * p.x + half_shear * p.z, 0, (1 + ez) * p.z + half_shear * p.x)));
    }
    WEFT_TRY(weft_rig_settle(&f->rig, STEP, STILL, MOST_STEPS));
    f->tension[0] = f->tension[1] = f->shear = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = mesh->position[i], r = f->rig.reaction[i];
        if (p.x > 0.5 * SIDE - 1e-9) {
            f->tension[0] += r.x / SIDE;
            f->shear += r.z / SIDE;
        }
        if (p.z > 0.5 * SIDE - 1e-9)
            f->tension[1] += r.z / SIDE;
    }
    return weft_ok();
}

static weft_result create(frame *f, const weft_fabric *fabric, int32_t cells, double angle) {
    weft_mesh *mesh;
    WEFT_TRY(weft_scatter_create((const int32_t[2]){cells, cells}, (const double[2]){SIDE, SIDE}, angle,
                                 (uint64_t)cells, &mesh));
    return weft_rig_create(&f->rig, mesh, fabric, "none", weft_vec3_make(0, 0, 0));
}

/* Moves the sides by secants until they carry nothing. */
static weft_result pull(frame *f, double e, double *side) {
    double before = 0, now = -0.3 * e;
    WEFT_TRY(move(f, e, before, 0));
    double force = f->tension[1];
    for (int k = 0; k < 12; k++) {
        WEFT_TRY(move(f, e, now, 0));
        if (fabs(f->tension[1]) < 1e-7 * fabs(f->tension[0]) || f->tension[1] == force)
            break;
        double next = now - f->tension[1] * (now - before) / (f->tension[1] - force);
        before = now;
        force = f->tension[1];
        now = next;
    }
    *side = now;
    return weft_ok();
}

static void figure(weft_record *record, const char *what, int32_t cells, double expected, double ours) {
    char text[96];
    snprintf(text, sizeof text, "%s, %d x %d", what, cells, cells);
    weft_record_figure(record, text, expected, ours, 0.01);
}

static weft_result picture_frame(weft_record *record, frame *f, const weft_fabric *p, int32_t cells) {
    const double gamma = 0.1;
    double shorter = sqrt(1 - 0.25 * gamma * gamma) - 1;
    WEFT_TRY(create(f, p, cells, 0));
    WEFT_TRY(move(f, shorter, shorter, 0.5 * gamma));
    figure(record, "picture frame: shear stress (N/m)", cells, p->shear * gamma, f->shear);
    return weft_ok();
}

static weft_result biaxial(weft_record *record, frame *f, const weft_fabric *p, int32_t cells) {
    const double ex = 0.02, ez = 0.01;
    double c = 1 / (1 - p->poisson_weft * p->poisson_warp);
    WEFT_TRY(create(f, p, cells, 0));
    WEFT_TRY(move(f, ex, ez, 0));
    figure(record, "biaxial 2 % and 1 %: tension along the weft (N/m)", cells,
           c * p->stretch_weft * (ex + p->poisson_warp * ez), f->tension[0]);
    figure(record, "biaxial 2 % and 1 %: tension along the warp (N/m)", cells,
           c * p->stretch_warp * (ez + p->poisson_weft * ex), f->tension[1]);
    return weft_ok();
}

/* Weft and warp alike: otherwise the pull shears too, which the frame hinders. */
static weft_result bias(weft_record *record, frame *f, const weft_fabric *woven, int32_t cells) {
    weft_fabric alike = *woven, *p = &alike;
    alike.stretch_warp = alike.stretch_weft;
    alike.poisson_warp = alike.poisson_weft;
    const double e = 1e-3;
    double side = 0;
    double threads = 0.25 * (1 / p->stretch_weft + 1 / p->stretch_warp - 2 * p->poisson_weft / p->stretch_weft);
    double modulus = 1 / (threads + 0.25 / p->shear);
    WEFT_TRY(create(f, p, cells, acos(-1) / 4));
    WEFT_TRY(pull(f, e, &side));
    figure(record, "bias extension: E_45 (N/m)", cells, modulus, f->tension[0] / e);
    figure(record, "bias extension: nu_45", cells, modulus * (0.25 / p->shear - threads), -side / e);
    return weft_ok();
}

static weft_result frames(weft_record *record, const weft_fabric *fabric) {
    static weft_result (*const TEST[])(weft_record *, frame *, const weft_fabric *, int32_t) = {picture_frame, biaxial,
                                                                                                bias};
    int quick = weft_record_is_quick(record);
    for (size_t t = 0; t < sizeof TEST / sizeof TEST[0]; t++)
        for (int g = quick; g < (quick ? 2 : GRIDS); g++) {
            frame f = {0};
            weft_result result = TEST[t](record, &f, fabric, CELLS[g]);
            weft_rig_destroy(&f.rig);
            WEFT_TRY(result);
        }
    return weft_ok();
}

/* -- between clamps -- */

static const double LENGTH = 0.3, WIDTH = 0.1, PULL = 0.01;

/* The angle by which the threads' right angle is less, in the middle: of the affine map that fits best there. */
static double shear_of_middle(const weft_rig *rig) {
    const weft_vec3 *x = weft_sim_positions(rig->sim, 0);
    double xx = 0, xz = 0, zz = 0, f[2][2] = {{0, 0}, {0, 0}};
    for (int32_t i = 0; i < rig->mesh->vertex_count; i++) {
        weft_vec3 p = rig->mesh->position[i];
        if (hypot(p.x, p.z) > 0.3 * WIDTH)
            continue;
        xx += p.x * p.x;
        xz += p.x * p.z;
        zz += p.z * p.z;
        f[0][0] += x[i].x * p.x;
        f[0][1] += x[i].x * p.z;
        f[1][0] += x[i].z * p.x;
        f[1][1] += x[i].z * p.z;
    }
    double determinant = xx * zz - xz * xz;
    weft_vec3 thread[2];
    for (int k = 0; k < 2; k++) {
        double side = k ? -1 : 1, gx = (zz - side * xz) / determinant, gz = (side * xx - xz) / determinant;
        thread[k] = weft_normalize(weft_vec3_make(f[0][0] * gx + f[0][1] * gz, 0, f[1][0] * gx + f[1][1] * gz));
    }
    return acos(-1) / 2 - acos(weft_dot(thread[0], thread[1]));
}

static weft_result stretch_strip(weft_rig *rig, int32_t cells, double pulled) {
    const weft_fabric fabric = {.density = 0.1,
                                .thickness = 3e-4,
                                .stretch_weft = 2e4,
                                .stretch_warp = 2e4,
                                .shear = 10,
                                .bend_weft = 1e-6,
                                .bend_warp = 1e-6};
    weft_mesh *mesh;
    WEFT_TRY(weft_scatter_create((const int32_t[2]){3 * cells, cells}, (const double[2]){LENGTH, WIDTH}, acos(-1) / 4,
                                 1, &mesh));
    WEFT_TRY(weft_rig_create(rig, mesh, &fabric, "none", weft_vec3_make(0, 0, 0)));
    for (int stage = 1; stage <= 5; stage++) {
        for (int32_t i = 0; i < rig->mesh->vertex_count; i++) {
            weft_vec3 p = rig->mesh->position[i];
            if (fabs(p.x) < 0.5 * LENGTH - 1e-9)
                continue;
            p.x += (p.x > 0 ? 0.1 : -0.1) * stage * pulled;
            WEFT_TRY(weft_sim_drag(rig->sim, 0, i, p));
        }
        WEFT_TRY(weft_rig_settle(rig, 1, 1e-6, MOST_STEPS));
    }
    return weft_ok();
}

/* Threads of 2000 times the shear stiffness stand for threads that keep their length. Such threads that run across
 * triangles hold up shear near the clamps, so that the middle takes more than its part, the less the finer the mesh. */
static weft_result clamped(weft_record *record) {
    double d = LENGTH - WIDTH, degree = acos(-1) / 180;
    double expected = acos(-1) / 2 - 2 * acos((d + PULL) / (sqrt(2) * d));
    for (int g = 0; g < GRIDS; g++) {
        weft_rig rig = {0};
        weft_result result = stretch_strip(&rig, 2 * CELLS[g], PULL);
        char what[96];
        snprintf(what, sizeof what, "clamped bias extension: shear of the middle (degrees), %d cells across",
                 2 * CELLS[g]);
        if (result.code == WEFT_OK && g < GRIDS - 1)
            weft_record_value(record, what, shear_of_middle(&rig) / degree);
        else if (result.code == WEFT_OK)
            weft_record_figure(record, what, expected / degree, shear_of_middle(&rig) / degree, 0.12);
        weft_rig_destroy(&rig);
        WEFT_TRY(result);
    }
    weft_record_note(record, "The clamped strip is compared with a net of threads that keep their length. Ours stretch "
                             "a little (2000 times the shear stiffness), and threads that run across triangles hold up "
                             "shear near the clamps, so that the middle takes more than its part: hence the bound of "
                             "12 %%. It comes closer with finer triangles.");
    return weft_ok();
}

static weft_result run(weft_record *record) {
    WEFT_TRY(frames(record, &weft_fabric_preset_find("cotton")->fabric));
    return weft_record_is_quick(record) ? weft_ok() : clamped(record);
}

const weft_experiment WEFT_SHEARING = {
    "shear", "picture-frame shear, biaxial and bias extension of cotton cut into triangles without any order",
    "Jones, Mechanics of composite materials; Cao et al., Composites A 39, 2008", 1, run};
