/* Renders the frames of a take. */
#include "render/reel.h"

#include <math.h>
#include <stdlib.h>

#include "render/reel_bodies.h"
#include "render/reel_cloth.h"

struct weft_reel {
    weft_take_reader *take;
    weft_view view;
    weft_framing framing;
    weft_renderer *renderer;
    weft_reel_cloth *cloth; /* (cloth_count) */
    weft_shot_cloth *shot;  /* (cloth_count) */
    weft_take_state *state; /* scratch for calls of the reader (cloth_count) */
    weft_reel_bodies bodies;
    double low, high; /* range of the false colours over all frames; low > high if empty */
};

/* -- frames -- */

static weft_result read_states(weft_reel *reel, int64_t frame, size_t offset) {
    for (int32_t i = 0; i < reel->take->cloth_count; i++)
        reel->state[i] = *(const weft_take_state *)((const char *)&reel->cloth[i] + offset);
    return weft_take_reader_read_frame(reel->take, frame, reel->state);
}

/* Reads the meshes of a frame and reallocates the cloths whose mesh changes. */
static weft_result follow_meshes(weft_reel *reel, int64_t frame) {
    WEFT_TRY(weft_take_reader_read_mesh(reel->take, frame));
    for (int32_t i = 0; i < reel->take->cloth_count; i++)
        if (reel->take->cloth[i].changes) {
            weft_reel_cloth_free(&reel->cloth[i]);
            WEFT_TRY(weft_reel_cloth_create(&reel->cloth[i], &reel->take->cloth[i], &reel->view));
        }
    return weft_ok();
}

static weft_result read_frame(weft_reel *reel, int64_t frame) {
    WEFT_TRY(follow_meshes(reel, frame));
    int64_t last = reel->take->frame_count - 1;
    int64_t before = frame > 0 ? frame - 1 : 0, after = frame < last ? frame + 1 : last;
    WEFT_TRY(read_states(reel, frame, offsetof(weft_reel_cloth, now)));
    if (reel->view.color == WEFT_COLOR_SPEED) {
        WEFT_TRY(read_states(reel, before, offsetof(weft_reel_cloth, before)));
        WEFT_TRY(read_states(reel, after, offsetof(weft_reel_cloth, after)));
    }
    for (int32_t i = 0; i < reel->take->cloth_count; i++) {
        WEFT_TRY(weft_reel_cloth_update(&reel->cloth[i], &reel->view, (double)(after - before) / reel->take->rate));
        reel->shot[i] = weft_reel_cloth_shot(&reel->cloth[i]);
    }
    return weft_reel_bodies_read(&reel->bodies, frame);
}

/* -- opening -- */

static weft_result create_cloths(weft_reel *reel) {
    size_t count = (size_t)reel->take->cloth_count;
    reel->cloth = calloc(count, sizeof *reel->cloth);
    reel->shot = calloc(count, sizeof *reel->shot);
    reel->state = calloc(count, sizeof *reel->state);
    if (!reel->cloth || !reel->shot || !reel->state)
        return weft_fail_memory("the cloths of the pictures", count * sizeof *reel->cloth);
    for (size_t i = 0; i < count; i++)
        WEFT_TRY(weft_reel_cloth_create(&reel->cloth[i], &reel->take->cloth[i], &reel->view));
    return weft_ok();
}

/* If faces are torn open, only frames the vertices of the remaining triangles. Other vertices are loose yarns and may
 * be anywhere. */
static void add_to_framing(weft_reel *reel, int32_t cloth) {
    const weft_shot_cloth *shot = &reel->shot[cloth];
    if (shot->triangle_count == reel->take->cloth[cloth].triangle_count) {
        weft_framing_add(&reel->framing, shot->position, shot->vertex_count);
        return;
    }
    for (size_t i = 0; i < 3 * (size_t)shot->triangle_count; i++)
        weft_framing_add(&reel->framing, &shot->position[shot->triangle[i]], 1);
}

