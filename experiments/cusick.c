/* The drape test of G. E. Cusick, "The measurement of fabric drape", Journal of the Textile Institute 59, 1968 (BS
 * 5058, ISO 9073-9): a specimen of 30 cm lies on a disc of 18 cm. The drape coefficient is the fraction of the
 * overhanging ring that the shadow from above still covers. Folds are counted on the outline of the shadow.
 *
 * The specimen starts flat except for a seeded unevenness of about a millimetre, the same at all resolutions. Gravity
 * increases over five seconds, as if the specimen were lowered. Contact is off, because folds do not meet at these
 * coefficients.
 *
 * The triangles are slightly higher than equilateral. Bending by their edges is stiffer than the fabric by a factor
 * that depends neither on direction nor on resolution. The factor is divided out, and the remaining error is measured
 * on cylinders. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/disc.h"
#include "experiments/experiment.h"
#include "experiments/rig.h"
#include "io/shadow.h"

static const double RADIUS = 0.15, SUPPORT = 0.09, GRAVITY = 9.81; /* m, m/s2 */
static const double STEP = 0.1, STILL = 5e-4;                      /* s, m/s */
static const double FOLD = 0.002;                                  /* m, minimum depth of a fold of the outline */
enum { GRIDS = 3, MIDDLE = 1, RAMP = 50, MOST_STEPS = 1000, MOST_FABRICS = 24, STARTS = 3 };
/* A hinge represents half a cell on either side. Cloth held up to a ring is therefore clamped half a cell further in,
 * and the edge of the support is midway between two rings. With these numbers the last cell is 5/6 of the others at all
 * resolutions.
 *
 * Flat triangles with inextensible yarns can only fold along straight rows of edges. Cloth that hangs in folds is
 * curved in both directions. The coarser the triangles, the more they lock and the higher the cloth hangs. The relevant
 * number is the cell length over sqrt(B / E). Fabrics with sqrt(B / E) below THIN use the second row of meshes. */
enum { USUAL, FINE, ROWS };
static const int32_t RINGS[ROWS][GRIDS] = {{16, 21, 26}, {26, 36, 46}},
                     HELD[ROWS][GRIDS] = {{10, 13, 16}, {16, 22, 28}};
static const double THIN = 3e-5; /* m */

static const double MESH_STIFFER = 1.145;

typedef struct drape {
    const weft_fabric_preset *preset;
    int row;                   /* row of meshes */
    double coefficient[GRIDS]; /* of the first start */
    weft_sample start[GRIDS];  /* of all starts; the coarsest mesh has only the first */
    int folds[GRIDS];
    weft_vec3 *x; /* shape at the middle resolution */
} drape;

typedef struct specimen {
    int32_t rings;
    double cell, held; /* m: distance of rings; radius up to which vertices are held */
} specimen;

static specimen specimen_of(int row, int grid) {
    double cell = SUPPORT / (HELD[row][grid] - 0.5);
    return (specimen){RINGS[row][grid], cell, HELD[row][grid] * cell};
}

static int row_of(const weft_fabric *f) {
    double bend = sqrt(f->bend_weft * f->bend_warp), stretch = sqrt(f->stretch_weft * f->stretch_warp);
    return sqrt(bend / stretch) < THIN ? FINE : USUAL;
}

