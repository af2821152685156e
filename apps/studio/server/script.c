/* The scene's own inputs (its `inputs:` file), applied at their steps like inputs of a viewer. */
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/session.h"
#include "io/file.h"

weft_result studio_script_read(const studio_host *host, weft_tree *tree, weft_inputs *script) {
    *script = (weft_inputs){0};
    const weft_value *value = weft_value_find(weft_tree_root(tree), "inputs");
    char place[320], joined[STUDIO_PATH_SIZE];
    if (!value)
        return weft_ok();
    weft_value_place(value, place, sizeof place);
    if (value->kind != WEFT_VALUE_TEXT || !value->text[0])
        return weft_fail(WEFT_BAD_INPUT, "%sinputs: needs the name of a file", place);
    WEFT_TRY(weft_path_beside(value->file, value->text, joined, sizeof joined));
    WEFT_TRY(studio_check_file(host, value->text, joined));
    return weft_inputs_read(joined, script);
}

void studio_script_begin(studio_session *session) {
    session->script.next = 0;
    session->script_done = 0;
}

void studio_script_rewind(studio_session *session, int64_t step) {
    weft_inputs *script = &session->script;
    script->next = 0;
    while (script->next < script->count && script->input[script->next].step < step)
        script->next++;
}

/* Tells viewers what an input changed, so that their panels show it. */
static void tell(studio_session *session, const weft_input *input) {
    if (input->kind == WEFT_INPUT_ADD_FORCE || input->kind == WEFT_INPUT_REMOVE_FORCE)
        studio_session_tell_scene(session, 0);
    if (input->kind == WEFT_INPUT_MOVE_BODY)
        studio_session_tell_body(session, input->index);
    if (input->kind != WEFT_INPUT_SET)
        return;
    json_t *changes = json_array();
    for (int i = 0; changes && i < session->pane_count; i++)
        json_array_append_new(changes, json_pack("{s:i, s:s}", "pane", i, "path", input->text));
    studio_session_tell_params(session, changes);
    json_decref(changes);
}

void studio_script_act(studio_session *session) {
    weft_inputs *script = &session->script;
    int64_t step = weft_sim_step_count(session->pane[0].sim);
    while (script->next < script->count && script->input[script->next].step <= step) {
        int32_t index = script->next++;
        weft_input input = script->input[index];
        /* going back in time keeps parameters, pins and forces, so they are not applied twice */
        if (index < session->script_done && studio_input_stays(&input))
            continue;
        weft_result result = studio_session_act(session, -1, &input, NULL);
        if (result.code != WEFT_OK) {
            char message[400];
            snprintf(message, sizeof message, "%.100s:%d: %.200s; this input and all later ones are skipped",
                     script->name, input.line, result.message);
            studio_session_tell_failed(session, 0, message, NULL);
            script->next = script->count;
            return;
        }
        if (index >= session->script_done)
            session->script_done = index + 1;
        tell(session, &input);
    }
}
