#include "apps/cli/run_output.h"

static const weft_writer_functions *functions_of(const weft_run_output *output, int index) {
    return output->plan->writer[index].component->functions;
}

static weft_result current_frame(weft_run_output *output, weft_sim *sim, weft_frame *frame) {
    WEFT_TRY(weft_proxies_follow(output->proxies, sim));
    if (output->fields.plan)
        WEFT_TRY(weft_run_fields_follow(&output->fields, sim, output->proxies));
    *frame = (weft_frame){.index = weft_sim_frame(sim),
                          .time = weft_sim_time(sim),
                          .cloth_count = output->proxies->shape_count,
                          .cloth = output->proxies->shape};
    return weft_ok();
}

weft_result weft_run_output_check(const weft_output_plan *plan, weft_proxies *proxies, weft_sim *sim,
                                  const weft_take *take) {
    WEFT_TRY(weft_proxies_follow(proxies, sim));
    weft_frame first = {.cloth_count = proxies->shape_count, .cloth = proxies->shape};
    for (int i = 0; i < plan->count; i++) {
        const weft_writer_functions *writer = plan->writer[i].component->functions;
        if (writer->check)
            WEFT_TRY(writer->check(plan->writer[i].settings, take, &first));
    }
    return weft_ok();
}

weft_result weft_run_output_open(weft_run_output *output, const weft_output_plan *plan, weft_proxies *proxies,
                                 weft_sim *sim, const weft_take *take) {
    *output = (weft_run_output){.plan = plan, .proxies = proxies};
    weft_frame first;
    if (plan->strain || plan->pressure)
        WEFT_TRY(weft_run_fields_open(&output->fields, plan, sim));
    WEFT_TRY(current_frame(output, sim, &first));
    if (plan->take)
        WEFT_TRY(weft_run_take_open(&output->take, sim, proxies, take, &first));
    for (int i = 0; i < plan->count; i++) {
        WEFT_TRY(functions_of(output, i)->open(plan->writer[i].settings, take, &first, &output->self[i]));
        output->open_count = i + 1;
    }
    return weft_ok();
}

weft_result weft_run_output_frame(weft_run_output *output, weft_sim *sim) {
    if (output->open_count == 0 && !output->take.writer)
        return weft_ok();
    weft_frame frame;
    WEFT_TRY(current_frame(output, sim, &frame));
    if (output->take.writer)
        WEFT_TRY(weft_run_take_frame(&output->take, sim, &frame));
    for (int i = 0; i < output->open_count; i++)
        WEFT_TRY(functions_of(output, i)->frame(output->self[i], &frame));
    return weft_ok();
}

weft_result weft_run_output_sync(weft_run_output *output) {
    if (output->take.writer)
        WEFT_TRY(weft_run_take_sync(&output->take));
    for (int i = 0; i < output->open_count; i++)
        if (functions_of(output, i)->sync)
            WEFT_TRY(functions_of(output, i)->sync(output->self[i]));
    return weft_ok();
}

weft_result weft_run_output_close(weft_run_output *output, int finished) {
    weft_result first = weft_run_take_close(&output->take, finished);
    for (int i = 0; i < output->open_count; i++) {
        weft_result result = functions_of(output, i)->close(output->self[i], finished);
        if (first.code == WEFT_OK)
            first = result;
    }
    weft_run_fields_close(&output->fields);
    *output = (weft_run_output){0};
    return first;
}
