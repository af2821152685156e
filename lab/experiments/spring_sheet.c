#include "lab/experiments/spring_sheet.h"

#include <math.h>
#include <stdio.h>

/* Frames are whole numbers of steps, so that steps have exactly the given length; s. */
static const double FRAME = 0.02;

typedef struct sheet {
    weft_registry *registry;
    weft_sim *sim;
    int32_t vertices;
} sheet;

static weft_result make_mesh(const weft_sheet_case *which, weft_mesh **mesh) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = which->side_vertices - 1;
    grid.size[0] = grid.size[1] = which->side;
    grid.axis[1] = which->hangs ? weft_vec3_make(0, -1, 0) : weft_vec3_make(0, 0, 1);
    return weft_mesh_create_grid(&grid, mesh);
}

static weft_result set_number(weft_sim *sim, const char *path, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    return weft_sim_set(sim, path, text);
}

static weft_result hold(const weft_sheet_case *which, weft_sim *sim) {
    const int32_t last = which->side_vertices - 1, vertex[6] = {0, last, 1, last - 1, 2, last - 2};
    static const int32_t COUNT[] = {[WEFT_HOLD_CORNERS] = 2, [WEFT_HOLD_LEFT] = 1, [WEFT_HOLD_THREES] = 6};
    weft_pin still = weft_pin_default();
    return weft_sim_add_pin(sim, 0, &still, vertex, COUNT[which->hold]);
}

static weft_result build(const weft_sheet_case *which, sheet *s) {
    static const char *const STIFFNESS[] = {"cloth.model.structural_stiffness", "cloth.model.shear_stiffness",
                                            "cloth.model.flexion_stiffness"};
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    weft_mesh *mesh;
    fabric.density = which->density;
    WEFT_TRY(weft_registry_create(&s->registry));
    WEFT_TRY(weft_sim_create(s->registry, &s->sim));
    WEFT_TRY(make_mesh(which, &mesh));
    WEFT_TRY(weft_sim_add_cloth(s->sim, "sheet", mesh, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_add_force(s->sim, "gravity", NULL));
    WEFT_TRY(weft_sim_add_force(s->sim, "air-damping", NULL));
    if (which->wind)
        WEFT_TRY(weft_sim_add_force(s->sim, which->wind, NULL));
    WEFT_TRY(weft_sim_set_integrator(s->sim, which->integrator));
    for (int i = 0; i < 3; i++)
        WEFT_TRY(set_number(s->sim, STIFFNESS[i], which->stiffness));
    WEFT_TRY(set_number(s->sim, "time.step", which->step));
    WEFT_TRY(set_number(s->sim, "time.rate", 1 / (which->step * fmax(1, floor(FRAME / which->step)))));
    WEFT_TRY(weft_sim_set(s->sim, "time.halvings", "0"));
    for (int i = 0; i < WEFT_SHEET_SETTINGS && which->setting[i][0]; i++)
        WEFT_TRY(weft_sim_set(s->sim, which->setting[i][0], which->setting[i][1]));
    weft_sim_set_threads(s->sim, 1);
    WEFT_TRY(weft_sim_prepare(s->sim));
    s->vertices = which->side_vertices * which->side_vertices;
    return hold(which, s->sim);
}

static void add_frame(const sheet *s, double part, weft_sheet_outcome *o) {
    const weft_vec3 *x = weft_sim_positions(s->sim, 0), *v = weft_sim_velocities(s->sim, 0);
    double low = 0, square = 0;
    for (int32_t i = 0; i < s->vertices; i++) {
        low = fmin(low, x[i].y);
        square += weft_dot(v[i], v[i]) / s->vertices;
        o->centre = weft_add_scaled(o->centre, part / s->vertices, x[i]);
    }
    o->lowest += part * -low;
    o->speed += part * square;
}

/* The pinch of Trendafilov (2021), section 4.3. */
static weft_result pinch(const weft_sheet_case *which, sheet *s, weft_vec3 *from) {
    const double begin = 1, end = 1.5, time = weft_sim_time(s->sim);
    int32_t vertex = s->vertices - 1 - which->side_vertices / 2;
    if (which->pinch == 0 || time < begin)
        *from = weft_sim_positions(s->sim, 0)[vertex];
    else if (time < end) {
        double pulled = which->pinch * (time - begin) / (end - begin);
        return weft_sim_drag(s->sim, 0, vertex, weft_add(*from, weft_vec3_make(0, pulled, pulled)));
    } else if (weft_sim_held(s->sim, 0)[vertex])
        return weft_sim_release(s->sim, 0, vertex);
    return weft_ok();
}

static weft_result run(const weft_sheet_case *which, sheet *s, weft_sheet_outcome *o) {
    double rate = weft_sim_clock(s->sim)->rate;
    int frames = (int)ceil(which->seconds * rate), last = (int)ceil(rate);
    weft_measures measures, start;
    weft_vec3 from = {0, 0, 0};
    WEFT_TRY(weft_sim_measure(s->sim, &start));
    o->stable_step = weft_sim_stable_step(s->sim);
    for (int frame = 0; frame < frames; frame++) {
        weft_report report;
        int32_t steps;
        WEFT_TRY(pinch(which, s, &from));
        weft_result result = weft_sim_advance_frame(s->sim, &report, &steps);
        if (result.code != WEFT_DIVERGED) /* which is a result of this experiment */
            WEFT_TRY(result);
        WEFT_TRY(weft_sim_measure(s->sim, &measures));
        if (weft_sim_time(s->sim) <= 1 + 0.5 * FRAME)
            o->fallen = start.centre.y - measures.centre.y;
        o->energy_most = fmax(o->energy_most, measures.kinetic);
        if (report.status != WEFT_STATUS_OK || measures.stretch_max > 1000) {
            o->diverged = weft_sim_time(s->sim);
            break;
        }
        if (frame >= frames - last)
            add_frame(s, 1.0 / last, o);
    }
    o->speed = sqrt(o->speed);
    o->stretch_mean = measures.stretch_mean;
    o->stretch_max = measures.stretch_max;
    o->links_broken = measures.links_broken;
    return which->shots ? weft_shots_add(which->shots, s->sim, which->label) : weft_ok();
}

weft_result weft_sheet_run(const weft_sheet_case *which, weft_sheet_outcome *outcome) {
    sheet s = {0};
    *outcome = (weft_sheet_outcome){.diverged = INFINITY};
    weft_result result = build(which, &s);
    if (result.code == WEFT_OK)
        result = run(which, &s, outcome);
    weft_sim_destroy(s.sim);
    weft_registry_destroy(s.registry);
    return result;
}
