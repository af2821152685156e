#include "lab/study/study_figures.h"

#include <stdio.h>
#include <string.h>

#include "io/run_log.h"
#include "weft/param.h"

/* The fields of an entry, before they become a figure. */
typedef struct entry_fields {
    char report[WEFT_STRING_SIZE], frames[WEFT_STRING_SIZE], cloth[WEFT_STRING_SIZE];
    weft_vec3 point;
    int32_t vertex, measure, reduce;
    double at;
} entry_fields;

typedef struct drape_fields {
    double support, radius;
    weft_vec3 centre;
} drape_fields;

static const char *const REDUCES[] = {"last", "max", "mean", "min", "sum", NULL};
static const char *const MEASURES[] = {"x", "y", "z", "speed", "distance", NULL};

#define AT(field) offsetof(entry_fields, field)
static const weft_param FIELDS[] = {
    {.name = "report",
     .type = WEFT_STRING,
     .offset = AT(report),
     .fallback = "",
     .unit = "",
     .help = "path of a number in report.json"},
    {.name = "frames",
     .type = WEFT_STRING,
     .offset = AT(frames),
     .fallback = "",
     .unit = "",
     .help = "column of frames.csv"},
    {.name = "point",
     .type = WEFT_VECTOR,
     .offset = AT(point),
     .fallback = "[0, 0, 0]",
     .unit = "m",
     .help = "the vertex nearest to this point in frame 0"},
    {.name = "vertex",
     .type = WEFT_INT,
     .offset = AT(vertex),
     .low = 0,
     .high = 2147483647,
     .fallback = "0",
     .unit = "",
     .help = "number of a vertex"},
    {.name = "cloth",
     .type = WEFT_STRING,
     .offset = AT(cloth),
     .fallback = "",
     .unit = "",
     .help = "name of the cloth (default: the first)"},
    {.name = "measure",
     .type = WEFT_CHOICE,
     .offset = AT(measure),
     .fallback = "y",
     .unit = "",
     .help = "what to measure of the vertex",
     .choices = MEASURES},
    {.name = "reduce",
     .type = WEFT_CHOICE,
     .offset = AT(reduce),
     .fallback = "last",
     .unit = "",
     .help = "how the frames become one number",
     .choices = REDUCES},
    {.name = "at",
     .type = WEFT_REAL,
     .offset = AT(at),
     .low = 0,
     .high = 1e9,
     .fallback = "0",
     .unit = "s",
     .help = "time of the value, instead of reduce"},
    {0},
};
#undef AT

#define AT(field) offsetof(drape_fields, field)
static const weft_param DRAPE[] = {
    {.name = "support",
     .type = WEFT_REAL,
     .offset = AT(support),
     .low = 0,
     .high = 1e3,
     .fallback = "0.09",
     .unit = "m",
     .help = "radius of the support",
     .flags = WEFT_OPEN_LOW},
    {.name = "radius",
     .type = WEFT_REAL,
     .offset = AT(radius),
     .low = 0,
     .high = 1e3,
     .fallback = "0.15",
     .unit = "m",
     .help = "radius of the flat specimen",
     .flags = WEFT_OPEN_LOW},
    {.name = "centre",
     .type = WEFT_VECTOR,
     .offset = AT(centre),
     .fallback = "[0, 0, 0]",
     .unit = "m",
     .help = "a point on the axis, which is along y"},
    {0},
};

static const char *const KINDS[] = {"report", "frames", "point", "vertex", "drape"};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

