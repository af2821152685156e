#include "io/fabric_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "weft-io/yaml.h"
#include "weft/text.h"

const char WEFT_FABRIC_ENDING[] = ".yaml";
static const int64_t MOST_BYTES = 1 << 20;
static const char *const OTHER_KEYS[] = {"preset", "help", "source", "measured", "provenance", NULL};

/* -- reading -- */

static weft_result fail_at(const weft_value *value, const char *text) {
    char place[256];
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, text);
}

static weft_result read_text(const weft_value *root, const char *key, char *text, size_t size) {
    const weft_value *value = weft_value_find(root, key);
    char message[160];
    if (!value)
        return weft_ok();
    snprintf(message, sizeof message, "%s: needs a text of at most %zu bytes", key, size - 1);
    if (value->kind != WEFT_VALUE_TEXT || strlen(value->text) >= size)
        return fail_at(value, message);
    strcpy(text, value->text);
    return weft_ok();
}

static weft_result read_notes(const weft_value *root, const char *key, weft_fabric_note *notes, int *count) {
    const weft_value *map = weft_value_find(root, key);
    char message[160];
    if (!map)
        return weft_ok();
    snprintf(message, sizeof message, "%s: needs a map of at most %d texts", key, WEFT_FABRIC_NOTES);
    if (map->kind != WEFT_VALUE_MAP || map->count > WEFT_FABRIC_NOTES)
        return fail_at(map, message);
    for (const weft_value *value = map->first; value; value = value->next) {
        weft_fabric_note *note = &notes[*count];
        snprintf(message, sizeof message, "%s.%.60s: needs a text of at most %zu bytes", key, value->key,
                 sizeof note->text - 1);
        if (value->kind != WEFT_VALUE_TEXT || strlen(value->text) >= sizeof note->text ||
            strlen(value->key) >= sizeof note->key)
            return fail_at(value, message);
        strcpy(note->key, value->key);
        strcpy(note->text, value->text);
        ++*count;
    }
    return weft_ok();
}

void weft_fabric_name(const char *path, char name[WEFT_FABRIC_NAME]) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    length = length < WEFT_FABRIC_NAME ? length : WEFT_FABRIC_NAME - 1;
    memcpy(name, base, length);
    name[length] = '\0';
}

/* Values that the file does not give are those of its preset, or the defaults. */
static weft_result read_base(const weft_value *root, weft_fabric *base) {
    const weft_value *preset = weft_value_find(root, "preset");
    return preset && preset->kind != WEFT_VALUE_TEXT ? fail_at(preset, "preset: needs the name of a preset")
                                                     : weft_fabric_read(preset, "preset", base);
}

static weft_result fill(const weft_value *root, const char *path, weft_fabric_file *file) {
    weft_fabric base;
    weft_fabric_name(path, file->name);
    snprintf(file->path, sizeof file->path, "%s", path);
    if (!root || root->kind != WEFT_VALUE_MAP)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: not a fabric: needs a map of values (weft help fabric)", path);
    WEFT_TRY(read_text(root, "help", file->help, sizeof file->help));
    WEFT_TRY(read_text(root, "source", file->source, sizeof file->source));
    WEFT_TRY(read_notes(root, "measured", file->measured, &file->measured_count));
    WEFT_TRY(read_notes(root, "provenance", file->provenance, &file->provenance_count));
    WEFT_TRY(read_base(root, &base));
    return weft_fabric_read_from(root, "fabric", &base, OTHER_KEYS, &file->fabric);
}

static weft_result read_tree(weft_tree *tree, const char *path, weft_fabric_file **file) {
    *file = calloc(1, sizeof **file);
    weft_result result = *file ? fill(weft_tree_root(tree), path, *file) : weft_fail_memory("a fabric", sizeof **file);
    if (result.code != WEFT_OK) {
        weft_fabric_file_destroy(*file);
        *file = NULL;
    }
    weft_tree_destroy(tree);
    return result;
}

weft_result weft_fabric_file_parse(const char *bytes, size_t size, const char *path, weft_fabric_file **file) {
    weft_tree *tree;
    *file = NULL;
    WEFT_TRY(weft_yaml_read_memory(bytes, size, path, &tree));
    return read_tree(tree, path, file);
}

weft_result weft_fabric_file_read(const char *path, weft_fabric_file **file) {
    char *bytes;
    size_t size;
    *file = NULL;
    WEFT_TRY(weft_file_read_most(path, MOST_BYTES, &bytes, &size));
    weft_result result = weft_fabric_file_parse(bytes, size, path, file);
    free(bytes);
    return result;
}

void weft_fabric_file_destroy(weft_fabric_file *file) { free(file); }

/* -- writing -- */

/* A double-quoted YAML text, which may hold anything. */
static void put_quoted(weft_output *out, const char *text) {
    weft_output_print(out, "\"");
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            weft_output_print(out, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            weft_output_print(out, "\\x%02x", (unsigned)*c);
        else
            weft_output_print(out, "%c", *c);
    weft_output_print(out, "\"\n");
}

static void put_notes(weft_output *out, const char *key, const weft_fabric_note *notes, int count) {
    if (count == 0)
        return;
    weft_output_print(out, "%s:\n", key);
    for (int i = 0; i < count; i++) {
        weft_output_print(out, "  %s: ", notes[i].key);
        put_quoted(out, notes[i].text);
    }
}

weft_result weft_fabric_file_write(const weft_fabric_file *file, const char *path) {
    weft_output out;
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out,
                      "# A fabric of Weft. Units are SI unless a value names its own (weft help fabric).\nhelp: ");
    put_quoted(&out, file->help);
    weft_output_print(&out, "source: ");
    put_quoted(&out, file->source);
    for (const weft_param *row = weft_fabric_params(); row->name; row++) {
        char value[WEFT_STRING_SIZE];
        weft_param_write(row, &file->fabric, value, sizeof value);
        weft_output_print(&out, "%s: %s", row->name, value);
        weft_output_print(&out, row->unit[0] ? " # %s\n" : "\n", row->unit);
    }
    put_notes(&out, "measured", file->measured, file->measured_count);
    put_notes(&out, "provenance", file->provenance, file->provenance_count);
    return weft_output_commit(&out);
}

void weft_fabric_file_note(weft_fabric_note *notes, int *count, const char *key, const char *format, ...) {
    if (*count >= WEFT_FABRIC_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(notes[*count].text, sizeof notes[*count].text, format, arguments);
    va_end(arguments);
    snprintf(notes[*count].key, sizeof notes[*count].key, "%s", key);
    ++*count;
}

double weft_fabric_file_figure(const weft_fabric_file *file, const char *key, const char *unit, double fallback) {
    double number;
    for (int i = 0; i < file->measured_count; i++)
        if (strcmp(file->measured[i].key, key) == 0 &&
            weft_number_read(file->measured[i].text, unit, &number).code == WEFT_OK)
            return number;
    return fallback;
}
