#include "lab/textile/drapemeter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double WEFT_DRAPE_RADIUS = 0.15, WEFT_DRAPE_SUPPORT = 0.09, WEFT_DRAPE_PICTURE = 0.35, WEFT_DRAPE_FOLD = 0.002;
#define RADIUS  WEFT_DRAPE_RADIUS
#define SUPPORT WEFT_DRAPE_SUPPORT
static const double GRAVITY = 9.81;           /* m/s2 */
static const double STEP = 0.1, STILL = 5e-4; /* s, m/s */
static const double MARGIN = 1.05;            /* of the radius around which the shadow is cast */
enum { RAMP = 50, MOST_STEPS = 1000 };
/* A hinge represents half a cell on either side. Cloth held up to a ring is therefore clamped half a cell further in,
 * and the edge of the support is midway between two rings. With these numbers the last cell is 5/6 of the others at all
 * resolutions.
 *
 * Flat triangles with inextensible yarns can only fold along straight rows of edges. Cloth that hangs in folds is
 * curved in both directions. The coarser the triangles, the more they lock and the higher the cloth hangs. The relevant
 * number is the cell length over sqrt(B / E). Fabrics with sqrt(B / E) below THIN use the second row of meshes. */
static const int32_t RINGS[WEFT_DRAPE_ROWS][WEFT_DRAPE_GRIDS] = {{16, 21, 26}, {26, 36, 46}},
                     HELD[WEFT_DRAPE_ROWS][WEFT_DRAPE_GRIDS] = {{10, 13, 16}, {16, 22, 28}};
static const double THIN = 3e-5; /* m */

static const double MESH_STIFFER = 1.145;

weft_specimen weft_drape_specimen(int row, int grid) {
    double cell = SUPPORT / (HELD[row][grid] - 0.5);
    return (weft_specimen){RINGS[row][grid], cell, HELD[row][grid] * cell};
}

int weft_drape_row(const weft_fabric *f) {
    double bend = sqrt(f->bend_weft * f->bend_warp), stretch = sqrt(f->stretch_weft * f->stretch_warp);
    return sqrt(bend / stretch) < THIN ? WEFT_DRAPE_FINE : WEFT_DRAPE_USUAL;
}

static int is_held(weft_vec3 rest, const void *radius) {
    return hypot(rest.x, rest.z) < *(const double *)radius + 1e-6;
}

/* Waves of orders 2 to 12 with random heights and phases, growing from the held part to the rim. */
static weft_result make_uneven(weft_rig *rig, double held, uint64_t seed) {
    for (int32_t i = 0; i < rig->mesh->vertex_count; i++) {
        weft_vec3 p = rig->mesh->position[i];
        double out = (hypot(p.x, p.z) - held) / (RADIUS - held), angle = atan2(p.z, p.x), sum = 0;
        if (out < 1e-4)
            continue;
        for (uint64_t n = 2; n <= 12; n++)
            sum += (2 * weft_random(seed, 2 * n) - 1) *
                   sin((double)n * angle + 2 * acos(-1) * weft_random(seed, 2 * n + 1));
        p.y = 1e-3 * out * sum;
        WEFT_TRY(weft_sim_place(rig->sim, 0, i, p, weft_vec3_make(0, 0, 0)));
    }
    return weft_ok();
}

static weft_result let_down(weft_rig *rig) {
    for (int k = 1; k <= RAMP; k++) {
        char gravity[64];
        weft_report report;
        snprintf(gravity, sizeof gravity, "[0, %.17g, 0]", -GRAVITY * k / RAMP);
        WEFT_TRY(weft_sim_set(rig->sim, "forces.gravity.acceleration", gravity));
        WEFT_TRY(weft_sim_step(rig->sim, STEP, &report));
    }
    return weft_rig_settle(rig, STEP, STILL, MOST_STEPS);
}

double weft_drape_coefficient(double shadow) {
    return 100 * (shadow / acos(-1) - SUPPORT * SUPPORT) / (RADIUS * RADIUS - SUPPORT * SUPPORT);
}

