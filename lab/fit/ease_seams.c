/* Forces in seams: the traction of the stress on both sides of each edge. Panels share the vertices of a seam, so its
 * sides are never apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fit/ease.h"
#include "weft/vec.h"

int weft_garment_fit_is_seam(const weft_mesh *mesh, int32_t h) {
    int32_t twin = mesh->twin[h];
    if (mesh->face[h] == WEFT_NONE || mesh->face[twin] == WEFT_NONE)
        return 0;
    weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[mesh->next[twin]];
    return a.x != b.x || a.y != b.y; /* the pattern is cut here */
}

/* Force per length of the pattern on the side of a half-edge: across the edge, and along it, N/m. */
static void traction(const weft_garment_fit *fit, int32_t h, double *length, double *across, double *along) {
    const weft_mesh *mesh = fit->mesh;
    const double *s = fit->strain[mesh->face[h]].stress; /* faces are triangles */
    weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[mesh->next[h]];
    double x = b.x - a.x, y = b.y - a.y;
    *length = hypot(x, y);
    double tx = x / *length, ty = y / *length, nx = ty, ny = -tx;
    *across = s[0] * nx * nx + s[1] * ny * ny + 2 * s[2] * nx * ny;
    *along = s[0] * nx * tx + s[1] * ny * ty + s[2] * (nx * ty + ny * tx);
}

/* Marks the vertices of an edge of a panel: the group PANEL.EDGE. */
static void mark(const weft_mesh *mesh, const garment_pattern *pattern, const garment_side *side, uint8_t bit,
                 uint8_t *in) {
    char name[2 * GARMENT_NAME];
    const garment_panel *panel = &pattern->panel[side->panel];
    snprintf(name, sizeof name, "%s.%s", panel->name, panel->edge[side->edge].name);
    for (int32_t g = 0; g < mesh->vertex_group_count; g++) {
        const weft_vertex_group *group = &mesh->vertex_group[g];
        for (int32_t i = 0; strcmp(group->name, name) == 0 && i < group->count; i++)
            in[group->vertex[i]] |= bit;
    }
}

static void measure_edge(const weft_garment_fit *fit, int32_t h, weft_fit_seam *seam) {
    double length[2], across[2], along[2];
    traction(fit, h, &length[0], &across[0], &along[0]);
    traction(fit, fit->mesh->twin[h], &length[1], &across[1], &along[1]);
    double mean = 0.5 * (across[0] + across[1]), both = 0.5 * (length[0] + length[1]);
    seam->length += both;
    seam->force += mean * both;
    seam->pull_most = fmax(seam->pull_most, mean);
    seam->shear_most = fmax(seam->shear_most, 0.5 * fabs(along[0] - along[1]));
}

static void measure_seam(const weft_garment_fit *fit, int32_t index, const uint8_t *in) {
    const weft_mesh *mesh = fit->mesh;
    const garment_seam *seam = &fit->pattern->seam[index];
    int32_t left = seam->side[0].panel, right = seam->side[1].panel;
    for (int32_t h = 0; h < mesh->halfedge_count; h++) {
        int32_t a = mesh->source_vertex[mesh->origin[h]], b = mesh->source_vertex[mesh->origin[mesh->next[h]]];
        if ((in[a] & in[b]) != 3 || !weft_garment_fit_is_seam(mesh, h))
            continue;
        int32_t own = mesh->face_group[mesh->face[h]], other = mesh->face_group[mesh->face[mesh->twin[h]]];
        if (own == left && other == right && (left != right || h < mesh->twin[h]))
            measure_edge(fit, h, &fit->seam[index]);
    }
}

weft_result weft_garment_fit_seams(weft_garment_fit *fit) {
    const garment_pattern *pattern = fit->pattern;
    size_t count = (size_t)fit->mesh->input_vertex_count;
    uint8_t *in = malloc(count + 1);
    if (!in)
        return weft_fail_memory("seams", count);
    for (int32_t s = 0; s < pattern->seams; s++) {
        weft_fit_seam *seam = &fit->seam[s];
        size_t used = 0;
        memset(in, 0, count);
        for (int k = 0; k < 2; k++) {
            const garment_side *side = &pattern->seam[s].side[k];
            mark(fit->mesh, pattern, side, (uint8_t)(1 << k), in);
            used +=
                (size_t)snprintf(seam->name + used, sizeof seam->name - used, "%s%s.%s", k ? " - " : "",
                                 pattern->panel[side->panel].name, pattern->panel[side->panel].edge[side->edge].name);
        }
        measure_seam(fit, s, in);
        seam->pull_mean = seam->length > 0 ? seam->force / seam->length : 0;
    }
    free(in);
    return weft_ok();
}
