/* Maps of a cloth: one number, numbers from a file, or one number for a selection and another for the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_reader.h"

/* A map while it is read: one value for each vertex of the input mesh. */
typedef struct reading {
    scene_reader *reader;
    const weft_mesh *mesh;
    int32_t cloth;
    const weft_param *row;
    char what[48]; /* "maps.density" */
    double *value; /* (mesh->input_vertex_count) */
} reading;

static weft_result read_number(const reading *r, const weft_value *value, double *number) {
    double read[WEFT_MAP_COUNT];
    WEFT_TRY(weft_param_read(r->row, value, "maps", read));
    *number = read[r->row->offset / sizeof *read];
    return weft_ok();
}

static void fill(const reading *r, double number) {
    for (int32_t i = 0; i < r->mesh->input_vertex_count; i++)
        r->value[i] = number;
}

static weft_result check_count(const reading *r, const weft_value *file, int64_t count) {
    if (count == r->mesh->input_vertex_count)
        return weft_ok();
    return scene_fail(file, "%s: %.200s has %lld numbers, the cloth has %d vertices", r->what, file->text,
                      (long long)count, r->mesh->input_vertex_count);
}

static weft_result read_file(const reading *r, const weft_value *map, const weft_value *file) {
    const weft_value *other = map->first == file ? file->next : map->first;
    if (other)
        return scene_fail(other, "%s: 'file' gives a number for each vertex, '%.32s' beside it has no use", r->what,
                          other->key);
    const weft_scene_files *files = r->reader->files;
    if (file->kind != WEFT_VALUE_TEXT || !file->text[0])
        return scene_fail(file, "%s.file: needs the name of a file", r->what);
    if (!files || !files->load_numbers)
        return scene_fail(file, "%s.file: this program reads no files of numbers", r->what);
    double *number = NULL;
    int64_t count = 0;
    WEFT_TRY(scene_at(file, files->load_numbers(files->context, file->file, file->text, &number, &count)));
    weft_result result = check_count(r, file, count);
    if (result.code == WEFT_OK)
        memcpy(r->value, number, (size_t)count * sizeof *number);
    free(number);
    return result;
}

static weft_result choose(const reading *r, const weft_select *select, int32_t *vertices, double inside) {
    int32_t count;
    WEFT_TRY(weft_sim_select(r->reader->sim, r->cloth, select, vertices, &count));
    for (int32_t i = 0; i < count; i++)
        r->value[r->mesh->source_vertex[vertices[i]]] = inside;
    return weft_ok();
}

/* `{side: left, value: 3, else: 1}` */
static weft_result read_selection(const reading *r, const weft_value *map) {
    static const char *const OTHERS[] = {"value", "else", NULL};
    const weft_value *inside = weft_value_find(map, "value"), *outside = weft_value_find(map, "else");
    double number = 1, rest = 1;
    WEFT_TRY(scene_check_select(map, r->what, OTHERS));
    if (!inside)
        return scene_fail(map, "%s: needs a value for the vertices selected, as in {side: left, value: 3}", r->what);
    WEFT_TRY(read_number(r, inside, &number));
    if (outside)
        WEFT_TRY(read_number(r, outside, &rest));
    fill(r, rest);
    weft_select select = {0};
    int32_t *vertices = malloc((size_t)r->mesh->vertex_count * sizeof *vertices);
    weft_result result = vertices ? scene_read_select(map, r->what, &select)
                                  : weft_fail_memory("a map", (size_t)r->mesh->vertex_count * sizeof *vertices);
    if (result.code == WEFT_OK)
        result = scene_at(map, choose(r, &select, vertices, number));
    free((void *)select.vertices);
    free(vertices);
    return result;
}

static weft_result read_values(const reading *r, const weft_value *value) {
    if (value->kind == WEFT_VALUE_TEXT) {
        double number = 1;
        WEFT_TRY(read_number(r, value, &number));
        fill(r, number);
        return weft_ok();
    }
    if (value->kind != WEFT_VALUE_MAP)
        return scene_fail(value, "%s: needs a number, {file: FILE} or a selection, as in {side: left, value: 3}",
                          r->what);
    const weft_value *file = weft_value_find(value, "file");
    return file ? read_file(r, value, file) : read_selection(r, value);
}

static weft_result read_map(scene_reader *reader, const weft_value *value, int32_t cloth, const weft_mesh *mesh,
                            const weft_param *row) {
    reading r = {.reader = reader, .mesh = mesh, .cloth = cloth, .row = row};
    snprintf(r.what, sizeof r.what, "maps.%s", row->name);
    r.value = malloc((size_t)mesh->input_vertex_count * sizeof *r.value);
    if (!r.value)
        return weft_fail_memory("a map", (size_t)mesh->input_vertex_count * sizeof *r.value);
    weft_result result = read_values(&r, value);
    if (result.code == WEFT_OK)
        result = scene_at(value, weft_sim_set_map(reader->sim, cloth, (weft_map)(row - weft_map_params()), r.value,
                                                  mesh->input_vertex_count));
    free(r.value);
    return result;
}

weft_result scene_read_maps(scene_reader *reader, const weft_value *maps, int32_t cloth, const weft_mesh *mesh) {
    if (!maps)
        return weft_ok();
    const char *names[WEFT_MAP_COUNT + 1] = {NULL};
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        names[m] = weft_map_params()[m].name;
    WEFT_TRY(scene_check_keys(maps, "maps", names));
    for (const weft_param *row = weft_map_params(); row->name; row++) {
        const weft_value *value = weft_value_find(maps, row->name);
        if (value)
            WEFT_TRY(read_map(reader, value, cloth, mesh, row));
    }
    return weft_ok();
}
