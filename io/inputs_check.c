/* Checks recorded inputs before a run, so that a bad line in the middle of a file is not found after an hour. */
#include "io/inputs.h"
#include "weft/vec.h"

/* Vertices that a run inserts are not known yet. */
static int is_later_vertex(const weft_sim *sim, const weft_input *input) {
    int32_t count = weft_sim_cloth(sim, input->index)->mesh->vertex_count;
    for (int32_t i = 0; weft_sim_changes(sim, input->index) && i < input->vertex_count; i++)
        if (input->vertex[i] >= count)
            return 1;
    return 0;
}

static weft_result check_vertices(weft_sim *sim, const weft_input *input) {
    const weft_cloth *cloth = weft_sim_cloth(sim, input->index);
    if (!cloth)
        return weft_fail(WEFT_BAD_INPUT, "cloth %d: there are %d cloths, numbered from 0", input->index,
                         weft_sim_cloth_count(sim));
    if (is_later_vertex(sim, input))
        return weft_ok();
    for (int32_t i = 0; i < input->vertex_count; i++)
        if (input->vertex[i] >= cloth->mesh->vertex_count)
            return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': vertex %d: there are %d vertices, numbered from 0",
                             cloth->name, input->vertex[i], cloth->mesh->vertex_count);
    return weft_input_apply(sim, input, NULL);
}

static weft_result check_rays(const weft_input *input) {
    for (int32_t i = 1; i < input->point_count; i++)
        if (!(weft_length(input->point[i]) > 0))
            return weft_fail(WEFT_BAD_INPUT, "cut: ray %d has length 0", i - 1);
    return weft_ok();
}

static weft_result check_input(weft_sim *sim, const weft_input *input) {
    switch (input->kind) {
    case WEFT_INPUT_DRAG:
    case WEFT_INPUT_RELEASE:
    case WEFT_INPUT_PIN:
    case WEFT_INPUT_FREE:
        return check_vertices(sim, input);
    case WEFT_INPUT_CUT: /* what it meets depends on the motion */
        return check_rays(input);
    default:
        return weft_input_apply(sim, input, NULL);
    }
}

weft_result weft_inputs_check(const weft_inputs *inputs, weft_sim *sim) {
    WEFT_TRY(weft_inputs_allow_cuts(inputs, sim));
    for (int32_t i = 0; i < inputs->count; i++) {
        weft_result result = check_input(sim, &inputs->input[i]);
        if (result.code != WEFT_OK)
            return weft_fail(result.code, "%.200s:%d: %.250s", inputs->name, inputs->input[i].line, result.message);
    }
    return weft_ok();
}
