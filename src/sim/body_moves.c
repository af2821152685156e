/* Motion of bodies other than by keys: frames, moves by hand, and bodies that appear and vanish. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

static weft_body_place *place_of(const sim_body *body) { return body->settings; }

static weft_result check_frames(const sim_body *body, const weft_body_frames *frames) {
    const char *name = body->component->name;
    if (!body->mesh)
        return weft_fail(WEFT_UNSUPPORTED, "body '%s': only a body made from a mesh goes through frames", name);
    if (frames->frame_count < 1 || !frames->position)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': %d frames, at least 1 is needed", name, frames->frame_count);
    if (frames->vertex_count != body->mesh->vertex_count)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': frames of %d vertices, its mesh has %d", name,
                         frames->vertex_count, body->mesh->vertex_count);
    if (!(frames->rate > 0) || !isfinite(frames->rate) || !isfinite(frames->start))
        return weft_fail(WEFT_BAD_INPUT, "body '%s': %g frames per second from %g s on make no sense", name,
                         frames->rate, frames->start);
    int64_t count = (int64_t)frames->frame_count * frames->vertex_count;
    for (int64_t i = 0; i < count; i++)
        if (!weft_vec3_is_finite(frames->position[i]))
            return weft_fail(WEFT_BAD_INPUT, "body '%s': frame %lld: vertex %lld is not finite", name,
                             (long long)(i / frames->vertex_count), (long long)(i % frames->vertex_count));
    return weft_ok();
}

weft_result weft_sim_set_body_frames(weft_sim *sim, int32_t index, const weft_body_frames *frames) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(frames);
    WEFT_TRY(sim_require_body(sim, index));
    sim_body *body = &sim->body[index];
    WEFT_TRY(check_frames(body, frames));
    size_t count = (size_t)frames->frame_count * (size_t)frames->vertex_count;
    weft_vec3 *copy = weft_allocate(count, sizeof *copy);
    if (!copy)
        return weft_fail_memory("the frames of a body", count * sizeof *copy);
    memcpy(copy, frames->position, count * sizeof *copy);
    free((void *)body->frames.position);
    body->frames = *frames;
    body->frames.position = copy;
    sim_forget_contact(sim);
    return weft_ok();
}

const weft_body_frames *weft_sim_body_frames(const weft_sim *sim, int32_t index) {
    int there = index >= 0 && index < sim->body_count && sim->body[index].frames.frame_count > 0;
    return there ? &sim->body[index].frames : NULL;
}

int weft_sim_body_moves(const weft_sim *sim, int32_t index) {
    if (index < 0 || index >= sim->body_count)
        return 0;
    const sim_body *body = &sim->body[index];
    double end = sim->clock.frames / sim->clock.rate;
    return body->key_count > 1 || body->frames.frame_count > 1 || body->moved || place_of(body)->appears > 0 ||
           place_of(body)->vanishes <= end;
}

typedef struct extent {
    weft_vec3 low, high;
} extent;

static void widen(extent *box, const weft_vec3 *x, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        box->low = weft_vec3_make(fmin(box->low.x, x[i].x), fmin(box->low.y, x[i].y), fmin(box->low.z, x[i].z));
        box->high = weft_vec3_make(fmax(box->high.x, x[i].x), fmax(box->high.y, x[i].y), fmax(box->high.z, x[i].z));
    }
}

static int boxes_meet(const extent *a, const extent *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* The box around the body where it is now and where it goes. */
static weft_result box_of_way(weft_sim *sim, int32_t index, weft_vec3 way, extent *around) {
    weft_body_surface surface;
    WEFT_TRY(weft_sim_body_surface(sim, index, &surface));
    widen(around, surface.position, surface.vertex_count);
    for (int32_t i = 0; i < surface.vertex_count; i++)
        surface.position[i] = weft_add(surface.position[i], way);
    widen(around, surface.position, surface.vertex_count);
    free(surface.triangle);
    free(surface.position);
    return weft_ok();
}

static const double LONGEST_WAY = 2; /* relative to the diagonal of the box around all cloths */

