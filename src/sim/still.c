/* A still is a second simulation struct. It shares the constants (meshes, models, settings) with the simulation, and
 * owns what steps change: the state, the places of bodies and the scratch memory of readers. */
#include "sim/still.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/require.h"

struct weft_still {
    weft_sim *of;
    weft_sim shown;
    weft_vec3 *memory; /* four arrays: positions and velocities, now and one step earlier (4 x room) */
    int32_t room;      /* vertices */
    int32_t body_room;
    weft_arena *arena;    /* of readers */
    pthread_mutex_t lock; /* for the values below; the reader waits while the simulation may forget the device */
    int coming;           /* whether a copy is under way */
    weft_result arrived;  /* how the last copy ended */
};

static weft_result refuse(const weft_sim *sim) {
    if (!sim->device.functions)
        return weft_fail(WEFT_UNSUPPORTED, "stills: only a device makes steps while its last state is read");
    return sim->device.still ? weft_fail(WEFT_BAD_INPUT, "stills: the simulation has one already") : weft_ok();
}

weft_result weft_still_create(weft_sim *sim, weft_still **made) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(made);
    *made = NULL;
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(refuse(sim));
    weft_still *still = weft_allocate(1, sizeof *still);
    if (!still)
        return weft_fail_memory("a still", sizeof *still);
    still->of = sim;
    still->arena = weft_arena_create();
    still->shown.equations = weft_allocate(1, sizeof *still->shown.equations);
    still->arrived = weft_fail(WEFT_BAD_INPUT, "stills: none was taken");
    pthread_mutex_init(&still->lock, NULL);
    if (!still->arena || !still->shown.equations) {
        weft_still_destroy(still);
        return weft_fail_memory("a still", sizeof *still);
    }
    sim->device.still = still;
    *made = still;
    return weft_ok();
}

/* Room for the arrays of the simulation as it is now. */
static weft_result make_room(weft_still *still) {
    const weft_sim *sim = still->of;
    weft_sim *own = &still->shown;
    size_t vertices = (size_t)sim->count, cloths = (size_t)sim->cloth_count, forces = (size_t)sim->force_count;
    if (sim->count > still->room) {
        free(still->memory);
        still->memory = weft_allocate(4 * vertices, sizeof *still->memory);
        still->room = still->memory ? sim->count : 0;
    }
    if (cloths > (size_t)own->cloth_count || !own->system_cloth) {
        free(own->system_cloth);
        own->system_cloth = weft_allocate(cloths, sizeof *own->system_cloth);
    }
    if (forces > (size_t)own->force_count || !own->system_force) {
        free(own->system_force);
        own->system_force = weft_allocate(forces + 1, sizeof *own->system_force);
    }
    if (sim->body_count > still->body_room || !own->body) {
        free(own->body);
        own->body = weft_allocate((size_t)sim->body_count + 1, sizeof *own->body);
        still->body_room = own->body ? sim->body_count : 0;
    }
    if (!still->memory || !own->system_cloth || !own->system_force || !own->body)
        return weft_fail_memory("a still", 4 * vertices * sizeof *still->memory);
    return weft_ok();
}

/* Copies all but what the still owns. */
static void copy_constants(weft_still *still) {
    weft_sim *own = &still->shown, kept = still->shown;
    size_t count = (size_t)still->of->count;
    *own = *still->of;
    own->equations = kept.equations;
    own->system_cloth = kept.system_cloth;
    own->system_force = kept.system_force;
    own->body = kept.body;
    if (own->body_count > 0)
        memcpy(own->body, still->of->body, (size_t)own->body_count * sizeof *own->body);
    own->work.arena = still->arena;
    own->x = still->memory;
    own->v = own->x + count;
    own->x_before = own->x_next = own->v + count;
    own->v_before = own->v_next = own->x_before + count;
    own->device.ahead = own->device.grips_ahead = 0; /* readers of the still fetch nothing */
    own->device.still = NULL;
}

/* The device has nothing later than the host. */
static void copy_state(weft_still *still) {
    const weft_sim *sim = still->of;
    size_t size = (size_t)sim->count * sizeof *sim->x;
    memcpy(still->shown.x, sim->x, size);
    memcpy(still->shown.v, sim->v, size);
    memcpy(still->shown.x_before, sim_x_before(sim), size);
    memcpy(still->shown.v_before, sim_v_before(sim), size);
}

weft_result weft_still_take(weft_still *still) {
    WEFT_REQUIRE(still);
    weft_sim *sim = still->of;
    (void)sim_still_arrive(still); /* the copy before, if nobody has waited for it */
    if (sim->device.lost.code != WEFT_OK)
        return sim->device.lost;
    WEFT_TRY(make_room(still));
    copy_constants(still);
    still->arrived = weft_ok();
    if (!sim->device.ahead) {
        copy_state(still);
        return weft_ok();
    }
    weft_result result = sim->device.functions->fetch_begin(sim->device.self, WEFT_DEVICE_STILL);
    still->coming = result.code == WEFT_OK;
    return still->coming ? result : sim_lose_device(sim, result);
}

weft_result sim_still_arrive(weft_still *still) {
    pthread_mutex_lock(&still->lock);
    if (still->coming) {
        const weft_sim *own = &still->shown;
        weft_device_state to = {own->x, own->v, own->x_before, own->v_before};
        still->arrived = own->device.functions->fetch_end(own->device.self, WEFT_DEVICE_STILL, &to);
        still->coming = 0;
    }
    weft_result result = still->arrived;
    pthread_mutex_unlock(&still->lock);
    return result;
}

weft_result weft_still_wait(weft_still *still, weft_sim **shown) {
    WEFT_REQUIRE(still);
    WEFT_REQUIRE(shown);
    *shown = &still->shown;
    return sim_still_arrive(still);
}

void weft_still_keep(weft_still *still) {
    weft_sim *sim = still->of;
    const weft_sim *own = &still->shown;
    int lost = sim->device.lost.code != WEFT_OK;
    size_t size = (size_t)sim->count * sizeof *sim->x;
    if (sim_still_arrive(still).code != WEFT_OK || own->count != sim->count ||
        own->step_count <= sim->device.step_count || (!sim->device.ahead && !lost))
        return;
    memcpy(sim->x, own->x, size);
    memcpy(sim->v, own->v, size);
    memcpy(sim_x_before(sim), own->x_before, size);
    memcpy(sim_v_before(sim), own->v_before, size);
    sim->device.time = own->time;
    sim->device.dt_before = own->dt_before;
    sim->device.step_count = own->step_count;
    sim->device.frame = own->frame;
    if (lost)
        sim_go_back(sim);
}

void weft_still_destroy(weft_still *still) {
    if (!still)
        return;
    (void)sim_still_arrive(still);
    if (still->of->device.still == still)
        still->of->device.still = NULL;
    pthread_mutex_destroy(&still->lock);
    weft_arena_destroy(still->arena);
    free(still->shown.equations);
    free(still->shown.system_cloth);
    free(still->shown.system_force);
    free(still->shown.body);
    free(still->memory);
    free(still);
}
