/* Undo and redo. An action ("deed") is {"what", "changes"}. A change is one of these:
 *   path, pane, before, after     a parameter
 *   pin, cloth, vertices
 *   force, added, values          forces.c
 *   body, values                  a body was added (bodies.c)
 *   methods_before, methods_after choose.c
 *   former                        the number of the scene before a new cloth (former.c)
 *   frame, step, again, open      a change of the state: a cut, a drag or a moved body. Undo goes back to the frame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"

enum { MOST_DEEDS = 200 };
static const double ONE_DEED_SECONDS = 1; /* moving a slider sets a parameter many times, but is one action */

static const char *text_of(const json_t *deed, const char *key) {
    return json_string_value(json_object_get(deed, key));
}

static void name_top(json_t *fields, const char *key, const json_t *stack) {
    size_t count = json_array_size(stack);
    json_t *what = count > 0 ? json_object_get(json_array_get(stack, count - 1), "what") : NULL;
    json_object_set_new(fields, key, what ? json_incref(what) : json_null());
}

void studio_session_tell_history(studio_session *session, uint64_t viewer) {
    json_t *fields = json_object();
    name_top(fields, "undo", session->undo);
    name_top(fields, "redo", session->redo);
    studio_session_event(session, viewer, "history", fields, 0);
}

void studio_session_forget_undo(studio_session *session) {
    json_array_clear(session->undo);
    json_array_clear(session->redo);
    studio_session_forget_formers(session);
    studio_session_tell_history(session, 0);
}

/* If the same parameters changed again within ONE_DEED_SECONDS, extends the last action and returns 1. */
static int goes_on(const studio_session *session, const char *what, const json_t *changes) {
    size_t count = json_array_size(session->undo);
    if (count == 0 || session->now - session->undo_time > ONE_DEED_SECONDS)
        return 0;
    json_t *last = json_array_get(session->undo, count - 1), *old = json_object_get(last, "changes");
    if (strcmp(text_of(last, "what"), what) != 0 || json_array_size(old) != json_array_size(changes))
        return 0;
    if (strncmp(what, "move ", 5) == 0)
        return 1; /* undo goes back to where the first of these moves began */
    if (strncmp(what, "set ", 4) != 0)
        return 0;
    for (size_t i = 0; i < json_array_size(old); i++) {
        json_t *a = json_array_get(old, i), *b = json_array_get(changes, i);
        if (!json_equal(json_object_get(a, "path"), json_object_get(b, "path")) ||
            !json_equal(json_object_get(a, "pane"), json_object_get(b, "pane")))
            return 0;
    }
    for (size_t i = 0; i < json_array_size(old); i++)
        json_object_set(json_array_get(old, i), "after", json_object_get(json_array_get(changes, i), "after"));
    return 1;
}

void studio_session_did(studio_session *session, const char *what, json_t *changes) {
    if (session->undo_off || !changes) {
        json_decref(changes);
        return;
    }
    json_array_clear(session->redo);
    if (!goes_on(session, what, changes)) {
        json_array_append_new(session->undo, json_pack("{s:s, s:O}", "what", what, "changes", changes));
        if (json_array_size(session->undo) > MOST_DEEDS)
            json_array_remove(session->undo, 0);
    }
    session->undo_time = session->now;
    json_decref(changes);
    studio_session_forget_formers(session);
    studio_session_tell_history(session, 0);
}

/* -- changes of the state -- */

static json_t *last_state(const studio_session *session) {
    size_t count = json_array_size(session->undo);
    json_t *changes = count > 0 ? json_object_get(json_array_get(session->undo, count - 1), "changes") : NULL;
    json_t *change = json_array_get(changes, 0);
    return json_object_get(change, "frame") ? change : NULL;
}

static int is_open(const json_t *state, uint64_t viewer) {
    return state && viewer > 0 && (uint64_t)json_integer_value(json_object_get(state, "open")) == viewer;
}

void studio_session_did_change_state(studio_session *session, const char *what, const json_t *again, uint64_t viewer) {
    const weft_sim *sim = session->pane[0].sim;
    if (is_open(last_state(session), viewer))
        return;
    json_t *change = json_pack("{s:I, s:I, s:I}", "frame", (json_int_t)weft_sim_frame(sim), "step",
                               (json_int_t)weft_sim_step_count(sim), "open", (json_int_t)viewer);
    if (again)
        json_object_set_new(change, "again", json_deep_copy(again));
    studio_session_did(session, what, json_pack("[o]", change));
}

void studio_session_end_drag(studio_session *session, uint64_t viewer) {
    json_t *state = last_state(session);
    if (is_open(state, viewer))
        json_object_set_new(state, "open", json_integer(0));
}

