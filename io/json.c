/* Writes JSON. */
#include "io/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"

enum { MOST_DEPTH = sizeof((weft_json *)0)->has_items / sizeof(int) };

static void put(weft_json *json, const char *text) { weft_output_write(json->output, text, strlen(text)); }

static void quote(weft_json *json, const char *text) {
    put(json, "\"");
    while (*text) {
        unsigned char c = (unsigned char)*text;
        size_t length = weft_utf8_length(text);
        if (c == '"' || c == '\\')
            weft_output_print(json->output, "\\%c", c);
        else if (c == '\n')
            put(json, "\\n");
        else if (c == '\t')
            put(json, "\\t");
        else if (c < 0x20 || c == 0x7f)
            weft_output_print(json->output, "\\u%04x", c);
        else if (length == 0)
            put(json, "\\ufffd"); /* file names may hold any bytes, but JSON is UTF-8 */
        else
            weft_output_write(json->output, text, length);
        text += length > 0 ? length : 1;
    }
    put(json, "\"");
}

static void indent(weft_json *json) {
    put(json, "\n");
    for (int i = 0; i < json->depth; i++)
        put(json, "  ");
}

/* Writes the comma, the line break and the key that precede a value. */
static void begin_item(weft_json *json, const char *key) {
    if (json->depth > 0) {
        if (json->has_items[json->depth - 1])
            put(json, ",");
        json->has_items[json->depth - 1] = 1;
        indent(json);
    }
    if (!key)
        return;
    quote(json, key);
    put(json, ": ");
}

/* Ends the file with a line break after the top-level value. */
static void end_item(weft_json *json) {
    if (json->depth == 0)
        put(json, "\n");
}

void weft_json_start(weft_json *json, weft_output *output) { *json = (weft_json){.output = output}; }

static void open_bracket(weft_json *json, const char *key, const char *bracket) {
    assert(json->depth < MOST_DEPTH);
    begin_item(json, key);
    put(json, bracket);
    json->has_items[json->depth++] = 0;
}

void weft_json_object(weft_json *json, const char *key) { open_bracket(json, key, "{"); }

void weft_json_array(weft_json *json, const char *key) { open_bracket(json, key, "["); }

void weft_json_end(weft_json *json, char bracket) {
    assert(json->depth > 0);
    json->depth--;
    if (json->has_items[json->depth])
        indent(json);
    weft_output_write(json->output, &bracket, 1);
    end_item(json);
}

void weft_json_text(weft_json *json, const char *key, const char *text) {
    begin_item(json, key);
    quote(json, text);
    end_item(json);
}

void weft_json_real(weft_json *json, const char *key, double number) {
    char buffer[WEFT_REAL_SIZE];
    begin_item(json, key);
    if (isfinite(number))
        weft_output_write(json->output, buffer, weft_real_write_exact(number, buffer));
    else
        put(json, "null");
    end_item(json);
}

void weft_json_integer(weft_json *json, const char *key, int64_t number) {
    begin_item(json, key);
    weft_output_print(json->output, "%lld", (long long)number);
    end_item(json);
}

void weft_json_bool(weft_json *json, const char *key, int value) {
    begin_item(json, key);
    put(json, value ? "true" : "false");
    end_item(json);
}
