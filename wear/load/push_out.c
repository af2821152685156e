#include "wear/load/push_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/closest.h"
#include "weft/vec.h"

static const double DISTANCE = 0.005; /* of cloth from the body, m */
static const double SAMPLES = 0.01;   /* between the points of a triangle that are tested, m */
/* In the first rounds the displacements are smoothed, so that what lies beside a push moves too and is not crossed. */
enum { ROUNDS = 60, SMOOTH_ROUNDS = 40, MOST_PIECES = 12 };

typedef struct pushing {
    weft_mesh *cloth;
    const weft_mesh *body;
    weft_vec3 at, *normal; /* of the body's vertices */
    weft_closest *closest;
    weft_vec3 *start; /* of the cloth's vertices, m */
    weft_vec3 *move;  /* sum over the triangles of each vertex, m */
    double *weight;
    double *slack;  /* how far the corners of each triangle may move until a point of it is too close, m */
    int32_t pushed; /* points that were too close in this round */
} pushing;

/* How far a point must move to be far enough away, m; zero if it is. `spare` becomes how far it may move before. */
static weft_vec3 way_out(const pushing *p, weft_vec3 x, double *spare) {
    weft_vec3 own = weft_sub(x, p->at), normal = {0, 0, 0};
    weft_closest_hit hit = weft_closest_find(p->closest, own);
    for (int k = 0; k < 3; k++)
        normal = weft_add_scaled(normal, hit.weight[k], p->normal[p->body->triangle[hit.triangle][k]]);
    normal = weft_normalize(normal);
    double distance = weft_dot(weft_sub(own, hit.point), normal) < 0 ? -sqrt(hit.squared) : sqrt(hit.squared);
    *spare = distance - DISTANCE;
    return weft_scale(fmax(0, DISTANCE - distance), normal);
}

static int32_t pieces_of(const weft_vec3 corner[3]) {
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, weft_distance(corner[k], corner[(k + 1) % 3]));
    return (int32_t)fmin(MOST_PIECES, fmax(1, ceil(longest / SAMPLES)));
}

/* Whether no point of a triangle is too close, by the distance of its middle. */
static int is_clear(pushing *p, int32_t t, const weft_vec3 corner[3]) {
    weft_vec3 middle = weft_scale(1.0 / 3, weft_add(corner[0], weft_add(corner[1], corner[2])));
    double radius = 0;
    for (int k = 0; k < 3; k++)
        radius = fmax(radius, weft_distance(middle, corner[k]));
    way_out(p, middle, &p->slack[t]);
    p->slack[t] -= radius;
    return p->slack[t] > 0;
}

/* Each point of a triangle that is too close moves the corners by its weights. */
static void push_triangle(pushing *p, int32_t t) {
    const int32_t *v = p->cloth->triangle[t];
    const weft_vec3 corner[3] = {p->cloth->position[v[0]], p->cloth->position[v[1]], p->cloth->position[v[2]]};
    if (p->slack[t] > 0 || is_clear(p, t, corner))
        return;
    double spare;
    int32_t n = pieces_of(corner);
    for (int32_t i = 0; i <= n; i++)
        for (int32_t j = 0; i + j <= n; j++) {
            double w[3] = {(double)i / n, (double)j / n, (double)(n - i - j) / n};
            weft_vec3 x =
                weft_add_scaled(weft_add_scaled(weft_scale(w[0], corner[0]), w[1], corner[1]), w[2], corner[2]);
            weft_vec3 out = way_out(p, x, &spare);
            if (weft_length(out) < 1e-4)
                continue;
            p->pushed++;
            for (int k = 0; k < 3; k++) {
                p->move[v[k]] = weft_add_scaled(p->move[v[k]], w[k], out);
                p->weight[v[k]] += w[k];
            }
        }
}

