/* Reads fit files (docs/fitting.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fit/fit.h"
#include "weft-io/yaml.h"
#include "weft/param.h"

const char *const WEFT_FIT_METHOD_NAMES[WEFT_FIT_METHODS + 1] = {"bobyqa", "cobyla", "nelder-mead",
                                                                 "lbfgs",  "slsqp",  NULL};
static const char *const KINDS[WEFT_FIT_KINDS + 1] = {
    "tensile", "shear", "bending", "bending-length", "drape", "shadow", "markers", "points", NULL};

static weft_result fail_at(const weft_value *value, const char *format, const char *text) {
    char place[300], message[300];
    weft_value_place(value, place, sizeof place);
    snprintf(message, sizeof message, format, text);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, message);
}

static weft_result check_keys(const weft_value *map, const char *const *known) {
    int count = 0;
    while (known[count])
        count++;
    for (const weft_value *value = map->first; value; value = value->next) {
        int found = 0;
        for (int i = 0; i < count; i++)
            found |= strcmp(value->key, known[i]) == 0;
        const char *nearest = found ? NULL : weft_nearest(value->key, known, count);
        char text[160];
        snprintf(text, sizeof text, "%.60s'%s%s%s", value->key, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
        if (!found)
            return fail_at(value, "unknown key '%s", text);
    }
    return weft_ok();
}

static weft_result read_number(const weft_value *map, const char *key, const char *unit, double low, double high,
                               double *number) {
    const weft_value *value = weft_value_find(map, key);
    char text[200];
    if (!value)
        return weft_ok();
    if (value->kind != WEFT_VALUE_TEXT)
        return fail_at(value, "%s: needs a number", key);
    weft_result result = weft_number_read(value->text, unit, number);
    if (result.code != WEFT_OK)
        return fail_at(value, "%s", result.message);
    snprintf(text, sizeof text, "%s: %.40s is not from %g to %g", key, value->text, low, high);
    return *number >= low && *number <= high ? weft_ok() : fail_at(value, "%s", text);
}

static weft_result read_count(const weft_value *map, const char *key, int low, int high, int *count) {
    double number = *count;
    WEFT_TRY(read_number(map, key, "", low, high, &number));
    if (number != floor(number))
        return fail_at(weft_value_find(map, key), "%s: needs a whole number", key);
    *count = (int)number;
    return weft_ok();
}

static weft_result read_word(const weft_value *map, const char *key, char *text, size_t size) {
    const weft_value *value = weft_value_find(map, key);
    if (!value)
        return weft_ok();
    if (value->kind != WEFT_VALUE_TEXT || !value->text[0] || strlen(value->text) >= size)
        return fail_at(value, "%s: needs a text", key);
    strcpy(text, value->text);
    return weft_ok();
}

static weft_result read_choice(const weft_value *value, const char *key, const char *const *choices, int *choice) {
    const weft_param row = {.name = key, .type = WEFT_CHOICE, .unit = "", .choices = choices};
    int32_t index = *choice;
    WEFT_TRY(value ? weft_param_read(&row, value, "", &index) : weft_ok());
    *choice = index;
    return weft_ok();
}

/* -- parameters -- */

static weft_result add_field(weft_fit_parameter *p, const weft_value *value) {
    const weft_param *row = value->kind == WEFT_VALUE_TEXT ? weft_params_find(weft_fabric_params(), value->text) : NULL;
    if (!row)
        return fail_at(value, "a fabric has no '%.60s' (weft help fabric)", value->text);
    if (p->field_count == WEFT_FIT_NAMES)
        return fail_at(value, "%s: a parameter moves at most 4 values", p->name);
    if (p->field_count > 0 && strcmp(row->unit, p->unit) != 0)
        return fail_at(value, "%s: has another unit than the first value", value->text);
    p->unit = row->unit;
    p->field[p->field_count++] = row->name;
    return weft_ok();
}