/* The same with a ring on the edge of the support. */
static specimen with_ring_at_edge(int grid) {
    int32_t rings = 5 * (3 + grid);
    return (specimen){rings, RADIUS / rings, SUPPORT};
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

static double coefficient_of(double shadow) {
    return 100 * (shadow / acos(-1) - SUPPORT * SUPPORT) / (RADIUS * RADIUS - SUPPORT * SUPPORT);
}

static weft_result create(weft_rig *rig, const weft_fabric *fabric, double radius, double cell, int32_t rings) {
    weft_mesh *mesh;
    weft_fabric softer = *fabric;
    softer.bend_weft /= MESH_STIFFER;
    softer.bend_warp /= MESH_STIFFER;
    WEFT_TRY(weft_disc_create(radius, cell, rings, &mesh));
    return weft_rig_create(rig, mesh, &softer, "isometric", weft_vec3_make(0, 0, 0));
}

static weft_result hang(weft_rig *rig, const weft_fabric *fabric, const specimen *s, uint64_t seed,
                        weft_shadow *shadow) {
    WEFT_TRY(create(rig, fabric, RADIUS, s->cell, s->rings));
    /* Only the final rest state counts, so steps need not be accurate. */
    WEFT_TRY(weft_sim_set(rig->sim, "integrator.newton", "2"));
    WEFT_TRY(weft_rig_hold(rig, is_held, &s->held));
    WEFT_TRY(make_uneven(rig, s->held, seed));
    WEFT_TRY(let_down(rig));
    return weft_shadow_cast(rig->mesh, weft_sim_positions(rig->sim, 0), 1.05 * RADIUS, FOLD, shadow);
}

/* `kept` receives the shape; may be null. */
static weft_result test(const weft_fabric *fabric, specimen s, uint64_t seed, weft_shadow *shadow, weft_vec3 **kept) {
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

/* -- bending rigidity of the mesh -- */

/* Elastic energy of the disc rolled into a cylinder of curvature q along `direction`. Vertices outside the radius
 * `from` are held; vertices inside may move. */
static weft_result roll(weft_rig *rig, double q, double direction, double from, double *energy) {
    double c = cos(direction), s = sin(direction);
    weft_measures measures;
    for (int32_t i = 0; i < rig->mesh->vertex_count; i++) {
        weft_vec3 p = rig->mesh->position[i];
        double along = c * p.x + s * p.z, across = c * p.z - s * p.x, rolled = sin(q * along) / q;
        weft_vec3 to = {c * rolled - s * across, (1 - cos(q * along)) / q, s * rolled + c * across};
        if (hypot(p.x, p.z) > from)
            WEFT_TRY(weft_sim_drag(rig->sim, 0, i, to));
        WEFT_TRY(weft_sim_place(rig->sim, 0, i, to, weft_vec3_make(0, 0, 0)));
    }
    WEFT_TRY(weft_rig_settle(rig, 1, 1e-9, 200));
    WEFT_TRY(weft_sim_measure(rig->sim, &measures));
    *energy = measures.elastic;
    return weft_ok();
}

/* The rigidity measured on a cylinder relative to the given one. Both sizes have the same triangles, so their
 * difference excludes the rim. */
static weft_result rigidity(int32_t rings, double direction, double *ratio) {
    const double h = specimen_of(USUAL, MIDDLE).cell, q = 1;
    const weft_fabric fabric = {.density = 0.1,
                                .thickness = 3e-4,
                                .stretch_weft = 1000,
                                .stretch_warp = 1000,
                                .shear = 500,
                                .bend_weft = 1e-5,
                                .bend_warp = 1e-5};
    double energy[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        weft_rig rig = {0};
        int32_t n = rings << k;
        weft_result result = create(&rig, &fabric, n * h, h, n);
        if (result.code == WEFT_OK)
            result = roll(&rig, q, direction, (n - 1.5) * h, &energy[k]);
        weft_rig_destroy(&rig);
        WEFT_TRY(result);
    }
    /* E(n) = a n^2 + b n */
    double a = (energy[1] - 2 * energy[0]) / (2.0 * rings * rings);
    *ratio = a / (0.5 * fabric.bend_weft * q * q * acos(-1) * h * h);
    return weft_ok();
}

static weft_result check_mesh(weft_record *record) {
    for (int k = 0; k < (weft_record_is_quick(record) ? 1 : 3); k++) {
        double ratio = 0, degrees = 15.0 * k;
        char what[96];
        WEFT_TRY(rigidity(10, degrees * acos(-1) / 180, &ratio));
        snprintf(what, sizeof what, "mesh: bending rigidity of a cylinder at %g degrees relative to the input",
                 degrees);
        weft_record_figure(record, what, 1, ratio, 0.02);
    }
    return weft_ok();
}

/* -- the table -- */

/* Published ranges of drape coefficients, %. CONVERGED is the allowed difference of the means of the two finest meshes,
 * unless the spread of the starts explains more. */
static const double CONVERGED = 1.5, SPREAD = 8; /* % */
static const struct band {
    const char *preset, *where;
    double low, high;
} BANDS[] = {{"cotton-sheeting", "measured: 68", 63, 73},
             {"silk", "silk: 20 to 40", 20, 40},
             {"wool-suiting", "wool: 40 to 70", 40, 70},
             {"denim", "denim: 70 to 90", 70, 90}};

static const struct band *band_of(const char *preset) {
    for (size_t i = 0; i < sizeof BANDS / sizeof BANDS[0]; i++)
        if (strcmp(BANDS[i].preset, preset) == 0)
            return &BANDS[i];
    return NULL;
}

static void report(weft_record *record, const drape *d, int grid) {
    const struct band *band = band_of(d->preset->name);
    char what[96];
    snprintf(what, sizeof what, "%-16s drape coefficient (%%), %d folds, %d rings%s%s", d->preset->name, d->folds[grid],
             RINGS[d->row][grid], band ? "; " : "", band ? band->where : "");
    if (band)
        weft_record_range(record, what, band->low, band->high, d->coefficient[grid]);
    else
        weft_record_value(record, what, d->coefficient[grid]);
}

/* As with real specimens, several fold patterns have nearly the same energy, and the start decides which one appears.
 * The other starts show how much this changes the coefficient. */
static weft_result try_starts(drape *d, int grid) {
    for (uint64_t seed = 2; seed <= STARTS; seed++) {
        weft_shadow shadow;
        WEFT_TRY(test(&d->preset->fabric, specimen_of(d->row, grid), seed, &shadow, NULL));
        d->start[grid].value[d->start[grid].count++] = coefficient_of(shadow.area);
    }
    return weft_ok();
}

static double spread_of(const weft_sample *sample) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < sample->count; i++) {
        low = fmin(low, sample->value[i]);
        high = fmax(high, sample->value[i]);
    }
    return high - low;
}

