/* Ties are springs that only pull. A crease is a hinge (Grinspun et al. 2003) with a rest angle; beyond its yield angle
 * it is ideally plastic. */
#include "cloth/corotational/notions.h"

#include <math.h>

#include "core/memory.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;

static int is_hinge(const weft_crease *crease) { return crease->angle != 0 || crease->yield > 0; }

/* The half-edge between two vertices, the one on whose left is a face; WEFT_NONE if there is none. */
static int32_t find_halfedge(const weft_mesh *mesh, int32_t a, int32_t b) {
    int32_t first = mesh->vertex_halfedge[a], h = first;
    do {
        if (mesh->origin[mesh->next[h]] == b)
            return h;
        h = mesh->next[mesh->twin[h]]; /* all outgoing half-edges: a boundary vertex has one fan */
    } while (h != first);
    return WEFT_NONE;
}

static int32_t corner_of(const weft_mesh *mesh, int32_t h, int32_t v) {
    int32_t t = mesh->face[h], k = 0;
    while (k < 2 && mesh->triangle[t][k] != v)
        k++;
    return 3 * t + k;
}

static int is_inner(const weft_mesh *mesh, int32_t h) {
    return h != WEFT_NONE && mesh->face[h] != WEFT_NONE && mesh->face[mesh->twin[h]] != WEFT_NONE;
}

/* One hinge per folded edge, in the order of the list. Edges on the border are left out. */
static int32_t fill_creases(const weft_tailoring *t, const weft_mesh *mesh, weft_notions *n) {
    int32_t count = 0;
    for (int32_t i = 0; i < t->crease_count; i++) {
        int32_t h = find_halfedge(mesh, t->crease[i].vertex[0], t->crease[i].vertex[1]);
        if (!is_hinge(&t->crease[i]) || !is_inner(mesh, h))
            continue;
        int32_t twin = mesh->twin[h], *vertex = n->crease.vertex + 4 * (size_t)count;
        vertex[0] = mesh->origin[h];
        vertex[1] = mesh->origin[twin];
        vertex[2] = mesh->origin[mesh->next[mesh->next[h]]];
        vertex[3] = mesh->origin[mesh->next[mesh->next[twin]]];
        if (vertex[2] == vertex[3])
            continue;
        n->crease.corner[count][0] = corner_of(mesh, h, vertex[0]);
        n->crease.corner[count][1] = corner_of(mesh, twin, vertex[0]);
        n->crease.bend[count].rest = t->crease[i].angle;
        n->yield[count++] = t->crease[i].yield;
    }
    return count;
}

weft_result weft_notions_create(const weft_cloth *cloth, const weft_mesh *mesh, weft_notions *notions) {
    const weft_tailoring *t = cloth->tailoring;
    *notions = (weft_notions){.crease = {.kind = WEFT_BENDING_HINGE, .arity = 4, .mesh = mesh}};
    if (!t)
        return weft_ok();
    size_t creases = (size_t)t->crease_count, ties = (size_t)t->tie_count;
    notions->tie = weft_allocate(ties, sizeof *notions->tie);
    notions->tie_ends = weft_allocate(2 * ties, sizeof *notions->tie_ends);
    notions->crease.vertex = weft_allocate(4 * creases, sizeof *notions->crease.vertex);
    notions->crease.corner = weft_allocate(creases, sizeof *notions->crease.corner);
    notions->crease.bend = weft_allocate(creases, sizeof *notions->crease.bend);
    notions->yield = weft_allocate(creases, sizeof *notions->yield);
    if (!notions->tie || !notions->tie_ends || !notions->crease.vertex || !notions->crease.corner ||
        !notions->crease.bend || !notions->yield)
        return weft_fail_memory("tailoring", ties * sizeof *notions->tie + creases * sizeof *notions->crease.bend);
    for (int32_t i = 0; i < t->tie_count; i++) {
        notions->tie[i] = t->tie[i];
        notions->tie_ends[2 * (size_t)i] = t->tie[i].vertex[0];
        notions->tie_ends[2 * (size_t)i + 1] = t->tie[i].vertex[1];
    }
    notions->tie_count = t->tie_count;
    notions->crease.count = fill_creases(t, mesh, notions);
    return weft_ok();
}

void weft_notions_free(weft_notions *notions) {
    free(notions->tie);
    free(notions->tie_ends);
    free(notions->yield);
    weft_bending_free(&notions->crease);
    *notions = (weft_notions){0};
}

/* The factor of the faces on both sides of an edge. */
static double face_factor(const weft_bending *b, int32_t i, const double *factor) {
    return factor ? 0.5 * (factor[b->mesh->triangle_face[b->corner[i][0] / 3]] +
                           factor[b->mesh->triangle_face[b->corner[i][1] / 3]])
                  : 1;
}

static void set_hinge(weft_notions *n, const weft_cloth *cloth, int32_t i, const weft_vec2 (*rest)[3]) {
    double angle = n->crease.bend[i].rest; /* may have yielded */
    n->crease.bend[i] = weft_bend_at_rest(&n->crease, i, cloth->fabric, rest);
    n->crease.bend[i].rest = angle;
    n->crease.bend[i].stiffness *= face_factor(&n->crease, i, cloth->tailoring->bend);
}

static void set_tie(weft_notions *n, int32_t i, double given, double sewn) {
    const weft_vec3 *start = n->crease.mesh->position;
    double before = weft_distance(start[n->tie[i].vertex[0]], start[n->tie[i].vertex[1]]);
    n->tie[i].length = given + (1 - sewn) * fmax(0, before - given);
}

