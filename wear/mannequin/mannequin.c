/* Makes a mannequin: scales the sections until the girths are right, then meshes the surface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wear/mannequin/girth.h"
#include "wear/mannequin/net.h"
#include "wear/mannequin/rig.h"
#include "weft/vec.h"

/* A cell of a net gives edges of about this part of its size. */
static const double EDGE_OF_CELL = 0.93;

/* -- girths of the lofts -- */

/* Multiplies each factor by what its girth lacks, until all are right. Girths hardly influence each other. */
static void solve_scales(anatomy *a, const double goal[MANNEQUIN_GIRTHS], flesh *f) {
    for (int round = 0; round < 12; round++) {
        double worst = 0;
        anatomy_flesh(a, f);
        for (int32_t i = 0; i < MANNEQUIN_GIRTHS; i++) {
            anatomy_plane plane = anatomy_girth_plane(a, i);
            double lack = goal[i] / girth_of_flesh(f, &plane);
            worst = fmax(worst, fabs(lack - 1));
            a->scale[i] *= fmin(fmax(lack, 0.7), 1.4);
        }
        if (worst < 1e-4)
            break;
    }
    anatomy_flesh(a, f);
}

/* -- girths of the mesh -- */

static weft_result measure_girth(const anatomy *a, const flesh *f, const rig_fit *fit, const mannequin *m,
                                 mannequin_girth *girth, int32_t index) {
    static const double NEAR = 0.015; /* m: what is farther from the wanted lofts belongs to others */
    int32_t count = m->mesh->vertex_count;
    const weft_vec3 *position = m->mesh->position;
    anatomy_plane plane = anatomy_girth_plane(a, index);
    *girth = (mannequin_girth){.name = ANATOMY_GIRTHS[index], .at = rig_place(fit, plane.at), .normal = plane.normal};
    uint8_t *keep = calloc((size_t)count + 1, 1);
    if (!keep)
        return weft_fail_memory("a mannequin", (size_t)count);
    for (int32_t v = 0; v < count; v++) {
        double above = weft_dot(weft_sub(position[v], girth->at), girth->normal);
        if (fabs(above) > 3 * m->measures.edge + 0.01 || (girth->at.x > 0 && position[v].x <= 0))
            continue;
        weft_vec3 p = {position[v].x, position[v].y / fit->factor + fit->low, position[v].z};
        keep[v] = flesh_distance(f, p, plane.groups) < NEAR;
    }
    girth->girth = mannequin_hull_girth(m->mesh, position, keep, girth->at, girth->normal);
    free(keep);
    return girth->girth > 0 ? weft_ok()
                            : weft_fail(WEFT_BAD_INPUT, "mannequin.edge: %g m is too long to measure the %s",
                                        m->measures.edge, girth->name);
}

/* -- mesh -- */

static rig_fit fit_height(net *n, double height) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t v = 0; v < n->vertex_count; v++) {
        low = fmin(low, n->position[v].y);
        high = fmax(high, n->position[v].y);
    }
    rig_fit fit = {low, height / (high - low)};
    for (int32_t v = 0; v < n->vertex_count; v++) {
        int is_top = n->position[v].y == high;
        n->position[v] = rig_place(&fit, n->position[v]);
        if (is_top)
            n->position[v].y = height;
    }
    return fit;
}

/* A net that pinches itself in a narrow place is made again with smaller cells. */
static weft_result make_mesh(const anatomy *a, const flesh *f, mannequin *m, rig_fit *fit) {
    const mannequin_measures *e = &a->measures;
    weft_vec3 hand = anatomy_joint(a, MANNEQUIN_LEFT_WRIST);
    weft_vec3 low = {0, -0.02, -0.25 * e->height},
              high = {hand.x + 0.15 * e->height, e->height + 0.02, 0.25 * e->height};
    weft_result result = weft_ok();
    weft_mesh_destroy(m->mesh);
    m->mesh = NULL;
    for (int attempt = 0; attempt < 4 && !m->mesh; attempt++) {
        net n;
        double cell = e->edge / EDGE_OF_CELL * (1 - 0.12 * attempt);
        result = net_make(f, low, high, cell, &n);
        if (result.code == WEFT_OK)
            result = net_relax(f, &n);
        if (result.code == WEFT_OK) {
            *fit = fit_height(&n, e->height);
            result = net_triangulate(&n, &m->mesh);
        }
        net_free(&n);
        if (result.code == WEFT_NO_MEMORY)
            break;
    }
    return result;
}

