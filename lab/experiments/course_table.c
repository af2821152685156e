/* Choi and Ko's garments and dancers are not published. Here a square with as many particles, 1.5 cm apart (theirs: 1
 * to 2 cm), falls over a ball with as many triangles. The ball moves at 1 m/s and turns. A frame of 1/30 s has three
 * steps of 1/90 s, with contact between cloth and ball and self-collision. The CPU time on one thread is the mean over
 * the second half of a second, when most of the cloth is in contact. */
#include "lab/experiments/course_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "weft/weft.h"

typedef struct garment {
    const char *name;
    int32_t particles, solid;
    double published; /* s of CPU time per frame on a 550 MHz Pentium III */
} garment;
static const garment GARMENTS[] = {{"1(a)", 5608, 13802, 6.13},    {"1(b)", 5579, 13802, 5.86},
                                   {"2", 5579, 15308, 5.68},       {"3 top", 3396, 15308, 2.98},
                                   {"3 skirt", 3456, 15308, 3.01}, {"4 top", 3294, 14324, 3.25},
                                   {"4 pants", 6624, 14324, 7.01}};

static const double RADIUS = 0.25, CELL = 0.015, RATE = 30; /* m, m, 1/s */

/* A ball of n (n - 2) triangles: n around and n / 2 from pole to pole, n even. */
static weft_result make_ball(int32_t triangles, weft_mesh **mesh) {
    int32_t around = 2 * (int32_t)lround(0.5 * sqrt(triangles)), rings = around / 2;
    int32_t vertices = around * (rings - 1) + 2, faces = around * (2 * rings - 2), count = 0;
    weft_vec3 *position = calloc((size_t)vertices, sizeof *position);
    int32_t *corner = calloc(3 * (size_t)faces, sizeof *corner), *size = calloc((size_t)faces, sizeof *size);
    weft_result result = position && corner && size ? weft_ok() : weft_fail_memory("a ball", sizeof *position);
    if (result.code == WEFT_OK) {
        position[vertices - 2] = weft_vec3_make(0, RADIUS, 0);
        position[vertices - 1] = weft_vec3_make(0, -RADIUS, 0);
        for (int32_t k = 0; k < around * (rings - 1); k++) {
            int32_t ring = k / around + 1;
            double down = acos(-1) * ring / rings, turn = 2 * acos(-1) * (k % around) / around;
            position[k] = weft_scale(RADIUS, weft_vec3_make(sin(down) * sin(turn), cos(down), sin(down) * cos(turn)));
        }
        for (int32_t ring = 0; ring < rings; ring++)
            for (int32_t i = 0; i < around; i++) {
                int32_t next = (i + 1) % around, above = (ring - 1) * around, below = ring * around;
                const int32_t upper[3] = {ring > 0 ? above + i : vertices - 2, below + i, below + next};
                const int32_t lower[3] = {above + i, ring < rings - 1 ? below + next : vertices - 1, above + next};
                for (int k = 0; k < 3 && ring < rings - 1; k++)
                    corner[count++] = upper[k];
                for (int k = 0; k < 3 && ring > 0; k++)
                    corner[count++] = lower[k];
            }
        for (int32_t i = 0; i < count / 3; i++)
            size[i] = 3;
        weft_polygons polygons = {.name = "ball",
                                  .position = position,
                                  .vertex_count = vertices,
                                  .corner = corner,
                                  .corner_count = count,
                                  .face_size = size,
                                  .face_count = count / 3};
        result = weft_mesh_create(&polygons, mesh);
    }
    free(size);
    free(corner);
    free(position);
    return result;
}

static weft_result dress(weft_sim *sim, const garment *g) {
    weft_grid grid = weft_grid_default();
    weft_mesh *cloth, *ball;
    int32_t cells = (int32_t)lround(sqrt(g->particles)) - 1, body;
    const weft_body_key keys[2] = {{0, {0, 0, 0}, 0, 1}, {2, {2, 0, 0}, 2, 1}};
    const char *const settings[][2] = {{"cloth.model.stiffness", "fabric"},
                                       {"integrator.precondition", "two-level"},
                                       {"integrator.iterations", "2000"},
                                       {"contact.thickness", "0.002"},
                                       {"contact.self", "true"},
                                       {"bodies.mesh.friction", "0.3"}};
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = cells * CELL;
    grid.origin = weft_vec3_make(-0.5 * grid.size[0], RADIUS + 0.003, -0.5 * grid.size[1]);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    WEFT_TRY(weft_mesh_create_grid(&grid, &cloth));
    WEFT_TRY(weft_sim_add_cloth(sim, "cloth", cloth, &weft_fabric_preset_find("cotton")->fabric, "buckling", NULL));
    WEFT_TRY(make_ball(g->solid, &ball));
    WEFT_TRY(weft_sim_add_body(sim, "mesh", ball, &body));
    WEFT_TRY(weft_sim_set_body_keys(sim, body, keys, 2));
    WEFT_TRY(weft_sim_add_force(sim, "gravity", NULL));
    WEFT_TRY(weft_sim_set_integrator(sim, "bdf2"));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        WEFT_TRY(weft_sim_set(sim, settings[i][0], settings[i][1]));
    weft_sim_set_threads(sim, 1);
    return weft_sim_prepare(sim);
}

typedef struct cost {
    double frame;   /* s of CPU time */
    double contact; /* fraction of it spent on contact */
} cost;

static weft_result dance(weft_sim *sim, cost *c) {
    enum { FRAMES = 30, FROM = 15, STEPS = 3 };
    double all = 0, contact = 0;
    clock_t start = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame == FROM)
            start = clock();
        for (int k = 0; k < STEPS; k++) {
            weft_report report;
            WEFT_TRY(weft_sim_step(sim, 1 / (STEPS * RATE), &report));
            for (int p = 0; p < WEFT_PHASES && frame >= FROM; p++)
                all += report.seconds[p];
            contact += frame >= FROM ? report.seconds[WEFT_PHASE_CONTACT] : 0;
        }
    }
    *c = (cost){(double)(clock() - start) / CLOCKS_PER_SEC / (FRAMES - FROM), contact / all};
    return weft_ok();
}

static weft_result measure(const garment *g, cost *c) {
    weft_registry *registry = NULL;
    weft_sim *sim = NULL;
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK)
        result = weft_sim_create(registry, &sim);
    if (result.code == WEFT_OK)
        result = dress(sim, g);
    if (result.code == WEFT_OK)
        result = dance(sim, c);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    return result;
}

weft_result weft_course_table(weft_record *record) {
    for (size_t i = 0; i < sizeof GARMENTS / sizeof GARMENTS[0]; i++) {
        const garment *g = &GARMENTS[i];
        cost c = {0};
        char what[112], published[32], ours[64];
        WEFT_TRY(measure(g, &c));
        snprintf(what, sizeof what, "table 1, %s: %d particles, %d triangles: CPU s per frame", g->name, g->particles,
                 g->solid);
        snprintf(published, sizeof published, "%.2f", g->published);
        snprintf(ours, sizeof ours, "%.2f, contact %.0f %%", c.frame, 100 * c.contact);
        weft_record_claim(record, what, published, ours, c.frame < g->published);
    }
    weft_record_note(
        record,
        "Choi and Ko (2002) measured on a 550 MHz Pentium III, with garments and dancers that are not available. Ours "
        "is a square with as many particles on a ball with as many triangles. The ball moves at walking pace, and "
        "contact leaves no intersections. Times are for one thread and depend on the machine.");
    return weft_ok();
}
