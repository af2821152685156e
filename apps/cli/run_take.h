/* frames.weft of a run: the bodies, and each cloth or its proxy. */
#ifndef WEFT_APPS_CLI_RUN_TAKE_H
#define WEFT_APPS_CLI_RUN_TAKE_H

#include "apps/cli/proxies.h"
#include "io/frame_bodies.h"
#include "weft-io/take.h"

typedef struct weft_run_take {
    const weft_proxies *proxies;
    weft_take_writer *writer;
    int32_t count;           /* cloths */
    weft_frame_cloth *cloth; /* (count) */
    weft_link **link;        /* (count) */
    weft_take_links *links;  /* (count) */
    weft_frame_bodies bodies;
} weft_run_take;

/* `first` holds the shapes of the proxies. Close it even if this fails. */
weft_result weft_run_take_open(weft_run_take *run, const weft_sim *sim, const weft_proxies *proxies,
                               const weft_take *take, const weft_frame *first);
weft_result weft_run_take_frame(weft_run_take *run, const weft_sim *sim, const weft_frame *frame);
weft_result weft_run_take_sync(weft_run_take *run);
weft_result weft_run_take_close(weft_run_take *run, int finished); /* a zeroed struct is allowed */

#endif