static void push_all(pushing *p) {
    size_t n = (size_t)p->cloth->vertex_count;
    memset(p->move, 0, n * sizeof *p->move);
    memset(p->weight, 0, n * sizeof *p->weight);
    p->pushed = 0;
    for (int32_t t = 0; t < p->cloth->triangle_count; t++)
        push_triangle(p, t);
    for (size_t v = 0; v < n; v++)
        if (p->weight[v] > 0)
            p->cloth->position[v] = weft_add_scaled(p->cloth->position[v], 1.1 / p->weight[v], p->move[v]);
}

/* Half of each vertex's way from its start becomes the mean of those of its neighbours. */
static void smooth(pushing *p) {
    weft_mesh *m = p->cloth;
    size_t n = (size_t)m->vertex_count;
    memset(p->move, 0, n * sizeof *p->move);
    memset(p->weight, 0, n * sizeof *p->weight);
    for (int32_t e = 0; e < m->edge_count; e++) {
        int32_t h = m->edge_halfedge[e], end[2] = {m->origin[h], m->origin[m->next[h]]};
        for (int k = 0; k < 2; k++) {
            int32_t to = end[k], from = end[1 - k];
            p->move[to] = weft_add(p->move[to], weft_sub(m->position[from], p->start[from]));
            p->weight[to] += 1;
        }
    }
    for (size_t v = 0; v < n; v++) {
        weft_vec3 own = weft_sub(m->position[v], p->start[v]);
        weft_vec3 way = weft_add_scaled(weft_scale(0.5, own), 0.5 / fmax(p->weight[v], 1), p->move[v]);
        m->position[v] = weft_add(p->start[v], way);
    }
}

/* Each triangle loses the way of its corners since the last round. `before` are the positions then. */
static void take_slack(pushing *p, const weft_vec3 *before) {
    for (int32_t t = 0; t < p->cloth->triangle_count; t++) {
        double moved = 0;
        for (int k = 0; k < 3; k++) {
            int32_t v = p->cloth->triangle[t][k];
            moved = fmax(moved, weft_distance(before[v], p->cloth->position[v]));
        }
        p->slack[t] -= moved;
    }
}

static weft_result push_rounds(pushing *p) {
    size_t n = (size_t)p->cloth->vertex_count;
    weft_vec3 *before = malloc((n + 1) * sizeof *before);
    if (!before)
        return weft_fail_memory("a garment", n * sizeof *before);
    memcpy(p->start, p->cloth->position, n * sizeof *p->start);
    p->pushed = 1;
    for (int i = 0; i < ROUNDS && p->pushed > 0; i++) {
        memcpy(before, p->cloth->position, n * sizeof *before);
        push_all(p);
        if (i < SMOOTH_ROUNDS && p->pushed > 0)
            smooth(p);
        take_slack(p, before);
    }
    free(before);
    return weft_ok();
}

weft_result weft_push_out(weft_mesh *cloth, const weft_mesh *body, weft_vec3 at) {
    pushing p = {.cloth = cloth, .body = body, .at = at};
    size_t n = (size_t)cloth->vertex_count + 1;
    p.normal = malloc(((size_t)body->vertex_count + 1) * sizeof *p.normal);
    p.start = malloc(n * sizeof *p.start);
    p.move = malloc(n * sizeof *p.move);
    p.slack = calloc((size_t)cloth->triangle_count + 1, sizeof *p.slack);
    p.weight = malloc(n * sizeof *p.weight);
    weft_result result =
        p.normal && p.start && p.move && p.weight && p.slack
            ? weft_closest_create(body->position, (const int32_t(*)[3])body->triangle, body->triangle_count, &p.closest)
            : weft_fail_memory("a garment", n * sizeof *p.move);
    if (result.code == WEFT_OK) {
        weft_mesh_vertex_normals(body, body->position, p.normal);
        result = push_rounds(&p);
        weft_closest_destroy(p.closest);
    }
    free(p.slack);
    free(p.weight);
    free(p.move);
    free(p.start);
    free(p.normal);
    return result;
}
