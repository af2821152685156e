/* Outlines become points, with as many on both sides of a seam; panels are filled with triangles; points that meet in
 * seams become one vertex. */
#include "garment/sew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/vec.h"

/* Space between panels in the rest coordinates, m. */
static const double GAP = 0.05;

/* A part of an edge between the ends of seams. */
typedef struct span {
    int32_t panel, edge;
    double from, to;
    int32_t pieces;
    int32_t first;      /* its first point in the outline of its panel */
    int32_t seam, side; /* or WEFT_NONE */
} span;

typedef struct spans {
    span *span;
    int32_t count;
} spans;

static int32_t pieces_of(double length, double edge, int straight) {
    double n = floor(length / edge + 0.5);
    int32_t least = straight ? 1 : 2;
    return n < least ? least : (int32_t)n;
}

static int compare_from(const void *a, const void *b) {
    const span *s = a, *t = b;
    return s->from < t->from ? -1 : s->from > t->from;
}

/* The spans of one edge: its sewn parts, and what lies between them. */
static void add_spans(const garment_pattern *pattern, int32_t panel, int32_t edge, spans *all) {
    const garment_edge *e = &pattern->panel[panel].edge[edge];
    span *sewn = &all->span[all->count];
    int32_t count = 0;
    for (int32_t i = 0; i < 2 * pattern->seams; i++) {
        const garment_seam *seam = &pattern->seam[i / 2];
        const garment_side *side = &seam->side[i % 2];
        if (side->panel != panel || side->edge != edge)
            continue;
        double longer =
            fmax(garment_side_length(pattern, &seam->side[0]), garment_side_length(pattern, &seam->side[1]));
        int straight = 1;
        for (int k = 0; k < 2; k++)
            straight &= pattern->panel[seam->side[k].panel].edge[seam->side[k].edge].straight;
        sewn[count++] = (span){.panel = panel,
                               .edge = edge,
                               .from = side->from,
                               .to = side->to,
                               .pieces = pieces_of(longer, pattern->edge_length, straight),
                               .seam = i / 2,
                               .side = i % 2};
    }
    qsort(sewn, (size_t)count, sizeof *sewn, compare_from);
    int32_t free_parts = 0;
    double at = 0;
    for (int32_t i = 0; i <= count; i++) {
        double next = i < count ? sewn[i].from : 1;
        if (next - at > 1e-9)
            sewn[count + free_parts++] =
                (span){.panel = panel,
                       .edge = edge,
                       .from = at,
                       .to = next,
                       .pieces = pieces_of((next - at) * e->length, pattern->edge_length, e->straight),
                       .seam = WEFT_NONE};
        at = i < count ? sewn[i].to : at;
    }
    size_t all_parts = (size_t)count + (size_t)free_parts;
    qsort(sewn, all_parts, sizeof *sewn, compare_from);
    all->count += count + free_parts;
}

static weft_result find_spans(const garment_pattern *pattern, spans *all) {
    size_t room = 0;
    for (int32_t p = 0; p < pattern->panels; p++)
        room += (size_t)pattern->panel[p].edges;
    room += 8 * (size_t)pattern->seams + 1;
    all->span = malloc(room * sizeof *all->span);
    if (!all->span)
        return weft_fail_memory("outlines", room * sizeof *all->span);
    for (int32_t p = 0; p < pattern->panels; p++) {
        int32_t points = 0, first = all->count;
        for (int32_t e = 0; e < pattern->panel[p].edges; e++)
            add_spans(pattern, p, e, all);
        for (int32_t s = first; s < all->count; s++) {
            all->span[s].first = points;
            points += all->span[s].pieces;
        }
    }
    return weft_ok();
}

