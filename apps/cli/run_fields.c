#include "apps/cli/run_fields.h"

#include <stdlib.h>

weft_result weft_run_fields_open(weft_run_fields *fields, const weft_output_plan *plan, weft_sim *sim) {
    size_t count = (size_t)weft_sim_cloth_count(sim) + 1;
    *fields = (weft_run_fields){.plan = plan,
                                .strain = calloc(count, sizeof *fields->strain),
                                .pressure = calloc(count, sizeof *fields->pressure)};
    if (!fields->strain || !fields->pressure)
        return weft_fail_memory("strains", count * sizeof *fields->strain);
    fields->count = (int32_t)count - 1;
    return weft_ok();
}

/* The mesh may have grown since the last frame. */
static weft_result make_room(weft_run_fields *fields, weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    size_t strains = ((size_t)mesh->triangle_count + 1) * sizeof **fields->strain;
    size_t pressures = ((size_t)mesh->vertex_count + 1) * sizeof **fields->pressure;
    void *strain = fields->plan->strain ? realloc(fields->strain[cloth], strains) : NULL;
    if (strain)
        fields->strain[cloth] = strain;
    void *pressure = fields->plan->pressure ? realloc(fields->pressure[cloth], pressures) : NULL;
    if (pressure)
        fields->pressure[cloth] = pressure;
    if ((fields->plan->strain && !strain) || (fields->plan->pressure && !pressure))
        return weft_fail_memory("strains", strains + pressures);
    return weft_ok();
}

static weft_result measure(weft_run_fields *fields, weft_sim *sim, int32_t cloth) {
    WEFT_TRY(make_room(fields, sim, cloth));
    weft_result result = fields->plan->strain ? weft_sim_strains(sim, cloth, fields->strain[cloth]) : weft_ok();
    if (result.code != WEFT_OK)
        return weft_fail(result.code, "output.strain: %.400s", result.message);
    return fields->plan->pressure ? weft_sim_pressures(sim, cloth, fields->pressure[cloth]) : weft_ok();
}

weft_result weft_run_fields_follow(weft_run_fields *fields, weft_sim *sim, weft_proxies *proxies) {
    for (int32_t i = 0, shape = 0; i < fields->count; i++) {
        WEFT_TRY(measure(fields, sim, i));
        shape += proxies->proxy[i] != NULL;
        if (proxies->proxy[i] && !proxies->keep[i])
            continue;
        proxies->shape[shape].strain = fields->strain[i];
        proxies->shape[shape++].pressure = fields->pressure[i];
    }
    return weft_ok();
}

void weft_run_fields_close(weft_run_fields *fields) {
    for (int32_t i = 0; i < fields->count; i++) {
        free(fields->strain[i]);
        free(fields->pressure[i]);
    }
    free(fields->strain);
    free(fields->pressure);
    *fields = (weft_run_fields){0};
}
