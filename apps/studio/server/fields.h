/* Reads and checks the fields of a JSON message. Error messages name the field. */
#ifndef WEFT_STUDIO_FIELDS_H
#define WEFT_STUDIO_FIELDS_H

#include <jansson.h>

#include "weft/base.h"

enum { STUDIO_TEXT_SIZE = 512 };

/* These fields are optional: a missing field leaves *value unchanged. */
weft_result studio_field_text(const json_t *message, const char *key, const char **value);
weft_result studio_field_int(const json_t *message, const char *key, int64_t low, int64_t high, int64_t *value);
weft_result studio_field_real(const json_t *message, const char *key, double low, double high, double *value);
weft_result studio_field_vector(const json_t *message, const char *key, weft_vec3 *value);
weft_result studio_field_pair(const json_t *message, const char *key, double low, double high, double value[2]);
/* Lists are allocated; the caller calls free() on them, even if this fails. */
weft_result studio_field_indices(const json_t *message, const char *key, int32_t **value, int32_t *count);
weft_result studio_field_vectors(const json_t *message, const char *key, weft_vec3 **value, int32_t *count);

/* Fails if the field is missing. */
weft_result studio_field_require(const json_t *message, const char *key);

/* Writes a parameter value as a scene file spells it. The value is a text, a number, a bool or a list of numbers. */
weft_result studio_value_text(const json_t *value, const char *key, char text[STUDIO_TEXT_SIZE]);

#endif
