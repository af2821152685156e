/* Subdivides cloth before ray tracing, so that a coarse mesh shows neither facets nor a polygonal outline.
 *
 * The surface is that of C. Loop, Smooth Subdivision Surfaces Based on Triangles, 1987, with the weights of J. Warren
 * for irregular vertices. Borders, corners and limit positions follow H. Hoppe et al., Piecewise Smooth Surface
 * Reconstruction, 1994. Control points whose limits are the vertices are found as in Z. Chen et al., Progressive
 * Interpolation Using Loop Subdivision Surfaces, 2008.
 *
 * Curved triangles made from normals would have kinks along their edges, visible at shadow borders. This surface has
 * none. All sums are written as differences from one of their points, so a flat surface stays exactly flat.
 * Neighbouring triangles share the vertices on their edge, so there are no cracks. */
#include <stdlib.h>
#include <string.h>

#include "render/smooth.h"
#include "weft/vec.h"

static const float CORNER_LOW = 1.92f, CORNER_HIGH = 4.36f; /* rad: 110 and 250 degrees */

void weft_smooth_free(weft_smooth *smooth) {
    free(smooth->spoke);
    free(smooth->start);
    free(smooth->edge);
    free(smooth->uv);
    free(smooth->side);
    free(smooth->triangle);
    free(smooth->scalar);
    free(smooth->sharp);
    free(smooth->rest);
    free(smooth->flat);
    free(smooth->position);
    *smooth = (struct weft_smooth){0};
}

static void *room(size_t count, size_t size) { return calloc(count > 0 ? count : 1, size); }

/* Allocates all arrays except those of the edges. */
static weft_result reserve(weft_smooth *s, int32_t vertices, int32_t triangles, int with_scalar, int with_uv) {
    size_t corners = 3 * (size_t)triangles;
    s->vertex_count = vertices;
    s->triangle_count = triangles;
    s->position = room((size_t)vertices, sizeof *s->position);
    s->triangle = room(corners, sizeof *s->triangle);
    s->scalar = with_scalar ? room((size_t)vertices, sizeof *s->scalar) : NULL;
    s->uv = with_uv ? room(corners, sizeof *s->uv) : NULL;
    if (s->position && s->triangle && (s->scalar || !with_scalar) && (s->uv || !with_uv))
        return weft_ok();
    return weft_fail_memory("smooth cloth",
                            (size_t)vertices * sizeof *s->position + corners * (sizeof *s->triangle + sizeof *s->uv));
}

static weft_result reserve_edges(weft_smooth *s, int32_t edges) {
    size_t vertices = (size_t)s->vertex_count, corners = 3 * (size_t)s->triangle_count, count = (size_t)edges;
    s->edge_count = edges;
    s->sharp = room(vertices, sizeof *s->sharp);
    s->side = room(corners, sizeof *s->side);
    s->edge = room(count, sizeof *s->edge);
    s->start = room(vertices + 2, sizeof *s->start);
    s->spoke = room(2 * count, sizeof *s->spoke);
    if (s->sharp && s->side && s->edge && s->start && s->spoke)
        return weft_ok();
    return weft_fail_memory("edges of a smooth cloth", vertices * (1 + sizeof *s->start) + corners * sizeof *s->side +
                                                           count * (sizeof *s->edge + 2 * sizeof *s->spoke));
}

static int is_border(const weft_smooth_edge *e) { return e->face[1] < 0; }

/* ---- topology of the coarse mesh ---- */

/* Numbers the edges in the order in which the triangles use them. An edge with three or more triangles becomes a
 * border. `head` and `next` list the edges by their lower vertex. */
static void find_edges(weft_smooth *s, int32_t *head, int32_t *next) {
    int32_t count = 0;
    memset(head, -1, (size_t)s->vertex_count * sizeof *head);
    for (int32_t c = 0; c < 3 * s->triangle_count; c++) {
        uint32_t a = s->triangle[c], b = s->triangle[c % 3 == 2 ? c - 2 : c + 1];
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        int32_t e = head[low];
        while (e >= 0 && s->edge[e].end[1] != high)
            e = next[e];
        if (e < 0) {
            e = count++;
            s->edge[e] = (weft_smooth_edge){{low, high}, {c / 3, -1}};
            next[e] = head[low];
            head[low] = e;
        } else {
            s->edge[e].face[1] = s->edge[e].face[1] == -1 ? c / 3 : -2;
        }
        s->side[c] = e;
    }
    s->edge_count = count;
}