static weft_result read_parameter(const weft_value *map, weft_fit_parameter *p) {
    static const char *const KEYS[] = {"of", "low", "high", NULL};
    const weft_value *of = weft_value_find(map, "of");
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, "%s: needs a map such as {low: 1 N/m, high: 100 N/m}", map->key);
    WEFT_TRY(check_keys(map, KEYS));
    if (strlen(map->key) >= sizeof p->name)
        return fail_at(map, "%.60s...: the name is too long", map->key);
    strcpy(p->name, map->key);
    weft_value own = *map;
    own.kind = WEFT_VALUE_TEXT;
    own.text = map->key;
    if (!of)
        WEFT_TRY(add_field(p, &own));
    else if (of->kind != WEFT_VALUE_LIST || of->count == 0)
        return fail_at(of, "of: needs a list of %s", "fabric values");
    for (const weft_value *value = of ? of->first : NULL; value; value = value->next)
        WEFT_TRY(add_field(p, value));
    p->low = p->high = NAN;
    WEFT_TRY(read_number(map, "low", p->unit, 1e-15, 1e12, &p->low));
    WEFT_TRY(read_number(map, "high", p->unit, 1e-15, 1e12, &p->high));
    if (!(p->low < p->high))
        return fail_at(map, "%s: needs bounds: low above 0, and high above low", p->name);
    return weft_ok();
}

static weft_result read_parameters(const weft_value *root, weft_fit *fit) {
    const weft_value *map = weft_value_find(root, "parameters");
    if (!map || map->kind != WEFT_VALUE_MAP || map->count == 0 || map->count > WEFT_FIT_PARAMETERS)
        return fail_at(map ? map : root, "parameters: needs a map of 1 to %s fabric values with bounds", "12");
    for (const weft_value *value = map->first; value; value = value->next)
        WEFT_TRY(read_parameter(value, &fit->parameter[fit->parameter_count++]));
    return weft_ok();
}

/* -- observations -- */

/* The keys of each kind besides `kind`, `sigma` and `name`. */
static const char *const *keys_of(weft_fit_kind kind) {
    static const char *const CURVE[] = {"kind", "sigma", "name", "file", "along", NULL};
    static const char *const SHEAR[] = {"kind", "sigma", "name", "file", NULL};
    static const char *const LENGTH[] = {"kind", "sigma", "name", "value", "along", NULL};
    static const char *const DRAPE[] = {"kind", "sigma", "name", "value", "mesh", "starts", "first_start", NULL};
    static const char *const SHADOW[] = {"kind", "sigma",  "name",        "file", "width",
                                         "mesh", "starts", "first_start", NULL};
    static const char *const MARKERS[] = {"kind", "sigma", "name", "file", "scene", "cloth", NULL};
    static const char *const POINTS[] = {"kind", "sigma", "name", "file", "scene", "cloth", "rate", NULL};
    static const char *const *const ALL[WEFT_FIT_KINDS] = {CURVE, SHEAR, CURVE, LENGTH, DRAPE, SHADOW, MARKERS, POINTS};
    return ALL[kind];
}

/* Unit of the observed values. Curves are judged relative to their largest value, so their sigma has none. */
static const char *unit_of(weft_fit_kind kind) {
    static const char *const UNITS[WEFT_FIT_KINDS] = {"", "", "", "m", "", "m", "m", "m"};
    return UNITS[kind];
}

/* "2 %" or "0.02" */
static weft_result read_sigma(const weft_value *map, weft_fit_observation *o) {
    static const double ASSUMED[WEFT_FIT_KINDS] = {0.02, 0.02, 0.02, 5e-4, 2, 2e-3, 1e-3, 2e-3};
    const weft_value *value = weft_value_find(map, "sigma");
    o->sigma = ASSUMED[o->kind];
    o->sigma_is_given = value != NULL;
    if (!value || value->kind != WEFT_VALUE_TEXT)
        return value ? fail_at(value, "%s: needs a number above 0", "sigma") : weft_ok();
    char text[64];
    size_t length = strlen(value->text);
    int percent = o->kind <= WEFT_FIT_BENDING && length > 0 && length < sizeof text && value->text[length - 1] == '%';
    snprintf(text, sizeof text, "%.*s", (int)length - percent, value->text);
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
    weft_result result = weft_number_read(text, unit_of(o->kind), &o->sigma);
    if (result.code != WEFT_OK)
        return fail_at(value, "sigma: %s", result.message);
    o->sigma *= percent ? 0.01 : 1;
    return o->sigma > 0 && o->sigma < 1e6 ? weft_ok() : fail_at(value, "sigma: %.40s is not above 0", value->text);
}

