#include "wear/garment/draft.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/installed.h"
#include "wear/garment/reading.h"
#include "weft-io/yaml.h"
#include "weft/param.h"
#include "weft/text.h"

/* The request to the Node program, in JSON. Names and texts are plain words, so nothing is escaped. */
typedef struct request {
    char text[1 << 15];
    size_t used;
} request;

WEFT_PRINTF(2, 3)
static void put(request *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = weft_format_list(r->text + r->used, sizeof r->text - r->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        r->used += (size_t)length < sizeof r->text - r->used ? (size_t)length : sizeof r->text - r->used - 1;
}

static int is_word(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '-' && text[i] != '_')
            return 0;
    return length > 0 && length < 60;
}

static weft_result find_design(const char *name, char *path, size_t size) {
    char folder[1024];
    const char *ending = strrchr(name, '.');
    if (strchr(name, '/') || (ending && strcmp(ending, ".yaml") == 0)) {
        snprintf(path, size, "%s", name);
        return weft_ok();
    }
    if (is_word(name)) {
        if (weft_installed_folder("designs", folder, sizeof folder) &&
            snprintf(path, size, "%s/%s.yaml", folder, name) < (int)size && access(path, R_OK) == 0)
            return weft_ok();
        if (snprintf(path, size, "%s/%s.yaml", WEFT_DESIGNS_FOLDER, name) < (int)size && access(path, R_OK) == 0)
            return weft_ok();
    }
    return weft_fail(WEFT_BAD_INPUT,
                     "%.60s: no such design: tshirt, tank-top, pencil-skirt, circle-skirt, trousers, or a file", name);
}

/* Measurements in mm, angles in degrees. Texts under `name` and `source` are notes. */
static weft_result put_measurements(const weft_value *map, request *r) {
    const char *before = "";
    if (map->kind != WEFT_VALUE_MAP || map->count > 200)
        return garment_bad(map, "measurements: must be a map of at most 200 lengths");
    put(r, "\"measurements\": {");
    for (const weft_value *v = map->first; v; v = v->next) {
        double metres = 0, radians = 0;
        if (strcmp(v->key, "name") == 0 || strcmp(v->key, "source") == 0 || strcmp(v->key, "height") == 0)
            continue;
        if (!is_word(v->key))
            return garment_bad(v, "measurement '%.60s': names are plain words", v->key);
        if (strcmp(v->key, "shoulderSlope") == 0) {
            WEFT_TRY(garment_read_angle(v, v->key, &radians));
            put(r, "%s\"%s\": %.9g", before, v->key, radians * 180 / acos(-1));
        } else {
            WEFT_TRY(garment_read_length(v, v->key, &metres));
            if (!(metres > 0.001 && metres < 5))
                return garment_bad(v, "%s: %.40s is not between 0.1 and 500 cm", v->key, v->text);
            put(r, "%s\"%s\": %.9g", before, v->key, 1000 * metres);
        }
        before = ", ";
    }
    put(r, "}");
    return weft_ok();
}

/* A number, true, false, or a word. */
static weft_result put_option(const char *name, const char *value, const weft_value *place, request *r) {
    double number;
    if (!is_word(name))
        return garment_bad(place, "option '%.60s': names are plain words", name);
    if (weft_number_read(value, "", &number).code == WEFT_OK)
        put(r, "\"%s\": %.9g", name, number);
    else if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
        put(r, "\"%s\": %s", name, value);
    else if (is_word(value))
        put(r, "\"%s\": \"%s\"", name, value);
    else
        return garment_bad(place, "option %s: '%.60s' is not a number or a word", name, value);
    return weft_ok();
}

