/* Coulomb friction on bodies. A patch on an incline of slope angle a stays if tan a < mu; otherwise it slides with the
 * acceleration g (sin a - mu cos a). For a strip pulled slowly over a rod, the end tensions satisfy T2 / T1 = exp(mu
 * phi) with the contact angle phi (L. Euler 1762, J. A. Eytelwein 1808). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/experiments/experiment.h"

static const double GRAVITY = 9.81; /* m/s2 */
enum { GRIDS = 3 };

/* m, between cloth and body. Contact treats a slip of less than a thousandth of it per step as sticking. It must be
 * small compared with the motion per step on the incline, and larger than the penetration of edges into the rod. */
static const double PATCH_GAP = 1e-4, GAP = 5e-4;

typedef struct scene {
    weft_registry *registry;
    weft_sim *sim;
} scene;

static void destroy(scene *s) {
    weft_sim_destroy(s->sim);
    weft_registry_destroy(s->registry);
    *s = (scene){0};
}

/* A grid in x and z, starting at (-1/2, 0, -1/2) times its size, on the named body. */
static weft_result create(scene *s, const int32_t cells[2], const double size[2], const weft_fabric *fabric,
                          const char *body, double friction, double gap) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    char path[64], thickness[32];
    for (int k = 0; k < 2; k++) {
        grid.cells[k] = cells[k];
        grid.size[k] = size[k];
    }
    grid.origin = weft_vec3_make(-0.5 * size[0], gap, -0.5 * size[1]);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    WEFT_TRY(weft_registry_create(&s->registry));
    WEFT_TRY(weft_sim_create(s->registry, &s->sim));
    WEFT_TRY(weft_sim_remove_force(s->sim, 0)); /* gravity, which only the incline needs */
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    WEFT_TRY(weft_sim_add_cloth(s->sim, "cloth", mesh, fabric, "corotational", NULL));
    WEFT_TRY(weft_sim_set_integrator(s->sim, "implicit-euler"));
    WEFT_TRY(weft_sim_add_body(s->sim, body, NULL, NULL));
    snprintf(path, sizeof path, "bodies.%s.friction", body);
    WEFT_TRY(weft_sim_set_real(s->sim, path, friction));
    snprintf(thickness, sizeof thickness, "%.17g", gap);
    WEFT_TRY(weft_sim_set(s->sim, "contact.thickness", thickness));
    WEFT_TRY(weft_sim_set(s->sim, "contact.self", "false"));
    WEFT_TRY(weft_sim_set(s->sim, "contact.constraints.solves", "8"));
    weft_sim_set_threads(s->sim, 1);
    return weft_ok();
}

static weft_result step(scene *s, double dt) { return weft_sim_step(s->sim, dt, NULL); }

/* -- the incline -- */

/* The plane stays level and gravity is inclined instead. `speed` is the velocity down the slope after `time`. */
static weft_result slide(scene *s, int32_t cells, double mu, double angle, double *speed, double time) {
    const double dt = 1e-3;
    char gravity[96];
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    WEFT_TRY(
        create(s, (const int32_t[2]){cells, cells}, (const double[2]){0.12, 0.12}, &fabric, "plane", mu, PATCH_GAP));
    WEFT_TRY(weft_sim_add_force(s->sim, "gravity", NULL));
    snprintf(gravity, sizeof gravity, "[%.17g, %.17g, 0]", GRAVITY * sin(angle), -GRAVITY * cos(angle));
    WEFT_TRY(weft_sim_set(s->sim, "forces.gravity.acceleration", gravity));
    for (int k = 0; k < (int)lround(time / dt); k++)
        WEFT_TRY(step(s, dt));
    weft_measures measures;
    WEFT_TRY(weft_sim_measure(s->sim, &measures));
    *speed = measures.momentum.x / measures.mass;
    return weft_ok();
}

static weft_result incline(weft_record *record) {
    static const double PART[] = {0.9, 1.1, 1.5, 2};
    static const int32_t CELLS[GRIDS] = {3, 6, 12};
    const double mu = 0.4, time = 1;
    int quick = weft_record_is_quick(record);
    for (size_t k = 0; k < (quick ? 2 : sizeof PART / sizeof PART[0]); k++)
        for (int g = 0; g < (quick ? 1 : GRIDS); g++) {
            scene s = {0};
            double angle = atan(PART[k] * mu), speed = 0, expected = GRAVITY * (sin(angle) - mu * cos(angle)) * time;
            weft_result result = slide(&s, CELLS[g], mu, angle, &speed, time);
            char what[112];
            destroy(&s);
            WEFT_TRY(result);
            snprintf(what, sizeof what, "incline of slope %.2f, mu %.1f: speed after %g s (m/s), %d x %d cells",
                     PART[k] * mu, mu, time, CELLS[g], CELLS[g]);
            if (expected <= 0) /* stays, within a thousandth of free fall */
                weft_record_range(record, what, -1e-3 * GRAVITY * time, 1e-3 * GRAVITY * time, speed);
            else
                weft_record_figure(record, what, expected, speed, 0.02);
        }
    return weft_ok();
}

/* -- the capstan -- */

static const double ROD = 0.05, TAIL = 0.06, WIDTH = 0.02; /* m */

/* The position of the point at arc length u from the middle of the strip. The strip touches the rod over `phi` and
 * leaves it straight. The axis of the rod is z, through the origin. */
