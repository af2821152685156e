/* The state on the host while a device computes the steps. */
#include <stdlib.h>

#include "contact/barrier.h"
#include "sim/still.h"
#include "weft/sort.h"

void sim_go_back(weft_sim *sim) {
    sim->device.ahead = sim->device.grips_ahead = 0;
    sim->grips[0].count = 0;
    sim->time = sim->device.time;
    sim->step_count = sim->device.step_count;
    sim->frame = sim->device.frame;
    sim->frame_done = 0;
    sim->dt_before = sim->device.dt_before;
}

weft_result sim_lose_device(weft_sim *sim, weft_result why) {
    sim->device.lost = weft_fail(why.code, "device '%.64s': %.400s", sim->device.settings.name, why.message);
    sim_go_back(sim);
    return sim->device.lost;
}

weft_result sim_fetch(weft_sim *sim) {
    sim_device *device = &sim->device;
    if (!device->ahead)
        return weft_ok();
    weft_device_state to = {sim->x, sim->v, sim_x_before(sim), sim_v_before(sim)};
    weft_result result = device->functions->fetch_begin(device->self, WEFT_DEVICE_PRESENT);
    if (result.code == WEFT_OK)
        result = device->functions->fetch_end(device->self, WEFT_DEVICE_PRESENT, &to);
    if (result.code != WEFT_OK)
        return sim_lose_device(sim, result);
    device->ahead = 0;
    device->time = sim->time; /* of the state that the host has now, should the device be lost */
    device->dt_before = sim->dt_before;
    device->step_count = sim->step_count;
    device->frame = sim->frame;
    return result;
}

static weft_result take_grips(weft_sim *sim, const weft_device_grip *from, int32_t count) {
    weft_contact_grips *to = &sim->grips[0];
    if (count > to->capacity) {
        weft_contact_grip *grown = realloc(to->grip, (size_t)count * sizeof *grown);
        if (!grown)
            return weft_fail_memory("grips", (size_t)count * sizeof *grown);
        to->grip = grown;
        to->capacity = count;
    }
    for (int32_t i = 0; i < count; i++) {
        to->grip[i] = (weft_contact_grip){.kind = from[i].kind, .reach = from[i].reach, .slip = from[i].slip};
        memcpy(to->grip[i].vertex, from[i].vertex, sizeof from[i].vertex);
    }
    to->count = count;
    if (count > 1)
        weft_sort(to->grip, (size_t)count, sizeof *to->grip, barrier_compare_grips);
    return weft_ok();
}

weft_result sim_fetch_grips(weft_sim *sim) {
    sim_device *device = &sim->device;
    weft_device_grip *grips = NULL;
    int32_t count = 0;
    if (!device->grips_ahead)
        return weft_ok();
    weft_result result = device->functions->fetch_grips(device->self, &grips, &count);
    if (result.code == WEFT_OK)
        result = take_grips(sim, grips, count);
    free(grips);
    if (result.code != WEFT_OK)
        return sim_lose_device(sim, result);
    device->grips_ahead = 0;
    return result;
}

void sim_fetch_quietly(const weft_sim *sim) { sim_fetch((weft_sim *)sim); }

void sim_forget_device(weft_sim *sim) {
    sim_device *device = &sim->device;
    if (!device->self)
        return;
    sim_fetch_quietly(sim);
    sim_fetch_grips(sim);
    if (device->still)
        (void)sim_still_arrive(device->still);
    device->functions->destroy(device->self);
    device->self = NULL;
    device->ahead = device->grips_ahead = 0;
}