weft_result weft_drape_disc(weft_rig *rig, const weft_fabric *fabric, double radius, double cell, int32_t rings) {
    weft_mesh *mesh;
    weft_fabric softer = *fabric;
    softer.bend_weft /= MESH_STIFFER;
    softer.bend_warp /= MESH_STIFFER;
    WEFT_TRY(weft_disc_create(radius, cell, rings, &mesh));
    return weft_rig_create(rig, mesh, &softer, "isometric", weft_vec3_make(0, 0, 0));
}

static weft_result hang(weft_rig *rig, const weft_fabric *fabric, const weft_specimen *s, uint64_t seed,
                        weft_shadow *shadow) {
    WEFT_TRY(weft_drape_disc(rig, fabric, RADIUS, s->cell, s->rings));
    /* Only the final rest state counts, so steps need not be accurate. */
    WEFT_TRY(weft_sim_set(rig->sim, "integrator.newton", "2"));
    WEFT_TRY(weft_rig_hold(rig, is_held, &s->held));
    WEFT_TRY(make_uneven(rig, s->held, seed));
    WEFT_TRY(let_down(rig));
    return weft_shadow_cast(rig->mesh, weft_sim_positions(rig->sim, 0), MARGIN * RADIUS, WEFT_DRAPE_FOLD, shadow);
}

weft_result weft_drape_test(const weft_fabric *fabric, weft_specimen s, uint64_t seed, weft_shadow *shadow,
                            weft_vec3 **kept) {
    weft_rig rig = {0};
    weft_result result = hang(&rig, fabric, &s, seed, shadow);
    if (result.code == WEFT_OK && kept) {
        size_t size = (size_t)rig.mesh->vertex_count * sizeof **kept;
        *kept = malloc(size);
        if (*kept)
            memcpy(*kept, weft_sim_positions(rig.sim, 0), size);
        else
            result = weft_fail_memory("a drape", size);
    }
    weft_rig_destroy(&rig);
    return result;
}

static weft_result draw_shape(const weft_vec3 *x, const weft_mesh *mesh, double elevation, int32_t width,
                              weft_picture *picture) {
    weft_view view = weft_view_default();
    view.width = width;
    view.height = width * 3 / 4;
    view.ground = 0;
    view.elevation = elevation;
    view.azimuth = 0.4;
    view.texture = WEFT_TEXTURE_PLAIN;
    view.margin = 0.05;
    weft_framing framing = weft_framing_start(&view);
    weft_framing_add(&framing, mesh->position, mesh->vertex_count); /* flat: the same scale in all pictures */
    weft_framing_add(&framing, (const weft_vec3[]){{0, -0.5 * RADIUS, 0}}, 1);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_renderer *renderer;
    WEFT_TRY(weft_renderer_create(&view, 1, &renderer));
    weft_shot_cloth cloth = {.position = x,
                             .vertex_count = mesh->vertex_count,
                             .triangle = mesh->triangle[0],
                             .triangle_count = mesh->triangle_count};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .low = framing.low, .high = framing.high};
    weft_result result = weft_renderer_frame(renderer, &shot, &camera, picture);
    weft_renderer_destroy(renderer);
    return result;
}

weft_result weft_drape_draw(const weft_vec3 *x, weft_specimen s, double elevation, int32_t width,
                            weft_picture *picture) {
    weft_mesh *mesh;
    WEFT_TRY(weft_disc_create(RADIUS, s.cell, s.rings, &mesh));
    weft_result result = draw_shape(x, mesh, elevation, width, picture);
    weft_mesh_destroy(mesh);
    return result;
}

weft_result weft_drape_draw_shadow(const weft_vec3 *x, weft_specimen s, int32_t width, weft_picture *picture) {
    weft_mesh *mesh;
    WEFT_TRY(weft_disc_create(RADIUS, s.cell, s.rings, &mesh));
    weft_result result = weft_picture_create(picture, width, width);
    uint8_t *dot = result.code == WEFT_OK ? calloc((size_t)width * (size_t)width, 1) : NULL;
    if (result.code == WEFT_OK && !dot)
        result = weft_fail_memory("a shadow", (size_t)width * (size_t)width);
    if (dot) {
        weft_shadow_fill(mesh, x, WEFT_DRAPE_PICTURE / 2, width, dot);
        for (size_t i = 0; i < (size_t)width * (size_t)width; i++)
            memset(picture->rgba + 4 * i, dot[i] ? 0 : 255, 3);
    }
    free(dot);
    weft_mesh_destroy(mesh);
    return result;
}
