/* Prepares the bodies of a take for rendering. */
#include "render/reel_bodies.h"

#include <math.h>
#include <stdlib.h>

#include "weft/vec.h"

enum { HUGE_BODY = 4 }; /* in diagonals of the bounding box of the cloths */

weft_result weft_reel_bodies_create(weft_reel_bodies *bodies, weft_take_reader *take, const weft_view *view) {
    size_t count = (size_t)take->body_count + 1;
    *bodies = (weft_reel_bodies){.take = take,
                                 .position = calloc(count, sizeof *bodies->position),
                                 .framing = calloc(count, sizeof *bodies->framing),
                                 .shot = calloc(count, sizeof *bodies->shot)};
    if (!bodies->position || !bodies->framing || !bodies->shot)
        return weft_fail_memory("the bodies of the pictures", count * sizeof *bodies->framing);
    for (int32_t i = 0; i < take->body_count; i++) {
        size_t size = (size_t)take->body[i].vertex_count * sizeof **bodies->position;
        bodies->position[i] = malloc(size + 1);
        if (!bodies->position[i])
            return weft_fail_memory("the bodies of the pictures", size);
        bodies->framing[i] = weft_framing_start(view);
    }
    return weft_ok();
}

void weft_reel_bodies_free(weft_reel_bodies *bodies) {
    for (int32_t i = 0; bodies->position && i < bodies->take->body_count; i++)
        free(bodies->position[i]);
    free(bodies->shot);
    free(bodies->framing);
    free(bodies->position);
    *bodies = (weft_reel_bodies){0};
}

weft_result weft_reel_bodies_read(weft_reel_bodies *bodies, int64_t frame) {
    for (int32_t i = 0; i < bodies->take->body_count; i++)
        WEFT_TRY(weft_take_reader_read_body(bodies->take, frame, i, bodies->position[i]));
    return weft_ok();
}

void weft_reel_bodies_survey(weft_reel_bodies *bodies) {
    for (int32_t i = 0; i < bodies->take->body_count; i++)
        weft_framing_add(&bodies->framing[i], bodies->position[i], bodies->take->body[i].vertex_count);
}

/* -- what is drawn -- */

static double diagonal(const weft_framing *framing) {
    return framing->low.x <= framing->high.x ? weft_distance(framing->low, framing->high) : 0;
}

static void merge(weft_framing *into, const weft_framing *other) {
    into->low = weft_vec3_make(fmin(into->low.x, other->low.x), fmin(into->low.y, other->low.y),
                               fmin(into->low.z, other->low.z));
    into->high = weft_vec3_make(fmax(into->high.x, other->high.x), fmax(into->high.y, other->high.y),
                                fmax(into->high.z, other->high.z));
    for (int i = 0; i < 4; i++)
        into->support[i] = fmax(into->support[i], other->support[i]);
}

/* Whether the drawn ground replaces this body. The drawn ground is unbounded and only receives shadows, which looks
 * better than a square of 100 m. Sets an automatic ground height to that of the body. */
static int is_ground(const weft_framing *body, const weft_framing *cloths, weft_view *view) {
    double flat = 1e-6 * diagonal(body);
    double above = cloths->low.y - body->high.y;
    if (body->high.y - body->low.y > flat || above < -0.05 * diagonal(cloths))
        return 0;
    if (!view->ground)
        return 1;
    if (view->ground_auto) {
        view->ground_auto = 0;
        view->ground_height = body->high.y;
    }
    return fabs(view->ground_height - body->high.y) <= flat;
}

void weft_reel_bodies_settle(weft_reel_bodies *bodies, weft_view *view, weft_framing *framing) {
    const weft_framing cloths = *framing;
    for (int32_t i = 0; i < bodies->take->body_count; i++) {
        const weft_take_body *body = &bodies->take->body[i];
        int huge = diagonal(&bodies->framing[i]) > HUGE_BODY * diagonal(&cloths);
        if (body->triangle_count == 0 || (huge && is_ground(&bodies->framing[i], &cloths, view)))
            continue;
        if (!huge)
            merge(framing, &bodies->framing[i]);
        bodies->shot[bodies->shot_count++] = (weft_shot_body){.position = bodies->position[i],
                                                              .vertex_count = body->vertex_count,
                                                              .triangle = body->triangle,
                                                              .triangle_count = body->triangle_count};
    }
}
