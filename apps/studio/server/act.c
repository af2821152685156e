/* Inputs: applied between steps and logged, so that a recording can replay them. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"

weft_result studio_request_pane(const studio_session *session, const studio_request *request, int *pane) {
    int64_t number = -1;
    *pane = -1;
    WEFT_TRY(studio_field_int(request->message, "pane", 0, session->pane_count - 1, &number));
    *pane = (int)number;
    return weft_ok();
}

int studio_input_outlasts(const weft_input *input) {
    return input->kind == WEFT_INPUT_SET || input->kind == WEFT_INPUT_PIN || input->kind == WEFT_INPUT_FREE ||
           input->kind == WEFT_INPUT_ADD_FORCE || input->kind == WEFT_INPUT_REMOVE_FORCE;
}

/* After the first step, setting a body's pose moves the body. That changes the state, not a parameter. */
static int is_move(const weft_input *input) {
    const char *name =
        input->kind == WEFT_INPUT_SET && strncmp(input->text, "bodies.", 7) == 0 ? strrchr(input->text, '.') + 1 : "";
    return input->step > 0 && (strcmp(name, "at") == 0 || strcmp(name, "rotate") == 0 || strcmp(name, "axis") == 0 ||
                               strcmp(name, "scale") == 0);
}

int studio_input_stays(const weft_input *input) { return studio_input_outlasts(input) && !is_move(input); }

/* Drops the inputs that follow `step`, except parameters, pins and forces. Those keep their present values and take
 * effect from `step`. Later drags, moves and cuts are forgotten. */
static void rewrite_log(weft_inputs *log, int64_t step) {
    weft_inputs kept = {0};
    int32_t first = 0;
    while (first < log->count && log->input[first].step < step)
        first++;
    for (int32_t i = first; i < log->count; i++) {
        weft_input input = log->input[i];
        int stays = studio_input_stays(&input);
        input.step = step;
        if (stays)
            (void)weft_inputs_add(&kept, &input);
    }
    weft_inputs_cut_off(log, first);
    for (int32_t i = 0; i < kept.count; i++)
        (void)weft_inputs_add(log, &kept.input[i]);
    weft_inputs_free(&kept);
}

/* The restored state may contain drags that no viewer holds any more. */
static void let_go(studio_session *session) {
    for (int32_t i = 0; i < weft_sim_cloth_count(session->pane[0].sim); i++)
        (void)studio_session_act(session, -1, &(weft_input){.kind = WEFT_INPUT_RELEASE, .index = i}, NULL);
    studio_grip_clear(session);
}

weft_result studio_session_take_up(studio_session *session) {
    if (!session->scrubbed)
        return weft_ok();
    const studio_moment *moment = session->history.moment[session->shown];
    rewrite_log(&session->log, moment->step);
    for (int i = 1; i < session->pane_count; i++)
        rewrite_log(&session->pane[i].lasting, moment->step);
    studio_script_rewind(session, moment->step);
    studio_history_cut_off(session, session->shown + 1);
    session->scrubbed = 0;
    studio_session_forget_states(session, moment->step);
    let_go(session);
    studio_session_anchor(session);
    studio_session_tell_time(session, 0);
    return weft_ok();
}

static void note_effect(studio_session *session, studio_pane *pane, const weft_input *input) {
    switch (input->kind) {
    case WEFT_INPUT_SET:
        pane->changed |= strncmp(input->text, "cloth.", 6) == 0;
        pane->bodies_changed |= strncmp(input->text, "bodies.", 7) == 0;
        if (pane != &session->pane[0] && strcmp(input->text, "time.step") == 0)
            (void)studio_pane_shorten_step(pane); /* the user's step is for all methods that can take it */
        break;
    case WEFT_INPUT_CUT:
        pane->changed = 1;
        break;
    case WEFT_INPUT_ADD_FORCE:
        studio_pane_note_values(pane);
        break;
    default:
        break;
    }
    session->dirty = 1;
}

/* A recording states its own number of frames. */
static int is_length(const weft_input *input) {
    return input->kind == WEFT_INPUT_SET && strcmp(input->text, "time.frames") == 0;
}

/* A pin is logged with the positions that it holds, because a replay could not know them. */
static weft_result write_down(studio_session *session, const weft_input *input) {
    weft_input whole = *input;
    if (input->kind != WEFT_INPUT_PIN || input->point)
        return weft_inputs_add(&session->log, input);
    weft_vec3 *place = malloc(((size_t)input->vertex_count + 1) * sizeof *place);
    if (!place)
        return weft_fail_memory("a pin", (size_t)input->vertex_count * sizeof *place);
    const weft_vec3 *x = weft_sim_positions(session->pane[0].sim, input->index);
    for (int32_t i = 0; i < input->vertex_count; i++)
        place[i] = x[input->vertex[i]];
    whole.point = place;
    whole.point_count = input->vertex_count;
    weft_result result = weft_inputs_add(&session->log, &whole);
    free(place);
    return result;
}

weft_result studio_session_act(studio_session *session, int only, weft_input *input, int32_t *cut) {
    WEFT_TRY(studio_session_take_up(session));
    weft_result first = weft_ok();
    int done = 0;
    input->step = weft_sim_step_count(session->pane[0].sim);
    for (int i = 0; i < session->pane_count; i++) {
        studio_pane *pane = &session->pane[i];
        if (only >= 0 && only != i)
            continue;
        weft_result result = weft_input_apply(pane->sim, input, done == 0 ? cut : NULL);
        if (result.code != WEFT_OK) {
            first = first.code == WEFT_OK ? result : first;
            continue;
        }
        done++;
        note_effect(session, pane, input);
        if (is_length(input))
            continue;
        if (i == 0)
            WEFT_TRY(write_down(session, input));
        else if (studio_input_outlasts(input))
            WEFT_TRY(weft_inputs_add(&pane->lasting, input));
    }
    return done > 0 ? weft_ok() : first;
}
