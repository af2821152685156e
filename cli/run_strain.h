/* Strain and stress of the triangles in a run's frames, where `output.strain` asks for them. */
#ifndef WEFT_CLI_RUN_STRAIN_H
#define WEFT_CLI_RUN_STRAIN_H

#include "cli/proxies.h"
#include "weft/sim.h"

typedef struct weft_run_strain {
    weft_strain **cloth; /* (count), each of its mesh's triangle_count */
    int32_t count;
} weft_run_strain;

/* Close it also when this fails. */
weft_result weft_run_strain_open(weft_run_strain *strain, weft_sim *sim);
/* Measures and puts them into the proxies' shapes; proxies themselves have none. Refuses a cloth whose model has no
 * strain. */
weft_result weft_run_strain_follow(weft_run_strain *strain, weft_sim *sim, weft_proxies *proxies);
void weft_run_strain_close(weft_run_strain *strain); /* a zeroed one is allowed */

#endif