static double volume_of(const weft_mesh *mesh) {
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        sum += weft_dot(mesh->position[v[0]], weft_cross(mesh->position[v[1]], mesh->position[v[2]]));
    }
    return sum / 6;
}

/* The chords of the mesh are shorter than the arcs of the lofts. So the goals are corrected by what the first mesh
 * lacks. */
static weft_result build(anatomy *a, flesh *f, mannequin *m) {
    double goal[MANNEQUIN_GIRTHS];
    rig_fit fit;
    for (int32_t i = 0; i < MANNEQUIN_GIRTHS; i++)
        goal[i] = anatomy_girth_wanted(a, i);
    for (int round = 0; round < 3; round++) {
        double worst = 0;
        solve_scales(a, goal, f);
        WEFT_TRY(make_mesh(a, f, m, &fit));
        for (int32_t i = 0; i < MANNEQUIN_GIRTHS; i++) {
            WEFT_TRY(measure_girth(a, f, &fit, m, &m->girth[i], i));
            double lack = anatomy_girth_wanted(a, i) / m->girth[i].girth;
            worst = fmax(worst, fabs(lack - 1));
            goal[i] *= fmin(fmax(lack, 0.9), 1.1);
        }
        if (worst < 2e-3)
            break;
    }
    m->volume = volume_of(m->mesh);
    rig_joints(a, &fit, m);
    rig_parts(a, f, &fit, m);
    return rig_shares(a, f, &fit, m);
}

static weft_result check_girths(const mannequin *m, const anatomy *a) {
    for (int32_t i = ANATOMY_CHEST; i <= ANATOMY_HIP; i++) {
        double wanted = anatomy_girth_wanted(a, i);
        if (fabs(m->girth[i].girth - wanted) > 0.005 * wanted)
            return weft_fail(WEFT_BAD_INPUT, "mannequin.%s: %g m does not go with the other measurements; %.4g m does",
                             m->girth[i].name, wanted, m->girth[i].girth);
    }
    return weft_ok();
}

weft_result mannequin_make(const mannequin_measures *measures, mannequin **made) {
    *made = NULL;
    anatomy a = {.measures = *measures};
    WEFT_TRY(mannequin_measures_complete(&a.measures));
    for (int i = 0; i < MANNEQUIN_GIRTHS; i++)
        a.scale[i] = 1;
    mannequin *m = calloc(1, sizeof *m);
    flesh *f = malloc(sizeof *f);
    weft_result result = weft_fail_memory("a mannequin", sizeof *m + sizeof *f);
    if (m && f) {
        m->measures = a.measures;
        result = build(&a, f, m);
        if (result.code == WEFT_OK)
            result = check_girths(m, &a);
    }
    free(f);
    if (result.code != WEFT_OK) {
        mannequin_destroy(m);
        return result;
    }
    *made = m;
    return result;
}

void mannequin_destroy(mannequin *m) {
    if (!m)
        return;
    free(m->share);
    free(m->first_share);
    weft_mesh_destroy(m->mesh);
    free(m);
}

const mannequin_part *mannequin_part_find(const mannequin *m, const char *name) {
    for (int i = 0; i < MANNEQUIN_PARTS; i++)
        if (strcmp(m->part[i].name, name) == 0)
            return &m->part[i];
    return NULL;
}

const mannequin_girth *mannequin_girth_find(const mannequin *m, const char *name) {
    for (int i = 0; i < MANNEQUIN_GIRTHS; i++)
        if (strcmp(m->girth[i].name, name) == 0)
            return &m->girth[i];
    return NULL;
}
