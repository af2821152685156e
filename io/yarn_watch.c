#include "io/yarn_watch.h"

#include <math.h>
#include <stdlib.h>

#include "weft/tailoring.h"
#include "weft/text.h"
#include "weft/vec.h"

/* Number of panels of a cloth; 0 if it is no garment. */
static int32_t panels_of(const weft_sim *sim, int32_t cloth) {
    const weft_cloth *found = weft_sim_cloth(sim, cloth);
    return found->tailoring && found->mesh->face_group ? found->mesh->group_count : 0;
}

/* Garments settle until the damping of `settling` ends. */
static double settled_at(const weft_sim *sim) {
    char text[64];
    return weft_sim_get(sim, "forces.settling.until", text, sizeof text).code == WEFT_OK ? weft_real_parse(text, NULL)
                                                                                         : 0;
}

weft_result weft_yarn_watch_open(weft_yarn_watch *watch, const weft_sim *sim) {
    int32_t panels = 0, triangles = 0;
    *watch = (weft_yarn_watch){.begin = settled_at(sim)};
    for (int32_t c = 0; c < weft_sim_cloth_count(sim); c++) {
        int32_t own = weft_sim_cloth(sim, c)->mesh->triangle_count;
        panels += panels_of(sim, c);
        triangles = own > triangles ? own : triangles;
    }
    if (panels == 0)
        return weft_ok();
    watch->panel = calloc((size_t)panels, sizeof *watch->panel);
    watch->yarn = calloc((size_t)triangles + 1, sizeof *watch->yarn);
    if (!watch->panel || !watch->yarn)
        return weft_fail_memory("strains of panels", (size_t)triangles * sizeof *watch->yarn);
    for (int32_t c = 0; c < weft_sim_cloth_count(sim); c++)
        for (int32_t g = 0; g < panels_of(sim, c); g++)
            watch->panel[watch->panels++] = (weft_yarn_panel){.cloth = c, .group = g};
    return weft_ok();
}

/* The middle of a triangle in the pattern, from the lower left corner of the box around its panel. */
static weft_vec2 place_in_panel(const weft_mesh *mesh, int32_t group, int32_t triangle) {
    weft_vec2 low = {INFINITY, INFINITY}, middle = {0, 0};
    for (int32_t f = 0; mesh->halfedge_uv && f < mesh->face_count; f++) {
        int32_t first = mesh->face_halfedge[f], h = first;
        if (mesh->face_group[f] != group)
            continue;
        do {
            weft_vec2 uv = mesh->halfedge_uv[h];
            low = (weft_vec2){fmin(low.x, uv.x), fmin(low.y, uv.y)};
            if (f == mesh->triangle_face[triangle])
                middle = (weft_vec2){middle.x + uv.x / 3, middle.y + uv.y / 3};
            h = mesh->next[h];
        } while (h != first);
    }
    return (weft_vec2){middle.x - low.x, middle.y - low.y};
}

static void take_worst(weft_yarn_panel *panel, const weft_sim *sim, int32_t triangle, const double yarn[2]) {
    const weft_mesh *mesh = weft_sim_cloth(sim, panel->cloth)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, panel->cloth);
    const int32_t *v = mesh->triangle[triangle];
    panel->frame = weft_sim_frame(sim);
    panel->time = weft_sim_time(sim);
    panel->stretch = fmax(yarn[0], yarn[1]);
    panel->along_warp = yarn[1] > yarn[0];
    panel->at = weft_scale(1.0 / 3, weft_add(x[v[0]], weft_add(x[v[1]], x[v[2]])));
    panel->place = place_in_panel(mesh, panel->group, triangle);
}

/* The triangle of a panel whose yarns are stretched most; `over` receives how many are above the limit. */
static int32_t find_worst(const weft_yarn_watch *watch, const weft_mesh *mesh, int32_t group, int32_t *over) {
    int32_t worst = WEFT_NONE;
    double most = WEFT_YARN_LIMIT;
    *over = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        double stretch = fmax(watch->yarn[t][0], watch->yarn[t][1]);
        if (mesh->face_group[mesh->triangle_face[t]] != group || stretch <= WEFT_YARN_LIMIT)
            continue;
        (*over)++;
        worst = stretch > most ? t : worst;
        most = fmax(most, stretch);
    }
    return worst;
}

/* Returns whether the panel is above the limit. `watch->yarn` is that of its cloth. */
static int look_at(const weft_yarn_watch *watch, weft_yarn_panel *panel, const weft_sim *sim) {
    int32_t over, worst = find_worst(watch, weft_sim_cloth(sim, panel->cloth)->mesh, panel->group, &over);
    if (over == 0)
        return 0;
    panel->frames++;
    if (fmax(watch->yarn[worst][0], watch->yarn[worst][1]) > panel->stretch) {
        take_worst(panel, sim, worst, watch->yarn[worst]);
        panel->triangles = over;
    }
    return 1;
}

weft_result weft_yarn_watch_frame(weft_yarn_watch *watch, weft_sim *sim, const weft_measures *measures) {
    static const double ROUNDING = 1e-9; /* s */
    int any = 0;
    if (watch->panels == 0 || weft_sim_frame(sim) == 0 || weft_sim_time(sim) < watch->begin - ROUNDING)
        return weft_ok();
    watch->frames++;
    if (measures->yarn_max <= WEFT_YARN_LIMIT)
        return weft_ok();
    for (int32_t p = 0; p < watch->panels; p++) {
        weft_yarn_panel *panel = &watch->panel[p];
        if (p == 0 || panel->cloth != watch->panel[p - 1].cloth)
            WEFT_TRY(weft_sim_yarns(sim, panel->cloth, watch->yarn));
        any |= look_at(watch, panel, sim);
    }
    watch->over += any;
    return weft_ok();
}

void weft_yarn_watch_write(const weft_yarn_watch *watch, const weft_sim *sim, int32_t panel, char *text, size_t size) {
    const weft_yarn_panel *p = &watch->panel[panel];
    const weft_cloth *cloth = weft_sim_cloth(sim, p->cloth);
    text[0] = '\0';
    if (p->frames > 0)
        weft_format(text, size,
                    "cloth '%.60s', panel %.60s: the yarns are stretched by more than %g %% in %d of %d frames after "
                    "settling; most in frame %lld, by %.1f %% along the %s at [%.3f, %.3f, %.3f] m, %.1f cm from the "
                    "left and %.1f cm from the bottom of the panel",
                    cloth->name, cloth->mesh->group_name[p->group], 100 * WEFT_YARN_LIMIT, p->frames, watch->frames,
                    (long long)p->frame, 100 * p->stretch, p->along_warp ? "warp" : "weft", p->at.x, p->at.y, p->at.z,
                    100 * p->place.x, 100 * p->place.y);
}

void weft_yarn_watch_close(weft_yarn_watch *watch) {
    free(watch->panel);
    free(watch->yarn);
    *watch = (weft_yarn_watch){0};
}
