#include "wear/garment/build.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/curve.h"
#include "wear/garment/reading.h"

static const double PI = 3.14159265358979323846;
/* Shorter curves are rounding, m. */
static const double SHORTEST = 1e-5;
/* Gaps up to this are closed, m. */
static const double CLOSE = 1e-4;
/* A turn of the direction by more than this is a corner, rad. */
static const double CORNER = 20 * 3.14159265358979323846 / 180;
enum { MOST_CURVES = 100000 };

static double distance(weft_vec2 a, weft_vec2 b) { return hypot(a.x - b.x, a.y - b.y); }
static weft_vec2 between(weft_vec2 a, weft_vec2 b, double t) {
    return (weft_vec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

void garment_chain_start(garment_chain *chain, weft_vec2 point) {
    chain->curves = 0;
    chain->start = chain->at = point;
}

void garment_chain_free(garment_chain *chain) {
    free(chain->curve);
    free(chain->corner);
    *chain = (garment_chain){0};
}

weft_result garment_chain_curve(garment_chain *chain, weft_vec2 a, weft_vec2 b, weft_vec2 to) {
    garment_curve made = {.control = {chain->at, a, b, to}};
    made.length = garment_curve_length(made.control);
    if (!(fabs(to.x) < 1e3 && fabs(to.y) < 1e3 && made.length < 1e3))
        return weft_fail(WEFT_BAD_INPUT, "a point is not a number, or further than 1 km away");
    if (made.length < SHORTEST)
        return weft_ok();
    if (chain->curves == MOST_CURVES)
        return weft_fail(WEFT_BAD_INPUT, "an outline has more than %d curves", MOST_CURVES);
    if (chain->curves == chain->room) {
        int32_t room = 2 * chain->room + 64;
        garment_curve *curve = realloc(chain->curve, (size_t)room * sizeof *curve);
        chain->curve = curve ? curve : chain->curve;
        uint8_t *corner = curve ? realloc(chain->corner, (size_t)room) : NULL;
        chain->corner = corner ? corner : chain->corner;
        if (!corner)
            return weft_fail_memory("outline", (size_t)room * sizeof *curve);
        chain->room = room;
    }
    chain->corner[chain->curves] = 0;
    chain->curve[chain->curves++] = made;
    chain->at = to;
    return weft_ok();
}

weft_result garment_chain_line(garment_chain *chain, weft_vec2 to) {
    return garment_chain_curve(chain, between(chain->at, to, 1.0 / 3), between(chain->at, to, 2.0 / 3), to);
}

int garment_arc(weft_vec2 from, weft_vec2 to, double radius, int large, int left, weft_vec2 curve[][3]) {
    double chord = distance(from, to);
    radius = fmax(radius, 0.5 * chord);
    /* the centre lies to the left of the chord for a small arc to the left, so that the arc bulges to the right */
    double height = sqrt(fmax(radius * radius - 0.25 * chord * chord, 0)) * (large != left ? 1 : -1);
    weft_vec2 middle = between(from, to, 0.5);
    weft_vec2 centre = {middle.x - height * (to.y - from.y) / chord, middle.y + height * (to.x - from.x) / chord};
    double first = atan2(from.y - centre.y, from.x - centre.x), turn = atan2(to.y - centre.y, to.x - centre.x) - first;
    if (left && turn <= 0)
        turn += 2 * PI;
    if (!left && turn >= 0)
        turn -= 2 * PI;
    int pieces = (int)ceil(fabs(turn) / (PI / 4) - 1e-9);
    pieces = pieces < 1 ? 1 : pieces > GARMENT_ARC_CURVES ? GARMENT_ARC_CURVES : pieces;
    double step = turn / pieces, reach = 4.0 / 3 * tan(step / 4) * radius;
    for (int i = 0; i < pieces; i++) {
        double a = first + i * step, b = a + step;
        weft_vec2 start = i ? curve[i - 1][2] : from;
        weft_vec2 end = i + 1 == pieces ? to : (weft_vec2){centre.x + radius * cos(b), centre.y + radius * sin(b)};
        curve[i][0] = (weft_vec2){start.x - reach * sin(a), start.y + reach * cos(a)};
        curve[i][1] = (weft_vec2){end.x + reach * sin(b), end.y - reach * cos(b)};
        curve[i][2] = end;
    }
    return pieces;
}

weft_result garment_chain_arc(garment_chain *chain, double radius, int large, int left, weft_vec2 to) {
    weft_vec2 curve[GARMENT_ARC_CURVES][3];
    if (!(distance(chain->at, to) > SHORTEST) || !(radius < 1e3))
        return garment_chain_line(chain, to);
    int pieces = garment_arc(chain->at, to, radius, large, left, curve);
    for (int i = 0; i < pieces; i++)
        WEFT_TRY(garment_chain_curve(chain, curve[i][0], curve[i][1], curve[i][2]));
    return weft_ok();
}

double garment_chain_area(const garment_chain *chain) {
    double area = 0;
    for (int32_t i = 0; i < chain->curves; i++)
        area += garment_curve_area(chain->curve[i].control);
    return area;
}

int garment_chain_closes(garment_chain *chain) {
    if (chain->curves == 0 || distance(chain->at, chain->start) > CLOSE)
        return 0;
    chain->curve[chain->curves - 1].control[3] = chain->at = chain->start;
    return 1;
}

void garment_chain_reverse(garment_chain *chain) {
    int32_t n = chain->curves;
    for (int32_t i = 0; i < n - 1 - i; i++) {
        garment_curve swap = chain->curve[i];
        chain->curve[i] = chain->curve[n - 1 - i];
        chain->curve[n - 1 - i] = swap;
    }
    for (int32_t i = 0; i < n; i++) {
        weft_vec2 *c = chain->curve[i].control, swap[2] = {c[0], c[1]};
        c[0] = c[3], c[3] = swap[0], c[1] = c[2], c[2] = swap[1];
    }
    /* curve i started at corner[i] and is n-1-i now, so the corner is where the curve after it starts */
    for (int32_t i = 1; i < n - i; i++) {
        uint8_t swap = chain->corner[i];
        chain->corner[i] = chain->corner[n - i];
        chain->corner[n - i] = swap;
    }
}

/* Direction of a curve at its start or end, rad. */
static double direction(const garment_curve *curve, int at_end) {
    weft_vec2 from = curve->control[at_end ? 3 : 0];
    for (int k = 1; k < 4; k++) {
        weft_vec2 to = curve->control[at_end ? 3 - k : k];
        if (distance(from, to) > 1e-3 * curve->length)
            return at_end ? atan2(from.y - to.y, from.x - to.x) : atan2(to.y - from.y, to.x - from.x);
    }
    return 0;
}

void garment_chain_find_corners(garment_chain *chain) {
    for (int32_t i = 0; i < chain->curves; i++) {
        const garment_curve *before = &chain->curve[(i + chain->curves - 1) % chain->curves];
        double turn = direction(&chain->curve[i], 0) - direction(before, 1);
        chain->corner[i] |= fabs(remainder(turn, 2 * PI)) > CORNER;
    }
}

static weft_result take_edge(const garment_chain *chain, int32_t first, int32_t count, garment_panel *panel) {
    garment_edge *edge = &panel->edge[panel->edges];
    edge->curve = malloc((size_t)count * sizeof *edge->curve);
    if (!edge->curve)
        return weft_fail_memory("edge", (size_t)count * sizeof *edge->curve);
    edge->curves = count;
    for (int32_t i = 0; i < count; i++) {
        edge->curve[i] = chain->curve[(first + i) % chain->curves];
        edge->length += edge->curve[i].length;
    }
    edge->straight = count == 1 && garment_curve_is_line(edge->curve[0].control, edge->length);
    snprintf(edge->name, sizeof edge->name, "e%d", panel->edges + 1);
    panel->edges++;
    return weft_ok();
}

weft_result garment_chain_to_panel(garment_chain *chain, garment_panel *panel) {
    int32_t first = -1, corners = 0, n = chain->curves;
    if (n < 2)
        return weft_fail(WEFT_BAD_INPUT, "the outline has fewer than two curves");
    if (garment_chain_area(chain) < 0)
        garment_chain_reverse(chain);
    for (int32_t i = n - 1; i >= 0; i--)
        if (chain->corner[i])
            first = i, corners++;
    if (corners < 2) { /* a closed curve: it needs two edges, because an edge has two ends */
        first = first < 0 ? 0 : first;
        chain->corner[first] = chain->corner[(first + n / 2) % n] = 1;
        corners = 2;
    }
    if (corners > GARMENT_MOST_EDGES)
        return weft_fail(WEFT_BAD_INPUT, "the outline has %d corners; %d are allowed", corners, GARMENT_MOST_EDGES);
    panel->edge = calloc((size_t)corners + 1, sizeof *panel->edge);
    if (!panel->edge)
        return weft_fail_memory("edges", (size_t)corners * sizeof *panel->edge);
    for (int32_t i = 0; i < n;) {
        int32_t count = 1;
        while (i + count < n && !chain->corner[(first + i + count) % n])
            count++;
        WEFT_TRY(take_edge(chain, (first + i) % n, count, panel));
        i += count;
    }
    chain->curves = 0;
    return garment_measure(panel);
}

void garment_make_name(const char *text, char name[GARMENT_NAME]) {
    int length = 0;
    for (; *text && length < GARMENT_NAME - 1; text++) {
        int plain = isalnum((unsigned char)*text) || *text == '_' || *text == '-';
        if (plain || (length > 0 && name[length - 1] != '_'))
            name[length++] = (char)(plain ? *text : '_');
    }
    while (length > 0 && name[length - 1] == '_')
        length--;
    if (length == 0)
        name[length++] = 'p';
    name[length] = 0;
}

void garment_name_of_file(const char *path, char name[GARMENT_NAME]) {
    const char *slash = strrchr(path, '/');
    char text[256];
    snprintf(text, sizeof text, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(text, '.');
    if (dot && dot != text)
        *dot = 0;
    garment_make_name(text, name);
}

static int is_taken(const garment_pattern *pattern, const char *name) {
    for (int32_t p = 0; p < pattern->panels; p++)
        if (strcmp(pattern->panel[p].name, name) == 0)
            return 1;
    return 0;
}

garment_panel *garment_add_panel(garment_pattern *pattern, const char *name, weft_result *result) {
    char made[GARMENT_NAME], numbered[GARMENT_NAME];
    if (pattern->panels == GARMENT_MOST_PANELS) {
        *result = weft_fail(WEFT_BAD_INPUT, "more than %d panels", GARMENT_MOST_PANELS);
        return NULL;
    }
    if (!pattern->panel)
        pattern->panel = calloc(GARMENT_MOST_PANELS, sizeof *pattern->panel);
    if (!pattern->panel) {
        *result = weft_fail_memory("panels", GARMENT_MOST_PANELS * sizeof *pattern->panel);
        return NULL;
    }
    garment_make_name(name, made);
    snprintf(numbered, sizeof numbered, "%s", made);
    for (int i = 2; i < 2 + GARMENT_MOST_PANELS && is_taken(pattern, numbered); i++)
        snprintf(numbered, sizeof numbered, "%.35s_%d", made, i);
    garment_panel *panel = &pattern->panel[pattern->panels++];
    panel->changes = (garment_changes){.stretch = 1, .bend = 1, .density = 1};
    memcpy(panel->name, numbered, sizeof panel->name);
    *result = weft_ok();
    return panel;
}

weft_result garment_add_notch(garment_panel *panel, int32_t edge, double at) {
    if (panel->notches == GARMENT_MOST_MARKS)
        return weft_fail(WEFT_BAD_INPUT, "panel %s: more than %d notches", panel->name, GARMENT_MOST_MARKS);
    garment_notch *notch = realloc(panel->notch, ((size_t)panel->notches + 1) * sizeof *notch);
    if (!notch)
        return weft_fail_memory("notches", (size_t)panel->notches * sizeof *notch);
    panel->notch = notch;
    panel->notch[panel->notches++] = (garment_notch){edge, at};
    return weft_ok();
}

weft_result garment_add_fold(garment_panel *panel, weft_vec2 from, weft_vec2 to, double angle) {
    if (panel->folds == GARMENT_MOST_MARKS)
        return weft_fail(WEFT_BAD_INPUT, "panel %s: more than %d folds", panel->name, GARMENT_MOST_MARKS);
    garment_fold *fold = realloc(panel->fold, ((size_t)panel->folds + 1) * sizeof *fold);
    if (!fold)
        return weft_fail_memory("folds", (size_t)panel->folds * sizeof *fold);
    panel->fold = fold;
    panel->fold[panel->folds++] = (garment_fold){.from = from, .to = to, .angle = angle};
    return weft_ok();
}

weft_result garment_add_seam(garment_pattern *pattern, garment_side a, garment_side b) {
    if (pattern->seams == GARMENT_MOST_SEAMS)
        return weft_fail(WEFT_BAD_INPUT, "more than %d seams", GARMENT_MOST_SEAMS);
    garment_seam *seam = realloc(pattern->seam, ((size_t)pattern->seams + 1) * sizeof *seam);
    if (!seam)
        return weft_fail_memory("seams", (size_t)pattern->seams * sizeof *seam);
    pattern->seam = seam;
    pattern->seam[pattern->seams++] = (garment_seam){.side = {a, b}, .bend = 1};
    return weft_ok();
}

/* The parameter of the point of a curve nearest to `point`: exact for lines. */
static double nearest_on_curve(const garment_curve *curve, weft_vec2 point) {
    enum { PIECES = 64 };
    double best = 0, least = INFINITY;
    if (garment_curve_is_line(curve->control, curve->length)) {
        weft_vec2 a = curve->control[0], b = curve->control[3];
        double along =
            ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / (curve->length * curve->length);
        return fmin(fmax(along, 0), 1);
    }
    for (int k = 0; k <= PIECES; k++) {
        double found = distance(garment_curve_at(curve->control, (double)k / PIECES), point);
        best = found < least ? (double)k / PIECES : best;
        least = fmin(least, found);
    }
    return best;
}

double garment_nearest(const garment_panel *panel, weft_vec2 point, int32_t *edge, double *at) {
    double least = INFINITY;
    for (int32_t e = 0; e < panel->edges; e++) {
        double before = 0;
        for (int32_t c = 0; c < panel->edge[e].curves; c++) {
            const garment_curve *curve = &panel->edge[e].curve[c];
            double t = nearest_on_curve(curve, point), found = distance(garment_curve_at(curve->control, t), point);
            if (found < least) {
                least = found;
                *edge = e;
                *at = fmin((before + garment_curve_length_to(curve->control, t)) / panel->edge[e].length, 1);
            }
            before += curve->length;
        }
    }
    return least;
}
