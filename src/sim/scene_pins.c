/* Pins of a scene: the vertices, and optional keys and release time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_reader.h"

static weft_result read_number(const weft_value *value, const char *what, const char *unit, double *number) {
    if (value->kind != WEFT_VALUE_TEXT)
        return scene_fail(value, "%s: needs a number", what);
    weft_result result = weft_number_read(value->text, unit, number);
    return result.code == WEFT_OK ? result : scene_fail(value, "%s: %s", what, result.message);
}

static weft_result read_key(const weft_value *map, weft_key *key) {
    static const char *const KEYS[] = {"time", "offset", "angle", NULL};
    WEFT_TRY(scene_check_keys(map, "pins.keys", KEYS));
    const weft_value *time = weft_value_find(map, "time"), *offset = weft_value_find(map, "offset");
    const weft_value *angle = weft_value_find(map, "angle");
    if (!time)
        return scene_fail(map, "pins.keys: a key needs a time");
    WEFT_TRY(read_number(time, "pins.keys.time", "s", &key->time));
    if (offset)
        WEFT_TRY(scene_read_vector(offset, "pins.keys.offset", "m", &key->offset));
    return angle ? read_number(angle, "pins.keys.angle", "rad", &key->angle) : weft_ok();
}

/* The caller frees the keys. */
static weft_result read_keys(const weft_value *list, weft_pin *pin) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "pins.keys: needs a list, as in [{time: 0, offset: [0, 0, 0]}]");
    weft_key *keys = calloc((size_t)list->count + 1, sizeof *keys);
    if (!keys)
        return weft_fail_memory("keys", (size_t)list->count * sizeof *keys);
    pin->key = keys;
    for (const weft_value *item = list->first; item; item = item->next)
        WEFT_TRY(read_key(item, &keys[pin->key_count++]));
    return weft_ok();
}

static weft_result read_motion(const weft_value *value, weft_pin *pin) {
    const weft_value *release = weft_value_find(value, "release"), *axis = weft_value_find(value, "axis");
    const weft_value *centre = weft_value_find(value, "centre");
    const weft_value *begin = weft_value_find(value, "begin");
    if (begin)
        WEFT_TRY(read_number(begin, "pins.begin", "s", &pin->begin));
    if (release)
        WEFT_TRY(read_number(release, "pins.release", "s", &pin->release));
    if (axis)
        WEFT_TRY(scene_read_vector(axis, "pins.axis", "", &pin->axis));
    if (centre)
        WEFT_TRY(scene_read_vector(centre, "pins.centre", "m", &pin->centre));
    return read_keys(weft_value_find(value, "keys"), pin);
}

/* Loads the cache of a pin. The caller frees `frames->position`. */
static weft_result load_path(scene_reader *reader, const weft_value *entry, const weft_value *value,
                             weft_body_frames *frames) {
    const weft_scene_files *files = reader->files;
    const weft_value *cache = weft_value_find(value, "cache");
    const weft_value *rate = weft_value_find(value, "rate"), *start = weft_value_find(value, "start");
    if (!files || !files->load_frames)
        return scene_fail(cache, "pins.cache: this program reads no caches");
    if (cache->kind != WEFT_VALUE_TEXT || !cache->text[0])
        return scene_fail(cache, "pins.cache: needs the name of a file");
    frames->rate = 30;
    if (rate)
        WEFT_TRY(read_number(rate, "pins.rate", "1/s", &frames->rate));
    if (start)
        WEFT_TRY(read_number(start, "pins.start", "s", &frames->start));
    WEFT_TRY(scene_at(cache, files->load_frames(files->context, cache->file, cache->text, NULL, frames)));
    return scene_place(entry, (weft_vec3 *)frames->position, (int64_t)frames->frame_count * frames->vertex_count);
}

/* Adds a pin that follows a cache: of its `count` vertices in ascending order, or of all vertices of the mesh file. */
static weft_result add_path(scene_reader *reader, int32_t cloth, const weft_pin *pin, const weft_body_frames *frames,
                            const int32_t *vertices, int32_t count) {
    const weft_mesh *mesh = weft_sim_cloth(reader->sim, cloth)->mesh;
    if (frames->vertex_count != count && frames->vertex_count != mesh->input_vertex_count)
        return weft_fail(WEFT_BAD_INPUT,
                         "pins.cache: has %d vertices; %d are needed, those of the pin, or %d, those of the mesh",
                         frames->vertex_count, count, mesh->input_vertex_count);
    int whole = frames->vertex_count != count;
    size_t size = (size_t)frames->frame_count * (size_t)count * sizeof(weft_vec3);
    weft_vec3 *path = malloc(size + 1), *at = path;
    if (!path)
        return weft_fail_memory("the path of a pin", size);
    for (int32_t f = 0; f < frames->frame_count; f++)
        for (int32_t i = 0; i < count; i++)
            *at++ = frames->position[(size_t)f * (size_t)frames->vertex_count +
                                     (size_t)(whole ? mesh->source_vertex[vertices[i]] : i)];
    weft_pin moving = *pin;
    moving.path = path;
    moving.path_count = frames->frame_count;
    moving.path_rate = frames->rate;
    moving.path_start = frames->start;
    weft_result result = weft_sim_add_pin(reader->sim, cloth, &moving, vertices, count);
    free(path);
    return result;
}

