#include "lab/study/study_vary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study/value_text.h"

static weft_result fail(const weft_value *entry, const char *why) {
    char place[320];
    weft_value_place(entry, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%svary.%.80s: %s", place, entry->key, why);
}

/* -- lists -- */

/* Whether all values are numbers with the same unit, which a column of the table can then have. */
static int all_numbers(const weft_value *list, char unit[24]) {
    double number;
    char other[24];
    for (const weft_value *item = list->first; item; item = item->next) {
        if (item->kind != WEFT_VALUE_TEXT ||
            !weft_number_split(item->text, &number, item == list->first ? unit : other))
            return 0;
        if (item != list->first && strcmp(unit, other) != 0)
            return 0;
    }
    return 1;
}

/* Tables hold a value in one cell. */
static weft_result check_lengths(const weft_value *entry, const weft_value *list) {
    enum { MOST = 4000 };
    for (const weft_value *item = list->first; item; item = item->next)
        if (weft_value_write(item, NULL, 0) > MOST)
            return fail(entry, "a value has more than 4000 characters");
    return weft_ok();
}

static weft_result use_list(const weft_value *entry, const weft_value *list, weft_parameter *parameter) {
    if (!list || list->kind != WEFT_VALUE_LIST || list->count == 0)
        return fail(entry, "needs a list with at least one value");
    WEFT_TRY(check_lengths(entry, list));
    parameter->vary = WEFT_VARY_LIST;
    parameter->list[0] = list;
    parameter->count = list->count;
    parameter->is_number = all_numbers(list, parameter->unit);
    if (!parameter->is_number)
        parameter->unit[0] = '\0';
    return weft_ok();
}

/* together: {PATH: [values], PATH: [values]}: the values of one place belong together. */
static weft_result read_together(const weft_value *entry, const weft_value *map, weft_parameter *parameter) {
    if (map->kind != WEFT_VALUE_MAP || map->count == 0)
        return fail(entry, "together needs {PATH: [values], PATH: [values]}");
    if (map->count > WEFT_MOST_LINKED)
        return fail(entry, "more than 8 paths");
    parameter->is_together = 1;
    parameter->path_count = 0;
    for (const weft_value *list = map->first; list; list = list->next) {
        int i = parameter->path_count++;
        if (list->kind != WEFT_VALUE_LIST || list->count == 0 || list->count != map->first->count)
            return fail(list, "the lists of together need the same number of values, at least one");
        if (!list->key[0] || strlen(list->key) > 127)
            return fail(entry, "a path has 1 to 127 characters");
        WEFT_TRY(check_lengths(entry, list));
        parameter->path[i] = list->key;
        parameter->list[i] = list;
    }
    WEFT_TRY(use_list(entry, map->first, parameter));
    parameter->is_number = 0; /* its columns are of several kinds */
    parameter->unit[0] = '\0';
    return weft_ok();
}

/* -- intervals -- */

static weft_result read_ends(const weft_value *entry, const weft_value *ends, weft_parameter *parameter) {
    char unit[24];
    if (ends->kind != WEFT_VALUE_LIST || ends->count != 2 || ends->first->kind != WEFT_VALUE_TEXT ||
        ends->last->kind != WEFT_VALUE_TEXT ||
        !weft_number_split(ends->first->text, &parameter->low, parameter->unit) ||
        !weft_number_split(ends->last->text, &parameter->high, unit))
        return fail(entry, "needs two numbers, as in [0.1, 0.5] or [4 mm, 8 mm]");
    if (strcmp(unit, parameter->unit) != 0)
        return fail(entry, "both ends need the same unit");
    if (!(parameter->low < parameter->high))
        return fail(entry, "the first end must be below the second");
    if (parameter->vary == WEFT_VARY_LOG && !(parameter->low > 0))
        return fail(entry, "the ends of a log range must be above 0");
    if (parameter->vary == WEFT_VARY_WHOLE &&
        (parameter->low != floor(parameter->low) || parameter->high != floor(parameter->high) ||
         parameter->high - parameter->low > 1e6))
        return fail(entry, "needs whole numbers at most 1,000,000 apart");
    parameter->is_number = 1;
    return weft_ok();
}

static weft_result read_count(const weft_value *entry, weft_design design, weft_parameter *parameter) {
    const weft_value *count = weft_value_find(entry, "count");
    double number;
    char unit[24];
    if (!count && design == WEFT_DESIGN_GRID && parameter->vary != WEFT_VARY_WHOLE)
        return fail(entry, "a grid needs a count of values: {range: [0, 1], count: 5}");
    if (!count)
        return weft_ok();
    if (design != WEFT_DESIGN_GRID)
        return fail(entry, "only a grid uses a count; samples: sets the number of cases");
    if (count->kind != WEFT_VALUE_TEXT || !weft_number_split(count->text, &number, unit) || unit[0] ||
        number != floor(number) || number < 2 || number > 1e6)
        return fail(entry, "count needs a whole number from 2 to 1,000,000");
    parameter->count = (int)number;
    return weft_ok();
}

/* -- entries -- */

static weft_result read_paths(const weft_value *entry, weft_parameter *parameter) {
    const weft_value *paths = weft_value_find(entry, "paths");
    parameter->path[0] = entry->key;
    parameter->path_count = 1;
    if (!paths)
        return weft_ok();
    if (paths->kind != WEFT_VALUE_LIST || paths->count == 0 || paths->count > WEFT_MOST_LINKED)
        return fail(entry, "paths needs a list of 1 to 8 paths");
    parameter->path_count = 0;
    for (const weft_value *path = paths->first; path; path = path->next) {
        if (path->kind != WEFT_VALUE_TEXT || !path->text[0] || strlen(path->text) > 127)
            return fail(entry, "a path has 1 to 127 characters");
        parameter->path[parameter->path_count++] = path->text;
    }
    return weft_ok();
}

static weft_result check_keys(const weft_value *entry) {
    static const char *const KEYS[] = {"list", "range", "log", "whole", "together", "paths", "count"};
    enum { COUNT = sizeof KEYS / sizeof KEYS[0], KINDS = 5 };
    int kinds = 0;
    for (const weft_value *child = entry->first; child; child = child->next) {
        int known = 0;
        for (int i = 0; i < COUNT; i++)
            if (strcmp(child->key, KEYS[i]) == 0) {
                known = 1;
                kinds += i < KINDS;
            }
        if (known)
            continue;
        char why[160];
        const char *nearest = weft_nearest(child->key, KEYS, COUNT);
        snprintf(why, sizeof why, "unknown key '%.60s'%s%s%s", child->key, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
        return fail(entry, why);
    }
    return kinds == 1 ? weft_ok() : fail(entry, "needs one of list, range, log, whole and together");
}

static weft_result read_map(const weft_value *entry, weft_design design, weft_parameter *parameter) {
    static const char *const NAMES[] = {"range", "log", "whole"};
    static const weft_vary VARIES[] = {WEFT_VARY_RANGE, WEFT_VARY_LOG, WEFT_VARY_WHOLE};
    WEFT_TRY(check_keys(entry));
    for (int i = 0; i < 3; i++) {
        const weft_value *ends = weft_value_find(entry, NAMES[i]);
        if (!ends)
            continue;
        parameter->vary = VARIES[i];
        WEFT_TRY(read_ends(entry, ends, parameter));
        return read_count(entry, design, parameter);
    }
    if (weft_value_find(entry, "count"))
        return fail(entry, "a list has its own count");
    const weft_value *together = weft_value_find(entry, "together");
    if (!together)
        return use_list(entry, weft_value_find(entry, "list"), parameter);
    if (weft_value_find(entry, "paths"))
        return fail(entry, "together names its paths itself");
    return read_together(entry, together, parameter);
}

weft_result weft_parameter_read(const weft_value *entry, weft_design design, weft_parameter *parameter) {
    *parameter = (weft_parameter){.value = entry};
    if (!entry->key[0] || strlen(entry->key) >= sizeof parameter->name)
        return fail(entry, "a name has 1 to 127 characters");
    snprintf(parameter->name, sizeof parameter->name, "%.127s", entry->key);
    WEFT_TRY(read_paths(entry, parameter));
    if (entry->kind == WEFT_VALUE_LIST)
        return use_list(entry, entry, parameter);
    if (entry->kind == WEFT_VALUE_MAP)
        return read_map(entry, design, parameter);
    return fail(entry, "needs a list of values, or {range: [0, 1], count: 5}");
}

int64_t weft_parameter_levels(const weft_parameter *parameter) {
    if (parameter->vary == WEFT_VARY_WHOLE && parameter->count == 0)
        return (int64_t)(parameter->high - parameter->low) + 1;
    return parameter->count;
}
