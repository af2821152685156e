#include "apps/cli/run_recorder.h"

#include <string.h>

#include "apps/cli/interrupt.h"

weft_run_recorder weft_run_recorder_make(weft_sim *sim, weft_run_output *output, weft_run_log *log,
                                         weft_yarn_watch *yarns) {
    return (weft_run_recorder){.sim = sim, .output = output, .log = log, .yarns = yarns};
}

/* Strains and pressures come from parts of the simulation that a still does not have. */
weft_result weft_run_recorder_overlap(weft_run_recorder *recorder) {
    if (strcmp(weft_sim_device_name(recorder->sim), "cpu") == 0 || recorder->output->fields.plan)
        return weft_ok();
    return weft_still_create(recorder->sim, &recorder->still);
}

/* Makes the row of a frame and writes its files. */
static weft_result record(weft_run_recorder *r, weft_sim *sim) {
    r->row = weft_frame_log_of(sim, &r->report, r->steps, r->seconds);
    WEFT_TRY(weft_sim_measure(sim, &r->row.measures));
    WEFT_TRY(weft_yarn_watch_frame(r->yarns, sim, &r->row.measures));
    return weft_run_output_frame(r->output, sim);
}

static void *record_still(void *context) {
    weft_run_recorder *r = context;
    weft_sim *shown;
    r->result = weft_still_wait(r->still, &shown);
    if (r->result.code == WEFT_OK)
        r->result = record(r, shown);
    return NULL;
}

static weft_result begin(weft_run_recorder *r) {
    WEFT_TRY(weft_still_take(r->still));
    int error = pthread_create(&r->thread, NULL, record_still, r);
    r->running = error == 0;
    return r->running ? weft_ok() : weft_fail(WEFT_NO_MEMORY, "no thread for the frames: %s", strerror(error));
}

weft_result weft_run_recorder_frame(weft_run_recorder *r, const weft_report *report, int32_t steps, double seconds) {
    double since = weft_wall_clock();
    WEFT_TRY(weft_run_recorder_wait(r));
    r->report = *report;
    r->steps = steps;
    r->seconds = seconds;
    if (r->still)
        return begin(r);
    WEFT_TRY(record(r, r->sim));
    r->row.write_seconds = weft_wall_clock() - since;
    return weft_run_log_add(r->log, &r->row);
}

/* A run with a still counts as writing only the time for which it waits. */
weft_result weft_run_recorder_wait(weft_run_recorder *r) {
    if (!r->running)
        return weft_ok();
    double since = weft_wall_clock();
    pthread_join(r->thread, NULL);
    r->running = 0;
    weft_still_keep(r->still);
    WEFT_TRY(r->result);
    r->row.write_seconds = weft_wall_clock() - since;
    return weft_run_log_add(r->log, &r->row);
}

void weft_run_recorder_close(weft_run_recorder *r) {
    (void)weft_run_recorder_wait(r); /* a failure before this one is reported */
    weft_still_destroy(r->still);
    *r = (weft_run_recorder){0};
}
