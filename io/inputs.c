/* The list of recorded inputs, and applying inputs to a simulation. */
#include "io/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "weft-io/checkpoint.h"

/* -- the list -- */

static void free_input(weft_input *input) {
    free((void *)input->point);
    free((void *)input->vertex);
    free((void *)input->value);
    free((void *)input->text);
}

void weft_inputs_cut_off(weft_inputs *inputs, int32_t first) {
    while (inputs->count > first)
        free_input(&inputs->input[--inputs->count]);
}

void weft_inputs_free(weft_inputs *inputs) {
    weft_inputs_cut_off(inputs, 0);
    free(inputs->input);
    *inputs = (weft_inputs){0};
}

/* Returns 0 if memory is exhausted. A null `from` is not a failure. */
static int copy_bytes(const void *from, size_t size, const void **to) {
    *to = NULL;
    if (!from)
        return 1;
    void *made = malloc(size > 0 ? size : 1);
    if (made && size > 0)
        memcpy(made, from, size);
    *to = made;
    return made != NULL;
}

static int copy_input(const weft_input *from, weft_input *to) {
    *to = *from;
    to->text = to->value = NULL;
    to->vertex = NULL;
    to->point = NULL;
    size_t vertices = (size_t)from->vertex_count * sizeof *from->vertex;
    size_t points = (size_t)from->point_count * sizeof *from->point;
    return copy_bytes(from->text, from->text ? strlen(from->text) + 1 : 0, (const void **)&to->text) &&
           copy_bytes(from->value, from->value ? strlen(from->value) + 1 : 0, (const void **)&to->value) &&
           copy_bytes(from->vertex, vertices, (const void **)&to->vertex) &&
           copy_bytes(from->point, points, (const void **)&to->point);
}

weft_result weft_inputs_add(weft_inputs *inputs, const weft_input *input) {
    if (inputs->count == inputs->room) {
        int32_t room = inputs->room > 0 ? 2 * inputs->room : 64;
        weft_input *grown = realloc(inputs->input, (size_t)room * sizeof *grown);
        if (!grown)
            return weft_fail_memory("inputs", (size_t)room * sizeof *grown);
        inputs->input = grown;
        inputs->room = room;
    }
    weft_input *made = &inputs->input[inputs->count];
    if (!copy_input(input, made)) {
        free_input(made);
        return weft_fail_memory("an input", (size_t)input->point_count * sizeof *input->point);
    }
    inputs->count++;
    return weft_ok();
}

/* -- applying inputs -- */

static weft_result drag(weft_sim *sim, const weft_input *input) {
    for (int32_t i = 0; i < input->vertex_count; i++)
        WEFT_TRY(weft_sim_drag(sim, input->index, input->vertex[i], input->point[i]));
    return weft_ok();
}

/* Releasing a vertex that is not dragged is not a failure: several users may release the same vertex. */
static weft_result release(weft_sim *sim, const weft_input *input) {
    const weft_cloth *cloth = weft_sim_cloth(sim, input->index);
    if (!cloth)
        return weft_fail(WEFT_BAD_INPUT, "release: there is no cloth %d", input->index);
    for (int32_t i = 0; i < input->vertex_count; i++)
        (void)weft_sim_release(sim, input->index, input->vertex[i]);
    for (int32_t i = 0; input->vertex_count == 0 && i < cloth->mesh->vertex_count; i++)
        if (weft_sim_held(sim, input->index)[i])
            (void)weft_sim_release(sim, input->index, i);
    return weft_ok();
}

static weft_result pin(weft_sim *sim, const weft_input *input) {
    weft_pin made = weft_pin_default();
    made.start = input->point;
    return weft_sim_add_pin(sim, input->index, &made, input->vertex, input->vertex_count);
}

weft_result weft_input_apply(weft_sim *sim, const weft_input *input, int32_t *cut) {
    switch (input->kind) {
    case WEFT_INPUT_SET:
        return weft_sim_set(sim, input->text, input->value);
    case WEFT_INPUT_DRAG:
        return drag(sim, input);
    case WEFT_INPUT_RELEASE:
        return release(sim, input);
    case WEFT_INPUT_PIN:
        return pin(sim, input);
    case WEFT_INPUT_FREE:
        return weft_sim_unpin(sim, input->index, input->vertex, input->vertex_count);
    case WEFT_INPUT_CUT:
        return weft_sim_cut(sim, input->index, input->point[0], input->point + 1, input->point_count - 1, cut);
    case WEFT_INPUT_ADD_FORCE:
        return weft_sim_add_force(sim, input->text, NULL);
    case WEFT_INPUT_REMOVE_FORCE:
        return weft_sim_remove_force(sim, input->index);
    case WEFT_INPUT_MOVE_BODY:
        return weft_sim_move_body(sim, input->index, input->point[0], input->point[1]);
    }
    return weft_fail(WEFT_BAD_INPUT, "unknown kind of input: %d", (int)input->kind);
}

