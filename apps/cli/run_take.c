#include "apps/cli/run_take.h"

#include <stdlib.h>

/* Springs connect vertices of the cloth itself. A proxy or a changing mesh has none. */
static int32_t link_count(const weft_run_take *run, const weft_sim *sim, int32_t cloth) {
    return run->proxies->proxy[cloth] || weft_sim_changes(sim, cloth) ? 0 : weft_sim_link_count(sim, cloth);
}

static weft_result make_room(weft_run_take *run, const weft_sim *sim) {
    size_t count = (size_t)run->proxies->cloth_count + 1;
    run->cloth = calloc(count, sizeof *run->cloth);
    run->link = calloc(count, sizeof *run->link);
    run->links = calloc(count, sizeof *run->links);
    if (!run->cloth || !run->link || !run->links)
        return weft_fail_memory("the frames' cloths", count * sizeof *run->cloth);
    run->count = run->proxies->cloth_count;
    for (int32_t i = 0; i < run->count; i++) {
        size_t links = (size_t)link_count(run, sim, i) + 1;
        run->link[i] = calloc(links, sizeof **run->link);
        if (!run->link[i])
            return weft_fail_memory("the frames' links", links * sizeof **run->link);
        run->links[i] = (weft_take_links){run->link[i], link_count(run, sim, i)};
    }
    return weft_ok();
}

/* A cloth that is written with its proxy follows the proxy in the list. */
static weft_frame current(weft_run_take *run, const weft_sim *sim, const weft_frame *frame) {
    weft_frame own = *frame;
    own.cloth_count = run->count;
    own.cloth = run->cloth;
    own.body_count = run->bodies.count;
    own.body = run->bodies.body;
    for (int32_t i = 0, shape = 0; i < run->count; i++) {
        run->cloth[i] = frame->cloth[shape];
        shape += 1 + (run->proxies->proxy[i] && run->proxies->keep[i]);
        for (int32_t k = 0; k < run->links[i].count; k++)
            run->link[i][k] = weft_sim_link(sim, i, k);
    }
    return own;
}

weft_result weft_run_take_open(weft_run_take *run, const weft_sim *sim, const weft_proxies *proxies,
                               const weft_take *take, const weft_frame *first) {
    *run = (weft_run_take){.proxies = proxies};
    WEFT_TRY(make_room(run, sim));
    WEFT_TRY(weft_frame_bodies_follow(&run->bodies, sim));
    weft_frame frame = current(run, sim, first);
    return weft_take_writer_open(take, &frame, run->links, &run->writer);
}

weft_result weft_run_take_frame(weft_run_take *run, const weft_sim *sim, const weft_frame *frame) {
    WEFT_TRY(weft_frame_bodies_follow(&run->bodies, sim));
    weft_frame own = current(run, sim, frame);
    return weft_take_writer_write_frame(run->writer, &own, run->links);
}

weft_result weft_run_take_sync(weft_run_take *run) { return weft_take_writer_sync(run->writer); }

weft_result weft_run_take_close(weft_run_take *run, int finished) {
    weft_result result = run->writer ? weft_take_writer_close(run->writer, finished) : weft_ok();
    weft_frame_bodies_free(&run->bodies);
    for (int32_t i = 0; i < run->count; i++)
        free(run->link[i]);
    free(run->links);
    free(run->link);
    free(run->cloth);
    *run = (weft_run_take){0};
    return result;
}