static weft_vec3 around(double u, double phi, double z) {
    double r = ROD + GAP, half = 0.5 * phi, angle = fmin(fabs(u) / r, half), rest = fabs(u) - r * angle;
    double x = r * sin(angle) + rest * cos(half), y = r * cos(angle) - rest * sin(half);
    return weft_vec3_make(u < 0 ? -x : x, y, z);
}

static weft_result capstan_start(scene *s, double mu, double phi, int32_t cells, double *length) {
    /* A light strip: tensions of about 10 N/m compared with a weight of 0.1 N/m2. Without damping, sliding excites
     * waves along the strip, up to 15 % of the ratio at mu = 0.4. A damping time of a millisecond removes them and does
     * not affect the steady pull. */
    const weft_fabric fabric = {.density = 0.1,
                                .thickness = 3e-4,
                                .stretch_weft = 2000,
                                .stretch_warp = 2000,
                                .shear = 1000,
                                .bend_weft = 1e-7,
                                .bend_warp = 1e-7,
                                .damping = 1e-3};
    *length = (ROD + GAP) * phi + 2 * TAIL;
    WEFT_TRY(create(s, (const int32_t[2]){cells, 2}, (const double[2]){*length, WIDTH}, &fabric, "cylinder", mu, GAP));
    WEFT_TRY(weft_sim_set(s->sim, "bodies.cylinder.rotate", "[90 deg, 0, 0]"));
    WEFT_TRY(weft_sim_set_real(s->sim, "bodies.cylinder.radius", ROD));
    WEFT_TRY(weft_sim_prepare(s->sim));
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = mesh->position[i];
        WEFT_TRY(weft_sim_place(s->sim, 0, i, around(p.x, phi, p.z), weft_vec3_make(0, 0, 0)));
    }
    return weft_ok();
}

/* Moves both ends by `shift` along the strip, and pulls each outward by `pulled`. */
static weft_result hold_ends(scene *s, double phi, int32_t cells, double length, double shift, double pulled) {
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    for (int32_t j = 0; j <= 2; j++)
        for (int32_t end = 0; end < 2; end++) {
            int32_t v = j * (cells + 1) + end * cells;
            double u = (end ? 0.5 : -0.5) * length + shift + (end ? pulled : -pulled);
            WEFT_TRY(weft_sim_drag(s->sim, 0, v, around(u, phi, mesh->position[v].z)));
        }
    return weft_ok();
}

static double tension(const weft_vec3 *reaction, int32_t cells, int end) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t j = 0; j <= 2; j++)
        sum = weft_add(sum, reaction[j * (cells + 1) + end * cells]);
    return weft_length(sum);
}

static weft_result draw(scene *s, double mu, double phi, int32_t cells, double *ratio) {
    const double dt = 2e-3, pulled = 5e-4, speed = 0.02;
    enum { TIGHTEN = 100, SETTLE = 200, DRAW = 500, MEAN = 200 };
    double length = 0, sum[2] = {0, 0};
    weft_vec3 *reaction = calloc(3 * ((size_t)cells + 1), sizeof *reaction);
    if (!reaction)
        return weft_fail_memory("forces of a strip", sizeof *reaction);
    weft_result result = capstan_start(s, mu, phi, cells, &length);
    for (int k = 0; k < TIGHTEN + SETTLE + DRAW && result.code == WEFT_OK; k++) {
        double shift = fmax(0, k - TIGHTEN - SETTLE) * dt * speed;
        result = hold_ends(s, phi, cells, length, shift, pulled * fmin(1, (double)k / TIGHTEN));
        if (result.code == WEFT_OK)
            result = step(s, dt);
        if (result.code == WEFT_OK && k >= TIGHTEN + SETTLE + DRAW - MEAN) {
            result = weft_sim_reactions(s->sim, 0, reaction);
            for (int end = 0; end < 2; end++)
                sum[end] += tension(reaction, cells, end) / MEAN;
        }
    }
    free(reaction);
    *ratio = sum[1] / sum[0];
    return result;
}

static weft_result capstan(weft_record *record) {
    static const double PHI[] = {180, 180, 90}, MU[] = {0.4, 0.2, 0.3};
    static const int32_t CELLS[GRIDS] = {20, 40, 80};
    int quick = weft_record_is_quick(record);
    for (int k = 0; k < (quick ? 1 : 3); k++) {
        weft_refined refined = {0};
        char what[96];
        for (int g = quick; g < (quick ? 2 : GRIDS); g++) {
            scene s = {0};
            double phi = PHI[k] * acos(-1) / 180, ratio = 0;
            weft_result result = draw(&s, MU[k], phi, CELLS[g], &ratio);
            destroy(&s);
            WEFT_TRY(result);
            snprintf(what, sizeof what, "capstan: T2 / T1 at mu %.1f over %g degrees, %d cells", MU[k], PHI[k],
                     CELLS[g]);
            weft_record_figure(record, what, exp(MU[k] * phi), ratio, 0.02);
            weft_refined_add(&refined, exp(MU[k] * phi), ratio);
        }
        snprintf(what, sizeof what, "capstan: mu %.1f over %g degrees", MU[k], PHI[k]);
        weft_record_converges(record, what, &refined, 0.02);
    }
    return weft_ok();
}

static weft_result run(weft_record *record) {
    WEFT_TRY(incline(record));
    return capstan(record);
}

const weft_experiment WEFT_FRICTION = {"friction",
                                       "a patch on an incline, and a strip pulled over a rod",
                                       "Coulomb 1785; Euler 1762; Eytelwein 1808",
                                       1,
                                       run,
                                       NULL};