static weft_result survey(weft_reel *reel, const weft_frame_range *range) {
    reel->framing = weft_framing_start(&reel->view);
    for (int64_t frame = range->first; frame <= range->last; frame += range->step) {
        WEFT_TRY(read_frame(reel, frame));
        weft_reel_bodies_survey(&reel->bodies);
        for (int32_t i = 0; i < reel->take->cloth_count; i++) {
            const weft_shot_cloth *shot = &reel->shot[i];
            add_to_framing(reel, i);
            for (int32_t v = 0; shot->scalar && v < shot->vertex_count; v++) {
                reel->low = fmin(reel->low, shot->scalar[v]);
                reel->high = fmax(reel->high, shot->scalar[v]);
            }
        }
    }
    weft_reel_bodies_settle(&reel->bodies, &reel->view, &reel->framing);
    return weft_ok();
}

static weft_result check_color(const weft_take_reader *take, const weft_view *view) {
    const weft_param *row = weft_params_find(weft_view_params(), "color");
    for (int32_t i = 0; i < take->cloth_count; i++) {
        if (view->color == WEFT_COLOR_GENERATION && !take->cloth[i].changes)
            return weft_fail(WEFT_UNSUPPORTED, "view.color: %s: the mesh of cloth '%.60s' does not change; use `adapt`",
                             row->choices[view->color], take->cloth[i].name);
        if (view->color == WEFT_COLOR_SPEED && take->cloth[i].changes)
            return weft_fail(WEFT_UNSUPPORTED,
                             "view.color: %s: the mesh of cloth '%.60s' changes, so that frames cannot be compared",
                             row->choices[view->color], take->cloth[i].name);
    }
    int strain = view->color >= WEFT_COLOR_STRAIN_WEFT, pressure = view->color == WEFT_COLOR_PRESSURE;
    for (int32_t i = 0; i < take->cloth_count; i++)
        if ((strain && !take->cloth[i].has_strain) || (pressure && !take->cloth[i].has_pressure))
            return weft_fail(WEFT_UNSUPPORTED,
                             "view.color: %s: the run did not record it for cloth '%.60s'; run it with --set "
                             "output.%s=true",
                             row->choices[view->color], take->cloth[i].name, strain ? "strain" : "pressure");
    return weft_ok();
}

static weft_result open_reel(weft_reel *reel, const weft_frame_range *range, int threads) {
    weft_view *view = &reel->view;
    WEFT_TRY(weft_view_check(view));
    WEFT_TRY(check_color(reel->take, view));
    WEFT_TRY(create_cloths(reel));
    WEFT_TRY(weft_reel_bodies_create(&reel->bodies, reel->take, view));
    WEFT_TRY(survey(reel, range));
    /* One range for all pictures, so that colours do not flicker. */
    if (view->color_low == view->color_high && reel->low < reel->high) {
        view->color_low = reel->low;
        view->color_high = reel->high;
    }
    return weft_renderer_create(view, threads, &reel->renderer);
}

weft_result weft_reel_open(weft_take_reader *take, const weft_view *view, const weft_frame_range *range, int threads,
                           weft_reel **reel) {
    *reel = NULL;
    weft_reel *made = calloc(1, sizeof *made);
    if (!made)
        return weft_fail_memory("a reel", sizeof *made);
    made->take = take;
    made->view = *view;
    made->low = INFINITY;
    made->high = -INFINITY;
    weft_result result = open_reel(made, range, threads);
    if (result.code != WEFT_OK)
        weft_reel_close(made);
    else
        *reel = made;
    return result;
}

weft_result weft_reel_picture(weft_reel *reel, int64_t frame, weft_picture *picture) {
    WEFT_TRY(read_frame(reel, frame));
    weft_camera camera = weft_framing_camera(&reel->framing, &reel->view, (double)frame / reel->take->rate);
    weft_shot shot = {.cloth = reel->shot,
                      .cloth_count = reel->take->cloth_count,
                      .body = reel->bodies.shot,
                      .body_count = reel->bodies.shot_count,
                      .low = reel->framing.low,
                      .high = reel->framing.high};
    return weft_renderer_frame(reel->renderer, &shot, &camera, picture);
}

void weft_reel_close(weft_reel *reel) {
    if (!reel)
        return;
    weft_renderer_destroy(reel->renderer);
    weft_reel_bodies_free(&reel->bodies);
    for (int32_t i = 0; reel->cloth && i < reel->take->cloth_count; i++)
        weft_reel_cloth_free(&reel->cloth[i]);
    free(reel->state);
    free(reel->shot);
    free(reel->cloth);
    free(reel);
}
