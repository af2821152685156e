#include "wear/garment/tailor.h"

#include <math.h>
#include <stdlib.h>

#include "weft/portable_math.h"

static const double PI = 3.14159265358979323846;

/* A hem lies double: twice the mass and stiffness. Its layers slide on each other between the stitches, so that their
 * bending rigidities add up as well. */
static const double DOUBLED = 2;
/* A button holds its two points at the length of its shank. */
static const double BUTTON_LENGTH = 2e-3, BUTTON_STIFFNESS = 100; /* m, N/m */

/* Fabric is gathered over this distance, m. An elastic that takes in this share makes it as soft as this fraction. */
static const double GATHERED = 0.04, FULL = 0.2, SOFT = 0.1;
/* Sides of a seam whose lengths differ by less than this fraction are sewn as they are. */
static const double SAME_LENGTH = 1e-3;

static weft_result add_crease(weft_tailoring *t, weft_crease crease) {
    weft_crease *grown = realloc((void *)t->crease, ((size_t)t->crease_count + 1) * sizeof *grown);
    if (!grown)
        return weft_fail_memory("creases", (size_t)t->crease_count * sizeof *grown);
    t->crease = grown;
    grown[t->crease_count++] = crease;
    return weft_ok();
}

static weft_result add_tie(weft_tailoring *t, weft_tie tie) {
    weft_tie *grown = realloc((void *)t->tie, ((size_t)t->tie_count + 1) * sizeof *grown);
    if (!grown)
        return weft_fail_memory("ties", (size_t)t->tie_count * sizeof *grown);
    t->tie = grown;
    grown[t->tie_count++] = tie;
    return weft_ok();
}

static int32_t vertex_of(const garment_sewn *sewn, int32_t panel, int32_t point) {
    return sewn->vertex[sewn->start[panel] + point];
}

/* Whether the piece of the outline from point i to the next one belongs to a side. */
static int is_on(const garment_sewn *sewn, const garment_side *side, int32_t i) {
    static const double SLACK = 1e-9;
    const garment_mark *mark = sewn->mark + sewn->mark_start[side->panel], *next;
    int32_t border = sewn->border[side->panel];
    next = &mark[(i + 1) % border];
    double end = next->edge == mark[i].edge && next->at > mark[i].at ? next->at : 1;
    return mark[i].edge == side->edge && mark[i].at >= side->from - SLACK && end <= side->to + SLACK;
}

/* The length of a piece of the outline after shrinking, m. */
static double piece_length(const garment_pattern *pattern, const garment_sewn *sewn, int32_t panel, int32_t i) {
    const garment_panel *of = &pattern->panel[panel];
    weft_vec2 a = garment_rest_point(of, sewn->fill[panel].point[i]);
    weft_vec2 b = garment_rest_point(of, sewn->fill[panel].point[(i + 1) % sewn->border[panel]]);
    return weft_hypot(b.x - a.x, b.y - a.y);
}

/* A band of the given force per strain: each piece is a spring of its own relaxed length. */
static weft_result add_elastic(const garment_pattern *pattern, const garment_sewn *sewn, const garment_elastic *elastic,
                               weft_tailoring *t) {
    for (int32_t s = 0; s < elastic->sides; s++) {
        const garment_side *side = &elastic->side[s];
        for (int32_t i = 0; i < sewn->border[side->panel]; i++) {
            if (!is_on(sewn, side, i))
                continue;
            double relaxed = elastic->ratio * piece_length(pattern, sewn, side->panel, i);
            int32_t a = vertex_of(sewn, side->panel, i),
                    b = vertex_of(sewn, side->panel, (i + 1) % sewn->border[side->panel]);
            if (a != b)
                WEFT_TRY(add_tie(t, (weft_tie){{a, b}, relaxed, elastic->stiffness / relaxed}));
        }
    }
    return weft_ok();
}

static int32_t nearest_vertex(const garment_sewn *sewn, const garment_point *point) {
    const garment_fill *fill = &sewn->fill[point->panel];
    int32_t nearest = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < fill->points; i++) {
        double distance = weft_hypot(fill->point[i].x - point->at.x, fill->point[i].y - point->at.y);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return vertex_of(sewn, point->panel, nearest);
}

static weft_result add_buttons(const garment_pattern *pattern, const garment_sewn *sewn, weft_tailoring *t) {
    for (int32_t i = 0; i < pattern->buttons; i++) {
        int32_t a = nearest_vertex(sewn, &pattern->button[i].end[0]),
                b = nearest_vertex(sewn, &pattern->button[i].end[1]);
        if (a != b)
            WEFT_TRY(add_tie(t, (weft_tie){{a, b}, BUTTON_LENGTH, BUTTON_STIFFNESS}));
    }
    return weft_ok();
}