/* Cloth in the way of a move by many times its own size would be stretched over the whole way. */
static weft_result check_way(weft_sim *sim, int32_t index, const weft_body_place *before) {
    static const extent EMPTY = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    sim_body *body = &sim->body[index];
    weft_body_place to = *place_of(body);
    weft_vec3 way = weft_sub(to.at, body->motion.moving ? body->motion.from.at : before->at);
    extent cloths = EMPTY, around = EMPTY;
    if (sim->count == 0 || sim_body_away(sim, index, sim->time))
        return weft_ok();
    sim_fetch_quietly(sim);
    widen(&cloths, sim->x, sim->count);
    double most = LONGEST_WAY * weft_distance(cloths.low, cloths.high), length = weft_length(way);
    if (!(length > most))
        return weft_ok();
    *place_of(body) = *before;
    weft_result result = box_of_way(sim, index, way, &around);
    *place_of(body) = to;
    if (result.code != WEFT_OK || !boxes_meet(&cloths, &around))
        return result;
    return weft_fail(WEFT_BAD_INPUT,
                     "body '%s': a move by %.3g m in one step, with cloth in its way; at most twice the size of the "
                     "cloths, %.3g m, is allowed: move it in several steps, or use weft_sim_place_body",
                     body->component->name, length, most);
}

/* before: the place in the settings before this change. home: the place before the first move by hand. share: the
 * fraction of the move that earlier steps have done; 0 for a new move. A change during a move keeps `from` and share.
 */
weft_result sim_body_goes(weft_sim *sim, int32_t index, const weft_body_place *before) {
    sim_body *body = &sim->body[index];
    WEFT_TRY(check_way(sim, index, before));
    if (!body->moved)
        body->home = *before;
    if (!body->motion.moving) {
        body->motion.from = *before;
        body->motion.share = 0;
    }
    body->moved = body->motion.moving = 1;
    body->motion.begin = body->motion.end = sim->time;
    return weft_ok();
}

static weft_result check_place(const weft_sim *sim, int32_t index, weft_vec3 at, weft_vec3 rotate) {
    WEFT_TRY(sim_require_body(sim, index));
    if (!weft_vec3_is_finite(at) || !weft_vec3_is_finite(rotate))
        return weft_fail(WEFT_BAD_INPUT, "body '%s': the place to move it to is not finite",
                         sim->body[index].component->name);
    return weft_ok();
}

weft_result weft_sim_move_body(weft_sim *sim, int32_t index, weft_vec3 at, weft_vec3 rotate) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(check_place(sim, index, at, rotate));
    sim_body *body = &sim->body[index];
    weft_body_place before = *place_of(body);
    place_of(body)->at = at;
    place_of(body)->rotate = rotate;
    weft_result result = sim_body_goes(sim, index, &before);
    if (result.code != WEFT_OK)
        *place_of(body) = before;
    return result;
}

/* Crossings of all cloths, and how many cloths the body encloses. */
static weft_result count_hits(weft_sim *sim, int32_t index, int64_t hits[2]) {
    hits[1] = 0;
    WEFT_TRY(sim_count_crossings(sim, &hits[0]));
    for (int32_t i = 0; i < sim->cloth_count; i++)
        hits[1] += weft_sim_inside(sim, i, index);
    return weft_ok();
}

static weft_result refuse_pins(const weft_sim *sim, int32_t index) {
    for (int32_t i = 0; i < sim->pin_count; i++)
        if (sim->pin[i].attachment && sim->pin[i].pin.body == index)
            return weft_fail(WEFT_UNSUPPORTED, "body '%s': pins hold cloth to it, so that it cannot jump",
                             sim->body[index].component->name);
    return weft_ok();
}

weft_result weft_sim_place_body(weft_sim *sim, int32_t index, weft_vec3 at, weft_vec3 rotate) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(check_place(sim, index, at, rotate));
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(refuse_pins(sim, index));
    sim_body *body = &sim->body[index];
    weft_body_place before = *place_of(body);
    weft_body_motion motion = body->motion;
    int64_t now[2], then[2];
    WEFT_TRY(count_hits(sim, index, now));
    place_of(body)->at = at;
    place_of(body)->rotate = rotate;
    body->motion.moving = 0;
    weft_result result = count_hits(sim, index, then);
    if (result.code == WEFT_OK && (then[0] > now[0] || then[1] > now[1]))
        result = weft_fail(WEFT_INTERSECTS, "body '%s': at %g %g %g it would %s cloth", body->component->name, at.x,
                           at.y, at.z, then[0] > now[0] ? "cut" : "enclose");
    if (result.code != WEFT_OK) {
        *place_of(body) = before;
        body->motion = motion;
        return result;
    }
    if (!body->moved)
        body->home = before;
    body->moved = 1;
    body->motion = (weft_body_motion){
        .from = *place_of(body), .share = 1, .begin = sim->time, .end = sim->time, .away = motion.away};
    sim_change_objects(sim, 0);
    return result;
}

