/* Outlines become points, with as many on both sides of a seam; panels are filled with triangles; points that meet in
 * seams become one vertex. */
#include "wear/garment/sew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/ears.h"
#include "wear/garment/place_point.h"
#include "weft/portable_math.h"
#include "weft/sort.h"
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
    weft_sort(sewn, (size_t)count, sizeof *sewn, compare_from);
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
    weft_sort(sewn, all_parts, sizeof *sewn, compare_from);
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

/* Points and segments of a panel: its outline, then its folds. */
typedef struct outline {
    weft_vec2 *point;
    garment_segment *segment;
    int32_t points, segments;
} outline;

static double distance(weft_vec2 a, weft_vec2 b) { return weft_hypot(a.x - b.x, a.y - b.y); }

/* The outline point nearest to an end of a fold, if it is near enough to end there; else WEFT_NONE. */
static int32_t snap(const outline *o, int32_t border, weft_vec2 end, double edge) {
    int32_t nearest = 0;
    for (int32_t i = 1; i < border; i++)
        if (distance(o->point[i], end) < distance(o->point[nearest], end))
            nearest = i;
    return distance(o->point[nearest], end) < 0.75 * edge ? nearest : WEFT_NONE;
}

static weft_result add_piece(garment_sewn *sewn, int32_t panel, int32_t fold, int32_t a, int32_t b) {
    garment_crease *grown = realloc(sewn->crease, ((size_t)sewn->creases + 1) * sizeof *grown);
    if (!grown)
        return weft_fail_memory("folds", (size_t)sewn->creases * sizeof *grown);
    sewn->crease = grown;
    sewn->crease[sewn->creases++] = (garment_crease){panel, fold, {a, b}};
    return weft_ok();
}

/* Draws a fold as a line of segments between its ends, which snap to the outline. */
static weft_result add_fold(const garment_pattern *pattern, int32_t p, int32_t f, int32_t border, outline *o,
                            garment_sewn *sewn) {
    const garment_fold *fold = &pattern->panel[p].fold[f];
    double edge = pattern->edge_length;
    int32_t first = snap(o, border, fold->from, edge), last = snap(o, border, fold->to, edge);
    weft_vec2 from = first == WEFT_NONE ? fold->from : o->point[first],
              to = last == WEFT_NONE ? fold->to : o->point[last];
    int32_t pieces = pieces_of(distance(from, to), edge, 1);
    for (int32_t i = 0, before = WEFT_NONE; i <= pieces; i++) {
        int32_t here = i == 0 ? first : i == pieces ? last : WEFT_NONE;
        if (here == WEFT_NONE) {
            double s = (double)i / pieces;
            here = o->points;
            o->point[o->points++] = (weft_vec2){from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)};
        }
        if (before != WEFT_NONE) {
            o->segment[o->segments++] = (garment_segment){{before, here}, 0};
            WEFT_TRY(add_piece(sewn, p, f, before, here));
        }
        before = here;
    }
    return weft_ok();
}

static weft_result draw_panel(const garment_pattern *pattern, const spans *all, int32_t p, outline *o,
                              garment_sewn *sewn) {
    const garment_panel *panel = &pattern->panel[p];
    int32_t border = sewn->border[p];
    for (int32_t s = 0; s < all->count; s++) {
        const span *n = &all->span[s];
        double step = (n->to - n->from) / (double)n->pieces;
        for (int32_t i = 0; n->panel == p && i < n->pieces; i++) {
            double at = n->from + i * step;
            sewn->mark[sewn->mark_start[p] + o->points] = (garment_mark){n->edge, at};
            o->segment[o->segments++] = (garment_segment){{o->points, (o->points + 1) % border}, 1};
            o->point[o->points++] = garment_edge_sample(&panel->edge[n->edge], at, step);
        }
    }
    for (int32_t f = 0; f < panel->folds; f++)
        WEFT_TRY(add_fold(pattern, p, f, border, o, sewn));
    return weft_ok();
}

/* Room for the points of all folds of a panel. */
static size_t fold_room(const garment_pattern *pattern, const garment_panel *panel) {
    size_t room = 0;
    for (int32_t f = 0; f < panel->folds; f++)
        room += (size_t)(distance(panel->fold[f].from, panel->fold[f].to) / pattern->edge_length) + 8;
    return room;
}

/* What a line of a panel belongs to, as messages call it: an edge or a fold. `end`: its points, among those of the
 * panel. A corner of the outline counts to the edge that begins there. */
