#include "cli/run_strain.h"

#include <stdlib.h>

weft_result weft_run_strain_open(weft_run_strain *strain, weft_sim *sim) {
    size_t count = (size_t)weft_sim_cloth_count(sim);
    *strain = (weft_run_strain){.cloth = calloc(count + 1, sizeof *strain->cloth)};
    if (!strain->cloth)
        return weft_fail_memory("strains", (count + 1) * sizeof *strain->cloth);
    strain->count = (int32_t)count;
    return weft_ok();
}

/* The number of triangles may have grown since the last frame. */
static weft_result make_room(weft_run_strain *strain, weft_sim *sim, int32_t cloth) {
    size_t size = ((size_t)weft_sim_cloth(sim, cloth)->mesh->triangle_count + 1) * sizeof **strain->cloth;
    void *grown = realloc(strain->cloth[cloth], size);
    if (!grown)
        return weft_fail_memory("strains", size);
    strain->cloth[cloth] = grown;
    return weft_ok();
}

weft_result weft_run_strain_follow(weft_run_strain *strain, weft_sim *sim, weft_proxies *proxies) {
    for (int32_t i = 0, shape = 0; i < strain->count; i++) {
        WEFT_TRY(make_room(strain, sim, i));
        weft_result result = weft_sim_strains(sim, i, strain->cloth[i]);
        if (result.code != WEFT_OK)
            return weft_fail(result.code, "output.strain: %.400s", result.message);
        shape += proxies->proxy[i] != NULL;
        if (!proxies->proxy[i] || proxies->keep[i])
            proxies->shape[shape++].strain = strain->cloth[i];
    }
    return weft_ok();
}

void weft_run_strain_close(weft_run_strain *strain) {
    for (int32_t i = 0; i < strain->count; i++)
        free(strain->cloth[i]);
    free(strain->cloth);
    *strain = (weft_run_strain){0};
}