void weft_notions_tune(weft_notions *n, const weft_cloth *cloth, const weft_vec2 (*rest)[3], double sewn,
                       weft_bending *bending) {
    const weft_tailoring *t = cloth->tailoring;
    n->beta = n->crease.damping = cloth->fabric->damping;
    if (!t)
        return;
    for (int32_t i = 0; i < n->tie_count; i++)
        set_tie(n, i, t->tie[i].length, sewn);
    for (int32_t i = 0; i < bending->count && !bending->by_lines; i++)
        weft_bending_scale(bending, i, face_factor(bending, i, t->bend));
    for (int32_t i = 0; i < n->crease.count; i++)
        set_hinge(n, cloth, i, rest);
    for (int32_t i = 0, hinge = 0; bending->count > 0 && i < t->crease_count; i++) {
        int32_t h = find_halfedge(bending->mesh, t->crease[i].vertex[0], t->crease[i].vertex[1]);
        int32_t element = h != WEFT_NONE && !bending->by_lines ? bending->of_edge[bending->mesh->edge[h]] : WEFT_NONE;
        if (element == WEFT_NONE)
            continue;
        int folded = is_hinge(&t->crease[i]) && hinge < n->crease.count;
        if (folded)
            n->crease.bend[hinge++].stiffness *= t->crease[i].bend;
        weft_bending_scale(bending, element, folded ? 0 : t->crease[i].bend);
    }
}

/* How much longer a tie is than at rest, m, or 0, and its direction. */
static double elongation(const weft_tie *tie, const weft_vec3 *x, weft_vec3 *direction, double *length) {
    weft_vec3 d = weft_sub(x[tie->vertex[1]], x[tie->vertex[0]]);
    *length = weft_length(d);
    *direction = *length > 0 ? weft_scale(1 / *length, d) : weft_vec3_make(0, 0, 0);
    return fmax(0, *length - tie->length);
}

double weft_notions_energy(const weft_notions *n, const weft_vec3 *x) {
    double sum = 0, length;
    weft_vec3 direction;
    for (int32_t i = 0; i < n->tie_count; i++) {
        double longer = elongation(&n->tie[i], x, &direction, &length);
        sum += 0.5 * n->tie[i].stiffness * longer * longer;
    }
    for (int32_t i = 0; i < n->crease.count; i++)
        sum += weft_bending_energy(&n->crease, i, x);
    return sum;
}

void weft_notions_force(const weft_notions *n, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    for (int32_t i = 0; i < n->tie_count; i++) {
        const weft_tie *tie = &n->tie[i];
        weft_vec3 along;
        double length, longer = elongation(tie, x, &along, &length);
        if (!(longer > 0))
            continue;
        double rate = weft_dot(along, weft_sub(v[tie->vertex[1]], v[tie->vertex[0]]));
        double pull = tie->stiffness * (longer + n->beta * rate);
        f[tie->vertex[0]] = weft_add_scaled(f[tie->vertex[0]], pull, along);
        f[tie->vertex[1]] = weft_add_scaled(f[tie->vertex[1]], -pull, along);
    }
    for (int32_t i = 0; i < n->crease.count; i++) {
        weft_vec3 own[4];
        weft_bending_force(&n->crease, i, x, v, own);
        for (int a = 0; a < 4; a++) {
            int32_t vertex = weft_bending_vertices(&n->crease, i)[a];
            f[vertex] = weft_add(f[vertex], own[a]);
        }
    }
}

/* -(k n n^T + k (1 - L / l) (1 - n n^T)) for the single pair of a tie that pulls. */
void weft_tie_blocks(const weft_notions *n, int32_t i, const weft_vec3 *x, double *stiffness, double *damping) {
    const weft_tie *tie = &n->tie[i];
    weft_vec3 d;
    double length, longer = elongation(tie, x, &d, &length);
    const double along[3] = {d.x, d.y, d.z};
    double across = longer > 0 ? tie->stiffness * longer / length : 0, extra = longer > 0 ? tie->stiffness - across : 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            stiffness[3 * r + c] = -extra * along[r] * along[c] - (r == c ? across : 0);
            if (damping)
                damping[3 * r + c] = longer > 0 ? -n->beta * tie->stiffness * along[r] * along[c] : 0;
        }
}

void weft_notions_bound(const weft_notions *n, double *bound) {
    for (int32_t i = 0; i < n->tie_count; i++)
        for (int k = 0; k < 2; k++)
            bound[n->tie[i].vertex[k]] += 2 * n->tie[i].stiffness;
    for (int32_t i = 0; i < n->crease.count; i++) {
        double own[WEFT_BEND_VERTICES];
        weft_bending_bound(&n->crease, i, own);
        for (int a = 0; a < 4; a++)
            bound[weft_bending_vertices(&n->crease, i)[a]] += own[a];
    }
}

void weft_notions_yield(weft_notions *n, const weft_vec3 *x) {
    for (int32_t i = 0; i < n->crease.count; i++) {
        weft_vec3 p[4];
        if (!(n->yield[i] > 0))
            continue;
        for (int a = 0; a < 4; a++)
            p[a] = x[weft_bending_vertices(&n->crease, i)[a]];
        double *rest = &n->crease.bend[i].rest, bent = remainder(weft_bending_angle(p) - *rest, 2 * PI);
        if (fabs(bent) > n->yield[i])
            *rest = remainder(*rest + copysign(fabs(bent) - n->yield[i], bent), 2 * PI);
    }
}