static void name_line(const garment_pattern *pattern, int32_t p, const int32_t end[2], const garment_sewn *sewn,
                      char *name, size_t size) {
    const garment_panel *panel = &pattern->panel[p];
    for (int32_t c = 0; c < sewn->creases; c++) {
        const garment_crease *crease = &sewn->crease[c];
        const int has[2] = {end[0] == crease->point[0] || end[0] == crease->point[1],
                            end[1] == crease->point[0] || end[1] == crease->point[1]};
        if (crease->panel == p && has[0] && has[1] && (end[0] != end[1] || end[0] >= sewn->border[p])) {
            snprintf(name, size, "fold %d", crease->fold + 1);
            return;
        }
    }
    const int32_t edge = sewn->mark[sewn->mark_start[p] + end[0]].edge;
    if (panel->edge[edge].name[0])
        snprintf(name, size, "edge %s", panel->edge[edge].name);
    else
        snprintf(name, size, "edge %d", edge + 1);
}

/* Where two lines cross; or the point, if one of them is a single one. */
static weft_vec2 meeting_point(const weft_vec2 *point, const garment_flaw *flaw) {
    weft_vec2 a = point[flaw->first[0]], b = point[flaw->first[1]], c = point[flaw->second[0]],
              d = point[flaw->second[1]];
    double twice = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
    double s = twice != 0 ? ((a.y - c.y) * (b.x - a.x) - (a.x - c.x) * (b.y - a.y)) / twice : 0;
    return (weft_vec2){c.x + s * (d.x - c.x), c.y + s * (d.y - c.y)};
}

/* Why a panel cannot be filled, in the words of its file. */
static weft_result explain(const garment_pattern *pattern, int32_t p, const outline *o, const garment_sewn *sewn,
                           const garment_flaw *flaw, const weft_result *why) {
    const garment_panel *panel = &pattern->panel[p];
    const double cm = 100;
    char place[320], first[GARMENT_NAME + 16], second[GARMENT_NAME + 16];
    weft_value_place(panel->value, place, sizeof place);
    for (int i = 0; i < 2; i++)
        if (flaw->first[i] == WEFT_NONE || flaw->second[i] == WEFT_NONE || flaw->first[i] >= o->points ||
            flaw->second[i] >= o->points)
            return weft_fail(WEFT_BAD_INPUT, "%spanel %s cannot be filled with edges of %g cm: %s", place, panel->name,
                             cm * pattern->edge_length, why->message);
    weft_vec2 at = meeting_point(o->point, flaw);
    name_line(pattern, p, flaw->first, sewn, first, sizeof first);
    name_line(pattern, p, flaw->second, sewn, second, sizeof second);
    if (first[0] == 'e' && second[0] == 'e')
        return weft_fail(WEFT_BAD_INPUT,
                         "%spanel %s: its outline crosses or touches itself at (%.1f, %.1f) cm, where %s meets %s",
                         place, panel->name, cm * at.x, cm * at.y, flaw->first[0] < flaw->second[0] ? first : second,
                         flaw->first[0] < flaw->second[0] ? second : first);
    return weft_fail(WEFT_BAD_INPUT, "%spanel %s: %s crosses or touches %s at (%.1f, %.1f) cm", place, panel->name,
                     second[0] == 'f' ? second : first, second[0] == 'f' ? first : second, cm * at.x, cm * at.y);
}

static weft_result fill_panel(const garment_pattern *pattern, const spans *all, int32_t p, garment_sewn *sewn) {
    const garment_panel *panel = &pattern->panel[p];
    size_t room = (size_t)sewn->border[p] + fold_room(pattern, panel) + 1;
    outline o = {malloc(room * sizeof *o.point), malloc(room * sizeof *o.segment), 0, 0};
    weft_result result = o.point && o.segment ? draw_panel(pattern, all, p, &o, sewn)
                                              : weft_fail_memory("outline", room * sizeof *o.segment);
    if (result.code == WEFT_OK) {
        garment_flaw flaw;
        result =
            garment_fill_region(o.point, o.points, o.segment, o.segments, pattern->edge_length, &sewn->fill[p], &flaw);
        if (result.code == WEFT_BAD_INPUT)
            result = explain(pattern, p, &o, sewn, &flaw, &result);
    }
    free(o.point);
    free(o.segment);
    return result;
}

