/* Strain and stress of the triangles and contact pressure of the vertices in each frame, if `output` asks for them. */
#ifndef WEFT_APPS_CLI_RUN_FIELDS_H
#define WEFT_APPS_CLI_RUN_FIELDS_H

#include "apps/cli/output_plan.h"
#include "apps/cli/proxies.h"
#include "weft/sim.h"

typedef struct weft_run_fields {
    const weft_output_plan *plan;
    weft_strain **strain; /* (count), each with triangle_count entries, or null */
    double **pressure;    /* (count), each with vertex_count entries, or null */
    int32_t count;
} weft_run_fields;

/* Close it even if this fails. */
weft_result weft_run_fields_open(weft_run_fields *fields, const weft_output_plan *plan, weft_sim *sim);
/* Measures the fields and stores them in the shapes. Proxies have none. Fails if the model of a cloth has no strain. */
weft_result weft_run_fields_follow(weft_run_fields *fields, weft_sim *sim, weft_proxies *proxies);
void weft_run_fields_close(weft_run_fields *fields); /* a zeroed struct is allowed */

#endif
