/* The parameter tables for programs: `weft help --json`. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/cli/help_topics.h"
#include "apps/cli/reference.h"
#include "apps/cli/table.h"
#include "io/json.h"
#include "weft/fabric.h"
#include "weft/text.h"
#include "weft/weft.h"

static int has_range(const weft_param *row) {
    return row->type == WEFT_REAL || row->type == WEFT_INT || row->type == WEFT_PAIR || row->type == WEFT_MAP;
}

/* Without its unit; `settings` has the type of the table. */
static void put_value(weft_json *json, const char *key, const weft_param *row, const void *settings) {
    char text[WEFT_STRING_SIZE];
    weft_param_write(row, settings, text, sizeof text);
    if (row->type == WEFT_REAL || row->type == WEFT_INT)
        weft_json_real(json, key, weft_real_parse(text, NULL));
    else
        weft_json_text(json, key, text);
}

static void put_row(weft_json *json, const weft_param *row, const void *defaults) {
    weft_json_object(json, NULL);
    weft_json_text(json, "name", row->name);
    weft_json_text(json, "type", weft_param_type_name(row->type));
    put_value(json, "default", row, defaults);
    weft_json_text(json, "unit", row->unit);
    weft_json_text(json, "help", row->help);
    if (has_range(row)) {
        weft_json_real(json, "low", row->low);
        weft_json_real(json, "high", row->high);
        weft_json_bool(json, "open_low", (row->flags & WEFT_OPEN_LOW) != 0);
    }
    if (row->type == WEFT_PAIR)
        weft_json_bool(json, "whole", (row->flags & WEFT_WHOLE) != 0);
    if (row->type == WEFT_CHOICE) {
        weft_json_array(json, "choices");
        for (const char *const *choice = row->choices; *choice; choice++)
            weft_json_text(json, NULL, *choice);
        weft_json_end(json, ']');
    }
    weft_json_end(json, '}');
}

/* The largest field is a text. */
static size_t settings_size(const weft_param *params) {
    size_t size = 0;
    for (const weft_param *row = params; row && row->name; row++)
        size = row->offset > size ? row->offset : size;
    return size + WEFT_STRING_SIZE;
}

static weft_result put_params(weft_json *json, const weft_param *params) {
    size_t size = settings_size(params);
    void *defaults = calloc(1, size);
    if (!defaults)
        return weft_fail_memory("defaults", size);
    weft_params_default(params, defaults);
    weft_json_array(json, "parameters");
    for (const weft_param *row = params; row && row->name; row++)
        put_row(json, row, defaults);
    weft_json_end(json, ']');
    free(defaults);
    return weft_ok();
}

static weft_result put_sections(weft_json *json) {
    weft_json_array(json, "sections");
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++) {
        if (!topic->params)
            continue;
        weft_json_object(json, NULL);
        weft_json_text(json, "name", topic->name);
        weft_json_text(json, "help", topic->help);
        WEFT_TRY(put_params(json, topic->params()));
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
    return weft_ok();
}

static weft_result put_components(weft_json *json, const weft_registry *registry) {
    weft_json_array(json, "components");
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        weft_json_object(json, NULL);
        weft_json_text(json, "kind", weft_kind_name(component->kind));
        weft_json_text(json, "name", component->name);
        weft_json_text(json, "help", component->help);
        weft_json_text(json, "paper", component->paper ? component->paper : "");
        WEFT_TRY(put_params(json, component->params));
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
    return weft_ok();
}

static void put_fabrics(weft_json *json) {
    weft_json_array(json, "fabrics");
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        weft_json_object(json, NULL);
        weft_json_text(json, "name", preset->name);
        weft_json_text(json, "help", preset->help);
        weft_json_text(json, "source", preset->source);
        weft_json_object(json, "values");
        for (const weft_param *row = weft_fabric_params(); row->name; row++)
            put_value(json, row->name, row, &preset->fabric);
        weft_json_end(json, '}');
        weft_json_end(json, '}');
    }
    weft_json_end(json, ']');
}

weft_result weft_reference_print_json(const weft_registry *registry) {
    weft_output output = {.file = stdout, .path = "standard output"};
    weft_json json;
    weft_json_start(&json, &output);
    weft_json_object(&json, NULL);
    weft_json_text(&json, "version", weft_version());
    WEFT_TRY(put_sections(&json));
    WEFT_TRY(put_components(&json, registry));
    put_fabrics(&json);
    weft_json_end(&json, '}');
    return weft_output_flush(&output);
}
