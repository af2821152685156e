/* Cuts of a scene: the time, and the path on the cloth at rest. */
#include <stdlib.h>

#include "sim/scene_reader.h"

static weft_result read_path(const weft_value *list, weft_vec3 *path) {
    int32_t i = 0;
    for (const weft_value *point = list->first; point; point = point->next)
        WEFT_TRY(scene_read_vector(point, "cuts.path", "m", &path[i++]));
    return weft_ok();
}

static weft_result read_cut(scene_reader *reader, const weft_value *entry, int32_t cloth) {
    static const char *const EXCEPT[] = {"path", NULL};
    weft_cut cut = {0};
    weft_params_default(weft_cut_params(), &cut);
    WEFT_TRY(weft_params_read(weft_cut_params(), entry, "cuts", EXCEPT, &cut));
    const weft_value *list = weft_value_find(entry, "path");
    if (!list || list->kind != WEFT_VALUE_LIST || list->count < 2)
        return scene_fail(list ? list : entry, "cuts.path: needs at least two points, as in [[0, 0, 0], [1, 0, 0]]");
    weft_vec3 *path = calloc((size_t)list->count, sizeof *path);
    if (!path)
        return weft_fail_memory("a cut", (size_t)list->count * sizeof *path);
    weft_result result = read_path(list, path);
    cut.path = path;
    cut.path_count = list->count;
    if (result.code == WEFT_OK)
        result = scene_at(list, weft_sim_add_cut(reader->sim, cloth, &cut));
    free(path);
    return result;
}

weft_result scene_read_cuts(scene_reader *reader, const weft_value *list, int32_t cloth) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "cuts: needs a list, as in [{at: 1 s, path: [[0, 0, 0], [1, 0, 0]]}]");
    for (const weft_value *entry = list->first; entry; entry = entry->next)
        WEFT_TRY(read_cut(reader, entry, cloth));
    return weft_ok();
}
