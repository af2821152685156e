/* Untangling without history: moves intersecting surfaces so that their intersection contours become shorter (Volino
 * and Magnenat-Thalmann 2006, Resolving surface collisions through intersection contour minimization).
 *
 * Where an edge with direction e passes through a triangle with normal n, the contour continues into the triangles at
 * the edge along unit vectors r. A displacement d of the edge moves that point of the contour by d - (n . d) / (n . e)
 * e. The contour shortens fastest along g = r - (r . e) / (n . e) n, summed over the triangles at the edge. The
 * triangle moves the other way. */
#include <math.h>

#include "contact/response.h"
#include "core/memory.h"
#include "weft/vec.h"

/* The triangles at each vertex of a surface: list[start[v] .. start[v + 1]). */
typedef struct fans {
    int32_t *start, *list;
} fans;

static void fans_destroy(fans *f) {
    free(f->list);
    free(f->start);
}

static weft_result fans_create(const weft_audit_surface *s, fans *f) {
    f->start = weft_allocate((size_t)s->vertex_count + 2, sizeof *f->start);
    f->list = weft_allocate(3 * (size_t)s->triangle_count, sizeof *f->list);
    if (!f->start || !f->list)
        return weft_fail_memory("untangling", 3 * (size_t)s->triangle_count * sizeof *f->list);
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            f->start[s->triangle[t][k] + 2]++;
    for (int32_t v = 2; v < s->vertex_count + 2; v++)
        f->start[v] += f->start[v - 1];
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            f->list[f->start[s->triangle[t][k] + 1]++] = t;
    return weft_ok();
}

static weft_vec3 normal_of(const weft_audit_surface *s, int32_t t) {
    const int32_t *v = s->triangle[t];
    return weft_normalize(weft_cross(weft_sub(s->x[v[1]], s->x[v[0]]), weft_sub(s->x[v[2]], s->x[v[0]])));
}

/* The sum of r over the triangles at the edge. */
static weft_vec3 contour(const weft_audit_surface *s, const fans *f, const int32_t edge[2], weft_vec3 e, weft_vec3 n) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = f->start[edge[0]]; i < f->start[edge[0] + 1]; i++) {
        int32_t t = f->list[i];
        const int32_t *v = s->triangle[t];
        if ((v[0] != edge[1] && v[1] != edge[1] && v[2] != edge[1]) || (s->skip && s->skip[t]))
            continue;
        int32_t third = v[0] + v[1] + v[2] - edge[0] - edge[1];
        weft_vec3 r = weft_normalize(weft_cross(normal_of(s, t), n)), inward = weft_sub(s->x[third], s->x[edge[0]]);
        inward = weft_add_scaled(inward, -weft_dot(inward, e), e);
        sum = weft_add_scaled(sum, weft_dot(r, inward) < 0 ? -1 : 1, r);
    }
    return sum;
}

static void add(const weft_untangle_side *side, int32_t vertex, double weight, weft_vec3 d) {
    if (!side->move)
        return;
    side->move[vertex] = weft_add_scaled(side->move[vertex], weight, d);
    side->count[vertex] += fabs(weight);
}

/* Surface a has the edge, surface b the triangle. */
static void push_crossing(const weft_untangle_side *a, const fans *f, const weft_untangle_side *b,
                          const weft_audit_crossing *c, double reach) {
    const weft_vec3 *x = a->surface->x, *y = b->surface->x;
    const int32_t *v = b->surface->triangle[c->triangle];
    weft_vec3 n = normal_of(b->surface, c->triangle), along = weft_sub(x[c->edge[1]], x[c->edge[0]]);
    weft_vec3 e = weft_normalize(along);
    double slope = weft_dot(n, e);
    if (fabs(slope) < 1e-3) /* an edge that grazes the plane has no usable direction */
        slope = slope < 0 ? -1e-3 : 1e-3;
    weft_vec3 r = contour(a->surface, f, c->edge, e, n), g = weft_add_scaled(r, -weft_dot(r, e) / slope, n);
    g = weft_scale(reach / sqrt(1 + weft_dot(g, g)), g);

    /* The position of the crossing on the edge. */
    double s = weft_dot(n, weft_sub(y[v[0]], x[c->edge[0]])) / weft_dot(n, along);
    s = s >= 0 && s <= 1 ? s : 0.5;
    double both = a->move && b->move ? 0.5 : 1;
    add(a, c->edge[0], both * (1 - 0.5 * s), g);
    add(a, c->edge[1], both * (0.5 + 0.5 * s), g);
    for (int k = 0; k < 3; k++)
        add(b, v[k], -both, g);
}

static void push_crossings(const weft_untangle_side *a, const fans *fa, const weft_untangle_side *b, const fans *fb,
                           const weft_audit_list *list, double reach) {
    for (int64_t i = 0; i < list->count; i++)
        if (list->item[i].of_b)
            push_crossing(b, fb, a, &list->item[i], reach);
        else
            push_crossing(a, fa, b, &list->item[i], reach);
}

weft_result weft_untangle(const weft_untangle_side *a, const weft_untangle_side *b, double reach, int64_t *crossings) {
    enum { MOST = 100000 }; /* maximum number of crossings used in one round */
    const weft_audit_surface *other = b ? b->surface : NULL;
    weft_audit_list list = {weft_allocate(MOST, sizeof *list.item), MOST, 0};
    fans fa = {NULL, NULL}, fb = {NULL, NULL};
    weft_result result =
        list.item ? weft_audit_listed(a->surface, other, &list, crossings) : weft_fail_memory("untangling", MOST);
    if (result.code == WEFT_OK && list.count > 0)
        result = fans_create(a->surface, &fa);
    if (result.code == WEFT_OK && list.count > 0 && b)
        result = fans_create(b->surface, &fb);
    if (result.code == WEFT_OK && list.count > 0)
        push_crossings(a, &fa, b ? b : a, b ? &fb : &fa, &list, reach);
    fans_destroy(&fb);
    fans_destroy(&fa);
    free(list.item);
    return result;
}