static weft_result fail(const weft_value *entry, const char *why) {
    char place[320];
    weft_value_place(entry, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%srecord.%.60s: %s", place, entry->key, why);
}

static weft_result find_kind(const weft_value *entry, int *kind) {
    *kind = -1;
    for (int i = 0; i < KIND_COUNT; i++) {
        if (!weft_value_find(entry, KINDS[i]))
            continue;
        if (*kind >= 0)
            return fail(entry, "needs only one of report, frames, point, vertex and drape");
        *kind = i;
    }
    if (*kind < 0)
        return fail(entry, "needs one of report, frames, point, vertex and drape");
    return weft_ok();
}

static weft_result check_column(const weft_value *entry, weft_figure *figure) {
    const char *names[64];
    int count = 0;
    for (weft_frame_column c; count < 64 && (c = weft_frame_column_at(count)).name; count++) {
        names[count] = c.name;
        if (strcmp(c.name, figure->path) != 0)
            continue;
        if (c.is_time)
            return fail(entry, "wall times differ from run to run; timings.csv has those of the cases");
        snprintf(figure->unit, sizeof figure->unit, "%s", c.unit);
        return weft_ok();
    }
    char why[256];
    const char *nearest = weft_nearest(figure->path, names, count);
    snprintf(why, sizeof why, "frames.csv has no column '%.60s'%s%s%s", figure->path, nearest ? "; did you mean '" : "",
             nearest ? nearest : "", nearest ? "'?" : "");
    return fail(entry, why);
}

static weft_result read_drape(const weft_value *entry, const char *what, weft_figure *figure) {
    drape_fields drape;
    char inner[128];
    const weft_value *map = weft_value_find(entry, "drape");
    snprintf(inner, sizeof inner, "%s.drape", what);
    weft_params_default(DRAPE, &drape);
    if (map->kind == WEFT_VALUE_LIST || (map->kind == WEFT_VALUE_TEXT && map->text[0]))
        return fail(entry, "drape needs {support: 9 cm, radius: 15 cm}");
    if (map->kind == WEFT_VALUE_MAP)
        WEFT_TRY(weft_params_read(DRAPE, map, inner, NULL, &drape));
    if (!(drape.radius > drape.support))
        return fail(entry, "the radius of the specimen must exceed that of the support");
    figure->kind = WEFT_FIGURE_DRAPE;
    figure->support = drape.support;
    figure->radius = drape.radius;
    figure->centre = drape.centre;
    snprintf(figure->unit, sizeof figure->unit, "%%");
    return weft_ok();
}

static weft_result set_kind(const weft_value *entry, int kind, const entry_fields *fields, const char *what,
                            weft_figure *figure) {
    static const char *const UNITS[] = {"m", "m", "m", "m/s", "m"};
    if (kind == 4)
        return read_drape(entry, what, figure);
    if (kind >= 2) {
        figure->kind = WEFT_FIGURE_POINT;
        figure->vertex = kind == 2 ? -1 : fields->vertex;
        figure->near = fields->point;
        snprintf(figure->unit, sizeof figure->unit, "%s", UNITS[figure->measure]);
        return weft_ok();
    }
    figure->kind = kind == 0 ? WEFT_FIGURE_REPORT : WEFT_FIGURE_FRAMES;
    const char *path = kind == 0 ? fields->report : fields->frames;
    if (strlen(path) >= sizeof figure->path)
        return fail(entry, "the path is too long");
    snprintf(figure->path, sizeof figure->path, "%.127s", path);
    if (kind == 0 && (weft_value_find(entry, "reduce") || weft_value_find(entry, "at")))
        return fail(entry, "figures of report.json have no frames: reduce and at do not apply");
    return kind == 1 ? check_column(entry, figure) : weft_ok();
}

weft_result weft_figure_read(const weft_value *entry, weft_figure *figure) {
    static const char *const EXCEPT[] = {"drape", NULL};
    entry_fields fields;
    char what[96];
    int kind;
    *figure = (weft_figure){.vertex = -1};
    if (entry->kind != WEFT_VALUE_MAP)
        return fail(entry, "needs named values, as in {frames: kinetic, reduce: max}");
    if (strlen(entry->key) >= sizeof figure->name)
        return fail(entry, "the name is longer than 63 characters");
    snprintf(figure->name, sizeof figure->name, "%.63s", entry->key);
    snprintf(what, sizeof what, "record.%.63s", entry->key);
    weft_params_default(FIELDS, &fields);
    WEFT_TRY(weft_params_read(FIELDS, entry, what, EXCEPT, &fields));
    WEFT_TRY(find_kind(entry, &kind));
    figure->measure = (weft_point_measure)fields.measure;
    figure->reduce = (weft_reduce)fields.reduce;
    figure->time = fields.at;
    snprintf(figure->cloth, sizeof figure->cloth, "%.63s", fields.cloth);
    if (weft_value_find(entry, "at")) {
        if (weft_value_find(entry, "reduce"))
            return fail(entry, "needs only one of reduce and at");
        figure->reduce = WEFT_REDUCE_AT;
    }
    return set_kind(entry, kind, &fields, what, figure);
}
