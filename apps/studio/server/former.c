/* The scenes that a new cloth has replaced, for undo: a new cloth also drops pins and recorded inputs, which name
 * vertices. Undo and redo exchange the present scene with the one that was put aside. */
#include <stdlib.h>

#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"

struct studio_former {
    studio_former *next;
    int64_t number; /* names it in a change of undo.c */
    weft_tree *base;
    int rebased;
    weft_inputs script;
    weft_inputs pins[STUDIO_MOST_PANES]; /* by viewers */
};

static void destroy(studio_former *former) {
    for (int i = 0; i < STUDIO_MOST_PANES; i++)
        weft_inputs_free(&former->pins[i]);
    weft_inputs_free(&former->script);
    weft_tree_destroy(former->base);
    free(former);
}

/* Copies the pins of viewers. The scene's own inputs have lines. */
static weft_result copy_pins(const weft_inputs *log, weft_inputs *pins) {
    for (int32_t i = 0; i < log->count; i++) {
        const weft_input *input = &log->input[i];
        if ((input->kind == WEFT_INPUT_PIN || input->kind == WEFT_INPUT_FREE) && input->line == 0)
            WEFT_TRY(weft_inputs_add(pins, input));
    }
    return weft_ok();
}

static weft_result put_aside(studio_session *session, studio_former *former) {
    former->rebased = session->rebased;
    for (int i = 0; i < session->pane_count; i++)
        WEFT_TRY(copy_pins(i == 0 ? &session->log : &session->pane[i].lasting, &former->pins[i]));
    return studio_tree_copy(session->base, &former->base);
}

/* Restarts with the wanted scene, which then holds the present one instead. On failure nothing changes. */
static weft_result exchange(studio_session *session, studio_former *wanted) {
    studio_former now = {0};
    weft_inputs script = session->script;
    weft_result result = put_aside(session, &now);
    session->script = (weft_inputs){0};
    if (result.code == WEFT_OK)
        result = studio_session_rebase(session, wanted->base, wanted->pins);
    if (result.code != WEFT_OK) {
        session->script = script;
        for (int i = 0; i < STUDIO_MOST_PANES; i++)
            weft_inputs_free(&now.pins[i]);
        weft_tree_destroy(now.base);
        return result;
    }
    session->script = wanted->script;
    session->rebased = wanted->rebased;
    studio_script_begin(session);
    wanted->script = script;
    wanted->base = now.base;
    wanted->rebased = now.rebased;
    for (int i = 0; i < STUDIO_MOST_PANES; i++) {
        weft_inputs_free(&wanted->pins[i]);
        wanted->pins[i] = now.pins[i];
    }
    return result;
}

weft_result studio_session_retarget(studio_session *session, weft_tree *base, const char *what) {
    studio_former *former = calloc(1, sizeof *former);
    if (!former)
        return weft_fail_memory("a scene", sizeof *former);
    former->base = base;
    former->rebased = 1;
    weft_result result = exchange(session, former);
    if (result.code != WEFT_OK) {
        former->base = NULL; /* still the caller's */
        destroy(former);
        return result;
    }
    former->number = session->formers ? session->formers->number + 1 : 1;
    former->next = session->formers;
    session->formers = former;
    studio_session_did(session, what, json_pack("[{s:I}]", "former", (json_int_t)former->number));
    return result;
}

weft_result studio_session_exchange(studio_session *session, int64_t number) {
    for (studio_former *former = session->formers; former; former = former->next)
        if (former->number == number)
            return exchange(session, former);
    return weft_fail(WEFT_BAD_INPUT, "the former scene is no longer kept");
}

static int is_named(const json_t *deeds, int64_t number) {
    size_t i;
    const json_t *deed;
    json_array_foreach(deeds, i, deed) {
        const json_t *change = json_array_get(json_object_get(deed, "changes"), 0);
        if (json_integer_value(json_object_get(change, "former")) == number)
            return 1;
    }
    return 0;
}

void studio_session_forget_formers(studio_session *session) {
    studio_former **at = &session->formers;
    while (*at) {
        studio_former *former = *at;
        if (is_named(session->undo, former->number) || is_named(session->redo, former->number)) {
            at = &former->next;
            continue;
        }
        *at = former->next;
        destroy(former);
    }
}