static void report_starts(weft_record *record, const drape *d) {
    const struct band *band = band_of(d->preset->name);
    const weft_sample *middle = &d->start[MIDDLE], *finest = &d->start[GRIDS - 1];
    char what[96];
    if (band) {
        snprintf(what, sizeof what, "%-16s mean of %d starts (%%), finest mesh; %s", d->preset->name, STARTS,
                 band->where);
        weft_record_range(record, what, band->low, band->high, weft_sample_mean(finest));
    }
    /* Cusick found that repeated tests of one fabric differ by a few units. */
    snprintf(what, sizeof what, "%-16s spread of %d starts (%%)", d->preset->name, STARTS);
    weft_record_range(record, what, 0, SPREAD, fmax(spread_of(middle), spread_of(finest)));
    snprintf(what, sizeof what, "%-16s convergence: means of %d starts (%%), %d and %d rings", d->preset->name, STARTS,
             RINGS[d->row][MIDDLE], RINGS[d->row][GRIDS - 1]);
    weft_record_same_mean(record, what, middle, finest, CONVERGED);
}

static weft_result test_fabric(weft_record *record, drape *d) {
    int quick = weft_record_is_quick(record);
    for (int g = 0; g < (quick ? 1 : GRIDS); g++) {
        weft_shadow shadow;
        WEFT_TRY(test(&d->preset->fabric, specimen_of(d->row, g), 1, &shadow, g == MIDDLE ? &d->x : NULL));
        d->coefficient[g] = coefficient_of(shadow.area);
        d->start[g] = (weft_sample){{d->coefficient[g]}, 1};
        d->folds[g] = shadow.folds;
        report(record, d, g);
        if (g >= MIDDLE)
            WEFT_TRY(try_starts(d, g));
    }
    if (!quick)
        report_starts(record, d);
    return weft_ok();
}

