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

weft_result weft_run_output_open(weft_run_output *output, const weft_output_plan *plan, weft_sim *sim,
                                 const weft_take *take) {
    *output = (weft_run_output){.plan = plan, .sim = sim};
    size_t count = (size_t)weft_sim_cloth_count(sim);
    output->cloth = calloc(count > 0 ? count : 1, sizeof *output->cloth);
    if (!output->cloth)
        return weft_fail_memory("the frames' cloths", count * sizeof *output->cloth);
    weft_frame first = current_frame(output);
    for (int i = 0; i < plan->count; i++) {
        WEFT_TRY(functions_of(output, i)->open(plan->writer[i].settings, take, &first, &output->self[i]));
        output->open_count = i + 1;
    }
    return weft_ok();
}

weft_result weft_run_output_frame(weft_run_output *output) {
    weft_frame frame = current_frame(output);
    for (int i = 0; i < output->open_count; i++)
        WEFT_TRY(functions_of(output, i)->frame(output->self[i], &frame));
    return weft_ok();
}

weft_result weft_run_output_sync(weft_run_output *output) {
    for (int i = 0; i < output->open_count; i++)
        if (functions_of(output, i)->sync)
            WEFT_TRY(functions_of(output, i)->sync(output->self[i]));
    return weft_ok();
}

weft_result weft_run_output_close(weft_run_output *output, int finished) {
    weft_result first = weft_ok();
    for (int i = 0; i < output->open_count; i++) {
        weft_result result = functions_of(output, i)->close(output->self[i], finished);
        if (first.code == WEFT_OK)
            first = result;
    }
    free(output->cloth);
    *output = (weft_run_output){0};
    return first;
}
