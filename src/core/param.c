/* Reads, checks and writes settings that a parameter table describes (weft/param.h). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/require.h"
#include "weft/param.h"
#include "weft/text.h"

static void *field(const weft_param *row, void *settings) { return (char *)settings + row->offset; }

static const void *const_field(const weft_param *row, const void *settings) {
    return (const char *)settings + row->offset;
}

/* A number without a unit that is too large was probably meant in the smaller unit that people use. */
static void suggest_unit(const weft_param *row, double number, const char *text, char hint[80]) {
    static const char *const USUAL[][2] = {{"kg/m2", "g/m2"}, {"m", "mm"}, {"s", "ms"}, {"rad", "deg"}};
    const char *end;
    double scaled;
    hint[0] = '\0';
    weft_real_parse(text, &end);
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0] && !*end && number > row->high; i++) {
        char other[40];
        snprintf(other, sizeof other, "%.20s %s", text, USUAL[i][1]);
        if (strcmp(USUAL[i][0], row->unit) == 0 && weft_number_read(other, row->unit, &scaled).code == WEFT_OK &&
            scaled <= row->high)
            snprintf(hint, 80, "; did you mean '%s'?", other);
    }
}

static weft_result out_of_range(const weft_param *row, double number, const char *text, const char *how, double limit) {
    const char *unit = row->unit;
    char hint[80];
    suggest_unit(row, number, text, hint);
    return weft_fail(WEFT_BAD_INPUT, "%s is %s %.*g%s%s%s%s", text, how, row->type == WEFT_INT ? 10 : 6, limit,
                     unit[0] ? " (" : "", unit, unit[0] ? ")" : "", hint);
}

static weft_result check_range(const weft_param *row, double number, const char *text) {
    if (number < row->low)
        return out_of_range(row, number, text, "below", row->low);
    if (number == row->low && (row->flags & WEFT_OPEN_LOW))
        return out_of_range(row, number, text, "not above", row->low);
    if (number > row->high)
        return out_of_range(row, number, text, "above", row->high);
    return weft_ok();
}

static weft_result read_real(const weft_param *row, const char *text, void *settings) {
    double number;
    WEFT_TRY(weft_number_read(text, row->unit, &number));
    WEFT_TRY(check_range(row, number, text));
    *(double *)field(row, settings) = number;
    return weft_ok();
}

static weft_result read_int(const weft_param *row, const char *text, void *settings) {
    double number;
    WEFT_TRY(weft_number_read(text, row->unit, &number));
    if (number != floor(number))
        return weft_fail(WEFT_BAD_INPUT, "%s is not a whole number", text);
    WEFT_TRY(check_range(row, number, text));
    *(int32_t *)field(row, settings) = (int32_t)number;
    return weft_ok();
}

/* 1 for true, 0 for false, -1 for other text. */
static int truth(const char *text) {
    static const char *const YES[] = {"true", "yes", "on", "1"}, *const NO[] = {"false", "no", "off", "0"};
    for (int i = 0; i < 4; i++)
        if (strcmp(text, YES[i]) == 0 || strcmp(text, NO[i]) == 0)
            return strcmp(text, YES[i]) == 0;
    return -1;
}

/* Length of a word without its plural s. */
static size_t stem(const char *word) {
    size_t length = strlen(word);
    return length > 1 && word[length - 1] == 's' ? length - 1 : length;
}

static int same_word(const char *a, const char *b, int exact) {
    return strcmp(a, b) == 0 || (!exact && stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0);
}

/* A switch also goes by the names of the choice that it was. */
static weft_result read_bool(const weft_param *row, const char *text, void *settings) {
    for (int i = 0; row->former && i < 2; i++)
        if (text[0] && same_word(text, row->former[i], 0)) {
            *(int32_t *)field(row, settings) = i;
            return weft_ok();
        }
    if (truth(text) < 0)
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' is neither true nor false", text);
    *(int32_t *)field(row, settings) = truth(text);
    return weft_ok();
}

/* A choice also goes by its former name. The choices true and false go by all names of a switch. */
static int is_choice(const weft_param *row, int choice, const char *text, int exact) {
    const char *name = row->choices[choice];
    return same_word(text, name, exact) || (truth(text) >= 0 && truth(text) == truth(name)) ||
           (row->former && text[0] && same_word(text, row->former[choice], exact));
}

/* Exact names first. Then singular and plural are the same, because tables of different parts write either. */
static weft_result read_choice(const weft_param *row, const char *text, void *settings) {
    char all[256] = "";
    size_t used = 0;
    int count = 0;
    while (row->choices[count])
        count++;
    for (int i = 0; i < 2 * count; i++) {
        if (is_choice(row, i % count, text, i < count)) {
            *(int32_t *)field(row, settings) = i % count;
            return weft_ok();
        }
    }
    for (int i = 0; i < count; i++) {
        int written = snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", row->choices[i]);
        used += used + (size_t)written < sizeof all ? (size_t)written : 0;
    }
    const char *nearest = weft_nearest(text, row->choices, count);
    return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not one of %s%s%s%s", text, all, nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static weft_result read_string(const weft_param *row, const char *text, void *settings) {
    if (strlen(text) >= WEFT_STRING_SIZE)
        return weft_fail(WEFT_BAD_INPUT, "the text has %zu characters, at most %d are allowed", strlen(text),
                         WEFT_STRING_SIZE - 1);
    strcpy(field(row, settings), text);
    return weft_ok();
}

