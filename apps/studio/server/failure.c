/* Explains why a simulation stopped, and offers changes that help. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/session.h"

/* Adds a remedy: a text for a button, and the command that it stands for. Takes ownership of `command`. */
static void offer(json_t *remedies, const char *text, json_t *command) {
    json_array_append_new(remedies, json_pack("{s:s, s:o}", "text", text, "command", command));
}

static void offer_step(json_t *remedies, int pane, double step) {
    char text[96], value[32];
    snprintf(value, sizeof value, "%.3g", step);
    snprintf(text, sizeof text, "Use a time step of %.3g ms", 1000 * step);
    offer(remedies, text,
          json_pack("{s:s, s:s, s:s, s:i}", "do", "set", "path", "time.step", "value", value, "pane", pane));
}

static void offer_implicit(const studio_session *session, json_t *remedies, int pane) {
    const weft_sim *sim = session->pane[pane].sim;
    const char *best = studio_method_for(session->host.registry, weft_sim_model_name(sim, 0), "");
    char text[96];
    if (!best[0] || strcmp(best, weft_sim_integrator_name(sim)) == 0)
        return;
    snprintf(text, sizeof text, "Use %.60s", best);
    offer(remedies, text, json_pack("{s:s, s:s, s:i}", "do", "algorithm", "integrator", best, "pane", pane));
}

static void explain_divergence(studio_session *session, int pane, char cause[256], json_t *remedies) {
    weft_sim *sim = session->pane[pane].sim;
    const char *integrator = weft_sim_integrator_name(sim);
    double step = weft_sim_clock(sim)->step, stable = weft_sim_stable_step(sim);
    if (strcmp(integrator, "forward-euler") == 0) {
        snprintf(cause, 256, "%s is unstable at any time step; it is there for comparison", integrator);
        offer_implicit(session, remedies, pane);
    } else if (isfinite(stable) && stable > 0) {
        snprintf(cause, 256,
                 step > 0.9 * stable
                     ? "the time step of %.3g ms is too long for %.60s, which is stable up to %.3g ms here"
                     : "the time step of %.3g ms is too long for %.60s, damping and fast motion together "
                       "(without them %.3g ms would do)",
                 1000 * step, integrator, 1000 * stable);
        offer_step(remedies, pane, fmin(0.5 * step, 0.5 * stable));
        offer_implicit(session, remedies, pane);
    } else if (weft_sim_reason(sim)) {
        snprintf(cause, 256, "%s", weft_sim_reason(sim));
        offer_step(remedies, pane, 0.5 * step);
        offer_implicit(session, remedies, pane);
    } else {
        snprintf(cause, 256, "the time step of %.3g ms is too long for this motion", 1000 * step);
        offer_step(remedies, pane, 0.5 * step);
    }
}

void studio_session_tell_stopped(studio_session *session, int pane, const weft_result *result, weft_status status) {
    char cause[256], message[512];
    json_t *remedies = json_array();
    const char *what = "The simulation stopped";
    if (status == WEFT_STATUS_DIVERGED) {
        what = "The simulation diverged";
        explain_divergence(session, pane, cause, remedies);
    } else if (status == WEFT_STATUS_INTERSECTS) {
        snprintf(cause, sizeof cause, "surfaces began to intersect, and contact.on_intersection is stop");
        offer(remedies, "Go on when surfaces intersect",
              json_pack("{s:s, s:s, s:s}", "do", "set", "path", "contact.on_intersection", "value", "go-on"));
    } else {
        snprintf(cause, sizeof cause, "%.250s", result->code != WEFT_OK ? result->message : weft_status_name(status));
    }
    snprintf(message, sizeof message, "%s in frame %lld: %s.", what,
             (long long)weft_sim_frame(session->pane[pane].sim) + 1, cause);
    studio_session_tell_failed(session, pane, message, remedies);
}
