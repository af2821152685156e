/* The state on the host while a device computes the steps. */
#include "state/state.h"

weft_result sim_lose_device(weft_sim *sim, weft_result why) {
    sim->device.lost = weft_fail(why.code, "device '%.64s': %.400s", sim->device.settings.name, why.message);
    sim->device.ahead = 0;
    sim->time = sim->device.time;
    sim->step_count = sim->device.step_count;
    sim->frame_done = 0;
    sim->dt_before = 0;
    return sim->device.lost;
}

weft_result sim_fetch(weft_sim *sim) {
    sim_device *device = &sim->device;
    if (!device->ahead)
        return weft_ok();
    weft_device_state to = {sim->x, sim->v, sim_x_before(sim), sim_v_before(sim)};
    weft_result result = device->functions->fetch_begin(device->self);
    if (result.code == WEFT_OK)
        result = device->functions->fetch_end(device->self, &to);
    if (result.code != WEFT_OK)
        return sim_lose_device(sim, result);
    device->ahead = 0;
    return result;
}

void sim_fetch_quietly(const weft_sim *sim) { sim_fetch((weft_sim *)sim); }

void sim_forget_device(weft_sim *sim) {
    sim_device *device = &sim->device;
    if (!device->self)
        return;
    sim_fetch_quietly(sim);
    device->functions->destroy(device->self);
    device->self = NULL;
    device->ahead = 0;
}
