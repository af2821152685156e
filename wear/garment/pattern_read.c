/* From a garment file to a checked pattern. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/reading.h"
#include "weft-io/yaml.h"

double garment_side_length(const garment_pattern *pattern, const garment_side *side) {
    return (side->to - side->from) * pattern->panel[side->panel].edge[side->edge].length;
}

/* Lengths of a seam's sides may differ by this much without `gathered`; sewers ease in a few per cent. */
static const double MOST_EASE = 0.1;

/* {join: [SIDE, SIDE], gathered:, zip:, bend:}; one SIDE may be a list. */
static weft_result read_seam_keys(const weft_value *value, garment_seam *seam) {
    static const char *const KEYS[] = {"join", "gathered", "zip", "bend", NULL};
    const weft_value *zip = weft_value_find(value, "zip");
    WEFT_TRY(garment_check_keys(value, "seam", KEYS));
    WEFT_TRY(garment_read_flag(weft_value_find(value, "gathered"), "gathered", &seam->gathered));
    seam->open = zip && strcmp(zip->text, "open") == 0;
    if (zip && !seam->open && strcmp(zip->text, "closed") != 0)
        return garment_bad(zip, "zip: '%.40s' is neither open nor closed", zip->text);
    return garment_read_number(weft_value_find(value, "bend"), "seam: bend", "", 1e-3, 1e3, &seam->bend);
}

/* Both sides of one seam are known. */
static weft_result check_lengths(const garment_pattern *pattern, const garment_seam *seam) {
    const garment_side *side = seam->side;
    double a = garment_side_length(pattern, &side[0]), b = garment_side_length(pattern, &side[1]);
    const garment_panel *p = &pattern->panel[side[0].panel], *q = &pattern->panel[side[1].panel];
    if (!seam->gathered && fabs(a - b) > MOST_EASE * fmax(a, b))
        return garment_bad(
            seam->value, "seam: %s.%s is %.1f cm long and %s.%s %.1f cm; give gathered: true if this is meant", p->name,
            p->edge[side[0].edge].name, a / GARMENT_CM, q->name, q->edge[side[1].edge].name, b / GARMENT_CM);
    return weft_ok();
}

/* One side, or a list of sides that follow each other along the one side opposite: as many seams. */
static weft_result read_sides(garment_pattern *pattern, const garment_seam *like, const weft_value *one,
                              const weft_value *several) {
    const weft_value *first = several->kind == WEFT_VALUE_LIST ? several->first : several;
    int32_t start = pattern->seams, many = several->kind == WEFT_VALUE_LIST;
    garment_side whole;
    double total = 0, before = 0;
    WEFT_TRY(garment_read_side(pattern, one, "seam", &whole));
    if (many && several->count < 1)
        return garment_bad(several, "seam: a list of sides must have at least one");
    for (const weft_value *v = first; v; v = many ? v->next : NULL) {
        garment_seam *seam = &pattern->seam[pattern->seams++];
        *seam = *like;
        WEFT_TRY(garment_read_side(pattern, v, "seam", &seam->side[1]));
        total += garment_side_length(pattern, &seam->side[1]);
    }
    for (int32_t i = start; i < pattern->seams; i++) {
        garment_seam *seam = &pattern->seam[i];
        seam->side[0] = whole;
        seam->side[0].from = whole.from + (whole.to - whole.from) * before / total;
        before += garment_side_length(pattern, &seam->side[1]);
        if (i + 1 < pattern->seams)
            seam->side[0].to = whole.from + (whole.to - whole.from) * before / total;
        WEFT_TRY(check_lengths(pattern, seam));
    }
    return weft_ok();
}

static const weft_value *join_of(const weft_value *value) {
    return value->kind == WEFT_VALUE_MAP ? weft_value_find(value, "join") : value;
}

static weft_result read_seam(garment_pattern *pattern, const weft_value *value) {
    const weft_value *join = join_of(value);
    garment_seam seam = {.bend = 1, .value = value};
    if (value->kind == WEFT_VALUE_MAP)
        WEFT_TRY(read_seam_keys(value, &seam));
    if (!join || join->kind != WEFT_VALUE_LIST || join->count != 2)
        return garment_bad(value, "seam: must be a list of two sides, PANEL.EDGE");
    if (join->first->kind != WEFT_VALUE_LIST)
        return read_sides(pattern, &seam, join->first, join->last);
    return read_sides(pattern, &seam, join->last, join->first);
}

/* An upper bound of the number of seams. */
static int count_seams(const weft_value *list) {
    int count = 0;
    for (const weft_value *v = list->first; v; v = v->next) {
        const weft_value *join = join_of(v);
        count++;
        for (const weft_value *side = join ? join->first : NULL; side; side = side->next)
            count += side->kind == WEFT_VALUE_LIST ? side->count : 0;
    }
    return count;
}

/* An edge or a part of it may be sewn once. */
static weft_result check_overlaps(const garment_pattern *pattern) {
    for (int32_t i = 0; i < 2 * pattern->seams; i++)
        for (int32_t j = 0; j < i; j++) {
            const garment_side *a = &pattern->seam[i / 2].side[i % 2], *b = &pattern->seam[j / 2].side[j % 2];
            const weft_value *earlier = pattern->seam[j / 2].value;
            if (earlier && a->panel == b->panel && a->edge == b->edge && a->from < b->to - 1e-9 &&
                b->from < a->to - 1e-9)
                return garment_bad(pattern->seam[i / 2].value, "seam: %s.%s is sewn already, in line %d",
                                   pattern->panel[a->panel].name, pattern->panel[a->panel].edge[a->edge].name,
                                   earlier->line);
        }
    return weft_ok();
}

