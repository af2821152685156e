/* Reading a scene: shared by the files of this folder. */
#ifndef WEFT_SCENE_INTERNAL_H
#define WEFT_SCENE_INTERNAL_H

#include "weft/scene.h"
#include "weft/vec.h"

typedef struct scene_reader {
    const weft_registry *registry;
    const weft_scene_files *files;
    weft_sim *sim;
} scene_reader;

/* A failure with the place of `value` in front of it. */
weft_result scene_fail(const weft_value *value, const char *format, ...) WEFT_PRINTF(2, 3);
/* `result` with the place of `value` in front, when it has none yet. */
weft_result scene_at(const weft_value *value, weft_result result);
/* Refuses keys of `map` that are not in `known` (null-terminated), naming the nearest. */
weft_result scene_check_keys(const weft_value *map, const char *what, const char *const *known);
/* Numbers of a list: exactly `count`, in `unit`. */
weft_result scene_read_numbers(const weft_value *list, const char *what, const char *unit, int count, double *numbers);
weft_result scene_read_vector(const weft_value *list, const char *what, const char *unit, weft_vec3 *vector);
/* `springs` or `{name: springs, ...}`: the name, or `fallback` without one. */
weft_result scene_component_name(const weft_value *value, const char *what, const char *fallback, const char **name);
/* Sets the values of `map` at `path`.KEY, leaving `except` alone. Those of a component may be of another one of its
 * kind where `--set` gave the name: they are left out. */
weft_result scene_apply(scene_reader *reader, const weft_value *map, const char *path, const char *const *except);
weft_result scene_apply_component(scene_reader *reader, const weft_value *map, const char *path, weft_kind kind);

/* select.c: refuses keys of `entry` that neither select nor are among `others`. */
weft_result scene_check_select(const weft_value *entry, const char *owner, const char *const *others);
/* What `entry` selects, of which `owner` tells in messages. Its `vertices` are to be freed by the caller. */
weft_result scene_read_select(const weft_value *entry, const char *owner, weft_select *select);
/* maps.c: before the simulation is prepared. */
weft_result scene_read_maps(scene_reader *reader, const weft_value *maps, int32_t cloth, const weft_mesh *mesh);

weft_result scene_read_cloth(scene_reader *reader, const weft_value *value, int index);
weft_result scene_read_bodies(scene_reader *reader, const weft_value *list);
weft_result scene_read_cuts(scene_reader *reader, const weft_value *list, int32_t cloth);
weft_result scene_read_pins(scene_reader *reader, const weft_value *list, int32_t cloth);

#endif
