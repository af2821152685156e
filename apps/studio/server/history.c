/* The recorded frames, stored as complete snapshots. The oldest are dropped when they exceed MOST_BYTES. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"

static const size_t MOST_BYTES = (size_t)512 << 20;

void studio_moment_drop(studio_moment *moment) {
    if (!moment || atomic_fetch_sub(&moment->users, 1) > 1)
        return;
    for (int i = 0; i < moment->pane_count; i++)
        free(moment->snapshot[i]);
    free(moment);
}

static size_t bytes_of(const studio_moment *moment) {
    size_t bytes = sizeof *moment;
    for (int i = 0; i < moment->pane_count; i++)
        bytes += moment->size[i];
    return bytes;
}

void studio_history_cut_off(studio_session *session, int64_t count) {
    studio_history *history = &session->history;
    while (history->count > count) {
        studio_moment *last = history->moment[--history->count];
        history->bytes -= bytes_of(last);
        studio_moment_drop(last);
    }
}

static void forget_oldest(studio_history *history) {
    int64_t gone = 0;
    while (history->bytes > MOST_BYTES && gone + 1 < history->count) {
        history->bytes -= bytes_of(history->moment[gone]);
        studio_moment_drop(history->moment[gone++]);
    }
    history->count -= gone;
    memmove(history->moment, history->moment + gone, (size_t)history->count * sizeof(studio_moment *));
}

static studio_moment *make_moment(studio_session *session) {
    studio_moment *moment = calloc(1, sizeof *moment);
    if (!moment)
        return NULL;
    atomic_init(&moment->users, 1);
    const weft_sim *first = session->pane[0].sim;
    moment->frame = weft_sim_frame(first);
    moment->step = weft_sim_step_count(first);
    moment->time = weft_sim_time(first);
    moment->hash = weft_sim_hash(first);
    moment->pane_count = session->pane_count;
    for (int i = 0; i < session->pane_count; i++) {
        moment->size[i] = weft_sim_snapshot_size(session->pane[i].sim);
        moment->snapshot[i] = malloc(moment->size[i]);
        if (!moment->snapshot[i]) {
            studio_moment_drop(moment);
            return NULL;
        }
        weft_sim_snapshot(session->pane[i].sim, moment->snapshot[i]);
    }
    return moment;
}

weft_result studio_history_add(studio_session *session) {
    studio_history *history = &session->history;
    if (history->count == history->room) {
        int64_t room = history->room > 0 ? 2 * history->room : 256;
        studio_moment **grown = realloc(history->moment, (size_t)room * sizeof(studio_moment *));
        if (!grown)
            return weft_fail_memory("recorded frames", (size_t)room * sizeof(studio_moment *));
        history->moment = grown;
        history->room = room;
    }
    studio_moment *moment = make_moment(session);
    if (!moment)
        return weft_fail_memory("a recorded frame", weft_sim_snapshot_size(session->pane[0].sim));
    history->moment[history->count++] = moment;
    history->bytes += bytes_of(moment);
    forget_oldest(history);
    return weft_ok();
}

int64_t studio_history_find(const studio_session *session, int64_t frame) {
    const studio_history *history = &session->history;
    if (history->count == 0 || frame < history->moment[0]->frame)
        return -1;
    int64_t index = frame - history->moment[0]->frame; /* frames are recorded without gaps */
    return index < history->count ? index : -1;
}

weft_result studio_history_restore(studio_session *session, int64_t index) {
    const studio_moment *moment = session->history.moment[index];
    for (int i = 0; i < session->pane_count && i < moment->pane_count; i++) {
        WEFT_TRY(weft_sim_restore(session->pane[i].sim, moment->snapshot[i], moment->size[i]));
        session->pane[i].changed = session->pane[i].bodies_changed = 1;
    }
    studio_session_forget_rate(session);
    session->dirty = 1;
    return weft_ok();
}
