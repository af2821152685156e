/* Bodies of a scene: a shape or a mesh file with its settings, and optional keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_reader.h"
#include "weft/text.h"

static weft_result read_number(const weft_value *map, const char *key, const char *unit, double *number) {
    const weft_value *value = weft_value_find(map, key);
    if (!value)
        return weft_ok();
    if (value->kind != WEFT_VALUE_TEXT)
        return scene_fail(value, "bodies.keys.%s: needs a number", key);
    weft_result result = weft_number_read(value->text, unit, number);
    return result.code == WEFT_OK ? result : scene_fail(value, "bodies.keys.%s: %s", key, result.message);
}

static weft_result read_key(const weft_value *map, weft_body_key *key) {
    static const char *const KEYS[] = {"time", "offset", "angle", "scale", NULL};
    WEFT_TRY(scene_check_keys(map, "bodies.keys", KEYS));
    if (!weft_value_find(map, "time"))
        return scene_fail(map, "bodies.keys: a key needs a time");
    key->scale = 1;
    WEFT_TRY(read_number(map, "time", "s", &key->time));
    WEFT_TRY(read_number(map, "angle", "rad", &key->angle));
    WEFT_TRY(read_number(map, "scale", "", &key->scale));
    const weft_value *offset = weft_value_find(map, "offset");
    return offset ? scene_read_vector(offset, "bodies.keys.offset", "m", &key->offset) : weft_ok();
}

static weft_result read_keys(scene_reader *reader, const weft_value *list, int32_t body) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "bodies.keys: needs a list, as in [{time: 0, offset: [0, 0, 0]}]");
    weft_body_key *keys = calloc((size_t)list->count + 1, sizeof *keys);
    if (!keys)
        return weft_fail_memory("keys", (size_t)list->count * sizeof *keys);
    weft_result result = weft_ok();
    int32_t count = 0;
    for (const weft_value *item = list->first; item && result.code == WEFT_OK; item = item->next)
        result = read_key(item, &keys[count++]);
    if (result.code == WEFT_OK)
        result = scene_at(list, weft_sim_set_body_keys(reader->sim, body, keys, count));
    free(keys);
    return result;
}

/* `mesh: chair.obj` or `mesh: {file: chair.obj}`. */
static const weft_value *file_of(const weft_value *settings) {
    return settings->kind == WEFT_VALUE_TEXT ? settings : weft_value_find(settings, "file");
}

static weft_result load(scene_reader *reader, const weft_value *entry, const weft_value *settings, weft_mesh **mesh) {
    const weft_value *file = settings ? file_of(settings) : NULL;
    if (!file || file->kind != WEFT_VALUE_TEXT || !file->text[0])
        return scene_fail(settings ? settings : entry,
                          "bodies.mesh: needs the name of a file, as in mesh: {file: chair.obj}");
    const weft_scene_files *files = reader->files;
    if (!files || !(files->load_body || files->load_mesh))
        return scene_fail(file, "bodies.mesh.file: this program reads no mesh files");
    weft_result (*read)(void *, const char *, const char *, weft_mesh **) =
        files->load_body ? files->load_body : files->load_mesh;
    return scene_at(file, read(files->context, file->file, file->text, mesh));
}

static double number_at(const scene_reader *reader, int32_t body, const char *name) {
    char path[48], text[64];
    snprintf(path, sizeof path, "bodies.%d.%s", body, name);
    return weft_sim_get(reader->sim, path, text, sizeof text).code == WEFT_OK ? weft_real_parse(text, NULL) : 0;
}

/* Reads the animation that the mesh file itself holds, sampled at every step unless `rate` is given. */
static weft_result read_animation(scene_reader *reader, const weft_value *settings, const weft_mesh *mesh,
                                  int32_t body) {
    const weft_value *file = file_of(settings);
    const weft_value *name = weft_value_find(settings, "animation");
    const weft_value *rate = weft_value_find(settings, "rate");
    if ((name && strcmp(name->text, "none") == 0) || !reader->files->load_animation)
        return weft_ok();
    const weft_clock *clock = weft_sim_clock(reader->sim);
    double step = clock->mode == WEFT_TIME_FIXED ? 1 / (clock->rate * weft_clock_steps(clock)) : clock->step;
    weft_body_frames frames = {.start = number_at(reader, body, "start")};
    weft_animation_wish wish = {.name = name ? name->text : "",
                                .rate = rate ? number_at(reader, body, "rate") : 1 / step,
                                .length = clock->frames / clock->rate - frames.start,
                                .is_exact = rate != NULL};
    WEFT_TRY(scene_at(name ? name : file, reader->files->load_animation(reader->files->context, file->file, file->text,
                                                                        &wish, mesh, &frames)));
    weft_result result =
        frames.frame_count > 0 ? scene_at(file, weft_sim_set_body_frames(reader->sim, body, &frames)) : weft_ok();
    free((void *)frames.position);
    return result;
}