/* Lists the edges of each vertex, by edge number. */
static void find_spokes(weft_smooth *s) {
    for (int32_t e = 0; e < s->edge_count; e++)
        for (int k = 0; k < 2; k++)
            s->start[s->edge[e].end[k] + 2]++;
    for (int32_t v = 0; v < s->vertex_count; v++)
        s->start[v + 2] += s->start[v + 1];
    for (int32_t e = 0; e < s->edge_count; e++) /* afterwards start[v + 1] is the end of v */
        for (int k = 0; k < 2; k++)
            s->spoke[s->start[s->edge[e].end[k] + 1]++] = e;
}

/* A border vertex is a corner if the surface covers less than 110 or more than 250 degrees around it. `angle` is
 * scratch for the sum at each vertex. */
static void find_corners(weft_smooth *s, float *angle) {
    for (int32_t c = 0; c < 3 * s->triangle_count; c++) {
        const uint32_t *t = s->triangle + c / 3 * 3;
        vecf p = s->position[t[c % 3]];
        vecf a = vf_sub(s->position[t[(c + 1) % 3]], p), b = vf_sub(s->position[t[(c + 2) % 3]], p);
        angle[t[c % 3]] += atan2f(vf_length(vf_cross(a, b)), vf_dot(a, b));
    }
    for (int32_t e = 0; e < s->edge_count; e++)
        for (int k = 0; k < 2; k++) {
            uint32_t v = s->edge[e].end[k];
            if (is_border(&s->edge[e]) && !(angle[v] >= CORNER_LOW && angle[v] <= CORNER_HIGH))
                s->sharp[v] = 1;
        }
}

static weft_result connect(weft_smooth *s) {
    size_t vertices = (size_t)s->vertex_count, corners = 3 * (size_t)s->triangle_count;
    WEFT_TRY(reserve_edges(s, 3 * s->triangle_count));
    int32_t *head = room(vertices, sizeof *head), *next = room(corners, sizeof *next);
    float *angle = room(vertices, sizeof *angle);
    weft_result result = weft_ok();
    if (!head || !next || !angle) {
        result = weft_fail_memory("edges of a cloth", vertices * 2 * sizeof *head + corners * sizeof *next);
    } else {
        find_edges(s, head, next);
        find_spokes(s);
        find_corners(s, angle);
    }
    free(angle);
    free(next);
    free(head);
    return result;
}

/* ---- rules ---- */

/* The sum of the steps from a vertex to its neighbours, and their number. A border vertex only uses neighbours along
 * the border; a corner uses none. */
typedef struct ring {
    vecf sum;
    int count, border;
} ring;

static ring look_around(const weft_smooth *s, int32_t v, const vecf *position) {
    ring inner = {0}, border = {.border = 1};
    for (int32_t i = s->start[v]; i < s->start[v + 1]; i++) {
        const weft_smooth_edge *e = &s->edge[s->spoke[i]];
        uint32_t other = e->end[e->end[0] == (uint32_t)v];
        vecf step = vf_sub(position[other], position[v]);
        ring *r = is_border(e) ? &border : &inner;
        r->sum = vf_add(r->sum, step);
        r->count++;
    }
    if (border.count == 0)
        return inner;
    if (border.count != 2 || s->sharp[v])
        border = (ring){.border = 1};
    return border;
}

/* The position of a vertex in the next level. */
static vecf moved(const weft_smooth *s, int32_t v, const vecf *position) {
    ring r = look_around(s, v, position);
    if (r.count == 0)
        return position[v];
    float weight = r.border ? 0.125f : r.count == 3 ? 0.1875f : 0.375f / (float)r.count;
    return vf_mad(position[v], weight, r.sum);
}

/* The limit position of a vertex after infinitely many levels. */
static vecf limit(const weft_smooth *s, int32_t v, const vecf *position) {
    ring r = look_around(s, v, position);
    if (r.count == 0)
        return position[v];
    float weight = r.border ? 1.0f / 6 : r.count == 3 ? 0.2f : 0.5f / (float)r.count;
    return vf_mad(position[v], weight, r.sum);
}

/* The third corner of a face at the edge. For a degenerate face this is one of the two ends. */
static uint32_t opposite(const weft_smooth *s, const weft_smooth_edge *e, int k) {
    const uint32_t *t = s->triangle + 3 * (size_t)e->face[k];
    for (int i = 0; i < 2; i++)
        if (t[i] != e->end[0] && t[i] != e->end[1])
            return t[i];
    return t[2];
}

