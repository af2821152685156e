/* Notices: what `weft check` and `weft run` would print about the scene, for the page. */
#include "io/notices.h"

#include <stdio.h>

#include "apps/studio/server/session.h"

/* Takes ownership of `remedies`, a list of {"text", "command"}. */
static void add(json_t *list, const studio_host *host, const char *text, json_t *remedies) {
    char shown[512];
    snprintf(shown, sizeof shown, "%s", text);
    studio_shorten_names(host, shown);
    json_array_append_new(list, json_pack("{s:s, s:o}", "text", shown, "remedies", remedies));
}

static json_t *offer_scale(int32_t cloth, double scale) {
    char text[64];
    snprintf(text, sizeof text, "Scale by %g", scale);
    return json_pack("[{s:s, s:{s:s, s:i, s:f}}]", "text", text, "command", "do", "target", "cloth", cloth, "scale",
                     scale);
}

/* How the start was changed so that contact can work. */
static void add_start(json_t *list, const studio_host *host, const weft_sim *sim) {
    char text[400];
    weft_separation_write(sim, text, sizeof text);
    if (text[0])
        add(list, host, text, json_array());
    weft_repair_write(sim, text, sizeof text);
    if (text[0])
        add(list, host, text, json_array());
}

json_t *studio_scene_notices(const studio_host *host, const weft_sim *sim, const json_t *notes) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(notes); i++)
        add(list, host, json_string_value(json_array_get(notes, i)), json_array());
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++) {
        char text[400];
        double scale;
        if (weft_pattern_notice(sim, i, text, sizeof text))
            add(list, host, text, json_array());
        if (weft_size_notice(sim, i, text, sizeof text, &scale))
            add(list, host, text, offer_scale(i, scale));
    }
    add_start(list, host, sim);
    return list;
}

/* After going back in time the same event may come again. */
void studio_session_tell_events(studio_session *session, int pane) {
    studio_pane *p = &session->pane[pane];
    char text[400];
    for (; weft_event_notice(p->sim, p->event_count, text, sizeof text); p->event_count++) {
        if (json_object_get(p->told, text))
            continue;
        json_object_set_new(p->told, text, json_true());
        studio_session_event(session, 0, "notice", json_pack("{s:i, s:s}", "pane", pane, "text", text), 0);
    }
}