static int components(const weft_param *row) { return row->type == WEFT_PAIR ? 2 : 3; }

static const char *counted(const weft_param *row) { return row->type == WEFT_PAIR ? "two" : "three"; }

static weft_result store_components(const weft_param *row, const double *component, void *settings) {
    if (row->type == WEFT_VECTOR) {
        if ((row->flags & WEFT_NONZERO) && component[0] == 0 && component[1] == 0 && component[2] == 0)
            return weft_fail(WEFT_BAD_INPUT, "[0, 0, 0] has no direction");
        *(weft_vec3 *)field(row, settings) = (weft_vec3){component[0], component[1], component[2]};
        return weft_ok();
    }
    for (int i = 0; i < 2; i++) {
        char text[32];
        weft_format(text, sizeof text, "%.10g", component[i]);
        WEFT_TRY(check_range(row, component[i], text));
        if ((row->flags & WEFT_WHOLE) && component[i] != floor(component[i]))
            return weft_fail(WEFT_BAD_INPUT, "%s is not a whole number", text);
    }
    *(weft_vec2 *)field(row, settings) = (weft_vec2){component[0], component[1]};
    return weft_ok();
}

/* "[1, 0, 0.5]" or "1 0 0.5" */
static weft_result read_vector_text(const weft_param *row, const char *text, void *settings) {
    double component[3];
    const char *at = text + strspn(text, " [");
    for (int i = 0; i < components(row); i++) {
        char number[64];
        size_t length = strcspn(at, strchr(text, ',') ? ",]" : " ]");
        if (length == 0 || length >= sizeof number)
            return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not %s numbers", text, counted(row));
        memcpy(number, at, length);
        number[length] = '\0';
        WEFT_TRY(weft_number_read(number, row->unit, &component[i]));
        at += length;
        at += strspn(at, ", ");
    }
    at += strspn(at, " ]");
    if (*at)
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not %s numbers", text, counted(row));
    return store_components(row, component, settings);
}

static weft_result read_vector(const weft_param *row, const weft_value *list, void *settings) {
    if (list->count != components(row))
        return weft_fail(WEFT_BAD_INPUT, "a list of %d values, but %s numbers are needed", list->count, counted(row));
    double component[3];
    int i = 0;
    for (const weft_value *item = list->first; item; item = item->next, i++) {
        if (item->kind != WEFT_VALUE_TEXT)
            return weft_fail(WEFT_BAD_INPUT, "entry %d is not a number", i);
        WEFT_TRY(weft_number_read(item->text, row->unit, &component[i]));
    }
    return store_components(row, component, settings);
}

static weft_result read_text(const weft_param *row, const char *text, void *settings) {
    switch (row->type) {
    case WEFT_REAL:
        return read_real(row, text, settings);
    case WEFT_INT:
        return read_int(row, text, settings);
    case WEFT_BOOL:
        return read_bool(row, text, settings);
    case WEFT_PAIR:
    case WEFT_VECTOR:
        return read_vector_text(row, text, settings);
    case WEFT_CHOICE:
        return read_choice(row, text, settings);
    case WEFT_STRING:
        return read_string(row, text, settings);
    case WEFT_MAP:
        return read_real(row, text, settings);
    }
    return weft_fail(WEFT_BAD_INPUT, "parameter of unknown type");
}

weft_result weft_param_read(const weft_param *row, const weft_value *value, const char *what, void *settings) {
    WEFT_REQUIRE(row);
    WEFT_REQUIRE(value);
    WEFT_REQUIRE(what);
    WEFT_REQUIRE(settings);
    weft_result result;
    if (value->kind == WEFT_VALUE_TEXT)
        result = read_text(row, value->text, settings);
    else if (value->kind == WEFT_VALUE_LIST && (row->type == WEFT_VECTOR || row->type == WEFT_PAIR))
        result = read_vector(row, value, settings);
    else
        result = weft_fail(WEFT_BAD_INPUT, "a %s, but a single value is needed",
                           value->kind == WEFT_VALUE_LIST ? "list" : "map");
    if (result.code == WEFT_OK)
        return result;
    char place[320];
    weft_value_place(value, place, sizeof place);
    return weft_fail(result.code, "%s%s%s%s: %.280s", place, what, what[0] ? "." : "", row->name, result.message);
}

