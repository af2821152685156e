/* Captures the present state as a frame for viewers. */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"
#include "weft/hooks.h"

static void free_surface(weft_body_surface *surface) {
    weft_memory_free(surface->triangle);
    weft_memory_free(surface->position);
}

static weft_result out_of_memory(void) { return weft_fail_memory("a frame", sizeof(studio_frame)); }

/* Makes shape messages for cloths that are new or have changed. */
static weft_result renew_cloths(studio_session *session, int index) {
    studio_pane *pane = &session->pane[index];
    for (int32_t i = 0; i < pane->cloth_count; i++) {
        if (pane->cloth[i] && !pane->changed)
            continue;
        studio_shape *shape = studio_shape_of_cloth(pane->sim, i, index, ++session->version);
        if (!shape)
            return out_of_memory();
        studio_shape_drop(pane->cloth[i]);
        pane->cloth[i] = shape;
    }
    pane->changed = 0;
    return weft_ok();
}

static weft_result place_body(studio_session *session, int index, int32_t body, studio_section *section) {
    studio_pane *pane = &session->pane[index];
    int moves = weft_sim_body_moves(pane->sim, body), fresh = !pane->body[body] || pane->bodies_changed;
    if (moves || fresh) {
        weft_body_surface surface = {0};
        WEFT_TRY(weft_sim_body_surface(pane->sim, body, &surface));
        studio_shape *shape = fresh ? studio_shape_of_body(&surface, body, index, ++session->version) : NULL;
        int placed = fresh || studio_section_place(section, surface.position, surface.vertex_count);
        free_surface(&surface);
        if ((fresh && !shape) || !placed)
            return out_of_memory();
        if (fresh) {
            studio_shape_drop(pane->body[body]);
            pane->body[body] = shape;
        }
    }
    section->shape = studio_shape_hold(pane->body[body]);
    return weft_ok();
}

static weft_result note_held(const weft_sim *sim, int32_t cloth, int32_t count, studio_section *section) {
    const uint8_t *held = weft_sim_held(sim, cloth);
    int32_t total = 0;
    for (int32_t i = 0; i < count; i++)
        total += held[i];
    if (total == 0)
        return weft_ok();
    section->held = malloc((size_t)total * sizeof *section->held);
    if (!section->held)
        return out_of_memory();
    for (int32_t i = 0; i < count; i++)
        if (held[i])
            section->held[section->held_count++] = (uint32_t)i;
    return weft_ok();
}

/* A model that does not provide the quantity gets no colours; that is not an error. */
static weft_result color_cloth(weft_sim *sim, int32_t cloth, int32_t count, const char *scalar,
                               studio_section *section) {
    double *value = malloc(((size_t)count + 1) * sizeof *value);
    if (!value)
        return out_of_memory();
    weft_result result = studio_scalar(sim, cloth, scalar, value);
    int colored = result.code != WEFT_OK || studio_section_color(section, value, count);
    free(value);
    return colored ? weft_ok() : out_of_memory();
}

static weft_result place_cloth(studio_session *session, int index, int32_t cloth, studio_section *section) {
    studio_pane *pane = &session->pane[index];
    int32_t count = weft_sim_cloth(pane->sim, cloth)->mesh->vertex_count;
    section->shape = studio_shape_hold(pane->cloth[cloth]);
    if (!studio_section_place(section, weft_sim_positions(pane->sim, cloth), count))
        return out_of_memory();
    WEFT_TRY(note_held(pane->sim, cloth, count, section));
    return session->scalar[0] ? color_cloth(pane->sim, cloth, count, session->scalar, section) : weft_ok();
}

static weft_result fill(studio_session *session, studio_frame *frame) {
    const weft_sim *first = session->pane[0].sim;
    frame->sequence = ++session->sequence;
    frame->flags = (uint16_t)((session->scrubbed ? STUDIO_FRAME_SCRUBBED : 0) |
                              (session->playing || session->pending ? 0 : STUDIO_FRAME_PAUSED));
    frame->pane_count = session->pane_count;
    frame->frame = (uint32_t)weft_sim_frame(first);
    frame->step = (uint32_t)weft_sim_step_count(first);
    frame->time = weft_sim_time(first);
    for (int i = 0; i < STUDIO_MOST_VIEWERS; i++) {
        frame->seen[i].viewer = session->viewer[i].viewer;
        frame->seen[i].id = session->viewer[i].id;
    }
    int used = 0;
    for (int i = 0; i < session->pane_count; i++) {
        for (int32_t k = 0; k < session->pane[i].cloth_count; k++)
            WEFT_TRY(place_cloth(session, i, k, &frame->section[used++]));
        for (int32_t k = 0; k < session->pane[i].body_count; k++)
            WEFT_TRY(place_body(session, i, k, &frame->section[used++]));
        session->pane[i].bodies_changed = 0;
    }
    return weft_ok();
}

weft_result studio_session_capture(studio_session *session) {
    int sections = 0;
    for (int i = 0; i < session->pane_count; i++) {
        WEFT_TRY(renew_cloths(session, i));
        sections += session->pane[i].cloth_count + session->pane[i].body_count;
    }
    studio_frame *frame = studio_frame_create(sections);
    if (!frame)
        return out_of_memory();
    weft_result result = fill(session, frame);
    if (result.code != WEFT_OK) {
        studio_frame_drop(frame);
        return result;
    }
    session->host.show(session->host.context, frame);
    return result;
}