static weft_result need(const weft_value *map, const char *key) {
    return weft_value_find(map, key) ? weft_ok() : fail_at(map, "needs the key '%s'", key);
}

static weft_result read_value(const weft_value *map, weft_fit_observation *o) {
    double number = 0;
    WEFT_TRY(need(map, "value"));
    WEFT_TRY(read_number(map, "value", unit_of(o->kind), 1e-9, 1000, &number));
    o->y = malloc(sizeof *o->y);
    if (!o->y)
        return weft_fail_memory("an observation", sizeof *o->y);
    o->y[0] = number;
    o->count = 1;
    return weft_ok();
}

static weft_result read_observation(const weft_value *map, weft_fit_observation *o) {
    static const char *const SIDES[] = {"weft", "warp", NULL}, *const MESHES[] = {"coarse", "middle", "fine", NULL};
    int kind = -1;
    if (map->kind != WEFT_VALUE_MAP)
        return fail_at(map, "%s", "an observation needs a map such as {kind: shear, file: shear.csv}");
    WEFT_TRY(need(map, "kind"));
    WEFT_TRY(read_choice(weft_value_find(map, "kind"), "kind", KINDS, &kind));
    *o = (weft_fit_observation){
        .kind = (weft_fit_kind)kind, .line = map->line, .starts = 1, .first_start = 1, .rate = 30};
    WEFT_TRY(check_keys(map, keys_of(o->kind)));
    snprintf(o->name, sizeof o->name, "%s", KINDS[kind]);
    WEFT_TRY(read_choice(weft_value_find(map, "along"), "along", SIDES, &o->along));
    if (weft_value_find(map, "along"))
        snprintf(o->name, sizeof o->name, "%s, %s", KINDS[kind], SIDES[o->along]);
    WEFT_TRY(read_choice(weft_value_find(map, "mesh"), "mesh", MESHES, &o->grid));
    WEFT_TRY(read_word(map, "name", o->name, sizeof o->name));
    WEFT_TRY(read_word(map, "file", o->file, sizeof o->file));
    WEFT_TRY(read_word(map, "scene", o->scene, sizeof o->scene));
    WEFT_TRY(read_word(map, "cloth", o->cloth, sizeof o->cloth));
    WEFT_TRY(read_sigma(map, o));
    WEFT_TRY(read_count(map, "starts", 1, 9, &o->starts));
    WEFT_TRY(read_count(map, "first_start", 1, 1000000, &o->first_start));
    WEFT_TRY(read_number(map, "rate", "1/s", 1e-3, 1e5, &o->rate));
    o->width = 0.35;
    WEFT_TRY(read_number(map, "width", "m", 0.18, 10, &o->width));
    if (o->kind == WEFT_FIT_MARKERS || o->kind == WEFT_FIT_POINTS)
        WEFT_TRY(need(map, "scene"));
    if (o->kind == WEFT_FIT_LENGTH || o->kind == WEFT_FIT_DRAPE)
        return read_value(map, o);
    return need(map, "file");
}

static weft_result read_observations(const weft_value *root, weft_fit *fit) {
    const weft_value *list = weft_value_find(root, "observations");
    if (!list || list->kind != WEFT_VALUE_LIST || list->count == 0 || list->count > WEFT_FIT_OBSERVATIONS)
        return fail_at(list ? list : root, "observations: needs a list of 1 to %s maps", "32");
    for (const weft_value *value = list->first; value; value = value->next)
        WEFT_TRY(read_observation(value, &fit->observation[fit->observation_count++]));
    return weft_ok();
}