weft_result weft_param_read_text(const weft_param *row, const char *text, const char *what, void *settings) {
    WEFT_REQUIRE(row);
    WEFT_REQUIRE(text);
    WEFT_REQUIRE(what);
    WEFT_REQUIRE(settings);
    weft_result result = read_text(row, text, settings);
    if (result.code == WEFT_OK)
        return result;
    return weft_fail(result.code, "%s%s%s: %.400s", what, what[0] ? "." : "", row->name, result.message);
}

void weft_params_default(const weft_param *table, void *settings) {
    for (const weft_param *row = table; row && row->name; row++)
        read_text(row, row->fallback, settings); /* cannot fail: weft_registry_add and a test check the defaults */
}

/* The shortest decimal form that reads back as the same double. */
static void write_real(double number, char *buffer, size_t size) {
    for (int digits = 6; digits <= 17; digits++) {
        weft_format(buffer, size, "%.*g", digits, number);
        if (weft_real_parse(buffer, NULL) == number)
            return;
    }
}

void weft_param_write(const weft_param *row, const void *settings, char *buffer, size_t size) {
    const void *at = const_field(row, settings);
    switch (row->type) {
    case WEFT_REAL:
    case WEFT_MAP:
        write_real(*(const double *)at, buffer, size);
        break;
    case WEFT_INT:
        snprintf(buffer, size, "%d", *(const int32_t *)at);
        break;
    case WEFT_BOOL:
        snprintf(buffer, size, "%s", *(const int32_t *)at ? "true" : "false");
        break;
    case WEFT_PAIR: {
        const weft_vec2 *v = at;
        char x[32], y[32];
        write_real(v->x, x, sizeof x);
        write_real(v->y, y, sizeof y);
        snprintf(buffer, size, "[%s, %s]", x, y);
        break;
    }
    case WEFT_VECTOR: {
        const weft_vec3 *v = at;
        char x[32], y[32], z[32];
        write_real(v->x, x, sizeof x);
        write_real(v->y, y, sizeof y);
        write_real(v->z, z, sizeof z);
        snprintf(buffer, size, "[%s, %s, %s]", x, y, z);
        break;
    }
    case WEFT_CHOICE:
        snprintf(buffer, size, "%s", row->choices[*(const int32_t *)at]);
        break;
    case WEFT_STRING:
        snprintf(buffer, size, "%s", (const char *)at);
        break;
    }
}

const weft_param *weft_params_find(const weft_param *table, const char *name) {
    for (const weft_param *row = table; row && row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    for (const weft_param *row = table; row && row->name; row++)
        if (row->was && strcmp(row->was, name) == 0)
            return row;
    return NULL;
}

int weft_params_have_group(const weft_param *table, const char *group) {
    size_t length = strlen(group);
    for (const weft_param *row = table; row && row->name; row++)
        if (strncmp(row->name, group, length) == 0 && row->name[length] == '.')
            return 1;
    return 0;
}

static int listed(const char *const *names, const char *name) {
    for (int i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return 0;
}

/* A scene may name any file, and the lines of some look like keys. Only what can be a name is shown. */
static int is_name(const char *key) {
    for (; *key; key++)
        if (!isalnum((unsigned char)*key) && (unsigned char)*key < 0x80 && !strchr("_-. ", *key))
            return 0;
    return 1;
}

weft_result weft_unknown_key(const weft_value *value, const char *what, const char *const *known, int count) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    if (!is_name(value->key))
        return weft_fail(WEFT_BAD_INPUT, "%s%s: unknown key, which has other characters than a name", place, what);
    const char *nearest = weft_nearest(value->key, known, count);
    return weft_fail(WEFT_BAD_INPUT, "%s%s: unknown key '%.64s'%s%s%s", place, what, value->key,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static weft_result unknown_key(const weft_param *table, const weft_value *value, const char *what,
                               const char *const *except) {
    enum { MOST = 64 };
    const char *names[MOST];
    int count = 0;
    for (const weft_param *row = table; row && row->name && count < MOST; row++)
        names[count++] = row->name;
    for (int i = 0; except && except[i] && count < MOST; i++)
        names[count++] = except[i];
    return weft_unknown_key(value, what, names, count);
}

weft_result weft_params_read(const weft_param *table, const weft_value *map, const char *what,
                             const char *const *except, void *settings) {
    WEFT_REQUIRE(what);
    WEFT_REQUIRE_IF(table && table->name, settings);
    if (!map || (map->kind == WEFT_VALUE_TEXT && map->text[0] == '\0'))
        return weft_ok();
    if (map->kind != WEFT_VALUE_MAP) {
        char place[320];
        weft_value_place(map, place, sizeof place);
        return weft_fail(WEFT_BAD_INPUT, "%s%s: needs named values, as in %s: {key: value}", place, what, what);
    }
    for (const weft_value *value = map->first; value; value = value->next) {
        if (listed(except, value->key))
            continue;
        const weft_param *row = weft_params_find(table, value->key);
        if (!row)
            return unknown_key(table, value, what, except);
        WEFT_TRY(weft_param_read(row, value, what, settings));
    }
    return weft_ok();
}