void sim_begin_motion(weft_sim *sim, double dt) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_motion *motion = &sim->body[i].motion;
        motion->begin = sim->time;
        motion->end = sim->time + dt;
        motion->away = sim_body_away(sim, i, sim->time);
    }
}

/* A step that fails after it was halved has already moved the bodies part of the way. */
void sim_end_motion(weft_sim *sim, weft_status status) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_motion *motion = &sim->body[i].motion;
        double gone = fmin((sim->time - motion->begin) / (motion->end - motion->begin), 1);
        motion->share += (1 - motion->share) * gone;
        if (status == WEFT_STATUS_OK)
            motion->moving = 0;
        motion->begin = motion->end = sim->time;
    }
}

int32_t sim_move_count(const weft_sim *sim) {
    int32_t count = 0;
    for (int32_t i = 0; i < sim->body_count; i++)
        count += sim->body[i].moved;
    return count;
}

void sim_save_moves(const weft_sim *sim, char *bytes) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        const sim_body *body = &sim->body[i];
        const weft_body_place *to = place_of(body), *from = &body->motion.from;
        if (!body->moved)
            continue;
        sim_move move = {.body = i,
                         .moving = body->motion.moving,
                         .at = to->at,
                         .rotate = to->rotate,
                         .axis = to->axis,
                         .scale = to->scale,
                         .from_at = from->at,
                         .from_rotate = from->rotate,
                         .from_axis = from->axis,
                         .from_scale = from->scale,
                         .share = body->motion.share};
        memcpy(bytes, &move, sizeof move);
        bytes += sizeof move;
    }
}

weft_result sim_check_moves(const weft_sim *sim, const char *bytes, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        sim_move move;
        memcpy(&move, bytes + (size_t)i * sizeof move, sizeof move);
        if (move.body < 0 || move.body >= sim->body_count || !weft_vec3_is_finite(move.at) ||
            !weft_vec3_is_finite(move.rotate) || !weft_vec3_is_finite(move.axis) || !(move.scale > 0) ||
            !weft_vec3_is_finite(move.from_at) || !weft_vec3_is_finite(move.from_rotate) ||
            !weft_vec3_is_finite(move.from_axis) || !(move.from_scale > 0) || !(move.share >= 0 && move.share <= 1))
            return weft_fail(WEFT_BAD_INPUT, "snapshot: move %d of body %d makes no sense", i, move.body);
    }
    return weft_ok();
}

static void put_place(weft_body_place *place, weft_vec3 at, weft_vec3 rotate, weft_vec3 axis, double scale) {
    place->at = at;
    place->rotate = rotate;
    place->axis = axis;
    place->scale = scale;
}

/* Bodies that had not been moved when the snapshot was made return to their original place. */
void sim_load_moves(weft_sim *sim, const char *bytes, int32_t count) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        sim_body *body = &sim->body[i];
        const weft_body_place *home = &body->home;
        if (body->moved)
            put_place(place_of(body), home->at, home->rotate, home->axis, home->scale);
        body->moved = body->motion.moving = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        sim_move move;
        memcpy(&move, bytes + (size_t)i * sizeof move, sizeof move);
        sim_body *body = &sim->body[move.body];
        body->home = body->motion.from = *place_of(body);
        put_place(place_of(body), move.at, move.rotate, move.axis, move.scale);
        put_place(&body->motion.from, move.from_at, move.from_rotate, move.from_axis, move.from_scale);
        body->motion.share = move.share;
        body->motion.moving = move.moving != 0;
        body->motion.begin = body->motion.end = sim->time;
        body->moved = 1;
    }
}
