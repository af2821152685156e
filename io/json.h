/* Writes JSON with commas, indentation and escapes. Non-finite numbers become null. */
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
