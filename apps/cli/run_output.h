/* The frame files of a run: calls all writers in turn. */
#ifndef WEFT_APPS_CLI_RUN_OUTPUT_H
#define WEFT_APPS_CLI_RUN_OUTPUT_H

#include "apps/cli/output_plan.h"
#include "apps/cli/proxies.h"
#include "apps/cli/run_fields.h"
#include "apps/cli/run_take.h"
#include "weft-io/writer.h"
#include "weft/sim.h"

typedef struct weft_run_output {
    const weft_output_plan *plan;
    weft_proxies *proxies;
    void *self[WEFT_MOST_WRITERS];
    int open_count;
    weft_run_fields fields; /* zeroed if none are requested */
    weft_run_take take;     /* its writer is null if frames.weft is disabled */
} weft_run_output;

/* Asks every writer whether it can write this run. Accesses no file, so that a refusal leaves an earlier run as it is.
 */
weft_result weft_run_output_check(const weft_output_plan *plan, weft_proxies *proxies, weft_sim *sim,
                                  const weft_take *take);
/* The simulation must be in its initial state, even if the run continues at take->first_frame: writers store the
 * initial shape. Close the output even if this fails. */
weft_result weft_run_output_open(weft_run_output *output, const weft_output_plan *plan, weft_proxies *proxies,
                                 weft_sim *sim, const weft_take *take);
/* The present frame of `sim`: the simulation of the run, or a still of it. */
weft_result weft_run_output_frame(weft_run_output *output, weft_sim *sim);
weft_result weft_run_output_sync(weft_run_output *output);
/* Closes all writers and returns the first failure. */
weft_result weft_run_output_close(weft_run_output *output, int finished);

#endif