/* Seams with a stiffness of their own. */
static weft_result add_seam(const garment_sewn *sewn, const garment_seam *seam, weft_tailoring *t) {
    const garment_side *side = &seam->side[0];
    for (int32_t i = 0; seam->bend != 1 && !seam->open && i < sewn->border[side->panel]; i++) {
        int32_t a = vertex_of(sewn, side->panel, i),
                b = vertex_of(sewn, side->panel, (i + 1) % sewn->border[side->panel]);
        if (is_on(sewn, side, i) && a != b)
            WEFT_TRY(add_crease(t, (weft_crease){.vertex = {a, b}, .bend = seam->bend}));
    }
    return weft_ok();
}

/* The ridge of a fold of positive angle points outwards: its faces turn away from their front. */
static weft_result add_folds(const garment_pattern *pattern, const garment_sewn *sewn, weft_tailoring *t) {
    for (int32_t i = 0; i < sewn->creases; i++) {
        const garment_crease *piece = &sewn->crease[i];
        const garment_fold *fold = &pattern->panel[piece->panel].fold[piece->fold];
        int32_t a = vertex_of(sewn, piece->panel, piece->point[0]), b = vertex_of(sewn, piece->panel, piece->point[1]);
        WEFT_TRY(
            add_crease(t, (weft_crease){.vertex = {a, b}, .bend = 1, .angle = -fold->angle, .yield = fold->yield}));
    }
    return weft_ok();
}

/* The distance of a point from the line between two others, m. */
static double piece_distance(weft_vec2 a, weft_vec2 b, weft_vec2 p) {
    double x = b.x - a.x, y = b.y - a.y, squared = x * x + y * y;
    double s = squared > 0 ? fmin(1, fmax(0, ((p.x - a.x) * x + (p.y - a.y) * y) / squared)) : 0;
    return weft_hypot(p.x - a.x - s * x, p.y - a.y - s * y);
}

/* The distance of a point from an edge of a panel, m, along its outline points. */
static double edge_distance(const garment_sewn *sewn, int32_t panel, int32_t edge, weft_vec2 p) {
    const garment_fill *fill = &sewn->fill[panel];
    const garment_mark *mark = sewn->mark + sewn->mark_start[panel];
    double least = INFINITY;
    for (int32_t i = 0; i < sewn->border[panel]; i++) {
        if (mark[i].edge == edge)
            least = fmin(least, piece_distance(fill->point[i], fill->point[(i + 1) % sewn->border[panel]], p));
    }
    return least;
}

static weft_vec2 centroid(const garment_fill *fill, int32_t t) {
    weft_vec2 sum = {0, 0};
    for (int k = 0; k < 3; k++) {
        sum.x += fill->point[fill->triangle[t][k]].x / 3;
        sum.y += fill->point[fill->triangle[t][k]].y / 3;
    }
    return sum;
}

