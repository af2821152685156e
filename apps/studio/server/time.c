/* Commands of time: play, pause, step, speed, scrub and live; and the stepping of panes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"

void studio_session_anchor(studio_session *session) {
    session->anchor_wall = session->now;
    session->anchor_time = weft_sim_time(session->pane[0].sim);
}

void studio_session_forget_rate(studio_session *session) {
    session->fps_frame = weft_sim_frame(session->pane[0].sim);
    session->fps_at = session->now;
}

void studio_session_tell_time(studio_session *session, uint64_t viewer) {
    const studio_history *history = &session->history;
    const weft_sim *sim = session->pane[0].sim;
    int64_t first = history->count > 0 ? history->moment[0]->frame : 0;
    int64_t last = history->count > 0 ? history->moment[history->count - 1]->frame : 0;
    studio_session_event(session, viewer, "time",
                         json_pack("{s:b, s:b, s:f, s:I, s:I, s:f, s:I, s:I, s:b}", "recording", session->recording,
                                   "playing", session->playing, "speed", session->speed, "frame",
                                   (json_int_t)weft_sim_frame(sim), "step", (json_int_t)weft_sim_step_count(sim),
                                   "time", weft_sim_time(sim), "first", (json_int_t)first, "last", (json_int_t)last,
                                   "live", !session->scrubbed),
                         0);
}

/* -- stepping -- */

static void stop(studio_session *session, int pane, const weft_result *result, weft_status status) {
    if (pane == 0) {
        session->playing = 0;
        session->pending = 0;
    }
    session->pane[pane].failed = 1;
    studio_session_tell_stopped(session, pane, result, status);
    studio_session_tell_time(session, 0);
}

/* Steps one pane. Returns whether its frame is complete. */
static int step_pane(studio_session *session, int index) {
    studio_pane *pane = &session->pane[index];
    weft_report report = {0};
    int32_t done = 0;
    weft_result result = weft_sim_advance_step(pane->sim, &report, &done);
    int32_t changes = report.torn + report.adapt.inserted + report.adapt.removed + report.adapt.turned;
    pane->changed |= changes > pane->changes;
    pane->changes = done ? 0 : changes;
    if (done)
        pane->report = report;
    studio_session_tell_events(session, index);
    if (result.code != WEFT_OK || report.status != WEFT_STATUS_OK)
        stop(session, index, &result, report.status);
    return done;
}

/* Steps another pane until it has caught up with pane 0. It may have a shorter time step and need more steps. */
static void follow(studio_session *session, int index, int frame_done) {
    studio_pane *pane = &session->pane[index];
    const weft_sim *first = session->pane[0].sim;
    double time = weft_sim_time(first), slack = 1e-9 * (1 + time);
    while (!pane->failed &&
           (frame_done ? weft_sim_frame(pane->sim) < weft_sim_frame(first) : weft_sim_time(pane->sim) < time - slack)) {
        int done = step_pane(session, index);
        if (done && !frame_done)
            break;
    }
}

void studio_session_step(studio_session *session) {
    if (studio_session_take_up(session).code != WEFT_OK)
        return;
    studio_script_act(session);
    session->pane[0].failed = 0;
    int done = step_pane(session, 0);
    for (int i = 1; i < session->pane_count && !session->pane[0].failed; i++)
        follow(session, i, done);
    session->dirty = 1;
    if (session->pane[0].failed)
        return;
    if (done) {
        weft_result result = studio_history_add(session);
        if (result.code != WEFT_OK)
            stop(session, 0, &result, WEFT_STATUS_OK);
    }
    if (session->pending > 0 && (done || !session->pending_frames) && --session->pending == 0)
        studio_session_tell_time(session, 0);
}

/* -- commands -- */

weft_result studio_do_play(studio_session *session, studio_request *request) {
    (void)request;
    WEFT_TRY(studio_session_take_up(session));
    session->playing = 1;
    session->pending = 0;
    studio_session_forget_rate(session);
    studio_session_anchor(session);
    studio_session_tell_time(session, 0);
    return weft_ok();
}

weft_result studio_do_pause(studio_session *session, studio_request *request) {
    (void)request;
    session->playing = 0;
    session->pending = 0;
    session->dirty = 1;
    studio_session_tell_time(session, 0);
    return weft_ok();
}

weft_result studio_do_restart(studio_session *session, studio_request *request) {
    (void)request;
    return studio_session_restart(session, 1);
}

weft_result studio_do_step(studio_session *session, studio_request *request) {
    int64_t count = 1;
    const char *unit = "frame";
    WEFT_TRY(studio_field_int(request->message, "count", 1, 1000, &count));
    WEFT_TRY(studio_field_text(request->message, "unit", &unit));
    if (strcmp(unit, "frame") != 0 && strcmp(unit, "step") != 0)
        return weft_fail(WEFT_BAD_INPUT, "'unit' is 'frame' or 'step', not '%.40s'", unit);
    WEFT_TRY(studio_session_take_up(session));
    session->playing = 0;
    session->pending = count;
    session->pending_frames = strcmp(unit, "frame") == 0;
    studio_session_tell_time(session, 0);
    return weft_ok();
}

weft_result studio_do_speed(studio_session *session, studio_request *request) {
    WEFT_TRY(studio_field_require(request->message, "factor"));
    WEFT_TRY(studio_field_real(request->message, "factor", 0.01, 10, &session->speed));
    studio_session_anchor(session);
    studio_session_tell_time(session, 0);
    return weft_ok();
}

/* Sends the poses of all bodies, because they may differ in the frame that was restored. */
static void tell_bodies(studio_session *session) {
    for (int32_t i = 0; i < weft_sim_body_count(session->pane[0].sim); i++)
        studio_session_tell_body(session, i);
}

weft_result studio_session_go_back(studio_session *session, int64_t frame) {
    int64_t index = studio_history_find(session, frame);
    if (index < 0)
        return weft_fail(WEFT_BAD_INPUT, "frame %lld is no longer recorded", (long long)frame);
    WEFT_TRY(studio_history_restore(session, index));
    session->shown = index;
    session->scrubbed = 1;
    tell_bodies(session);
    return studio_session_take_up(session);
}

weft_result studio_do_scrub(studio_session *session, studio_request *request) {
    int64_t frame = 0;
    const studio_history *history = &session->history;
    WEFT_TRY(studio_field_require(request->message, "frame"));
    WEFT_TRY(studio_field_int(request->message, "frame", 0, INT32_MAX, &frame));
    int64_t index = studio_history_find(session, frame);
    if (index < 0)
        return weft_fail(WEFT_BAD_INPUT, "frame %lld is not recorded; frames %lld to %lld are", (long long)frame,
                         (long long)history->moment[0]->frame, (long long)history->moment[history->count - 1]->frame);
    WEFT_TRY(studio_history_restore(session, index));
    session->playing = 0;
    session->pending = 0;
    session->scrubbed = 1;
    session->shown = index;
    tell_bodies(session);
    studio_session_tell_time(session, 0);
    return weft_ok();
}

/* Continues from the newest complete frame. Steps of an unfinished frame after it are forgotten. */
weft_result studio_do_live(studio_session *session, studio_request *request) {
    (void)request;
    if (!session->scrubbed)
        return weft_ok();
    session->shown = session->history.count - 1;
    WEFT_TRY(studio_history_restore(session, session->shown));
    tell_bodies(session);
    return studio_session_take_up(session);
}