/* The effect of the clamp position on the coefficient of the fabric d, over the cell size. */
static weft_result compare_clamps(weft_record *record, const drape *d) {
    double cell[2][GRIDS], coefficient[2][GRIDS];
    for (int g = 0; g < GRIDS; g++) {
        specimen at_edge = with_ring_at_edge(g);
        weft_shadow shadow;
        WEFT_TRY(test(&d->preset->fabric, at_edge, 1, &shadow, NULL));
        cell[0][g] = 1000 * specimen_of(d->row, g).cell;
        coefficient[0][g] = d->coefficient[g];
        cell[1][g] = 1000 * at_edge.cell;
        coefficient[1][g] = coefficient_of(shadow.area);
    }
    const weft_series series[] = {{"between rings", cell[0], coefficient[0], GRIDS, 0, 0},
                                  {"on a ring", cell[1], coefficient[1], GRIDS, 1, 1}};
    weft_plot plot = {"Cotton sheeting: position of the edge of the support",
                      "distance of rings (mm)",
                      "drape coefficient (%)",
                      series,
                      2,
                      0};
    weft_record_note(
        record,
        "The edge of the support lies midway between two rings of vertices, because a hinge bends for half a cell on "
        "either side. A ring on the edge itself would clamp the cloth half a cell further in. %s then drapes lower by "
        "%.1f, %.1f and %.1f at three resolutions, and the coefficient rises slowly with finer cells (dashed below).",
        d->preset->name, coefficient[0][0] - coefficient[1][0], coefficient[0][1] - coefficient[1][1],
        coefficient[0][2] - coefficient[1][2]);
    return weft_record_plot(record, "clamp.svg", &plot);
}

/* Why thin fabrics need finer meshes: silk, d, compared with silk whose yarns are a tenth as stiff and lock less. */
static weft_result show_locking(weft_record *record, const drape *d) {
    enum { SILKS = 2, MESHES = ROWS * GRIDS - 1 }; /* the rows share one mesh */
    double cell[MESHES], coefficient[SILKS][MESHES];
    for (int k = 0; k < SILKS; k++) {
        weft_fabric silk = d->preset->fabric;
        silk.stretch_weft *= k ? 0.1 : 1;
        silk.stretch_warp *= k ? 0.1 : 1;
        for (int m = 0; m < MESHES - k; m++) {
            int fine = m - (MESHES - GRIDS);
            specimen s = fine >= 0 ? specimen_of(FINE, fine) : specimen_of(USUAL, m);
            weft_shadow shadow;
            cell[m] = 1000 * s.cell;
            coefficient[k][m] = fine >= 0 ? d->coefficient[fine] : 0;
            if (k == 0 && fine >= 0)
                continue;
            WEFT_TRY(test(&silk, s, 1, &shadow, NULL));
            coefficient[k][m] = coefficient_of(shadow.area);
        }
    }
    const weft_series series[] = {{"silk", cell, coefficient[0], MESHES, 0, 0},
                                  {"yarns a tenth as stiff", cell, coefficient[1], MESHES - 1, 1, 1}};
    weft_plot plot = {"Silk: size of triangles", "distance of rings (mm)", "drape coefficient (%)", series, 2, 0};
    weft_record_note(
        record,
        "Silk and chiffon use finer meshes. Folded cloth is curved in both directions. Flat triangles with "
        "inextensible yarns can follow this only if they are small; coarse ones lock and hang too high. The effect "
        "depends on the cell length over sqrt(B / E), which is 0.02 mm for these two. Silk has %.1f, %.1f and %.1f "
        "with 16, 21 and 26 rings, and %.1f, %.1f with 36 and 46. With yarns a tenth as stiff (dashed) it converges "
        "sooner. The values are lower, because these yarns stretch.",
        coefficient[0][0], coefficient[0][1], coefficient[0][2], coefficient[0][3], coefficient[0][4]);
    return weft_record_plot(record, "locking.svg", &plot);
}

/* -- pictures -- */

static weft_result draw_shape(const drape *d, const weft_mesh *mesh, double elevation, weft_picture *picture) {
    weft_view view = weft_view_default();
    view.width = 200;
    view.height = 150;
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
    weft_shot_cloth cloth = {.position = d->x,
                             .vertex_count = mesh->vertex_count,
                             .triangle = mesh->triangle[0],
                             .triangle_count = mesh->triangle_count};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .low = framing.low, .high = framing.high};
    weft_result result = weft_renderer_frame(renderer, &shot, &camera, picture);
    weft_renderer_destroy(renderer);
    return result;
}

