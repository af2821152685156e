/* Steps on a device. The state stays there; the host fetches it at the end of a frame, or when it is asked for. */
#include <stdio.h>

#include "core/require.h"
#include "core/seconds.h"
#include "sim/internal.h"

static const weft_param DEVICE[] = {
    {.name = "name",
     .type = WEFT_STRING,
     .offset = offsetof(weft_device_settings, name),
     .fallback = "cpu",
     .unit = "",
     .help = "processor that computes the steps: cpu, or cuda for an NVIDIA GPU",
     .flags = WEFT_FIXED},
    {.name = "number",
     .type = WEFT_INT,
     .offset = offsetof(weft_device_settings, number),
     .high = 1023,
     .fallback = "0",
     .unit = "",
     .help = "which of several GPUs, from 0 on",
     .flags = WEFT_FIXED},
    {0},
};

const weft_param *weft_device_params(void) { return DEVICE; }

static weft_result find_device(weft_sim *sim) {
    const char *name = sim->device.settings.name;
    if (strcmp(name, "cpu") == 0 || sim->device.functions)
        return weft_ok();
    const weft_component *component = weft_registry_find(sim->registry, WEFT_DEVICE, name);
    if (!component)
        return weft_fail(WEFT_UNSUPPORTED,
                         "device '%.64s' is not known to this program; cpu is, and `weft run` loads cuda if it is "
                         "installed",
                         name);
    const weft_device_functions *functions = component->functions;
    if (functions->version != WEFT_DEVICE_VERSION)
        return weft_fail(WEFT_UNSUPPORTED, "device '%.64s' was built for another version of weft: %u instead of %d",
                         name, functions->version, WEFT_DEVICE_VERSION);
    sim->device.functions = functions;
    return weft_ok();
}

weft_result sim_prepare_device(weft_sim *sim) {
    WEFT_TRY(find_device(sim));
    if (!sim->device.functions || sim->device.self)
        return weft_ok();
    int32_t scheme;
    WEFT_TRY(sim_check_device(sim, &scheme));
    weft_result result = sim_create_device(sim, scheme);
    if (result.code != WEFT_OK)
        return weft_fail(result.code, "device '%.64s': %.400s", sim->device.settings.name, result.message);
    sim->device.lost = weft_ok();
    return sim->device.functions->describe(sim->device.settings.number, sim->device.hardware,
                                           sizeof sim->device.hardware);
}

/* Room for all vertices that pins and drags hold. */
static weft_result reserve_held(weft_sim *sim) {
    int64_t most = sim->drag_count;
    for (int32_t p = 0; p < sim->pin_count; p++)
        most += sim->pin[p].count;
    if (most <= sim->device.held_room)
        return weft_ok();
    free(sim->device.held);
    free(sim->device.target);
    sim->device.held = weft_allocate((size_t)most, sizeof *sim->device.held);
    sim->device.target = weft_allocate((size_t)most, sizeof *sim->device.target);
    sim->device.held_room = sim->device.held && sim->device.target ? (int32_t)most : 0;
    return sim->device.held_room ? weft_ok() : weft_fail_memory("pins", (size_t)most * sizeof *sim->device.target);
}

static void add_held(weft_sim *sim, int32_t vertex, int32_t *count) {
    if (!sim->held[vertex])
        return;
    sim->device.held[*count] = vertex;
    sim->device.target[(*count)++] = sim->target[vertex];
}

static int32_t list_held(weft_sim *sim) {
    int32_t count = 0;
    for (int32_t p = 0; p < sim->pin_count; p++)
        for (int32_t i = 0; i < sim->pin[p].count; i++)
            add_held(sim, sim->pin[p].vertex[i], &count);
    for (int32_t i = 0; i < sim->drag_count; i++)
        add_held(sim, sim->drag[i].vertex, &count);
    return count;
}

/* Implicit schemes evaluate forces at the end of the step. */
static double force_time(const weft_sim *sim, double dt) {
    unsigned needs = ((const weft_integrator_functions *)sim->integrator->functions)->needs;
    return needs & WEFT_HESSIANS ? sim->time + dt : sim->time;
}

/* The caller reports device.lost. */
static weft_status lose(weft_sim *sim, weft_result why) {
    sim_lose_device(sim, why);
    return WEFT_STATUS_NO_MEMORY;
}

weft_status sim_device_step(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report) {
    sim_device *device = &sim->device;
    double since = weft_seconds();
    int32_t blocked = 0;
    weft_arena_empty(sim->work.arena);
    sim_apply_inputs(sim, dt);
    weft_result result = reserve_held(sim);
    if (!device->ahead) {
        device->time = sim->time;
        device->dt_before = sim->dt_before;
        device->step_count = sim->step_count;
        device->frame = sim->frame;
    }
    if (result.code != WEFT_OK)
        return lose(sim, result);
    weft_device_step step = {.dt = dt,
                             .dt_before = sim->dt_before,
                             .air = sim_device_air(sim, force_time(sim, dt)),
                             .held = device->held,
                             .target = device->target,
                             .held_count = list_held(sim),
                             .gives_up = halvings_left > 1,
                             .blocked = &blocked};
    weft_status status = sim_device_bodies(sim, &step);
    weft_solve solve = {0};
    report->seconds[WEFT_PHASE_INPUT] += weft_seconds() - since;
    if (status != WEFT_STATUS_OK) {
        sim_note_trouble(report, WEFT_TROUBLE_FAR);
        return status;
    }
    result = device->functions->step(device->self, &step, &status, &solve);
    report->seconds[WEFT_PHASE_INTEGRATE] += weft_seconds() - since;
    if (result.code != WEFT_OK)
        return lose(sim, result);
    sim_add_solve(&report->solve, &solve);
    device->blocked = status != WEFT_STATUS_OK && blocked;
    if (status != WEFT_STATUS_OK)
        return status;
    device->ahead = 1;
    sim->dt_before = dt;
    sim->time += dt;
    return sim_device_contacts(sim, report);
}