static vecf edge_point(const weft_smooth *s, const weft_smooth_edge *e, const vecf *position) {
    vecf a = position[e->end[0]], b = position[e->end[1]];
    vecf middle = vf_mad(a, 0.5f, vf_sub(b, a));
    if (is_border(e))
        return middle;
    vecf c = position[opposite(s, e, 0)], d = position[opposite(s, e, 1)];
    return vf_mad(middle, 0.125f, vf_add(vf_sub(c, a), vf_sub(d, b)));
}

/* ---- one level ---- */

typedef struct refinement {
    const weft_smooth *from;
    weft_smooth *to;
} refinement;

static void refine_vertices(void *context, int64_t begin, int64_t end) {
    const refinement *r = context;
    for (int32_t v = (int32_t)begin; v < end; v++) {
        r->to->position[v] = moved(r->from, v, r->from->position);
        r->to->flat[v] = r->from->flat[v];
        if (r->to->rest)
            r->to->rest[v] = moved(r->from, v, r->from->rest);
        r->to->sharp[v] = r->from->sharp[v];
        if (r->to->scalar)
            r->to->scalar[v] = r->from->scalar[v];
    }
}

/* The quarter of a face at one of its vertices. */
static int32_t quarter(const weft_smooth *s, int32_t face, uint32_t vertex) {
    if (face < 0)
        return face;
    const uint32_t *t = s->triangle + 3 * (size_t)face;
    return 4 * face + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

/* Edge e becomes edge 2 e at its first end and 2 e + 1 at its second. */
static void refine_edges(void *context, int64_t begin, int64_t end) {
    const refinement *r = context;
    const weft_smooth *from = r->from;
    for (int64_t i = begin; i < end; i++) {
        const weft_smooth_edge *e = &from->edge[i];
        uint32_t middle = (uint32_t)(from->vertex_count + i);
        r->to->position[middle] = edge_point(from, e, from->position);
        r->to->flat[middle] = vf_scale(0.5f, vf_add(from->flat[e->end[0]], from->flat[e->end[1]]));
        if (r->to->rest)
            r->to->rest[middle] = edge_point(from, e, from->rest);
        if (r->to->scalar)
            r->to->scalar[middle] = 0.5f * (from->scalar[e->end[0]] + from->scalar[e->end[1]]);
        for (int k = 0; k < 2; k++)
            r->to->edge[2 * i + k] = (weft_smooth_edge){
                {e->end[k], middle}, {quarter(from, e->face[0], e->end[k]), quarter(from, e->face[1], e->end[k])}};
    }
}

static int32_t half(const weft_smooth *s, int32_t edge, uint32_t end) {
    return 2 * edge + (s->edge[edge].end[1] == end);
}

static weft_stage_uv middle_uv(weft_stage_uv a, weft_stage_uv b) {
    return (weft_stage_uv){0.5f * (a.u + b.u), 0.5f * (a.v + b.v)};
}

/* Quarters 0 to 2 are at the corners, quarter 3 in the middle. Edge `inner` + k cuts off corner k. */
static void refine_triangles(void *context, int64_t begin, int64_t end) {
    const refinement *r = context;
    const weft_smooth *from = r->from;
    for (int64_t t = begin; t < end; t++) {
        const uint32_t *v = from->triangle + 3 * t;
        const int32_t *side = from->side + 3 * t, inner = 2 * from->edge_count + 3 * (int32_t)t;
        uint32_t *triangle = r->to->triangle + 12 * t, middle[3];
        int32_t *sides = r->to->side + 12 * t;
        for (int k = 0; k < 3; k++)
            middle[k] = (uint32_t)(from->vertex_count + side[k]);
        for (int k = 0; k < 3; k++) {
            /* Corner k of quarter k is the old corner. */
            int next = (k + 1) % 3, last = (k + 2) % 3;
            triangle[3 * k + k] = v[k];
            triangle[3 * k + next] = middle[k];
            triangle[3 * k + last] = middle[last];
            sides[3 * k + k] = half(from, side[k], v[k]);
            sides[3 * k + next] = inner + k;
            sides[3 * k + last] = half(from, side[last], v[k]);
            triangle[9 + k] = middle[k];
            sides[9 + k] = inner + next;
            r->to->edge[inner + k] =
                (weft_smooth_edge){{middle[k], middle[last]}, {4 * (int32_t)t + k, 4 * (int32_t)t + 3}};
        }
        for (int k = 0; r->to->uv && k < 3; k++) {
            const weft_stage_uv *uv = from->uv + 3 * t;
            weft_stage_uv *to = r->to->uv + 12 * t;
            int next = (k + 1) % 3;
            to[3 * k + k] = uv[k];
            to[3 * k + next] = to[3 * next + k] = to[9 + k] = middle_uv(uv[k], uv[next]);
        }
    }
}

/* `finer` is zeroed; the caller frees it. */
static weft_result refine(const weft_smooth *s, weft_smooth *finer, const weft_work *work) {
    WEFT_TRY(reserve(finer, s->vertex_count + s->edge_count, 4 * s->triangle_count, s->scalar != NULL, s->uv != NULL));
    WEFT_TRY(reserve_edges(finer, 2 * s->edge_count + 3 * s->triangle_count));
    finer->levels = s->levels + 1;
    finer->flat = room((size_t)finer->vertex_count, sizeof *finer->flat);
    if (!finer->flat)
        return weft_fail_memory("smooth cloth", (size_t)finer->vertex_count * sizeof *finer->flat);
    if (s->rest) {
        finer->rest = room((size_t)finer->vertex_count, sizeof *finer->rest);
        if (!finer->rest)
            return weft_fail_memory("rest coordinates", (size_t)finer->vertex_count * sizeof *finer->rest);
    }
    refinement r = {s, finer};
    weft_parallel_for(work, s->vertex_count, WEFT_BLOCK, refine_vertices, &r);
    weft_parallel_for(work, s->edge_count, WEFT_BLOCK, refine_edges, &r);
    weft_parallel_for(work, s->triangle_count, WEFT_BLOCK, refine_triangles, &r);
    find_spokes(finer);
    return weft_ok();
}

/* ---- positions ---- */

typedef struct limit_pass {
    const weft_smooth *smooth;
    const vecf *from;
    int mirrored;
    vecf *to;
} limit_pass;

static void find_limits(void *context, int64_t begin, int64_t end) {
    const limit_pass *pass = context;
    for (int32_t v = (int32_t)begin; v < end; v++) {
        vecf p = limit(pass->smooth, v, pass->from);
        pass->to[v] = pass->mirrored ? vf_add(pass->from[v], vf_sub(pass->from[v], p)) : p;
    }
}

static weft_result move(const weft_smooth *s, vecf **point, int mirrored, const weft_work *work) {
    vecf *to = room((size_t)s->vertex_count, sizeof *to);
    if (!to)
        return weft_fail_memory("smooth cloth", (size_t)s->vertex_count * sizeof *to);
    limit_pass pass = {s, *point, mirrored, to};
    weft_parallel_for(work, s->vertex_count, WEFT_BLOCK, find_limits, &pass);
    free(*point);
    *point = to;
    return weft_ok();
}

/* Replaces vertices by control points: the control point is the limit position mirrored at the vertex. This is the
 * first round of progressive interpolation. The error left is 1 % of a wave of eight edges, 10 % of a wave of four
 * edges, and 40 % of a zigzag from vertex to vertex. The zigzag is an error of the simulation rather than shape, and
 * more rounds would only restore it. */
static weft_result interpolate(const weft_smooth *s, vecf **point, const weft_work *work) {
    return move(s, point, 1, work);
}

/* Replaces control points by their limit positions. */
static weft_result settle(const weft_smooth *s, vecf **point, const weft_work *work) { return move(s, point, 0, work); }

/* ---- input and output ---- */

static weft_result copy(weft_smooth *s, const weft_shot_cloth *cloth, const float *scalar) {
    size_t corners = 3 * (size_t)cloth->triangle_count;
    WEFT_TRY(reserve(s, cloth->vertex_count, cloth->triangle_count, scalar != NULL, cloth->uv || cloth->corner_uv));
    for (int32_t v = 0; v < cloth->vertex_count; v++)
        s->position[v] = vf_from(cloth->position[v]);
    for (size_t c = 0; c < corners; c++)
        s->triangle[c] = (uint32_t)cloth->triangle[c];
    for (size_t c = 0; s->uv && c < corners; c++) {
        weft_vec2 uv = cloth->corner_uv ? cloth->corner_uv[c] : cloth->uv[cloth->triangle[c]];
        s->uv[c] = (weft_stage_uv){(float)uv.x, (float)uv.y};
    }
    if (scalar)
        memcpy(s->scalar, scalar, (size_t)cloth->vertex_count * sizeof *scalar);
    return weft_ok();
}

/* Rest coordinates are subdivided by the same rules as the positions. Other rules would distort the pattern around
 * vertices with more or fewer than six neighbours. This is not possible across seams, where the corners at a vertex
 * differ. With seams, coordinates are interpolated linearly along the edges. */
static weft_result reserve_rest(weft_smooth *s) {
    if (!s->uv)
        return weft_ok();
    s->rest = room((size_t)s->vertex_count, sizeof *s->rest);
    if (!s->rest)
        return weft_fail_memory("rest coordinates", (size_t)s->vertex_count * sizeof *s->rest);
    size_t corners = 3 * (size_t)s->triangle_count, c = 0;
    for (; c < corners; c++)
        s->rest[s->triangle[c]] = vf(s->uv[c].u, s->uv[c].v, 0);
    for (c = 0; c < corners; c++) {
        vecf r = s->rest[s->triangle[c]];
        if (r.x != s->uv[c].u || r.y != s->uv[c].v)
            break;
    }
    if (c < corners) {
        free(s->rest);
        s->rest = NULL;
    }
    return weft_ok();
}

static void spread_rest(void *context, int64_t begin, int64_t end) {
    weft_smooth *s = context;
    for (int64_t c = 3 * begin; c < 3 * end; c++) {
        vecf r = s->rest[s->triangle[c]];
        s->uv[c] = (weft_stage_uv){r.x, r.y};
    }
}

static weft_result build(weft_smooth *s, const weft_shot_cloth *cloth, const float *scalar, int32_t levels,
                         const weft_work *work) {
    WEFT_TRY(copy(s, cloth, scalar));
    if (levels < 1 || s->triangle_count == 0)
        return weft_ok();
    WEFT_TRY(connect(s));
    WEFT_TRY(reserve_rest(s));
    s->flat = room((size_t)s->vertex_count, sizeof *s->flat);
    if (!s->flat)
        return weft_fail_memory("smooth cloth", (size_t)s->vertex_count * sizeof *s->flat);
    memcpy(s->flat, s->position, (size_t)s->vertex_count * sizeof *s->flat);
    WEFT_TRY(interpolate(s, &s->position, work));
    if (s->rest)
        WEFT_TRY(interpolate(s, &s->rest, work));
    for (int32_t level = 0; level < levels; level++) {
        weft_smooth finer = {0}, coarse = *s;
        weft_result result = refine(s, &finer, work);
        if (result.code != WEFT_OK) {
            weft_smooth_free(&finer);
            return result;
        }
        *s = finer;
        weft_smooth_free(&coarse);
    }
    WEFT_TRY(settle(s, &s->position, work));
    if (!s->rest)
        return weft_ok();
    WEFT_TRY(settle(s, &s->rest, work));
    weft_parallel_for(work, s->triangle_count, WEFT_BLOCK, spread_rest, s);
    return weft_ok();
}

weft_result weft_smooth_build(weft_smooth *smooth, const weft_shot_cloth *cloth, const float *scalar, int32_t levels,
                              const weft_work *work) {
    *smooth = (struct weft_smooth){0};
    weft_result result = build(smooth, cloth, scalar, levels, work);
    if (result.code != WEFT_OK)
        weft_smooth_free(smooth);
    return result;
}

int32_t weft_smooth_level(const weft_shot_cloth *cloth, double pixel) {
    double squares = 0;
    int64_t count = 0;
    for (int64_t c = 0; c < 3 * (int64_t)cloth->triangle_count; c++) {
        weft_vec3 a = cloth->position[cloth->triangle[c]];
        weft_vec3 d = weft_sub(cloth->position[cloth->triangle[c % 3 == 2 ? c - 2 : c + 1]], a);
        double square = weft_dot(d, d);
        squares += isfinite(square) ? square : 0;
        count += isfinite(square);
    }
    if (count == 0)
        return 0;
    double side = sqrt(squares / (double)count) / (WEFT_SMOOTH_PIXELS * pixel);
    int32_t level = 0;
    for (; side > 1 && level < WEFT_SMOOTH_LEVELS; side *= 0.5)
        level++;
    return level;
}
