/* A session: creation, the table of commands, answers and events, and the clock that drives the steps. */
#include "apps/studio/server/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/studio/server/fields.h"

weft_result studio_session_create(const studio_host *host, const char *start, studio_session **out) {
    *out = NULL;
    studio_session *session = calloc(1, sizeof *session);
    if (!session)
        return weft_fail_memory("the studio", sizeof *session);
    session->host = *host;
    session->pane_count = 1;
    session->speed = 1;
    session->wind = WEFT_NONE;
    session->fixed = json_object();
    session->unfixed = json_object();
    session->undo = json_array();
    session->redo = json_array();
    weft_result result = session->fixed && session->unfixed && session->undo && session->redo
                             ? studio_session_load(session, start)
                             : weft_fail_memory("the studio", 64);
    if (result.code != WEFT_OK) {
        studio_session_destroy(session);
        return result;
    }
    *out = session;
    return result;
}

/* Tells exports to stop and waits for them. */
static void wait_for_exports(studio_session *session) {
    atomic_store(&session->stopping, 1);
    while (atomic_load(&session->jobs_running) > 0)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void studio_session_destroy(studio_session *session) {
    if (!session)
        return;
    wait_for_exports(session);
    studio_history_cut_off(session, 0);
    free(session->history.moment);
    for (int i = 0; i < STUDIO_MOST_PANES; i++)
        studio_pane_destroy(&session->pane[i]);
    studio_grip_clear(session);
    weft_inputs_free(&session->script);
    weft_inputs_free(&session->log);
    json_decref(session->redo);
    json_decref(session->undo);
    session->undo = session->redo = NULL;
    studio_session_forget_formers(session);
    json_decref(session->unfixed);
    json_decref(session->fixed);
    weft_tree_destroy(session->base);
    free(session);
}

/* -- messages -- */

typedef struct command {
    const char *name;
    weft_result (*function)(studio_session *session, studio_request *request);
} command;

static const command COMMANDS[] = {
    {"hello", studio_do_hello},         {"load", studio_do_load},       {"target", studio_do_target},
    {"algorithm", studio_do_algorithm}, {"compare", studio_do_compare}, {"set", studio_do_set},
    {"reset", studio_do_reset},         {"fabric", studio_do_fabric},   {"force", studio_do_force},
    {"wind", studio_do_wind},           {"undo", studio_do_undo},       {"redo", studio_do_redo},
    {"drag", studio_do_drag},           {"release", studio_do_release}, {"pin", studio_do_pin},
    {"free", studio_do_free},           {"cut", studio_do_cut},         {"body", studio_do_body},
    {"play", studio_do_play},           {"pause", studio_do_pause},     {"restart", studio_do_restart},
    {"live", studio_do_live},           {"step", studio_do_step},       {"speed", studio_do_speed},
    {"scrub", studio_do_scrub},         {"show", studio_do_show},       {"record", studio_do_record},
    {"export", studio_do_export},       {"state", studio_do_state},     {"recordings", studio_do_recordings},
    {"cancel", studio_do_cancel},       {"source", studio_do_source},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static weft_result run_command(studio_session *session, studio_request *request) {
    const char *name = NULL, *names[COMMAND_COUNT];
    WEFT_TRY(studio_field_require(request->message, "do"));
    WEFT_TRY(studio_field_text(request->message, "do", &name));
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0)
            return COMMANDS[i].function(session, request);
        names[i] = COMMANDS[i].name;
    }
    const char *nearest = weft_nearest(name, names, COMMAND_COUNT);
    return weft_fail(WEFT_BAD_INPUT, "no command '%.40s'%s%s%s", name, nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static void post(studio_session *session, uint64_t viewer, json_t *message, unsigned flags) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (text) /* null if memory is out: the message is lost */
        session->host.post(session->host.context, viewer, text, flags);
}

void studio_session_event(studio_session *session, uint64_t viewer, const char *name, json_t *fields, unsigned flags) {
    if (fields)
        json_object_set_new(fields, "event", json_string(name));
    post(session, viewer, fields, flags);
}

/* Returns the viewer's slot, a free slot for a new viewer, or -1 if all are taken. */
static int place_of(const studio_session *session, uint64_t viewer) {
    for (int i = 0; i < STUDIO_MOST_VIEWERS; i++)
        if (session->viewer[i].viewer == viewer)
            return i;
    return viewer != 0 ? place_of(session, 0) : -1;
}

static void note_command(studio_session *session, uint64_t viewer, int64_t id) {
    int place = place_of(session, viewer);
    if (place < 0)
        return;
    session->viewer[place].viewer = viewer;
    session->viewer[place].id = (uint32_t)id;
}

static void answer(studio_session *session, studio_request *request) {
    int64_t id = 0;
    weft_result result = studio_field_require(request->message, "id");
    if (result.code == WEFT_OK)
        result = studio_field_int(request->message, "id", 1, UINT32_MAX, &id);
    const char *name = NULL;
    if (result.code == WEFT_OK) {
        result = run_command(session, request);
        note_command(session, request->viewer, id);
        (void)studio_field_text(request->message, "do", &name);
    }
    json_object_set_new(request->reply, "re", json_integer(id));
    if (result.code == WEFT_OK) {
        json_object_set_new(request->reply, "ok", json_true());
    } else {
        char text[512];
        snprintf(text, sizeof text, "%s", result.message);
        studio_shorten_names(&session->host, text);
        json_object_set_new(request->reply, "error", json_string(text));
    }
    int begins = result.code == WEFT_OK && name && strcmp(name, "hello") == 0;
    post(session, request->viewer, json_incref(request->reply), begins ? STUDIO_POST_BEGIN : 0);
    if (begins) {
        studio_session_tell_scene(session, request->viewer);
        studio_session_tell_time(session, request->viewer);
        studio_session_tell_history(session, request->viewer);
        studio_session_tell_show(session, request->viewer);
        session->dirty = 1;
    }
}

void studio_session_execute(studio_session *session, uint64_t viewer, const char *bytes, size_t size) {
    json_error_t error;
    json_t *message = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
    studio_request request = {.viewer = viewer, .message = message, .reply = json_object()};
    if (json_is_object(message))
        answer(session, &request);
    else
        post(session, viewer,
             json_pack("{s:i, s:s}", "re", 0, "error",
                       message ? "a message must be an object such as {\"id\": 1, \"do\": \"hello\"}" : "not JSON"),
             0);
    json_decref(request.reply);
    json_decref(message);
}

void studio_session_forget(studio_session *session, uint64_t viewer) {
    for (int i = 0; i < STUDIO_MOST_VIEWERS; i++)
        if (session->viewer[i].viewer == viewer)
            memset(&session->viewer[i], 0, sizeof session->viewer[i]);
    studio_grip_forget(session, viewer); /* else its vertices would stay held for ever */
}

/* -- time -- */

static const double SHOW_SECONDS = 1.0 / 120; /* shortest interval between two captured frames */
static const double STATS_SECONDS = 0.1;

static void show_if_wanted(studio_session *session, int frame_ended) {
    if (!session->dirty)
        return;
    double since = session->now - session->shown_at;
    int now =
        !session->playing || session->urgent > 0 || since >= 2 * SHOW_SECONDS || (frame_ended && since >= SHOW_SECONDS);
    if (!now)
        return;
    weft_result result = studio_session_capture(session);
    if (result.code != WEFT_OK)
        studio_session_tell_failed(session, 0, result.message, NULL);
    session->dirty = 0;
    session->urgent = 0;
    session->shown_at = session->now;
}

static int is_going(const studio_session *session) { return session->playing || session->pending > 0; }

/* Returns the seconds until the next step is due. Steps from the `step` command run without waiting. */
static double until_due(const studio_session *session) {
    if (session->pending > 0)
        return 0;
    double time = weft_sim_time(session->pane[0].sim);
    return session->anchor_wall + (time - session->anchor_time) / session->speed - session->now;
}

double studio_session_go_on(studio_session *session, double now) {
    static const double IDLE = 0.1, BEHIND = 0.1;
    session->now = now;
    int64_t frame = weft_sim_frame(session->pane[0].sim);
    if (is_going(session) && until_due(session) <= 0) {
        if (session->pending == 0 && until_due(session) < -BEHIND)
            studio_session_anchor(session); /* too slow for real time: do not try to catch up */
        studio_session_step(session);
    }
    show_if_wanted(session, weft_sim_frame(session->pane[0].sim) != frame);
    if (is_going(session) && now - session->stats_at >= STATS_SECONDS) {
        studio_session_tell_stats(session);
        session->stats_at = now;
    }
    if (!is_going(session))
        return IDLE;
    return fmin(IDLE, fmax(0, until_due(session)));
}
