/* Strain and stress of the triangles in each frame, if `output.strain` is set. */
#ifndef WEFT_CLI_RUN_STRAIN_H
#define WEFT_CLI_RUN_STRAIN_H

#include "cli/proxies.h"
#include "weft/sim.h"

typedef struct weft_run_strain {
    weft_strain **cloth; /* (count), each with triangle_count entries */
    int32_t count;
} weft_run_strain;

/* Close it even if this fails. */
weft_result weft_run_strain_open(weft_run_strain *strain, weft_sim *sim);
/* Measures strains and stores them in the shapes. Proxies have no strains. Fails if the model of a cloth has no strain.
 */
weft_result weft_run_strain_follow(weft_run_strain *strain, weft_sim *sim, weft_proxies *proxies);
void weft_run_strain_close(weft_run_strain *strain); /* a zeroed struct is allowed */

#endif
