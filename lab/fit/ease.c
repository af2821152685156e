#include "lab/fit/ease.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/textile/section.h"
#include "weft/vec.h"

/* Below this pressure a vertex counts as not touching, Pa. Fabric that lies on a surface presses with its weight, 1 to
 * 4 Pa. */
static const double TOUCHES = 0.1;
/* The body may reach this far out of the garment's hull and still be under it, m. */
static const double MARGIN = 0.005;
static const double PROFILE_STEP = 0.01; /* m */

double weft_garment_fit_area(const weft_mesh *mesh, int32_t t) {
    int32_t h = mesh->face_halfedge[mesh->triangle_face[t]];
    weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[mesh->next[h]],
              c = mesh->halfedge_uv[mesh->next[mesh->next[h]]];
    return 0.5 * fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/* The larger eigenvalue of a symmetric matrix xx, yy, xy. */
static double principal(double xx, double yy, double xy) { return 0.5 * (xx + yy) + hypot(0.5 * (xx - yy), xy); }

static void add_triangle(weft_garment_fit *fit, int32_t t, double touching[2]) {
    const weft_mesh *mesh = fit->mesh;
    const weft_strain *s = &fit->strain[t];
    weft_fit_panel *panel = &fit->panel[mesh->face_group[mesh->triangle_face[t]]];
    double area = weft_garment_fit_area(mesh, t);
    fit->stretch[t] = principal(s->strain[0], s->strain[1], 0.5 * s->strain[2]);
    fit->tension[t] = principal(s->stress[0], s->stress[1], s->stress[2]);
    panel->mass += area * fit->density[mesh->triangle_face[t]];
    for (int k = 0; k < 3; k++) {
        panel->strain_mean[k] += area * s->strain[k];
        if (fabs(s->strain[k]) > fabs(panel->strain_most[k]))
            panel->strain_most[k] = s->strain[k];
        double pressure = fit->pressure[mesh->triangle[t][k]];
        int touches = pressure > TOUCHES;
        panel->pressure_mean += touches ? pressure * area / 3 : 0;
        panel->pressure_most = fmax(panel->pressure_most, pressure);
        touching[0] += touches ? area / 3 : 0;
    }
    panel->stretch_most = fmax(panel->stretch_most, fit->stretch[t]);
    panel->tension_mean += area * fmax(0, fit->tension[t]);
    panel->tension_most = fmax(panel->tension_most, fit->tension[t]);
    touching[1] += area;
}

static void finish_panel(weft_fit_panel *panel, const double touching[2]) {
    for (int k = 0; k < 3; k++)
        panel->strain_mean[k] /= touching[1];
    panel->tension_mean /= touching[1];
    panel->touching = touching[0] / touching[1];
    panel->pressure_mean = touching[0] > 0 ? panel->pressure_mean / touching[0] : 0;
}

static weft_result measure_panels(weft_garment_fit *fit) {
    double(*touching)[2] = calloc((size_t)fit->pattern->panels + 1, sizeof *touching);
    if (!touching)
        return weft_fail_memory("fit", (size_t)fit->pattern->panels * sizeof *touching);
    for (int32_t t = 0; t < fit->mesh->triangle_count; t++)
        add_triangle(fit, t, touching[fit->mesh->face_group[fit->mesh->triangle_face[t]]]);
    for (int32_t p = 0; p < fit->pattern->panels; p++) {
        finish_panel(&fit->panel[p], touching[p]);
        fit->panel[p].area = fit->pattern->panel[p].area; /* as cut; the mesh may be gathered or shrunk */
        fit->area += fit->panel[p].area;
        fit->mass += fit->panel[p].mass;
    }
    free(touching);
    return weft_ok();
}

/* Sleeves are not part of a girth of the trunk. */
static int is_around_arm(const garment_panel *panel) { return strstr(panel->place.around, "arm") != NULL; }

static weft_result measure_level(const weft_garment_fit *fit, const uint8_t *sleeve, weft_fit_level *level) {
    weft_section garment = {0}, body = {0};
    const weft_mesh *mesh = fit->mesh;
    weft_result result = weft_section_cut(&garment, level->height, fit->x, (const int32_t(*)[3])mesh->triangle,
                                          mesh->triangle_count, sleeve);
    if (result.code == WEFT_OK)
        result = weft_section_wrap(&garment);
    for (int32_t b = 0; b < fit->bodies && result.code == WEFT_OK; b++)
        result = weft_section_cut(&body, level->height, fit->body[b].position, fit->body[b].triangle,
                                  fit->body[b].triangles, NULL);
    weft_section_keep_inside(&body, &garment, MARGIN);
    if (result.code == WEFT_OK)
        result = weft_section_wrap(&body);
    level->garment = garment.count >= 3 ? weft_section_girth(&garment) : 0;
    level->body = body.count >= 3 ? weft_section_girth(&body) : 0;
    weft_section_free(&body);
    weft_section_free(&garment);
    return result;
}

static void find_extent(weft_garment_fit *fit) {
    fit->low = INFINITY;
    fit->high = -INFINITY;
    for (int32_t v = 0; v < fit->mesh->vertex_count; v++) {
        fit->low = fmin(fit->low, fit->x[v].y);
        fit->high = fmax(fit->high, fit->x[v].y);
    }
}

static weft_result measure_girths(weft_garment_fit *fit) {
    const weft_mesh *mesh = fit->mesh;
    uint8_t *sleeve = malloc((size_t)mesh->triangle_count + 1);
    find_extent(fit);
    double count = ceil((fit->high - fit->low) / PROFILE_STEP);
    fit->profile = calloc((size_t)fmin(count, 1e5) + 1, sizeof *fit->profile);
    if (!sleeve || !fit->profile) {
        free(sleeve);
        return weft_fail_memory("girths", (size_t)mesh->triangle_count);
    }
    fit->profiles = (int32_t)fmin(count, 1e5);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        sleeve[t] = (uint8_t)is_around_arm(&fit->pattern->panel[mesh->face_group[mesh->triangle_face[t]]]);
    weft_result result = weft_ok();
    for (int32_t i = 0; i < fit->profiles && result.code == WEFT_OK; i++) {
        fit->profile[i].height = fit->low + (i + 0.5) * PROFILE_STEP;
        result = measure_level(fit, sleeve, &fit->profile[i]);
    }
    for (int32_t i = 0; i < fit->levels && result.code == WEFT_OK; i++)
        result = measure_level(fit, sleeve, &fit->level[i]);
    free(sleeve);
    return result;
}

weft_result weft_garment_fit_measure(weft_garment_fit *fit) {
    size_t panels = (size_t)fit->pattern->panels, seams = (size_t)fit->pattern->seams,
           triangles = (size_t)fit->mesh->triangle_count;
    fit->panel = calloc(panels + 1, sizeof *fit->panel);
    fit->seam = calloc(seams + 1, sizeof *fit->seam);
    fit->stretch = calloc(triangles + 1, sizeof *fit->stretch);
    fit->tension = calloc(triangles + 1, sizeof *fit->tension);
    if (!fit->panel || !fit->seam || !fit->stretch || !fit->tension)
        return weft_fail_memory("fit", triangles * sizeof *fit->stretch);
    WEFT_TRY(measure_panels(fit));
    WEFT_TRY(weft_garment_fit_seams(fit));
    return measure_girths(fit);
}

void weft_garment_fit_free(weft_garment_fit *fit) {
    free(fit->panel);
    free(fit->seam);
    free(fit->stretch);
    free(fit->tension);
    free(fit->profile);
    fit->panel = NULL;
    fit->seam = NULL;
    fit->stretch = fit->tension = NULL;
    fit->profile = NULL;
}