/* Options of the design file first; those of the command replace them. */
static weft_result put_options(const weft_value *map, const char *const *option, int options, request *r) {
    const char *before = "";
    put(r, ", \"options\": {");
    for (const weft_value *v = map ? map->first : NULL; v; v = v->next) {
        int replaced = 0;
        for (int i = 0; i < options; i++)
            replaced |= strncmp(option[i], v->key, strlen(v->key)) == 0 && option[i][strlen(v->key)] == '=';
        if (replaced)
            continue;
        put(r, "%s", before);
        WEFT_TRY(put_option(v->key, v->text, v, r));
        before = ", ";
    }
    for (int i = 0; i < options; i++) {
        char name[64];
        const char *equals = strchr(option[i], '=');
        if (!equals || equals - option[i] >= (int)sizeof name)
            return weft_fail(WEFT_BAD_INPUT, "--set %.60s: must be OPTION=VALUE", option[i]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - option[i]), option[i]);
        put(r, "%s", before);
        WEFT_TRY(put_option(name, equals + 1, NULL, r));
        before = ", ";
    }
    put(r, "}");
    return weft_ok();
}

/* What the Node program found wrong, with the place in the files. */
static weft_result report(const weft_value *reply, const weft_value *design, const weft_value *measurements) {
    const weft_value *problem = weft_value_find(reply, "problem"), *name = weft_value_find(reply, "name"),
                     *why = weft_value_find(reply, "why");
    if (!problem || !name || !why)
        return weft_ok();
    const weft_value *place = weft_value_find(design, "design");
    if (strcmp(problem->text, "measurement") == 0) {
        place = weft_value_find(measurements, name->text);
        place = place ? place : measurements;
    } else if (strcmp(problem->text, "option") == 0)
        place = weft_value_find(weft_value_find(design, "options"), name->text);
    return garment_bad(place, "%s '%.60s': %.200s", problem->text, name->text, why->text);
}

static weft_result make_request(const weft_value *design, const weft_value *measurements, const char *const *option,
                                int options, request *r) {
    const weft_value *name = weft_value_find(design, "design");
    if (!name || !is_word(name->text))
        return garment_bad(name ? name : design, "design: the name of a FreeSewing design is missing");
    put(r, "{\"design\": \"%s\", ", name->text);
    WEFT_TRY(put_measurements(measurements, r));
    WEFT_TRY(put_options(weft_value_find(design, "options"), option, options, r));
    put(r, "}");
    return r->used < sizeof r->text - 1 ? weft_ok()
                                        : weft_fail(WEFT_BAD_INPUT, "measurements and options are too long");
}

static weft_result draft(const weft_value *design, const weft_value *measurements, const char *const *option,
                         int options, garment_pattern *pattern) {
    request *r = calloc(1, sizeof *r);
    char *reply = NULL;
    size_t size = 0;
    weft_tree *tree = NULL;
    if (!r)
        return weft_fail_memory("draft", sizeof *r);
    weft_result result = make_request(design, measurements, option, options, r);
    if (result.code == WEFT_OK)
        result = garment_draft_run(r->text, &reply, &size);
    if (result.code == WEFT_OK)
        result = weft_yaml_read_memory(reply, size, "the draft", &tree);
    if (result.code == WEFT_OK)
        result = report(weft_tree_root(tree), design, measurements);
    if (result.code == WEFT_OK)
        result = garment_draft_build(design, weft_tree_root(tree), pattern);
    weft_tree_destroy(tree);
    free(reply);
    free(r);
    return result;
}

weft_result garment_draft(const char *design, const char *measurements, const char *const *option, int options,
                          garment_pattern *pattern) {
    char path[1100];
    weft_tree *described, *measured;
    *pattern = (garment_pattern){0};
    WEFT_TRY(find_design(design, path, sizeof path));
    WEFT_TRY(weft_yaml_read(path, &described));
    weft_result result = weft_yaml_read(measurements, &measured);
    if (result.code == WEFT_OK) {
        result = draft(weft_tree_root(described), weft_tree_root(measured), option, options, pattern);
        weft_tree_destroy(measured);
    }
    weft_tree_destroy(described);
    return result;
}
