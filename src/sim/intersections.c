/* Intersections: the public queries, and the events that a step reports. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

weft_result weft_sim_crossings(weft_sim *sim, weft_crossing *crossing, int32_t capacity, int32_t *count,
                               weft_intersections *found) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE_IF(capacity > 0, crossing);
    WEFT_REQUIRE(count);
    WEFT_REQUIRE(found);
    sim_crossing_count c = {.sim = sim, .crossing = crossing, .capacity = capacity, .found = found};
    *count = 0;
    *found = (weft_intersections){0};
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_count_all(&c, 1));
    *count = c.count;
    return weft_ok();
}

weft_result weft_sim_intersections(weft_sim *sim, weft_intersections *found) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(found);
    int32_t count;
    return weft_sim_crossings(sim, NULL, 0, &count, found);
}

/* -- Watching. A step that begins without intersections and resolves all collisions ends without intersections. They
 * are therefore counted only at the start, when a body appeared or changed, when collisions were left unresolved, and
 * as long as there are any. -- */

static void keep_event(weft_sim *sim, weft_sim_event event) {
    enum { MOST = sizeof sim->event / sizeof sim->event[0] };
    if (sim->event_count < MOST)
        sim->event[sim->event_count] = event;
    sim->event_count++;
}

/* Objects are the cloths, then the bodies. */
static weft_sim_event event_of(const weft_sim *sim, int32_t cloth, int32_t object) {
    int32_t cloths = sim->cloth_count;
    return (weft_sim_event){.time = sim->time,
                            .cloth = cloth,
                            .other = object < cloths ? object : WEFT_NONE,
                            .body = object < cloths ? WEFT_NONE : object - cloths};
}

static void make_event(weft_sim *sim, int64_t pair, int64_t crossings) {
    int32_t objects = sim->cloth_count + sim->body_count;
    weft_sim_event event = event_of(sim, (int32_t)(pair / objects), (int32_t)(pair % objects));
    event.crossings = crossings == SIM_INSIDE ? 0 : crossings;
    keep_event(sim, event);
}

/* *made: number of pairs that began to intersect. `quiet`: make no events. */
static weft_result count_now(weft_sim *sim, int quiet, int64_t *made) {
    int64_t pairs = (int64_t)sim->cloth_count * (sim->cloth_count + sim->body_count);
    int64_t *now = weft_allocate((size_t)pairs, sizeof *now);
    if (!now)
        return weft_fail_memory("the audit of intersections", (size_t)pairs * sizeof *now);
    weft_intersections found;
    sim_crossing_count c = {.sim = sim, .pair = now, .found = &found};
    weft_result result = sim_count_all(&c, sim->contact_settings.self);
    if (result.code != WEFT_OK) {
        free(now);
        return result;
    }
    for (int64_t i = 0; i < pairs && !quiet; i++)
        if (now[i] != 0 && !(sim->crossed && sim->crossed_size == pairs && sim->crossed[i] != 0)) {
            make_event(sim, i, now[i]);
            (*made)++;
        }
    free(sim->crossed);
    sim->crossed = now;
    sim->crossed_size = pairs;
    sim->crossed_sum = found.self + found.cloths + found.bodies;
    return weft_ok();
}

/* `made`: number of events made already. */
static weft_result count_and_judge(weft_sim *sim, int quiet, int64_t made, weft_report *report) {
    WEFT_TRY(count_now(sim, quiet, &made));
    if (report->contact.unresolved > 0 && sim->crossed_sum == 0 && made == 0) {
        weft_sim_event event = event_of(sim, report->contact.between[0], report->contact.between[1]);
        event.left = report->contact.unresolved;
        keep_event(sim, event);
        made = 1;
    }
    if (made > 0 && sim->contact_settings.on_intersection == WEFT_STOP)
        report->status = WEFT_STATUS_INTERSECTS;
    report->contact.intersections = sim->crossed_sum;
    return weft_ok();
}

/* Whether a body was absent in the previous step. Uses the state alone, so that it also holds after resuming. */
static int appeared(const weft_sim *sim) {
    int any = 0;
    for (int32_t i = 0; i < sim->body_count; i++)
        any |= sim_body_away(sim, i, sim->time - sim->dt_before) && !sim_body_away(sim, i, sim->time);
    return any;
}

static weft_result separate_touching(weft_sim *sim, int quiet, int64_t *made) {
    weft_separation done;
    sim_touch first;
    if (sim->device.functions) { /* far faster than to separate nothing */
        int64_t touching = 0;
        WEFT_TRY(sim_device_touching(sim, &touching));
        if (touching == 0)
            return weft_ok();
    }
    WEFT_TRY(sim_separate_layers(sim, &done, &first));
    if (sim->device.functions && done.vertices > 0) { /* the device has the places before */
        sim_forget_device(sim);
        WEFT_TRY(sim_prepare_device(sim));
    }
    if (done.left == 0 || quiet)
        return weft_ok();
    weft_sim_event event = event_of(sim, first.cloth, first.object);
    event.touches = done.left;
    keep_event(sim, event);
    *made = 1;
    return weft_ok();
}

weft_result sim_watch_start(weft_sim *sim, weft_report *report) {
    int64_t made = 0;
    if (!sim->contact)
        return weft_ok();
    for (int32_t i = 0; i < sim->body_count && !sim->watch; i++)
        if (sim->body[i].motion.away && !sim_body_away(sim, i, sim->time))
            sim->watch = SIM_WATCH;
    if (sim->step_count == 0 || appeared(sim))
        WEFT_TRY(separate_touching(sim, sim->watch == SIM_WATCH_QUIETLY, &made));
    if (!sim->watch && sim->step_count > 0)
        return weft_ok();
    int quiet = sim->watch == SIM_WATCH_QUIETLY;
    sim->watch = 0;
    WEFT_TRY(sim_fetch(sim));
    return count_and_judge(sim, quiet, made, report);
}

weft_result sim_watch_end(weft_sim *sim, weft_report *report) {
    int reason = report->contact.unresolved > 0 || sim->crossed_sum > 0 || sim->contact_settings.audit;
    if (!sim->contact || !reason)
        return weft_ok();
    if (sim->device.functions && sim->crossed_sum == 0) {
        int64_t found = 0;
        WEFT_TRY(sim->device.functions->audit(sim->device.self, &found));
        if (found == 0)
            return weft_ok();
    }
    WEFT_TRY(sim_fetch(sim));
    return count_and_judge(sim, 0, 0, report);
}

int64_t weft_sim_event_count(const weft_sim *sim) { return sim->event_count; }

const weft_sim_event *weft_sim_event_at(const weft_sim *sim, int64_t index) {
    int64_t kept = (int64_t)(sizeof sim->event / sizeof sim->event[0]);
    return index >= 0 && index < sim->event_count && index < kept ? &sim->event[index] : NULL;
}
