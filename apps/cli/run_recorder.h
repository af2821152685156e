/* Records the frames of a run: measures, rows of frames.csv and the files of the writers. On a device a thread records
 * each frame while the next one is computed. */
#ifndef WEFT_APPS_CLI_RUN_RECORDER_H
#define WEFT_APPS_CLI_RUN_RECORDER_H

#include <pthread.h>

#include "apps/cli/run_output.h"
#include "io/run_log.h"
#include "io/yarn_watch.h"
#include "weft/still.h"

typedef struct weft_run_recorder {
    weft_sim *sim;
    weft_run_output *output;
    weft_run_log *log;
    weft_yarn_watch *yarns;
    weft_still *still; /* null: frames are recorded at once */
    pthread_t thread;
    int running; /* whether the thread records a frame */
    /* of that frame: */
    weft_report report;
    int32_t steps;
    double seconds;
    weft_frame_log row;
    weft_result result;
} weft_run_recorder;

weft_run_recorder weft_run_recorder_make(weft_sim *sim, weft_run_output *output, weft_run_log *log,
                                         weft_yarn_watch *yarns);
/* From now on frames are recorded while the next ones are computed, if a device computes them. The simulation must then
 * not be changed between steps, unless weft_run_recorder_wait comes before. */
weft_result weft_run_recorder_overlap(weft_run_recorder *recorder);
/* Records the present frame, or begins to. Returns a failure of the frame before, too. */
weft_result weft_run_recorder_frame(weft_run_recorder *recorder, const weft_report *report, int32_t steps,
                                    double seconds);
/* All frames are recorded when this returns. */
weft_result weft_run_recorder_wait(weft_run_recorder *recorder);
void weft_run_recorder_close(weft_run_recorder *recorder);

#endif
