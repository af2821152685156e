#include "io/notices.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weft/text.h"

/* -- intersections -- */

/* Writes "body 'box'", or "body 'box' (bodies.1)" if several bodies have that name. */
static void name_body(const weft_sim *sim, int32_t body, char *text, size_t size) {
    const char *name = weft_sim_body_name(sim, body);
    int same = 0;
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++)
        same += strcmp(weft_sim_body_name(sim, i), name) == 0;
    if (same > 1)
        weft_format(text, size, "body '%.60s' (bodies.%d)", name, body);
    else
        weft_format(text, size, "body '%.60s'", name);
}

void weft_contact_name(const weft_sim *sim, int32_t cloth, int32_t other, int32_t body, char *text, size_t size) {
    if (body != WEFT_NONE)
        name_body(sim, body, text, size);
    else if (other == cloth)
        weft_format(text, size, "itself");
    else
        weft_format(text, size, "cloth '%.60s'", weft_sim_cloth(sim, other)->name);
}

void weft_event_write(const weft_sim *sim, const weft_sim_event *event, char *text, size_t size) {
    char other[120];
    weft_contact_name(sim, event->cloth, event->other, event->body, other, sizeof other);
    if (event->left > 0) {
        weft_format(text, size, "at %.6g s %" PRId64 " collision%s left: cloth '%.60s' may have passed through %s",
                    event->time, event->left, event->left == 1 ? " was" : "s were",
                    weft_sim_cloth(sim, event->cloth)->name, other);
        return;
    }
    if (event->touches > 0) {
        weft_format(text, size,
                    "at %.6g s cloth '%.60s' touches %s at distance 0 in %" PRId64
                    " places, and which side it is on cannot be told: it may pass through",
                    event->time, weft_sim_cloth(sim, event->cloth)->name, other, event->touches);
        return;
    }
    if (event->crossings == 0) {
        weft_format(text, size, "at %.6g s cloth '%.60s' lies inside of %s", event->time,
                    weft_sim_cloth(sim, event->cloth)->name, other);
        return;
    }
    weft_format(text, size, "at %.6g s cloth '%.60s' intersects %s: %" PRId64 " edge%s through triangles", event->time,
                weft_sim_cloth(sim, event->cloth)->name, other, event->crossings,
                event->crossings == 1 ? " passes" : "s pass");
}

int weft_event_notice(const weft_sim *sim, int64_t index, char *text, size_t size) {
    const weft_sim_event *event = weft_sim_event_at(sim, index);
    if (event)
        weft_event_write(sim, event, text, size);
    else if (index < weft_sim_event_count(sim) && weft_sim_event_at(sim, index - 1))
        weft_format(text, size, "more than %" PRId64 " intersections began: the others are not reported", index);
    else
        return 0;
    return 1;
}

void weft_repair_write(const weft_sim *sim, char *text, size_t size) {
    weft_repair done = weft_sim_repaired(sim);
    text[0] = '\0';
    if (done.before == 0)
        return;
    int used =
        weft_format(text, size,
                    "the start was untangled: %" PRId64 " intersections or vertices inside of bodies before, "
                    "%" PRId64 " after %d rounds; vertices moved by up to %.3g mm, edges got longer by up to %.3g %%",
                    done.before, done.after, done.rounds, 1000 * done.farthest, 100 * done.stretch);
    if (done.after > 0 && used > 0 && (size_t)used < size)
        weft_format(text + used, size - (size_t)used,
                    "; what is left could not be untangled without stretching the cloth, and stays as it was");
}

void weft_separation_write(const weft_sim *sim, char *text, size_t size) {
    weft_separation done = weft_sim_separated(sim);
    text[0] = '\0';
    if (done.left > 0)
        weft_format(text, size,
                    "%" PRId64
                    " places touch at distance 0, and which side the cloth is on cannot be told: it may pass "
                    "through; move it off by a little",
                    done.left);
    else if (done.vertices > 0)
        weft_format(text, size,
                    "the start touches at distance 0, which does not say on which side the cloth is: %" PRId64
                    " vertices were moved off by up to %.3g mm",
                    done.vertices, 1000 * done.farthest);
}

