#include "apps/cli/run_session.h"

#include "apps/cli/picture_writers.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/writer.h"

weft_result weft_session_open(weft_session *session, const weft_words *plugins) {
    *session = (weft_session){0};
    WEFT_TRY(weft_registry_create(&session->registry));
    WEFT_TRY(weft_writers_register(session->registry));
    WEFT_TRY(weft_picture_writers_register(session->registry));
    WEFT_TRY(mannequin_register(session->registry));
    for (int i = 0; i < plugins->count; i++) {
        if (session->plugin_count == WEFT_MOST_PLUGINS)
            return weft_fail(WEFT_BAD_INPUT, "--plugin: more than %d plugins", WEFT_MOST_PLUGINS);
        WEFT_TRY(weft_plugin_load(session->registry, plugins->word[i], &session->plugin[session->plugin_count]));
        session->plugin_count++;
    }
    return weft_ok();
}

void weft_session_close(weft_session *session) {
    weft_registry_destroy(session->registry);
    while (session->plugin_count > 0)
        weft_plugin_unload(session->plugin[--session->plugin_count]);
    *session = (weft_session){0};
}