/* Reads the frames of an animated mesh: `cache`, or all files if `file` is a sequence. The simulation owns the mesh. */
static weft_result read_frames(scene_reader *reader, const weft_value *settings, const weft_mesh *mesh, int32_t body) {
    const weft_value *value = weft_value_find(settings, "cache");
    if (!value && strchr(file_of(settings)->text, '%'))
        value = file_of(settings);
    if (!value)
        return read_animation(reader, settings, mesh, body);
    if (!reader->files->load_frames)
        return scene_fail(value, "bodies.mesh.%s: this program reads no sequences of meshes", value->key);
    weft_body_frames frames = {.rate = number_at(reader, body, "rate"), .start = number_at(reader, body, "start")};
    WEFT_TRY(
        scene_at(value, reader->files->load_frames(reader->files->context, value->file, value->text, mesh, &frames)));
    weft_result result = scene_at(value, weft_sim_set_body_frames(reader->sim, body, &frames));
    free((void *)frames.position);
    return result;
}

static weft_result check_times(const scene_reader *reader, const weft_value *settings, const char *name, int32_t body) {
    double appears = number_at(reader, body, "appears"), vanishes = number_at(reader, body, "vanishes");
    if (vanishes > appears)
        return weft_ok();
    const weft_value *where = weft_value_find(settings, "vanishes");
    return scene_fail(where ? where : settings, "bodies.%.32s.vanishes: %g s is not after it appears, at %g s", name,
                      vanishes, appears);
}

static weft_result set_file(scene_reader *reader, const weft_value *file, const char *body) {
    char path[48];
    snprintf(path, sizeof path, "%s.file", body);
    return scene_at(file, weft_sim_set(reader->sim, path, file->text));
}

/* An animation begins when the garments have settled, unless the scene says otherwise. Shapes have none. */
static void delay(scene_reader *reader, const char *body) {
    char path[48];
    snprintf(path, sizeof path, "%s.start", body);
    if (reader->settle > 0)
        (void)weft_sim_set_real(reader->sim, path, reader->settle);
}

/* The setting that a message such as "mannequin.chest: ..." names, else all of them, or the entry. */
static const weft_value *find_named(const weft_value *entry, const weft_value *settings, const char *message) {
    for (const weft_value *value = settings ? settings->first : NULL; value; value = value->next) {
        const char *named = strstr(message, value->key);
        if (named && named > message && named[-1] == '.' && named[strlen(value->key)] == ':')
            return value;
    }
    return settings ? settings : entry;
}

/* An entry is `plane` or `sphere: {radius: 0.3, keys: [...]}`. */
static weft_result read_body(scene_reader *reader, const weft_value *entry) {
    static const char *const EXCEPT[] = {"keys", NULL};
    const char *name = entry->text;
    const weft_value *settings = NULL;
    if (entry->kind == WEFT_VALUE_MAP && entry->count == 1) {
        name = entry->first->key;
        settings = entry->first;
    } else if (entry->kind != WEFT_VALUE_TEXT) {
        return scene_fail(entry,
                          "bodies: an entry is a name, or one name with its values, as in sphere: {radius: 0.3}");
    }
    int is_file = settings && strcmp(name, "mesh") == 0 && settings->kind == WEFT_VALUE_TEXT && settings->text[0];
    if (settings && settings->kind != WEFT_VALUE_MAP && !is_file)
        return scene_fail(settings, "bodies.%.32s: needs named values, as in {at: [0, 1, 0]}", name);
    weft_mesh *mesh = NULL;
    if (strcmp(name, "mesh") == 0)
        WEFT_TRY(load(reader, entry, settings, &mesh));
    int32_t index;
    WEFT_TRY(scene_at(entry, weft_sim_add_body(reader->sim, name, mesh, &index)));
    char path[32];
    snprintf(path, sizeof path, "bodies.%d", index);
    delay(reader, path);
    if (is_file)
        WEFT_TRY(set_file(reader, settings, path));
    else
        WEFT_TRY(scene_apply(reader, settings, path, EXCEPT));
    WEFT_TRY(check_times(reader, settings ? settings : entry, name, index));
    weft_result made = weft_sim_make_body(reader->sim, index);
    if (made.code != WEFT_OK)
        return scene_at(find_named(entry, settings, made.message), made);
    if (mesh)
        WEFT_TRY(read_frames(reader, settings, mesh, index));
    return read_keys(reader, settings && !is_file ? weft_value_find(settings, "keys") : NULL, index);
}

weft_result scene_read_bodies(scene_reader *reader, const weft_value *list) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "bodies: needs a list, as in [plane, sphere: {radius: 0.3}]");
    for (const weft_value *entry = list->first; entry; entry = entry->next)
        WEFT_TRY(read_body(reader, entry));
    return weft_ok();
}
