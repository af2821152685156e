/* SVG: every closed path, polygon and rectangle with an id is a panel. PANEL.grain and PANEL.fold are lines on one. */
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/import.h"
#include "wear/garment/reading.h"
#include "wear/garment/svg_path.h"
#include "weft/param.h"
#include "weft/text.h"

enum { MOST_DEPTH = 64, MOST_LINES = 1000 };
/* A pixel of CSS, m. */
static const double PIXEL = 0.0254 / 96;

/* A line on a panel, kept until all panels are known. */
typedef struct mark {
    char panel[GARMENT_NAME];
    int grain; /* else a fold */
    weft_vec2 from, to;
    int line;
} mark;

typedef struct reader {
    XML_Parser parser;
    const char *name;
    garment_pattern *pattern;
    svg_matrix matrix[MOST_DEPTH + 1]; /* to metres with y upwards, at each depth */
    int depth, skipped;                /* elements that are open; depth of the one whose content is not drawn, or 0 */
    mark *mark;
    int marks;
    weft_result result; /* the first failure */
} reader;

static void fail(reader *r, const char *id, weft_result why) {
    int line = (int)XML_GetCurrentLineNumber(r->parser);
    if (r->result.code == WEFT_OK)
        r->result = why.code == WEFT_NO_MEMORY
                        ? why
                        : weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s%.60s%s%s", r->name, line, id ? "path '" : "",
                                    id ? id : "", id ? "': " : "", why.message);
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *find(const char **attributes, const char *name) {
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* A length of CSS in m; 0 if it has no absolute unit, such as 100 %. */
static double read_css_length(const char *text) {
    static const struct {
        const char *unit;
        double metre;
    } UNITS[] = {{"mm", 1e-3},       {"cm", 1e-2},        {"in", 0.0254},   {"pt", 0.0254 / 72},
                 {"pc", 0.0254 / 6}, {"px", 0.0254 / 96}, {"", 0.0254 / 96}};
    const char *end;
    double number = text ? weft_real_parse(text, &end) : 0;
    for (size_t i = 0; text && end != text && i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (strcmp(end, UNITS[i].unit) == 0)
            return number * UNITS[i].metre;
    return 0;
}

/* The unit of coordinates, m: from the size of the drawing and its viewBox. */
static double unit_of(const char **attributes) {
    const char *box = find(attributes, "viewBox"), *end;
    double width = read_css_length(find(attributes, "width")), height = read_css_length(find(attributes, "height"));
    double n[4] = {0};
    for (int i = 0; box && i < 4; i++) {
        box += strspn(box, " ,\t\n\r");
        n[i] = weft_real_parse(box, &end);
        box = end != box ? end : NULL;
    }
    if (!box)
        return PIXEL;
    double unit = width > 0 && n[2] > 0 ? width / n[2] : height > 0 && n[3] > 0 ? height / n[3] : PIXEL;
    return unit > 1e-9 && unit < 1e3 ? unit : PIXEL;
}

/* Path data of a polygon or rectangle. The caller frees it. Null if there is no memory or an attribute is missing. */
static char *data_of(const char *element, const char **attributes) {
    const char *points = find(attributes, "points"), *d = find(attributes, "d");
    const char *const KEYS[] = {"x", "y", "width", "height"};
    const char *size[4];
    size_t room = (d ? strlen(d) : 0) + (points ? strlen(points) : 0) + 256;
    char *data = malloc(room);
    if (data && strcmp(element, "path") == 0)
        snprintf(data, room, "%s", d ? d : "");
    else if (data && points)
        snprintf(data, room, "M%s%s", points, strcmp(element, "polygon") == 0 ? "Z" : "");
    else if (data) {
        for (int i = 0; i < 4; i++) {
            size[i] = find(attributes, KEYS[i]);
            size[i] = size[i] && strlen(size[i]) < 40 ? size[i] : "0";
        }
        snprintf(data, room, "M%s,%sh%sv%sh-%sZ", size[0], size[1], size[2], size[3], size[2]);
    }
    return data;
}

static weft_result add_mark(reader *r, const char *id, const garment_chain *chain) {
    const char *dot = strrchr(id, '.');
    if (r->marks == MOST_LINES)
        return weft_fail(WEFT_BAD_INPUT, "more than %d lines", MOST_LINES);
    if (chain->curves == 0)
        return weft_fail(WEFT_BAD_INPUT, "it has no length");
    mark *made = realloc(r->mark, ((size_t)r->marks + 1) * sizeof *made);
    if (!made)
        return weft_fail_memory("lines", (size_t)r->marks * sizeof *made);
    r->mark = made;
    made = &r->mark[r->marks++];
    *made = (mark){.grain = strncmp(dot, ".grain", 6) == 0,
                   .from = chain->start,
                   .to = chain->at,
                   .line = (int)XML_GetCurrentLineNumber(r->parser)};
    char text[GARMENT_NAME];
    snprintf(text, sizeof text, "%.*s", (int)(dot - id), id);
    garment_make_name(text, made->panel);
    return weft_ok();
}

static int is_mark(const char *id) {
    const char *dot = strrchr(id, '.');
    return dot && (strncmp(dot, ".grain", 6) == 0 || strncmp(dot, ".fold", 5) == 0);
}

static weft_result add_shape(reader *r, const char *id, const char *data, const svg_matrix *matrix) {
    garment_chain chain = {0};
    int closed = 0;
    weft_result result = svg_path_read(data, matrix, &chain, &closed);
    if (result.code == WEFT_OK && is_mark(id))
        result = add_mark(r, id, &chain);
    else if (result.code == WEFT_OK && !closed)
        result = weft_fail(WEFT_BAD_INPUT, "the outline is open: it starts at [%g, %g] and ends at [%g, %g] cm",
                           chain.start.x / GARMENT_CM, chain.start.y / GARMENT_CM, chain.at.x / GARMENT_CM,
                           chain.at.y / GARMENT_CM);
    else if (result.code == WEFT_OK) {
        garment_panel *panel = garment_add_panel(r->pattern, id, &result);
        garment_chain_find_corners(&chain);
        if (panel)
            result = garment_chain_to_panel(&chain, panel);
    }
    garment_chain_free(&chain);
    return result;
}

static void open_shape(reader *r, const char *element, const char **attributes, const svg_matrix *matrix) {
    const char *id = find(attributes, "id");
    if (!id || !id[0])
        return;
    char *data = data_of(element, attributes);
    weft_result result = data ? add_shape(r, id, data, matrix) : weft_fail_memory("path", 256);
    free(data);
    if (result.code != WEFT_OK)
        fail(r, id, result);
}

static void XMLCALL open_element(void *user, const char *name, const char **attributes) {
    static const char *const HIDDEN[] = {"defs", "clipPath", "marker", "mask", "pattern", "symbol"};
    static const char *const SHAPES[] = {"path", "polygon", "polyline", "rect"};
    reader *r = user;
    const char *local = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
    const char *transform = find(attributes, "transform");
    if (++r->depth > MOST_DEPTH) {
        fail(r, NULL, weft_fail(WEFT_BAD_INPUT, "elements are nested deeper than %d", MOST_DEPTH));
        return;
    }
    svg_matrix own = {1, 0, 0, 1, 0, 0};
    if (r->depth == 1) {
        double unit = unit_of(attributes);
        r->matrix[0] = (svg_matrix){unit, 0, 0, -unit, 0, 0};
        if (strcmp(local, "svg") != 0)
            fail(r, NULL, weft_fail(WEFT_BAD_INPUT, "no SVG: the first element is '%.40s'", local));
    }
    weft_result result = transform ? svg_transform_read(transform, &own) : weft_ok();
    if (result.code != WEFT_OK)
        fail(r, NULL, result);
    r->matrix[r->depth] = svg_combine(&r->matrix[r->depth - 1], &own);
    for (size_t i = 0; !r->skipped && i < sizeof HIDDEN / sizeof HIDDEN[0]; i++)
        if (strcmp(local, HIDDEN[i]) == 0)
            r->skipped = r->depth;
    for (size_t i = 0; !r->skipped && r->result.code == WEFT_OK && i < sizeof SHAPES / sizeof SHAPES[0]; i++)
        if (strcmp(local, SHAPES[i]) == 0)
            open_shape(r, local, attributes, &r->matrix[r->depth]);
}

static void XMLCALL close_element(void *user, const char *name) {
    reader *r = user;
    (void)name;
    r->skipped = r->skipped == r->depth ? 0 : r->skipped;
    r->depth--;
}

/* Grain lines and folds go to their panels. */
static weft_result apply_marks(reader *r) {
    for (int i = 0; i < r->marks; i++) {
        const mark *m = &r->mark[i];
        garment_panel *panel = NULL;
        for (int32_t p = 0; p < r->pattern->panels; p++)
            if (strcmp(r->pattern->panel[p].name, m->panel) == 0)
                panel = &r->pattern->panel[p];
        if (!panel)
            return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: there is no panel '%s' for this line", r->name, m->line,
                             m->panel);
        if (m->grain)
            panel->grain = remainder(atan2(m->to.y - m->from.y, m->to.x - m->from.x) - atan2(1, 0), 2 * atan2(1, 0));
        else if (!garment_panel_holds(panel, m->from) || !garment_panel_holds(panel, m->to))
            return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: the fold is outside of panel %s", r->name, m->line, m->panel);
        else
            WEFT_TRY(garment_add_fold(panel, m->from, m->to, 0));
    }
    return weft_ok();
}

static weft_result parse(reader *r, const char *bytes, size_t size) {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, open_element, close_element);
    if (XML_Parse(r->parser, bytes, (int)size, 1) != XML_STATUS_OK && r->result.code == WEFT_OK)
        return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s", r->name, (int)XML_GetCurrentLineNumber(r->parser),
                         XML_ErrorString(XML_GetErrorCode(r->parser)));
    WEFT_TRY(r->result);
    if (r->pattern->panels == 0)
        return weft_fail(WEFT_BAD_INPUT, "%.280s: no closed path with an id", r->name);
    WEFT_TRY(apply_marks(r));
    garment_place_by_name(r->pattern);
    return weft_ok();
}

weft_result garment_import_svg(const char *bytes, size_t size, const char *name, garment_pattern *pattern) {
    *pattern = (garment_pattern){.edge_length = 0.02};
    garment_name_of_file(name, pattern->name);
    if (size > (64u << 20))
        return weft_fail(WEFT_BAD_INPUT, "%.280s: larger than 64 MiB", name);
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return weft_fail_memory("SVG", sizeof *r);
    *r = (reader){.name = name, .pattern = pattern, .parser = XML_ParserCreate(NULL), .result = weft_ok()};
    weft_result result = r->parser ? parse(r, bytes, size) : weft_fail_memory("SVG", 4096);
    if (r->parser)
        XML_ParserFree(r->parser);
    free(r->mark);
    free(r);
    return result;
}