/* -- the file -- */

weft_result weft_fit_read_tree(const weft_value *root, const char *path, weft_fit *fit) {
    static const char *const KEYS[] = {"fabric", "parameters",  "observations", "method",
                                       "starts", "evaluations", "seed",         NULL};
    int method = WEFT_FIT_BOBYQA, seed = 1;
    *fit = (weft_fit){.starts = 4, .evaluations = 300};
    snprintf(fit->path, sizeof fit->path, "%s", path);
    if (!root || root->kind != WEFT_VALUE_MAP)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: not a fit file: needs a map (docs/fitting.md)", path);
    WEFT_TRY(check_keys(root, KEYS));
    WEFT_TRY(read_choice(weft_value_find(root, "method"), "method", WEFT_FIT_METHOD_NAMES, &method));
    fit->method = (weft_fit_method)method;
    WEFT_TRY(read_count(root, "starts", 1, WEFT_FIT_STARTS, &fit->starts));
    WEFT_TRY(read_count(root, "evaluations", 1, 1000000, &fit->evaluations));
    WEFT_TRY(read_count(root, "seed", 0, 2000000000, &seed));
    fit->seed = (uint64_t)seed;
    WEFT_TRY(read_parameters(root, fit));
    return read_observations(root, fit);
}

/* The start lies within the bounds. */
static weft_result place_start(weft_fit *fit) {
    for (int i = 0; i < fit->parameter_count; i++) {
        weft_fit_parameter *p = &fit->parameter[i];
        double value[WEFT_FIT_NAMES] = {0};
        for (int k = 0; k < p->field_count; k++) {
            const weft_param *row = weft_params_find(weft_fabric_params(), p->field[k]);
            value[k] = *(const double *)((const char *)&fit->fabric->fabric + row->offset);
        }
        p->start = fmin(p->high, fmax(p->low, value[0]));
        for (int k = 0; k < p->field_count; k++)
            p->ratio[k] = value[0] > 0 && value[k] > 0 ? value[k] / value[0] : 1;
    }
    return weft_ok();
}

static weft_result load(const weft_value *root, const char *path, weft_fit *fit) {
    const weft_value *fabric = weft_value_find(root, "fabric");
    WEFT_TRY(weft_fit_read_tree(root, path, fit));
    if (!fabric || fabric->kind != WEFT_VALUE_TEXT)
        return fail_at(fabric ? fabric : root, "fabric: needs the name of the fabric to start from%s", "");
    weft_result result = weft_fabric_find(fabric->text, fit->path, &fit->fabric);
    if (result.code != WEFT_OK)
        return fail_at(fabric, "fabric: %s", result.message);
    WEFT_TRY(place_start(fit));
    for (int i = 0; i < fit->observation_count; i++) {
        WEFT_TRY(weft_fit_load(fit, &fit->observation[i]));
        fit->residual_count += fit->observation[i].count;
    }
    if (fit->residual_count < fit->parameter_count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: %lld observed values cannot determine %d parameters", fit->path,
                         (long long)fit->residual_count, fit->parameter_count);
    return weft_ok();
}

weft_result weft_fit_read(const char *path, weft_fit *fit) {
    weft_tree *tree;
    *fit = (weft_fit){0};
    WEFT_TRY(weft_yaml_read(path, &tree));
    weft_result result = load(weft_tree_root(tree), path, fit);
    weft_tree_destroy(tree);
    return result;
}

void weft_fit_clear(weft_fit *fit) {
    for (int i = 0; i < fit->observation_count; i++) {
        free(fit->observation[i].x);
        free(fit->observation[i].y);
        free(fit->observation[i].vertex);
        free(fit->observation[i].point);
    }
    weft_fabric_file_destroy(fit->fabric);
    *fit = (weft_fit){0};
}