/* Draws the specimen from above and from the side. */
static weft_result draw(const drape *d, weft_picture picture[2]) {
    specimen s = specimen_of(d->row, MIDDLE);
    weft_mesh *mesh;
    WEFT_TRY(weft_disc_create(RADIUS, s.cell, s.rings, &mesh));
    weft_result result = draw_shape(d, mesh, 1.55, &picture[0]);
    if (result.code == WEFT_OK)
        result = draw_shape(d, mesh, 0.3, &picture[1]);
    weft_mesh_destroy(mesh);
    return result;
}

static weft_result draw_all(weft_record *record, const drape *d, int count) {
    enum { COLUMNS = 6 };
    weft_picture picture[2 * MOST_FABRICS] = {{0}}, whole = {0};
    char text[MOST_FABRICS][48];
    const char *label[2 * MOST_FABRICS];
    weft_result result = weft_ok();
    for (int k = 0; k < count && result.code == WEFT_OK; k++) {
        snprintf(text[k], sizeof text[k], "%s %.0f", d[k].preset->name, d[k].coefficient[MIDDLE]);
        label[2 * k] = text[k];
        label[2 * k + 1] = "";
        result = draw(&d[k], &picture[2 * k]);
    }
    if (result.code == WEFT_OK)
        result = weft_picture_tile(picture, label, 2 * count, COLUMNS, weft_view_default().background, &whole);
    if (result.code == WEFT_OK)
        result = weft_record_picture(record, "cusick.png", &whole,
                                     "Each fabric from above and from the side, with its drape coefficient (%)");
    weft_picture_destroy(&whole);
    for (int k = 0; k < 2 * count; k++)
        weft_picture_destroy(&picture[k]);
    return result;
}

/* -- */

static weft_result run_fabrics(weft_record *record, drape *d, int count) {
    for (int k = 0; k < count; k++)
        WEFT_TRY(test_fabric(record, &d[k]));
    if (weft_record_is_quick(record))
        return weft_ok();
    for (int k = 0; k < count; k++)
        if (strcmp(d[k].preset->name, "cotton-sheeting") == 0)
            WEFT_TRY(compare_clamps(record, &d[k]));
        else if (strcmp(d[k].preset->name, "silk") == 0)
            WEFT_TRY(show_locking(record, &d[k]));
    return draw_all(record, d, count);
}

static weft_result run(weft_record *record) {
    drape d[MOST_FABRICS] = {{0}};
    int count = 0;
    WEFT_TRY(check_mesh(record));
    for (int i = 0; i < weft_fabric_preset_count() && count < MOST_FABRICS; i++)
        if (!weft_record_is_quick(record) || band_of(weft_fabric_preset_at(i)->name)) {
            d[count].preset = weft_fabric_preset_at(i);
            d[count].row = row_of(&d[count].preset->fabric);
            count++;
        }
    weft_result result = run_fabrics(record, d, count);
    for (int k = 0; k < count; k++)
        free(d[k].x);
    WEFT_TRY(result);
    weft_record_note(
        record,
        "Published ranges exist for the four kinds that show one. The eight fabrics of the tables of Trendafilov "
        "(2021) have measured moduli, but nobody measured their bending or drape. Their coefficients follow from "
        "assumed rigidities. As with real specimens, several fold patterns have nearly the same energy. The start and "
        "the triangles decide which one appears, and change the coefficient by a few units. The two finest meshes are "
        "therefore compared by their means over %d starts with different unevenness. The means must agree within %g, "
        "or within the 95 %% limit of Student's t test if the standard deviations (sd) are large.",
        STARTS, CONVERGED);
    return weft_ok();
}

const weft_experiment WEFT_CUSICK = {
    "cusick",
    "the drape test for all fabrics: drape coefficients, folds and shapes",
    "Cusick, The measurement of fabric drape, Journal of the Textile Institute 59, 1968; ISO 9073-9",
    1,
    run,
    NULL};