void studio_session_forget_states(studio_session *session, int64_t step) {
    int forgotten = 0;
    for (size_t i = json_array_size(session->undo); i-- > 0;) {
        const json_t *changes = json_object_get(json_array_get(session->undo, i), "changes");
        const json_t *at = json_object_get(json_array_get(changes, 0), "step");
        if (!at || json_integer_value(at) < step)
            continue;
        json_array_remove(session->undo, i);
        forgotten = 1;
    }
    if (forgotten)
        studio_session_tell_history(session, 0);
}

static weft_result change_state(studio_session *session, const json_t *change, int forward) {
    const json_t *again = json_object_get(change, "again");
    int32_t count;
    return forward ? studio_session_cut(session, again, &count)
                   : studio_session_go_back(session, json_integer_value(json_object_get(change, "frame")));
}

/* A drag cannot be repeated: there would be no hand. */
static int can_redo(const json_t *deed) {
    const json_t *change = json_array_get(json_object_get(deed, "changes"), 0);
    return !json_object_get(change, "frame") || json_object_get(change, "again");
}

/* After a redo, undo goes back to where it was redone. */
static void renew_state(const studio_session *session, const json_t *deed) {
    json_t *change = json_array_get(json_object_get(deed, "changes"), 0);
    if (!json_object_get(change, "frame"))
        return;
    json_object_set_new(change, "frame", json_integer((json_int_t)weft_sim_frame(session->pane[0].sim)));
    json_object_set_new(change, "step", json_integer((json_int_t)weft_sim_step_count(session->pane[0].sim)));
}

/* -- undo and redo -- */

static weft_result hold_again(studio_session *session, const json_t *change, int pinned) {
    const json_t *list = json_object_get(change, "vertices");
    int32_t count = (int32_t)json_array_size(list);
    int32_t *vertex = malloc(((size_t)count + 1) * sizeof *vertex);
    if (!vertex)
        return weft_fail_memory("a pin", (size_t)count * sizeof *vertex);
    for (int32_t i = 0; i < count; i++)
        vertex[i] = (int32_t)json_integer_value(json_array_get(list, (size_t)i));
    weft_result result = studio_session_hold(
        session, pinned, (int32_t)json_integer_value(json_object_get(change, "cloth")), vertex, count);
    free(vertex);
    return result;
}

static weft_result change_back(studio_session *session, json_t *change, int forward, int *restarted) {
    const json_t *pin = json_object_get(change, "pin");
    if (pin)
        return hold_again(session, change, json_is_true(pin) == forward);
    if (json_object_get(change, "frame"))
        return change_state(session, change, forward);
    if (json_object_get(change, "force"))
        return studio_session_change_force(session, change, forward);
    if (json_object_get(change, "body"))
        return studio_session_change_bodies(session, text_of(change, "body"),
                                            forward ? json_object_get(change, "values") : NULL);
    if (json_object_get(change, "former"))
        return studio_session_exchange(session, json_integer_value(json_object_get(change, "former")));
    if (json_object_get(change, "methods_after"))
        return studio_session_use_methods(session,
                                          json_object_get(change, forward ? "methods_after" : "methods_before"));
    return studio_session_set(session, (int)json_integer_value(json_object_get(change, "pane")),
                              text_of(change, "path"), text_of(change, forward ? "after" : "before"), NULL, restarted);
}

static weft_result go(studio_session *session, studio_request *request, json_t *from, json_t *to, int forward) {
    size_t count = json_array_size(from);
    if (count == 0)
        return weft_fail(WEFT_BAD_INPUT, "nothing to %s", forward ? "redo" : "undo");
    json_t *deed = json_incref(json_array_get(from, count - 1));
    json_array_remove(from, count - 1);
    const json_t *changes = json_object_get(deed, "changes");
    weft_result result = weft_ok();
    int restarted = 0;
    session->undo_off = 1;
    for (size_t i = 0, n = json_array_size(changes); i < n && result.code == WEFT_OK; i++)
        result = change_back(session, json_array_get(changes, forward ? i : n - 1 - i), forward, &restarted);
    session->undo_off = 0;
    session->undo_time = 0;
    studio_session_tell_params(session, changes);
    if (result.code == WEFT_OK) {
        json_object_set(request->reply, "what", json_object_get(deed, "what"));
        if (forward)
            renew_state(session, deed);
        if (can_redo(deed))
            json_array_append(to, deed);
    }
    json_decref(deed);
    studio_session_forget_formers(session);
    studio_session_tell_history(session, 0);
    return result;
}

weft_result studio_do_undo(studio_session *session, studio_request *request) {
    return go(session, request, session->undo, session->redo, 0);
}

weft_result studio_do_redo(studio_session *session, studio_request *request) {
    return go(session, request, session->redo, session->undo, 1);
}