static double area_of(const garment_fill *fill, int32_t t) {
    weft_vec2 a = fill->point[fill->triangle[t][0]], b = fill->point[fill->triangle[t][1]],
              c = fill->point[fill->triangle[t][2]];
    return 0.5 * fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/* Doubles the faces within the width of a hem. The extra layer is spread such that its mass is that of a strip of this
 * width, although faces do not end where the hem does. `face` is the first face of the panel. */
static void add_hem(const garment_sewn *sewn, const garment_edge *edge, int32_t panel, int32_t index, int32_t face,
                    double *const factor[3]) {
    const garment_fill *fill = &sewn->fill[panel];
    double area = 0, reach = edge->hem;
    for (int pass = 0; pass < 40; pass++) {
        for (int32_t t = 0; t < fill->triangles; t++)
            area += edge_distance(sewn, panel, index, centroid(fill, t)) <= reach ? area_of(fill, t) : 0;
        if (area > 0)
            break;
        reach *= 1.2; /* faces may be wider than the hem */
    }
    double extra = area > 0 ? (DOUBLED - 1) * edge->hem * edge->length / area : 0;
    for (int32_t t = 0; t < fill->triangles; t++)
        for (int k = 0; k < 3 && edge_distance(sewn, panel, index, centroid(fill, t)) <= reach; k++)
            factor[k][face + t] += extra;
}

/* The piece of a side nearest to a point: its direction in rest coordinates, and the distance, m. */
static double nearest_piece(const garment_pattern *pattern, const garment_sewn *sewn, const garment_side *side,
                            weft_vec2 p, weft_vec2 *along) {
    const garment_panel *panel = &pattern->panel[side->panel];
    const garment_fill *fill = &sewn->fill[side->panel];
    int32_t border = sewn->border[side->panel];
    double least = INFINITY;
    for (int32_t i = 0; i < border; i++) {
        weft_vec2 a = fill->point[i], b = fill->point[(i + 1) % border];
        double distance = piece_distance(a, b, p);
        if (!is_on(sewn, side, i) || distance >= least)
            continue;
        weft_vec2 from = garment_rest_point(panel, a), to = garment_rest_point(panel, b);
        double length = weft_hypot(to.x - from.x, to.y - from.y);
        least = distance;
        *along = (weft_vec2){(to.x - from.x) / length, (to.y - from.y) / length};
    }
    return least;
}

/* The same for the nearest of several sides that are on a panel. */
static double nearest_side(const garment_pattern *pattern, const garment_sewn *sewn, const garment_side *side,
                           int32_t sides, int32_t panel, weft_vec2 p, weft_vec2 *along) {
    double least = INFINITY;
    for (int32_t s = 0; s < sides; s++) {
        weft_vec2 d = {0, 0};
        double distance = side[s].panel == panel ? nearest_piece(pattern, sewn, &side[s], p, &d) : INFINITY;
        if (distance < least) {
            least = distance;
            *along = d;
        }
    }
    return least;
}

/* Of a tube of which the sides on this panel are one half, the radius grows by the excess over pi. It takes twice that
 * distance to do so. */
static double spread(const garment_pattern *pattern, const garment_side *side, int32_t sides, int32_t panel,
                     double ratio) {
    double length = 0;
    for (int32_t s = 0; s < sides; s++)
        length += side[s].panel == panel ? garment_side_length(pattern, &side[s]) : 0;
    return 2 * (1 - ratio) * length / PI;
}

/* Gathers are finer than the mesh. Near the sides of a band or seam the fabric of a panel is shorter by a ratio, and
 * its stiffness is multiplied by `soft`. Its mass stays. */
static void gather(const garment_pattern *pattern, garment_sewn *sewn, const garment_side *side, int32_t sides,
                   int32_t panel, double ratio, double soft, weft_tailoring *t) {
    const garment_fill *fill = &sewn->fill[panel];
    double *factor[2] = {(double *)t->density, (double *)t->stretch};
    double beside = 0.6 * pattern->edge_length; /* from the seam to the middles of faces with a corner in it */
    double reach = fmax(fmax(GATHERED, 2 * pattern->edge_length), beside + spread(pattern, side, sides, panel, ratio));
    int32_t face = 0;
    for (int32_t p = 0; p < panel; p++)
        face += sewn->fill[p].triangles;
    for (int32_t k = 0; k < fill->triangles && ratio < 1; k++, face++) {
        weft_vec2 d = {0, 0}, *uv = sewn->mesh->halfedge_uv + 3 * (size_t)face, middle = {0, 0};
        double distance = nearest_side(pattern, sewn, side, sides, panel, centroid(fill, k), &d);
        if (distance >= reach)
            continue;
        double way = fmax(0, distance - beside) / (reach - beside), shorter = ratio + (1 - ratio) * way;
        for (int c = 0; c < 3; c++)
            middle = (weft_vec2){middle.x + uv[c].x / 3, middle.y + uv[c].y / 3};
        for (int c = 0; c < 3; c++) {
            double off = (shorter - 1) * ((uv[c].x - middle.x) * d.x + (uv[c].y - middle.y) * d.y);
            uv[c] = (weft_vec2){uv[c].x + off * d.x, uv[c].y + off * d.y};
        }
        ((uint8_t *)t->gathered)[face] |= soft < 1;
        factor[0][face] /= shorter;
        factor[1][face] *= soft + (1 - soft) * way;
    }
}

/* The folds of gathers open easily, so these are soft: the more, the more fabric is gathered. */
static void gather_band(const garment_pattern *pattern, garment_sewn *sewn, const garment_elastic *elastic,
                        weft_tailoring *t) {
    double soft = 1 - (1 - SOFT) * fmin(1, (1 - elastic->ratio) / FULL);
    for (int32_t p = 0; p < pattern->panels; p++)
        gather(pattern, sewn, elastic->side, elastic->sides, p, elastic->ratio, soft, t);
}

/* The longer side of a seam is eased into the shorter one, or gathered. Otherwise it would stretch the shorter one. */
static void ease_in(const garment_pattern *pattern, garment_sewn *sewn, const garment_seam *seam, weft_tailoring *t) {
    double length[2] = {garment_side_length(pattern, &seam->side[0]), garment_side_length(pattern, &seam->side[1])};
    int longer = length[1] > length[0];
    double ratio = length[1 - longer] / length[longer];
    if (!seam->open && ratio < 1 - SAME_LENGTH)
        gather(pattern, sewn, &seam->side[longer], 1, seam->side[longer].panel, ratio, 1, t);
}

/* Factors of density, stretch and bend of all faces. */
static weft_result add_factors(const garment_pattern *pattern, const garment_sewn *sewn, weft_tailoring *t) {
    size_t faces = (size_t)sewn->mesh->face_count;
    double *factor[3] = {malloc((faces + 1) * sizeof **factor), malloc((faces + 1) * sizeof **factor),
                         malloc((faces + 1) * sizeof **factor)};
    t->density = factor[0];
    t->stretch = factor[1];
    t->bend = factor[2];
    t->gathered = calloc(faces + 1, sizeof *t->gathered);
    if (!factor[0] || !factor[1] || !factor[2] || !t->gathered)
        return weft_fail_memory("panels", faces * sizeof **factor);
    for (int32_t p = 0, face = 0; p < pattern->panels; face += sewn->fill[p++].triangles) {
        const garment_changes *changes = &pattern->panel[p].changes;
        double shrunk = (1 - changes->shrink_weft) * (1 - changes->shrink_warp); /* the mass stays */
        for (int32_t k = 0; k < sewn->fill[p].triangles; k++)
            factor[0][face + k] = factor[1][face + k] = factor[2][face + k] = 1;
        for (int32_t e = 0; e < pattern->panel[p].edges; e++)
            if (pattern->panel[p].edge[e].hem > 0)
                add_hem(sewn, &pattern->panel[p].edge[e], p, e, face, factor);
        for (int32_t k = 0; k < sewn->fill[p].triangles; k++) {
            factor[0][face + k] *= changes->density / shrunk;
            factor[1][face + k] *= changes->stretch;
            factor[2][face + k] *= changes->bend;
        }
    }
    return weft_ok();
}

weft_result garment_tailor(const garment_pattern *pattern, garment_sewn *sewn, weft_tailoring *tailoring) {
    *tailoring = (weft_tailoring){0};
    WEFT_TRY(add_factors(pattern, sewn, tailoring));
    for (int32_t i = 0; i < pattern->seams; i++) {
        WEFT_TRY(add_seam(sewn, &pattern->seam[i], tailoring));
        ease_in(pattern, sewn, &pattern->seam[i], tailoring);
    }
    WEFT_TRY(add_folds(pattern, sewn, tailoring));
    for (int32_t i = 0; i < pattern->elastics; i++) {
        WEFT_TRY(add_elastic(pattern, sewn, &pattern->elastic[i], tailoring));
        gather_band(pattern, sewn, &pattern->elastic[i], tailoring);
    }
    return add_buttons(pattern, sewn, tailoring);
}

weft_result garment_attached(const garment_pattern *pattern, const garment_sewn *sewn, int32_t **vertex,
                             int32_t *count) {
    int32_t total = sewn->mesh->input_vertex_count, found = 0;
    *vertex = NULL;
    *count = 0;
    if (pattern->attachments == 0)
        return weft_ok();
    int32_t *list = malloc(((size_t)total + 1) * sizeof *list);
    uint8_t *held = calloc((size_t)total + 1, sizeof *held);
    for (int32_t i = 0; list && held && i < pattern->attachments; i++) {
        const garment_attachment *a = &pattern->attachment[i];
        if (a->is_point)
            held[nearest_vertex(sewn, &a->point)] = 1;
        for (int32_t k = 0; !a->is_point && k < sewn->border[a->side.panel]; k++)
            if (is_on(sewn, &a->side, k)) {
                held[vertex_of(sewn, a->side.panel, k)] = 1;
                held[vertex_of(sewn, a->side.panel, (k + 1) % sewn->border[a->side.panel])] = 1;
            }
    }
    for (int32_t v = 0; list && held && v < total; v++)
        if (held[v])
            list[found++] = v;
    int complete = list && held;
    free(held);
    if (!complete) {
        free(list);
        return weft_fail_memory("attachments", (size_t)total * sizeof *list);
    }
    *vertex = list;
    *count = found;
    return weft_ok();
}
