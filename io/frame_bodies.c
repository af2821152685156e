#include "io/frame_bodies.h"

#include <stdlib.h>

#include "weft/hooks.h"

static weft_result make_room(weft_frame_bodies *bodies, const weft_sim *sim) {
    size_t count = (size_t)weft_sim_body_count(sim) + 1;
    bodies->surface = calloc(count, sizeof *bodies->surface);
    bodies->body = calloc(count, sizeof *bodies->body);
    if (!bodies->surface || !bodies->body)
        return weft_fail_memory("the frames' bodies", count * (sizeof *bodies->surface + sizeof *bodies->body));
    bodies->count = weft_sim_body_count(sim);
    return weft_ok();
}

static void free_surface(weft_body_surface *surface) {
    weft_memory_free(surface->triangle);
    weft_memory_free(surface->position);
    *surface = (weft_body_surface){0};
}

weft_result weft_frame_bodies_follow(weft_frame_bodies *bodies, const weft_sim *sim) {
    if (!bodies->body)
        WEFT_TRY(make_room(bodies, sim));
    for (int32_t i = 0; i < bodies->count; i++) {
        int moves = weft_sim_body_moves(sim, i);
        weft_body_surface *surface = &bodies->surface[i];
        if (bodies->body[i].name && !moves)
            continue;
        free_surface(surface);
        WEFT_TRY(weft_sim_body_surface(sim, i, surface));
        bodies->body[i] = (weft_frame_body){.name = weft_sim_body_name(sim, i),
                                            .position = surface->position,
                                            .vertex_count = surface->vertex_count,
                                            .triangle = (const int32_t(*)[3])surface->triangle,
                                            .triangle_count = surface->triangle_count,
                                            .moves = moves};
    }
    return weft_ok();
}

void weft_frame_bodies_free(weft_frame_bodies *bodies) {
    for (int32_t i = 0; i < bodies->count; i++)
        free_surface(&bodies->surface[i]);
    free(bodies->body);
    free(bodies->surface);
    *bodies = (weft_frame_bodies){0};
}