static weft_result fill_panel(const garment_pattern *pattern, const spans *all, int32_t p, garment_sewn *sewn) {
    const garment_panel *panel = &pattern->panel[p];
    int32_t points = 0, at = 0;
    for (int32_t s = 0; s < all->count; s++)
        points += all->span[s].panel == p ? all->span[s].pieces : 0;
    weft_vec2 *point = malloc(((size_t)points + 1) * sizeof *point);
    garment_segment *segment = malloc(((size_t)points + 1) * sizeof *segment);
    weft_result result = point && segment ? weft_ok() : weft_fail_memory("outline", (size_t)points * sizeof *segment);
    for (int32_t s = 0; s < all->count && result.code == WEFT_OK; s++) {
        const span *n = &all->span[s];
        for (int32_t i = 0; n->panel == p && i < n->pieces; i++, at++) {
            double step = (n->to - n->from) / (double)n->pieces;
            point[at] = garment_edge_sample(&panel->edge[n->edge], n->from + i * step, step);
            segment[at] = (garment_segment){{at, (at + 1) % points}, 1};
        }
    }
    if (result.code == WEFT_OK) {
        result = garment_fill_region(point, points, segment, points, pattern->edge_length, &sewn->fill[p]);
        if (result.code == WEFT_BAD_INPUT) {
            char place[320];
            weft_value_place(panel->value, place, sizeof place);
            result = weft_fail(WEFT_BAD_INPUT, "%spanel %s: its outline crosses or touches itself", place, panel->name);
        }
    }
    sewn->border[p] = points;
    free(point);
    free(segment);
    return result;
}

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* The lower index stays, so that vertices keep the order of the panels. */
static void join(int32_t *parent, int32_t a, int32_t b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static int32_t outline_point(const garment_sewn *sewn, const span *s, int32_t i) {
    return sewn->start[s->panel] + (s->first + i) % sewn->border[s->panel];
}

/* Numbers the vertices: points that meet in seams have the same. Returns their count. */
static int32_t number_vertices(const garment_pattern *pattern, const spans *all, garment_sewn *sewn) {
    int32_t points = sewn->start[pattern->panels], count = 0;
    for (int32_t i = 0; i < points; i++)
        sewn->vertex[i] = i;
    for (int32_t a = 0; a < all->count; a++)
        for (int32_t b = 0; b < a; b++) {
            const span *s = &all->span[a], *t = &all->span[b];
            if (s->seam != WEFT_NONE && s->seam == t->seam && !pattern->seam[s->seam].open)
                for (int32_t i = 0; i <= s->pieces; i++)
                    join(sewn->vertex, outline_point(sewn, s, i), outline_point(sewn, t, s->pieces - i));
        }
    for (int32_t i = 0; i < points; i++)
        root_of(sewn->vertex, i);
    for (int32_t i = 0; i < points; i++) { /* roots come first in their groups, so they are numbered already */
        int32_t parent = sewn->vertex[i];
        while (parent > i)
            parent = sewn->vertex[parent];
        sewn->vertex[i] = parent == i ? count++ : sewn->vertex[parent];
    }
    return count;
}

static weft_vec3 place_point(const garment_panel *panel, weft_vec2 p) {
    const garment_place *at = &panel->place;
    weft_vec3 axis = weft_normalize(weft_sub(at->to, at->from)), right = weft_cross(axis, at->front);
    double angle = at->angle + (p.x - 0.5 * (panel->low.x + panel->high.x)) / at->radius;
    weft_vec3 q = weft_add_scaled(at->from, at->height + p.y - panel->low.y, axis);
    q = weft_add_scaled(q, at->radius * cos(angle), at->front);
    return weft_add_scaled(q, at->radius * sin(angle), right);
}

typedef struct parts {
    weft_vec3 *position;
    int32_t *corner, *size, *group, *count;
    weft_vec2 *uv;
    const char **name;
} parts;

static void free_parts(parts *p) {
    free(p->position);
    free(p->corner);
    free(p->size);
    free(p->group);
    free(p->count);
    free(p->uv);
    free(p->name);
}

static int take_parts(parts *p, int32_t vertices, int32_t triangles, int32_t panels) {
    p->position = calloc((size_t)vertices + 1, sizeof *p->position);
    p->count = calloc((size_t)vertices + 1, sizeof *p->count);
    p->corner = malloc((3 * (size_t)triangles + 1) * sizeof *p->corner);
    p->uv = malloc((3 * (size_t)triangles + 1) * sizeof *p->uv);
    p->size = malloc(((size_t)triangles + 1) * sizeof *p->size);
    p->group = malloc(((size_t)triangles + 1) * sizeof *p->group);
    p->name = malloc(((size_t)panels + 1) * sizeof *p->name);
    return p->position && p->count && p->corner && p->uv && p->size && p->group && p->name;
}

static void place_panels(const garment_pattern *pattern, const garment_sewn *sewn, parts *made, int32_t vertices) {
    int32_t t = 0;
    double shift = 0;
    for (int32_t p = 0; p < pattern->panels; p++) {
        const garment_panel *panel = &pattern->panel[p];
        const garment_fill *fill = &sewn->fill[p];
        const int32_t *vertex = sewn->vertex + sewn->start[p];
        made->name[p] = panel->name;
        for (int32_t i = 0; i < fill->points; i++) {
            made->position[vertex[i]] = weft_add(made->position[vertex[i]], place_point(panel, fill->point[i]));
            made->count[vertex[i]]++;
        }
        for (int32_t k = 0; k < fill->triangles; k++, t++) {
            made->size[t] = 3;
            made->group[t] = p;
            for (int c = 0; c < 3; c++) {
                weft_vec2 q = fill->point[fill->triangle[k][c]];
                made->corner[3 * t + c] = vertex[fill->triangle[k][c]];
                made->uv[3 * t + c] = (weft_vec2){q.x - panel->low.x + shift, q.y - panel->low.y};
            }
        }
        shift += panel->high.x - panel->low.x + GAP;
    }
    for (int32_t i = 0; i < vertices; i++) /* sewn vertices start in the middle of their points */
        made->position[i] = weft_scale(1.0 / made->count[i], made->position[i]);
}

/* A group of vertices for each named edge, so that scenes can pin it. */
static weft_result add_groups(const garment_pattern *pattern, const spans *all, garment_sewn *sewn) {
    for (int32_t p = 0; p < pattern->panels; p++)
        for (int32_t e = 0; e < pattern->panel[p].edges; e++) {
            uint8_t *in = calloc((size_t)sewn->mesh->input_vertex_count, 1);
            int32_t *list = malloc((size_t)sewn->mesh->input_vertex_count * sizeof *list), count = 0;
            weft_result result = in && list ? weft_ok() : weft_fail_memory("groups", 0);
            for (int32_t s = 0; s < all->count && result.code == WEFT_OK; s++)
                for (int32_t i = 0; all->span[s].panel == p && all->span[s].edge == e && i <= all->span[s].pieces; i++)
                    in[sewn->vertex[outline_point(sewn, &all->span[s], i)]] = 1;
            for (int32_t i = 0; result.code == WEFT_OK && i < sewn->mesh->input_vertex_count; i++)
                if (in[i])
                    list[count++] = i;
            char name[2 * GARMENT_NAME];
            snprintf(name, sizeof name, "%s.%s", pattern->panel[p].name, pattern->panel[p].edge[e].name);
            if (result.code == WEFT_OK && pattern->panel[p].edge[e].name[0])
                result = weft_mesh_add_vertex_group(sewn->mesh, name, list, count);
            free(in);
            free(list);
            WEFT_TRY(result);
        }
    return weft_ok();
}

static void measure_stretch(const parts *made, int32_t triangles, garment_sewn *sewn) {
    for (int32_t i = 0; i < 3 * triangles; i++) {
        int32_t j = i % 3 == 2 ? i - 2 : i + 1;
        double rest = hypot(made->uv[i].x - made->uv[j].x, made->uv[i].y - made->uv[j].y);
        double now = weft_distance(made->position[made->corner[i]], made->position[made->corner[j]]);
        sewn->longest_stretch = fmax(sewn->longest_stretch, now / rest - 1);
    }
}

static weft_result make_mesh(const garment_pattern *pattern, const spans *all, garment_sewn *sewn) {
    int32_t vertices = number_vertices(pattern, all, sewn), triangles = 0;
    for (int32_t p = 0; p < pattern->panels; p++)
        triangles += sewn->fill[p].triangles;
    parts made = {0};
    weft_result result = weft_ok();
    if (!take_parts(&made, vertices, triangles, pattern->panels))
        result = weft_fail_memory("garment", (size_t)triangles * 3 * sizeof *made.uv);
    if (result.code == WEFT_OK) {
        place_panels(pattern, sewn, &made, vertices);
        measure_stretch(&made, triangles, sewn);
        weft_polygons polygons = {pattern->name,  made.position, vertices, made.corner, 3 * (int64_t)triangles,
                                  made.size,      triangles,     made.uv,  made.group,  made.name,
                                  pattern->panels};
        result = weft_mesh_create(&polygons, &sewn->mesh);
    }
    free_parts(&made);
    WEFT_TRY(result);
    return add_groups(pattern, all, sewn);
}

weft_result garment_sew(const garment_pattern *pattern, garment_sewn *sewn) {
    size_t panels = (size_t)pattern->panels;
    spans all = {0};
    *sewn = (garment_sewn){.fill = calloc(panels, sizeof *sewn->fill),
                           .border = calloc(panels, sizeof *sewn->border),
                           .start = calloc(panels + 1, sizeof *sewn->start)};
    if (!sewn->fill || !sewn->border || !sewn->start)
        return weft_fail_memory("panels", panels * sizeof *sewn->fill);
    weft_result result = find_spans(pattern, &all);
    for (int32_t p = 0; p < pattern->panels && result.code == WEFT_OK; p++) {
        result = fill_panel(pattern, &all, p, sewn);
        sewn->start[p + 1] = sewn->start[p] + sewn->fill[p].points;
    }
    if (result.code == WEFT_OK) {
        sewn->vertex = malloc((size_t)sewn->start[panels] * sizeof *sewn->vertex);
        result = sewn->vertex ? make_mesh(pattern, &all, sewn)
                              : weft_fail_memory("garment", (size_t)sewn->start[panels] * sizeof *sewn->vertex);
    }
    free(all.span);
    return result;
}

void garment_sewn_free(garment_sewn *sewn, int32_t panels) {
    for (int32_t p = 0; sewn->fill && p < panels; p++)
        garment_fill_free(&sewn->fill[p]);
    free(sewn->fill);
    free(sewn->border);
    free(sewn->start);
    free(sewn->vertex);
    weft_mesh_destroy(sewn->mesh);
    *sewn = (garment_sewn){0};
}