void weft_long_step_write(weft_sim *sim, char *text, size_t size) {
    const weft_clock *clock = weft_sim_clock(sim);
    double step = clock->mode == WEFT_TIME_FIXED ? 1 / (clock->rate * weft_clock_steps(clock)) : clock->step;
    double stable = weft_sim_stable_step(sim);
    text[0] = '\0';
    if (isfinite(stable) && step > stable)
        weft_format(text, size,
                    "the step of %.3g ms is longer than the largest stable one of %.64s, about %.3g ms: the run will "
                    "probably diverge; try --set time.step=%.2g",
                    1000 * step, weft_sim_integrator_name(sim), 1000 * stable, 0.9 * stable);
}

/* -- the scale of a mesh or pattern -- */

static double pattern_area(const weft_mesh *mesh, double scale) {
    double twice = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        double face = 0;
        int32_t first = mesh->face_halfedge[f], h = first;
        do {
            weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[mesh->next[h]];
            face += a.x * b.y - a.y * b.x;
            h = mesh->next[h];
        } while (h != first);
        twice += fabs(face);
    }
    return scale * scale * twice / 2;
}

static const char *model_setting(const weft_sim *sim, int32_t cloth, const char *name, char text[64]) {
    char path[96];
    snprintf(path, sizeof path, "cloth.%d.model.%s", cloth, name);
    return weft_sim_get(sim, path, text, 64).code == WEFT_OK ? text : "";
}

/* Returns whether the texture coordinates give the cloth another area than its shape has. */
static int pattern_differs(const weft_sim *sim, int32_t index, double *scale, double *pattern, double *shape) {
    static const double LIKE = 0.05; /* relative difference in area */
    const weft_mesh *mesh = weft_sim_cloth(sim, index)->mesh;
    char value[64];
    if (strcmp(model_setting(sim, index, "rest", value), "pattern") != 0 || !mesh->halfedge_uv)
        return 0;
    *scale = weft_real_parse(model_setting(sim, index, "pattern_scale", value), NULL);
    *pattern = pattern_area(mesh, *scale);
    *shape = weft_mesh_area(mesh, mesh->position);
    return fabs(*pattern - *shape) > LIKE * *shape && *pattern > 0;
}

int weft_pattern_notice(const weft_sim *sim, int32_t index, char *text, size_t size) {
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    double scale, pattern, shape;
    if (cloth->tailoring || !pattern_differs(sim, index, &scale, &pattern, &shape))
        return 0; /* panels of a garment begin apart */
    snprintf(
        text, size,
        "cloth '%.64s': the pattern has %.4g m2 and the shape %.4g m2, so the cloth begins %s by %.3g %%; mass and "
        "rest shape are those of the pattern; model.pattern_scale: %.4g would give both the same area",
        cloth->name, pattern, shape, pattern < shape ? "stretched" : "compressed",
        100 * fabs(sqrt(shape / pattern) - 1), scale * sqrt(shape / pattern));
    return 1;
}

/* Grids state their size in the scene. The mass says nothing about the mesh if it follows from a pattern in other
 * units. */
int weft_size_notice(const weft_sim *sim, int32_t index, char *text, size_t size, double *scale) {
    static const double LONGEST = 20, SHORTEST = 0.005, HEAVIEST = 100; /* m, m, kg */
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    const weft_mesh *mesh = cloth->mesh;
    weft_vec3 low = mesh->position[0], high = low;
    double mass = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = mesh->position[i];
        low = (weft_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (weft_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
        mass += cloth->mass[i];
    }
    double length = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)), factor, pattern, shape;
    int heavy = mass > HEAVIEST && !pattern_differs(sim, index, &factor, &pattern, &shape);
    if (mesh->grid_cells[0] > 0 || (length <= LONGEST && length >= SHORTEST && !heavy))
        return 0;
    *scale = length < SHORTEST ? 1000 : 0.01;
    snprintf(
        text, size,
        "cloth '%.64s' is %.4g m long and weighs %.4g kg; meshes are read in metres: is this one in %s (scale: %g)?",
        cloth->name, length, mass, length < SHORTEST ? "kilometres" : "centimetres", *scale);
    return 1;
}