weft_result garment_read_seams(const weft_value *list, garment_pattern *pattern) {
    if (!list)
        return weft_ok();
    int count = count_seams(list);
    if (list->kind != WEFT_VALUE_LIST || count > GARMENT_MOST_SEAMS)
        return garment_bad(list, "seams: must be a list of at most %d seams", GARMENT_MOST_SEAMS);
    pattern->seam = calloc((size_t)count + 1, sizeof *pattern->seam);
    if (!pattern->seam)
        return weft_fail_memory("seams", (size_t)count * sizeof *pattern->seam);
    for (const weft_value *v = list->first; v; v = v->next)
        WEFT_TRY(read_seam(pattern, v));
    return check_overlaps(pattern);
}

/* Panels keep their order. Mirrored ones are read after those that they mirror. */
static weft_result read_panels(const weft_value *panels, const weft_value *parts, garment_pattern *pattern) {
    pattern->panel = calloc((size_t)panels->count, sizeof *pattern->panel);
    if (!pattern->panel)
        return weft_fail_memory("panels", (size_t)panels->count * sizeof *pattern->panel);
    pattern->panels = panels->count;
    int32_t i = 0;
    for (const weft_value *v = panels->first; v; v = v->next, i++) {
        pattern->panel[i].value = v;
        pattern->panel[i].changes = (garment_changes){.stretch = 1, .bend = 1, .density = 1};
        WEFT_TRY(garment_read_name(v, v->key, pattern->panel[i].name));
    }
    for (int mirrored = 0; mirrored < 2; mirrored++)
        for (i = 0; i < pattern->panels; i++) {
            const weft_value *v = pattern->panel[i].value;
            if (mirrored && weft_value_find(v, "mirror"))
                WEFT_TRY(garment_read_mirrored(pattern, v, parts, &pattern->panel[i]));
            else if (!mirrored && !weft_value_find(v, "mirror"))
                WEFT_TRY(garment_read_panel(v, parts, &pattern->panel[i]));
        }
    return weft_ok();
}

static weft_result read_root(const weft_value *root, garment_pattern *pattern) {
    static const char *const KEYS[] = {"garment", "edge",     "fabric",  "body",   "panels",
                                       "seams",   "elastics", "buttons", "attach", NULL};
    WEFT_TRY(garment_check_keys(root, "garment", KEYS));
    const weft_value *name = weft_value_find(root, "garment"), *edge = weft_value_find(root, "edge"),
                     *panels = weft_value_find(root, "panels");
    if (!name)
        return garment_bad(root, "garment: the name of the garment is missing");
    WEFT_TRY(garment_read_name(name, name->text, pattern->name));
    pattern->edge_length = 0.02;
    WEFT_TRY(garment_read_length(edge, "edge", &pattern->edge_length));
    if (!(pattern->edge_length >= 1e-4 && pattern->edge_length <= 1))
        return garment_bad(edge, "edge: %g cm is not between 0.01 and 100 cm", pattern->edge_length / GARMENT_CM);
    pattern->fabric = weft_value_find(root, "fabric");
    if (pattern->fabric && pattern->fabric->kind == WEFT_VALUE_LIST)
        return garment_bad(pattern->fabric, "fabric: must be the name of a fabric or a map");
    if (!panels || panels->kind != WEFT_VALUE_MAP || panels->count < 1 || panels->count > GARMENT_MOST_PANELS)
        return garment_bad(panels ? panels : root, "panels: must be a map of 1 to %d panels", GARMENT_MOST_PANELS);
    WEFT_TRY(read_panels(panels, weft_value_find(root, "body"), pattern));
    WEFT_TRY(garment_read_seams(weft_value_find(root, "seams"), pattern));
    return garment_read_notions(root, pattern);
}

weft_result garment_pattern_read_tree(weft_tree *tree, garment_pattern *pattern) {
    *pattern = (garment_pattern){.tree = tree};
    return read_root(weft_tree_root(tree), pattern);
}

weft_result garment_pattern_read(const char *path, garment_pattern *pattern) {
    weft_tree *tree;
    *pattern = (garment_pattern){0};
    WEFT_TRY(weft_yaml_read(path, &tree));
    return garment_pattern_read_tree(tree, pattern);
}

weft_result garment_pattern_read_memory(const char *bytes, size_t size, const char *name, garment_pattern *pattern) {
    weft_tree *tree;
    *pattern = (garment_pattern){0};
    WEFT_TRY(weft_yaml_read_memory(bytes, size, name, &tree));
    return garment_pattern_read_tree(tree, pattern);
}

void garment_pattern_free(garment_pattern *pattern) {
    for (int32_t i = 0; pattern->panel && i < pattern->panels; i++)
        garment_panel_free(&pattern->panel[i]);
    free(pattern->panel);
    free(pattern->seam);
    free(pattern->elastic);
    free(pattern->button);
    free(pattern->attachment);
    weft_tree_destroy(pattern->tree);
    *pattern = (garment_pattern){0};
}