/* Counts the outline points of all panels and takes memory for their marks. */
static weft_result count_borders(const garment_pattern *pattern, const spans *all, garment_sewn *sewn) {
    for (int32_t s = 0; s < all->count; s++)
        sewn->border[all->span[s].panel] += all->span[s].pieces;
    for (int32_t p = 0; p < pattern->panels; p++)
        sewn->mark_start[p + 1] = sewn->mark_start[p] + sewn->border[p];
    size_t points = (size_t)sewn->mark_start[pattern->panels] + 1;
    sewn->mark = malloc(points * sizeof *sewn->mark);
    return sewn->mark ? weft_ok() : weft_fail_memory("outlines", points * sizeof *sewn->mark);
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

weft_vec2 garment_rest_point(const garment_panel *panel, weft_vec2 p) {
    double c = weft_cos(panel->grain), s = weft_sin(panel->grain);
    return (weft_vec2){(1 - panel->changes.shrink_weft) * (c * p.x + s * p.y),
                       (1 - panel->changes.shrink_warp) * (c * p.y - s * p.x)};
}

/* The extent of a panel in rest coordinates. */
static void rest_bounds(const garment_panel *panel, const garment_fill *fill, weft_vec2 *low, weft_vec2 *high) {
    *low = (weft_vec2){INFINITY, INFINITY};
    *high = (weft_vec2){-INFINITY, -INFINITY};
    for (int32_t i = 0; i < fill->points; i++) {
        weft_vec2 q = garment_rest_point(panel, fill->point[i]);
        *low = (weft_vec2){fmin(low->x, q.x), fmin(low->y, q.y)};
        *high = (weft_vec2){fmax(high->x, q.x), fmax(high->y, q.y)};
    }
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
    double right = 0;
    for (int32_t p = 0; p < pattern->panels; p++) {
        const garment_panel *panel = &pattern->panel[p];
        weft_vec2 low, high;
        rest_bounds(panel, &sewn->fill[p], &low, &high);
        const garment_fill *fill = &sewn->fill[p];
        const int32_t *vertex = sewn->vertex + sewn->start[p];
        made->name[p] = panel->name;
        for (int32_t i = 0; i < fill->points; i++) {
            made->position[vertex[i]] = weft_add(made->position[vertex[i]], garment_place_point(panel, fill->point[i]));
            made->count[vertex[i]]++;
        }
        for (int32_t k = 0; k < fill->triangles; k++, t++) {
            made->size[t] = 3;
            made->group[t] = p;
            for (int c = 0; c < 3; c++) {
                weft_vec2 q = garment_rest_point(panel, fill->point[fill->triangle[k][c]]);
                made->corner[3 * t + c] = vertex[fill->triangle[k][c]];
                made->uv[3 * t + c] = (weft_vec2){q.x - low.x + right, q.y - low.y};
            }
        }
        right += high.x - low.x + GAP;
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
        double rest = weft_hypot(made->uv[i].x - made->uv[j].x, made->uv[i].y - made->uv[j].y);
        double now = weft_distance(made->position[made->corner[i]], made->position[made->corner[j]]);
        sewn->longest_stretch = fmax(sewn->longest_stretch, now / rest - 1);
    }
}

static weft_result make_mesh(const garment_pattern *pattern, const spans *all, garment_sewn *sewn) {
    int32_t vertices = number_vertices(pattern, all, sewn), triangles = 0;
    for (int32_t p = 0; p < pattern->panels; p++)
        triangles += sewn->fill[p].triangles;
    parts made = {0};
    weft_result result = garment_part_ears(sewn, pattern->panels);
    if (result.code == WEFT_OK && !take_parts(&made, vertices, triangles, pattern->panels))
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
                           .mark_start = calloc(panels + 1, sizeof *sewn->mark_start),
                           .start = calloc(panels + 1, sizeof *sewn->start)};
    if (!sewn->fill || !sewn->border || !sewn->mark_start || !sewn->start)
        return weft_fail_memory("panels", panels * sizeof *sewn->fill);
    weft_result result = find_spans(pattern, &all);
    if (result.code == WEFT_OK)
        result = count_borders(pattern, &all, sewn);
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
    free(sewn->mark);
    free(sewn->mark_start);
    free(sewn->crease);
    free(sewn->start);
    free(sewn->vertex);
    weft_mesh_destroy(sewn->mesh);
    *sewn = (garment_sewn){0};
}