/* " (walker.obj)" for a body from a file, else empty. */
static void write_file_of(const weft_sim *sim, int32_t body, char *text, size_t size) {
    char path[32], file[WEFT_STRING_SIZE];
    snprintf(path, sizeof path, "bodies.%d.file", (int)body);
    text[0] = '\0';
    if (weft_sim_get(sim, path, file, sizeof file).code == WEFT_OK && file[0])
        snprintf(text, size, " (%.80s)", file);
}

/* The body of that name, or WEFT_NONE. Fails if two bodies have it. */
static weft_result find_named(const scene_reader *reader, const weft_value *attach, const char *what, int32_t *body) {
    const weft_sim *sim = reader->sim;
    *body = WEFT_NONE;
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++) {
        if (strcmp(weft_sim_body_name(sim, i), attach->text) != 0)
            continue;
        char one[96], other[96];
        if (*body == WEFT_NONE) {
            *body = i;
            continue;
        }
        write_file_of(sim, *body, one, sizeof one);
        write_file_of(sim, i, other, sizeof other);
        return scene_fail(attach, "%s: body %d%s and body %d%s both are '%.64s'; give a number instead, as in %s: %d",
                          what, (int)*body, one, (int)i, other, attach->text, attach->key, (int)*body);
    }
    return weft_ok();
}

weft_result scene_find_body(const scene_reader *reader, const weft_value *attach, int32_t *body) {
    const char *what = strcmp(attach->key, "on") == 0 ? "cloth.on" : "pins.attach";
    if (attach->kind != WEFT_VALUE_TEXT || !attach->text[0])
        return scene_fail(attach, "%s: needs the name or the number of a body, as in %s: mannequin", what, attach->key);
    int32_t count = weft_sim_body_count(reader->sim);
    double number;
    if (weft_number_read(attach->text, "", &number).code == WEFT_OK) {
        if (!(number >= 0 && number < count) || number != (int32_t)number)
            return scene_fail(attach, "%s: there is no body %.32s; the scene has %d, numbered from 0", what,
                              attach->text, count);
        *body = (int32_t)number;
        return weft_ok();
    }
    WEFT_TRY(find_named(reader, attach, what, body));
    if (*body == WEFT_NONE)
        return scene_fail(attach, "%s: the scene has no body '%.64s'", what, attach->text);
    return weft_ok();
}

static weft_result add_pin(scene_reader *reader, const weft_value *entry, const weft_value *value, int32_t cloth,
                           const weft_select *select, const weft_pin *pin) {
    int32_t count, total = weft_sim_cloth(reader->sim, cloth)->mesh->vertex_count;
    int32_t *vertices = malloc((size_t)total * sizeof *vertices);
    if (!vertices)
        return weft_fail_memory("pins", (size_t)total * sizeof *vertices);
    weft_result result = weft_sim_select(reader->sim, cloth, select, vertices, &count);
    weft_body_frames frames = {0};
    int moves = weft_value_find(value, "cache") != NULL;
    if (result.code == WEFT_OK && moves)
        result = load_path(reader, entry, value, &frames);
    if (result.code == WEFT_OK)
        result = moves ? add_path(reader, cloth, pin, &frames, vertices, count)
                       : weft_sim_add_pin(reader->sim, cloth, pin, vertices, count);
    free((void *)frames.position);
    free(vertices);
    return scene_at(value, result);
}

/* `rate` and `start` belong to a cache. */
static weft_result check_cache_keys(const weft_value *value) {
    const weft_value *lost = weft_value_find(value, "rate");
    if (!lost)
        lost = weft_value_find(value, "start");
    return lost && !weft_value_find(value, "cache") ? scene_fail(lost, "pins.%s: needs a `cache`", lost->key)
                                                    : weft_ok();
}

static weft_result read_pin(scene_reader *reader, const weft_value *entry, const weft_value *value, int32_t cloth) {
    static const char *const OTHERS[] = {"keys",  "begin", "release", "axis",   "centre",
                                         "cache", "rate",  "start",   "attach", NULL};
    WEFT_TRY(scene_check_select(value, "pins", OTHERS));
    WEFT_TRY(check_cache_keys(value));
    weft_select select = {0};
    weft_pin pin = weft_pin_default();
    weft_result result = scene_read_select(value, "pins", &select);
    if (result.code == WEFT_OK)
        result = read_motion(value, &pin);
    const weft_value *attach = weft_value_find(value, "attach");
    if (result.code == WEFT_OK && attach)
        result = scene_find_body(reader, attach, &pin.body);
    pin.attached = attach != NULL;
    if (result.code == WEFT_OK)
        result = add_pin(reader, entry, value, cloth, &select, &pin);
    free((void *)pin.key);
    free((void *)select.vertices);
    return result;
}

weft_result scene_read_pins(scene_reader *reader, const weft_value *entry, int32_t cloth) {
    const weft_value *list = weft_value_find(entry, "pins");
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "pins: needs a list, as in [{side: left}]");
    for (const weft_value *pin = list->first; pin; pin = pin->next)
        WEFT_TRY(read_pin(reader, entry, pin, cloth));
    return weft_ok();
}