static weft_result name_line(const weft_inputs *inputs, const weft_input *input, weft_result result) {
    if (result.code == WEFT_OK)
        return result;
    return weft_fail(result.code, "%.200s:%d: %.250s", inputs->name, input->line, result.message);
}

weft_result weft_inputs_allow_cuts(const weft_inputs *inputs, weft_sim *sim) {
    for (int32_t i = 0; i < inputs->count; i++)
        if (inputs->input[i].kind == WEFT_INPUT_CUT)
            WEFT_TRY(name_line(inputs, &inputs->input[i], weft_sim_allow_cuts(sim, inputs->input[i].index)));
    return weft_ok();
}

weft_result weft_inputs_apply(weft_inputs *inputs, weft_sim *sim) {
    while (inputs->next < inputs->count && inputs->input[inputs->next].step <= weft_sim_step_count(sim)) {
        const weft_input *input = &inputs->input[inputs->next];
        WEFT_TRY(name_line(inputs, input, weft_input_apply(sim, input, NULL)));
        inputs->next++;
    }
    return weft_ok();
}

/* -- catching up with a snapshot -- */

/* Vertices of each cloth before any input. These keep their numbers. */
static int32_t *count_vertices(const weft_sim *sim) {
    int32_t cloths = weft_sim_cloth_count(sim), *count = malloc((size_t)(cloths > 0 ? cloths : 1) * sizeof *count);
    for (int32_t i = 0; count && i < cloths; i++)
        count[i] = weft_sim_cloth(sim, i)->mesh->vertex_count;
    return count;
}

static weft_result free_vertices(weft_sim *sim, const weft_input *input, int32_t given) {
    for (int32_t i = 0; i < input->vertex_count; i++) /* others are in no pin of the snapshot */
        if (input->vertex[i] < given)
            WEFT_TRY(weft_sim_unpin(sim, input->index, &input->vertex[i], 1));
    return weft_ok();
}

static weft_result catch_up(weft_sim *sim, const weft_input *input, const int32_t *vertices) {
    int32_t given = input->index >= 0 && input->index < weft_sim_cloth_count(sim) ? vertices[input->index] : 0;
    switch (input->kind) {
    case WEFT_INPUT_DRAG:
    case WEFT_INPUT_RELEASE:
    case WEFT_INPUT_MOVE_BODY:
        return weft_ok();
    case WEFT_INPUT_PIN:
        for (int32_t i = 0; i < input->vertex_count; i++)
            if (input->vertex[i] >= given)
                return weft_fail(WEFT_UNSUPPORTED,
                                 "the run cannot be resumed after this pin: vertex %d was inserted during the run",
                                 input->vertex[i]);
        return weft_input_apply(sim, input, NULL);
    case WEFT_INPUT_FREE:
        return free_vertices(sim, input, given);
    default:
        return weft_input_apply(sim, input, NULL);
    }
}

weft_result weft_inputs_catch_up(weft_inputs *inputs, weft_sim *sim, int64_t step) {
    int32_t *vertices = count_vertices(sim);
    if (!vertices)
        return weft_fail_memory("inputs", (size_t)weft_sim_cloth_count(sim) * sizeof *vertices);
    weft_result result = weft_ok();
    for (; inputs->next < inputs->count && inputs->input[inputs->next].step < step; inputs->next++) {
        const weft_input *input = &inputs->input[inputs->next];
        result = name_line(inputs, input, catch_up(sim, input, vertices));
        if (result.code != WEFT_OK)
            break;
    }
    free(vertices);
    return result;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return text ? weft_hash_bytes(hash, text, strlen(text) + 1) : hash;
}

uint64_t weft_inputs_hash(const weft_inputs *inputs, uint64_t hash) {
    for (int32_t i = 0; i < inputs->count; i++) {
        const weft_input *input = &inputs->input[i];
        int64_t numbers[] = {input->step, input->kind, input->index, input->vertex_count, input->point_count};
        hash = weft_hash_bytes(hash, numbers, sizeof numbers);
        hash = hash_text(hash_text(hash, input->text), input->value);
        if (input->vertex)
            hash = weft_hash_bytes(hash, input->vertex, (size_t)input->vertex_count * sizeof *input->vertex);
        if (input->point)
            hash = weft_hash_bytes(hash, input->point, (size_t)input->point_count * sizeof *input->point);
    }
    return hash;
}
