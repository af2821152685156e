#include "cli/run_output.h"

#include <stdlib.h>

static const weft_writer_functions *functions_of(const weft_run_output *output, int index) {
    return output->plan->writer[index].component->functions;
}

static weft_frame current_frame(weft_run_output *output) {
    weft_sim *sim = output->sim;
    weft_frame frame = {.index = weft_sim_frame(sim),
                        .time = weft_sim_time(sim),
                        .cloth_count = weft_sim_cloth_count(sim),
                        .cloth = output->cloth};
    for (int32_t i = 0; i < frame.cloth_count; i++) {
        const weft_cloth *cloth = weft_sim_cloth(sim, i);
        output->cloth[i] = (weft_frame_cloth){.name = cloth->name,
                                              .mesh = cloth->mesh,
                                              .position = weft_sim_positions(sim, i),
                                              .open_face = weft_sim_open_faces(sim, i)};
    }
    return frame;
}

/* -- links, for the take -- */

static weft_link *links_of(const weft_run_output *output, int32_t cloth) {
    return (weft_link *)output->links[cloth].link; /* allocated below */
}

static weft_result create_links(weft_run_output *output) {
    int32_t count = weft_sim_cloth_count(output->sim);
    output->links = calloc((size_t)count + 1, sizeof *output->links);
    if (!output->links)
        return weft_fail_memory("the frames' links", ((size_t)count + 1) * sizeof *output->links);
    for (int32_t i = 0; i < count; i++) {
        int32_t links = weft_sim_link_count(output->sim, i);
        weft_link *room = calloc((size_t)links + 1, sizeof *room);
        if (!room)
            return weft_fail_memory("the frames' links", ((size_t)links + 1) * sizeof *room);
        output->links[i] = (weft_take_links){room, links};
    }
    return weft_ok();
}

static void update_links(weft_run_output *output) {
    for (int32_t i = 0; i < weft_sim_cloth_count(output->sim); i++)
        for (int32_t k = 0; k < output->links[i].count; k++)
            links_of(output, i)[k] = weft_sim_link(output->sim, i, k);
}

static void free_links(weft_run_output *output) {
    for (int32_t i = 0; output->links && i < weft_sim_cloth_count(output->sim); i++)
        free(links_of(output, i));
    free(output->links);
}

static weft_result open_take(weft_run_output *output, const weft_take *take, const weft_frame *first) {
    WEFT_TRY(create_links(output));
    update_links(output);
    return weft_take_writer_open(take, first, output->links, &output->take);
}

/* -- all writers -- */

weft_result weft_run_output_open(weft_run_output *output, const weft_output_plan *plan, weft_sim *sim,
                                 const weft_take *take) {
    *output = (weft_run_output){.plan = plan, .sim = sim};
    size_t count = (size_t)weft_sim_cloth_count(sim);
    output->cloth = calloc(count > 0 ? count : 1, sizeof *output->cloth);
    if (!output->cloth)
        return weft_fail_memory("the frames' cloths", count * sizeof *output->cloth);
    weft_frame first = current_frame(output);
    if (plan->take)
        WEFT_TRY(open_take(output, take, &first));
    for (int i = 0; i < plan->count; i++) {
        WEFT_TRY(functions_of(output, i)->open(plan->writer[i].settings, take, &first, &output->self[i]));
        output->open_count = i + 1;
    }
    return weft_ok();
}

weft_result weft_run_output_frame(weft_run_output *output) {
    weft_frame frame = current_frame(output);
    if (output->take) {
        update_links(output);
        WEFT_TRY(weft_take_writer_frame(output->take, &frame, output->links));
    }
    for (int i = 0; i < output->open_count; i++)
        WEFT_TRY(functions_of(output, i)->frame(output->self[i], &frame));
    return weft_ok();
}

weft_result weft_run_output_sync(weft_run_output *output) {
    if (output->take)
        WEFT_TRY(weft_take_writer_sync(output->take));
    for (int i = 0; i < output->open_count; i++)
        if (functions_of(output, i)->sync)
            WEFT_TRY(functions_of(output, i)->sync(output->self[i]));
    return weft_ok();
}

weft_result weft_run_output_close(weft_run_output *output, int finished) {
    weft_result first = output->take ? weft_take_writer_close(output->take, finished) : weft_ok();
    for (int i = 0; i < output->open_count; i++) {
        weft_result result = functions_of(output, i)->close(output->self[i], finished);
        if (first.code == WEFT_OK)
            first = result;
    }
    free_links(output);
    free(output->cloth);
    *output = (weft_run_output){0};
    return first;
}
