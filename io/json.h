/* Writes JSON with commas, indentation and escapes. Non-finite numbers become null.
 *
 * jansson, which the studio uses, does not fit here. It writes 0.3 as 0.29999999999999999 and 4 as 4.0, it refuses
 * names that are not UTF-8, and it holds the whole text as a tree: 279 MiB for 200,000 accessors of a GLB file. */
#ifndef WEFT_IO_JSON_H
#define WEFT_IO_JSON_H

#include "io/file.h"

typedef struct weft_json {
    weft_output *output;
    int depth;
    int has_items[16];
} weft_json;

void weft_json_start(weft_json *json, weft_output *output);
/* `key` is null inside arrays and at the top level. */
void weft_json_object(weft_json *json, const char *key);
void weft_json_array(weft_json *json, const char *key);
void weft_json_end(weft_json *json, char bracket); /* '}' or ']' */
void weft_json_text(weft_json *json, const char *key, const char *text);
void weft_json_real(weft_json *json, const char *key, double number);
void weft_json_integer(weft_json *json, const char *key, int64_t number);
void weft_json_bool(weft_json *json, const char *key, int value);

#endif
