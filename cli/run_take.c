#include "cli/run_take.h"

#include <stdlib.h>

/* Springs connect vertices of the cloth itself. A proxy or a changing mesh has none. */
static int32_t link_count(const weft_run_take *run, int32_t cloth) {
    return run->proxies->proxy[cloth] || weft_sim_changes(run->sim, cloth) ? 0 : weft_sim_link_count(run->sim, cloth);
}

static weft_result make_room(weft_run_take *run) {
    size_t count = (size_t)run->proxies->cloth_count + 1;
    run->cloth = calloc(count, sizeof *run->cloth);
    run->link = calloc(count, sizeof *run->link);
    run->links = calloc(count, sizeof *run->links);
    if (!run->cloth || !run->link || !run->links)
        return weft_fail_memory("the frames' cloths", count * sizeof *run->cloth);
    run->count = run->proxies->cloth_count;
    for (int32_t i = 0; i < run->count; i++) {
        size_t links = (size_t)link_count(run, i) + 1;
        run->link[i] = calloc(links, sizeof **run->link);
        if (!run->link[i])
            return weft_fail_memory("the frames' links", links * sizeof **run->link);
        run->links[i] = (weft_take_links){run->link[i], link_count(run, i)};
    }
    return weft_ok();
}

static weft_result make_bodies(weft_run_take *run) {
    size_t count = (size_t)weft_sim_body_count(run->sim) + 1;
    run->surface = calloc(count, sizeof *run->surface);
    run->body = calloc(count, sizeof *run->body);
    if (!run->surface || !run->body)
        return weft_fail_memory("the frames' bodies", count * (sizeof *run->surface + sizeof *run->body));
    run->body_count = weft_sim_body_count(run->sim);
    return weft_ok();
}

static void free_surface(weft_body_surface *surface) {
    free(surface->triangle);
    free(surface->position);
    *surface = (weft_body_surface){0};
}

/* Updates the positions of the bodies; static bodies are read once. */
static weft_result follow_bodies(weft_run_take *run) {
    for (int32_t i = 0; i < run->body_count; i++) {
        int moves = weft_sim_body_moves(run->sim, i);
        weft_body_surface *surface = &run->surface[i];
        if (run->body[i].name && !moves)
            continue;
        free_surface(surface);
        WEFT_TRY(weft_sim_body_surface(run->sim, i, surface));
        run->body[i] = (weft_frame_body){.name = weft_sim_body_name(run->sim, i),
                                         .position = surface->position,
                                         .vertex_count = surface->vertex_count,
                                         .triangle = (const int32_t(*)[3])surface->triangle,
                                         .triangle_count = surface->triangle_count,
                                         .moves = moves};
    }
    return weft_ok();
}

/* A cloth that is written with its proxy follows the proxy in the list. */
static weft_frame current(weft_run_take *run, const weft_frame *frame) {
    weft_frame own = *frame;
    own.cloth_count = run->count;
    own.cloth = run->cloth;
    own.body_count = run->body_count;
    own.body = run->body;
    for (int32_t i = 0, shape = 0; i < run->count; i++) {
        run->cloth[i] = frame->cloth[shape];
        shape += 1 + (run->proxies->proxy[i] && run->proxies->keep[i]);
        for (int32_t k = 0; k < run->links[i].count; k++)
            run->link[i][k] = weft_sim_link(run->sim, i, k);
    }
    return own;
}

weft_result weft_run_take_open(weft_run_take *run, const weft_sim *sim, const weft_proxies *proxies,
                               const weft_take *take, const weft_frame *first) {
    *run = (weft_run_take){.sim = sim, .proxies = proxies};
    WEFT_TRY(make_room(run));
    WEFT_TRY(make_bodies(run));
    WEFT_TRY(follow_bodies(run));
    weft_frame frame = current(run, first);
    return weft_take_writer_open(take, &frame, run->links, &run->writer);
}

weft_result weft_run_take_frame(weft_run_take *run, const weft_frame *frame) {
    WEFT_TRY(follow_bodies(run));
    weft_frame own = current(run, frame);
    return weft_take_writer_frame(run->writer, &own, run->links);
}

weft_result weft_run_take_sync(weft_run_take *run) { return weft_take_writer_sync(run->writer); }

weft_result weft_run_take_close(weft_run_take *run, int finished) {
    weft_result result = run->writer ? weft_take_writer_close(run->writer, finished) : weft_ok();
    for (int32_t i = 0; i < run->body_count; i++)
        free_surface(&run->surface[i]);
    free(run->body);
    free(run->surface);
    for (int32_t i = 0; i < run->count; i++)
        free(run->link[i]);
    free(run->links);
    free(run->link);
    free(run->cloth);
    *run = (weft_run_take){0};
    return result;
}
