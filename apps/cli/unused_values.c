#include "apps/cli/unused_values.h"

#include <stdio.h>

#include "io/unused.h"

static void note_cloth(weft_scene_file *scene, int32_t cloth, const char *section) {
    const weft_value *map = weft_value_find(weft_scene_file_cloth(scene, cloth), section);
    for (const weft_value *value = map ? map->first : NULL; value; value = value->next) {
        char path[80], text[400];
        snprintf(path, sizeof path, "%s.%.64s", section, value->key);
        weft_unused unused = weft_unused_of_cloth(scene->sim, cloth, path);
        if (!unused.why)
            continue;
        snprintf(text, sizeof text, "cloth '%.64s': %s does not use %s: %.120s",
                 weft_sim_cloth(scene->sim, cloth)->name, unused.user, path, unused.why);
        weft_scene_file_note(scene, text);
    }
}

static void note_values(weft_scene_file *scene, const weft_value *map, const char *section) {
    for (const weft_value *value = map->first; value; value = value->next) {
        char path[160], text[400];
        snprintf(path, sizeof path, "%.80s.%.64s", section, value->key);
        if (value->kind == WEFT_VALUE_MAP) /* a group */
            note_values(scene, value, path);
        weft_unused unused = weft_unused_of_path(scene->sim, path);
        if (!unused.why)
            continue;
        snprintf(text, sizeof text, "%s does not use %s: %.120s", unused.user, path, unused.why);
        weft_scene_file_note(scene, text);
    }
}

static void note_section(weft_scene_file *scene, const char *section) {
    const weft_value *map = weft_value_find(weft_tree_root(scene->tree), section);
    if (map)
        note_values(scene, map, section);
}

void weft_unused_values_note(weft_scene_file *scene) {
    note_section(scene, "time");
    note_section(scene, "contact");
    note_section(scene, "integrator");
    for (int32_t i = 0; i < weft_sim_cloth_count(scene->sim); i++) {
        note_cloth(scene, i, "fabric");
        note_cloth(scene, i, "model");
        note_cloth(scene, i, "maps");
    }
}
