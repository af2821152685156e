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

/* before: the place in the settings before this change. home: the place before the first move by hand. share: the
 * fraction of the move that earlier steps have done; 0 for a new move. A change during a move keeps `from` and share.
 */
void sim_body_goes(weft_sim *sim, int32_t index, const weft_body_place *before) {
    sim_body *body = &sim->body[index];
    if (!body->moved)
        body->home = *before;
    if (!body->motion.moving) {
        body->motion.from = *before;
        body->motion.share = 0;
    }
    body->moved = body->motion.moving = 1;
    body->motion.begin = body->motion.end = sim->time;
}

weft_result weft_sim_move_body(weft_sim *sim, int32_t index, weft_vec3 at, weft_vec3 rotate) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_body(sim, index));
    sim_body *body = &sim->body[index];
    if (!weft_vec3_is_finite(at) || !weft_vec3_is_finite(rotate))
        return weft_fail(WEFT_BAD_INPUT, "body '%s': the place to move it to is not finite", body->component->name);
    weft_body_place before = *place_of(body);
    place_of(body)->at = at;
    place_of(body)->rotate = rotate;
    sim_body_goes(sim, index, &before);
    return weft_ok();
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
