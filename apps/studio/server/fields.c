/* Reads and checks the fields of a JSON message. */
#include "apps/studio/server/fields.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

static json_t *find(const json_t *message, const char *key) { return json_object_get(message, key); }

static weft_result needs(const char *key, const char *what) {
    return weft_fail(WEFT_BAD_INPUT, "'%.64s' must be %s", key, what);
}

weft_result studio_field_require(const json_t *message, const char *key) {
    return find(message, key) ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "'%s' is missing", key);
}

weft_result studio_field_text(const json_t *message, const char *key, const char **value) {
    const json_t *field = find(message, key);
    if (!field)
        return weft_ok();
    if (!json_is_string(field) || json_string_length(field) >= STUDIO_TEXT_SIZE ||
        strlen(json_string_value(field)) != json_string_length(field) || strpbrk(json_string_value(field), "\n\r"))
        return needs(key, "a text of one line");
    *value = json_string_value(field);
    return weft_ok();
}

weft_result studio_field_int(const json_t *message, const char *key, int64_t low, int64_t high, int64_t *value) {
    const json_t *field = find(message, key);
    if (!field)
        return weft_ok();
    if (!json_is_integer(field) || json_integer_value(field) < low || json_integer_value(field) > high)
        return weft_fail(WEFT_BAD_INPUT, "'%s' must be a whole number from %" PRId64 " to %" PRId64, key, low, high);
    *value = json_integer_value(field);
    return weft_ok();
}

weft_result studio_field_real(const json_t *message, const char *key, double low, double high, double *value) {
    const json_t *field = find(message, key);
    if (!field)
        return weft_ok();
    double number = json_is_number(field) ? json_number_value(field) : low - 1;
    if (!(number >= low && number <= high))
        return weft_fail(WEFT_BAD_INPUT, "'%s' must be a number from %g to %g", key, low, high);
    *value = number;
    return weft_ok();
}

/* Coordinates beyond this magnitude are taken for errors, m. */
static const double FARTHEST = 1e9;

static int read_numbers(const json_t *list, size_t count, double low, double high, double *number) {
    if (!json_is_array(list) || json_array_size(list) != count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_number(item))
            return 0;
        number[i] = json_number_value(item);
        if (!(number[i] >= low && number[i] <= high))
            return 0;
    }
    return 1;
}

static int read_vector(const json_t *list, weft_vec3 *value) {
    double number[3];
    if (!read_numbers(list, 3, -FARTHEST, FARTHEST, number))
        return 0;
    *value = (weft_vec3){number[0], number[1], number[2]};
    return 1;
}

weft_result studio_field_vector(const json_t *message, const char *key, weft_vec3 *value) {
    const json_t *field = find(message, key);
    if (!field || read_vector(field, value))
        return weft_ok();
    return needs(key, "a list of three numbers");
}

weft_result studio_field_pair(const json_t *message, const char *key, double low, double high, double value[2]) {
    const json_t *field = find(message, key);
    if (!field || read_numbers(field, 2, low, high, value))
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "'%s' must be a list of two numbers from %g to %g", key, low, high);
}

weft_result studio_field_indices(const json_t *message, const char *key, int32_t **value, int32_t *count) {
    const json_t *field = find(message, key);
    if (!field)
        return weft_ok();
    if (!json_is_array(field))
        return needs(key, "a list of whole numbers");
    size_t size = json_array_size(field);
    *value = malloc((size > 0 ? size : 1) * sizeof **value);
    if (!*value)
        return weft_fail_memory(key, size * sizeof **value);
    for (size_t i = 0; i < size; i++) {
        const json_t *item = json_array_get(field, i);
        if (!json_is_integer(item) || json_integer_value(item) < 0 || json_integer_value(item) > INT32_MAX)
            return needs(key, "a list of whole numbers from 0 on");
        (*value)[i] = (int32_t)json_integer_value(item);
    }
    *count = (int32_t)size;
    return weft_ok();
}

weft_result studio_field_vectors(const json_t *message, const char *key, weft_vec3 **value, int32_t *count) {
    const json_t *field = find(message, key);
    if (!field)
        return weft_ok();
    if (!json_is_array(field))
        return needs(key, "a list of points");
    size_t size = json_array_size(field);
    *value = malloc((size > 0 ? size : 1) * sizeof **value);
    if (!*value)
        return weft_fail_memory(key, size * sizeof **value);
    for (size_t i = 0; i < size; i++)
        if (!read_vector(json_array_get(field, i), &(*value)[i]))
            return needs(key, "a list of points of three numbers each");
    *count = (int32_t)size;
    return weft_ok();
}

static weft_result list_text(const json_t *list, const char *key, char text[STUDIO_TEXT_SIZE]) {
    size_t used = 1, size = json_array_size(list);
    text[0] = '[';
    for (size_t i = 0; i < size; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_number(item))
            return needs(key, "a text, a number, true, false or a list of numbers");
        used += (size_t)weft_format(text + used, STUDIO_TEXT_SIZE - used, "%s%.17g", i > 0 ? ", " : "",
                                    json_number_value(item));
        if (used + 32 > STUDIO_TEXT_SIZE)
            return needs(key, "a shorter list");
    }
    memcpy(text + used, "]", 2);
    return weft_ok();
}

weft_result studio_value_text(const json_t *value, const char *key, char text[STUDIO_TEXT_SIZE]) {
    switch (json_typeof(value)) {
    case JSON_STRING:
        if (json_string_length(value) >= STUDIO_TEXT_SIZE || strpbrk(json_string_value(value), "\n\r") ||
            strlen(json_string_value(value)) != json_string_length(value))
            return needs(key, "a text of one line");
        memcpy(text, json_string_value(value), json_string_length(value) + 1);
        return weft_ok();
    case JSON_INTEGER:
        snprintf(text, STUDIO_TEXT_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return weft_ok();
    case JSON_REAL:
        weft_format(text, STUDIO_TEXT_SIZE, "%.17g", json_real_value(value));
        return weft_ok();
    case JSON_TRUE:
    case JSON_FALSE:
        memcpy(text, json_is_true(value) ? "true" : "false", json_is_true(value) ? 5 : 6);
        return weft_ok();
    case JSON_ARRAY:
        return list_text(value, key, text);
    default:
        return needs(key, "a text, a number, true, false or a list of numbers");
    }
}
