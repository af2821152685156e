/* Places the cloths and bodies of a plan. Boxes that do not overlap keep the start free of intersections. Balls around
 * moving bodies stay apart from each other, from the ground and from pins, because contact cannot keep cloth apart
 * where bodies and pins leave no room (docs/contact.md). */
#include <math.h>

#include "tests/stress/stress_plan.h"
#include "weft/vec.h"

typedef struct box {
    weft_vec3 low, high;
} box;

typedef struct layout {
    stress_plan *plan;
    box taken[STRESS_CLOTHS + STRESS_BODIES];
    int taken_count;
} layout;

/* -- boxes -- */

static int overlap_on_ground(const box *a, const box *b) {
    return a->low.x < b->high.x && b->low.x < a->high.x && a->low.z < b->high.z && b->low.z < a->high.z;
}

static int overlap(const box *a, const box *b) {
    return overlap_on_ground(a, b) && a->low.y < b->high.y && b->low.y < a->high.y;
}

static int is_free(const layout *all, const box *wanted) {
    for (int i = 0; i < all->taken_count; i++)
        if (overlap(&all->taken[i], wanted))
            return 0;
    return 1;
}

static box ball_box(weft_vec3 at, double radius) {
    return (box){{at.x - radius, at.y - radius, at.z - radius}, {at.x + radius, at.y + radius, at.z + radius}};
}

/* Puts a box of the given size above all that it overlaps on the ground. */
static box put_above(layout *all, weft_vec3 size, double gap) {
    stress_dice *dice = &all->plan->dice;
    double x = stress_real(dice, -0.15, 0.15), z = stress_real(dice, -0.15, 0.15);
    box put = {{x - size.x / 2, gap, z - size.z / 2}, {x + size.x / 2, gap + size.y, z + size.z / 2}};
    for (int i = 0; i < all->taken_count; i++)
        if (overlap_on_ground(&all->taken[i], &put))
            put.low.y = fmax(put.low.y, all->taken[i].high.y + gap);
    put.high.y = put.low.y + size.y;
    all->taken[all->taken_count++] = put;
    return put;
}

/* -- cloths -- */

static weft_vec3 cloth_size(const stress_cloth *cloth) {
    double width = cloth->cells[0] * cloth->edge, height = cloth->cells[1] * cloth->edge;
    switch (cloth->shape) {
    case STRESS_FLAT:
        return (weft_vec3){width, 0, height};
    case STRESS_HANGING:
        return (weft_vec3){width, height, 0};
    case STRESS_FOLDED:
        return (weft_vec3){cloth->cells[0] / cloth->layers * cloth->edge, (cloth->layers - 1) * cloth->gap, height};
    default: {
        double diagonal = sqrt(width * width + height * height);
        return (weft_vec3){diagonal, diagonal, diagonal};
    }
    }
}

static void place_cloth(layout *all, stress_cloth *cloth) {
    stress_dice *dice = &all->plan->dice;
    double tight = all->plan->room * stress_real(dice, 1.2, 3), loose = stress_real(dice, 0.01, 0.2);
    box put = put_above(all, cloth_size(cloth), stress_chance(dice, 0.5) ? tight + 0.0002 : loose);
    cloth->low = put.low;
    cloth->high = put.high;
}

/* -- what must have room -- */

/* A point that moves from `from` to `to` within `time`, and a ball around it. */
typedef struct mover {
    weft_vec3 from, to;
    double time, radius;
} mover;

static weft_vec3 mover_at(const mover *one, double time) {
    double part = one->time > time ? time / one->time : 1;
    return weft_add(one->from, weft_scale(part, weft_sub(one->to, one->from)));
}

static int stay_apart(const mover *a, const mover *b, double room) {
    enum { SAMPLES = 256 };
    double last = fmax(a->time, b->time);
    for (int i = 0; i <= SAMPLES; i++) {
        weft_vec3 d = weft_sub(mover_at(a, last * i / SAMPLES), mover_at(b, last * i / SAMPLES));
        if (weft_length(d) < a->radius + b->radius + room)
            return 0;
    }
    return 1;
}

static mover body_mover(const stress_body *body) {
    return (mover){body->at, weft_add(body->at, body->offset), body->time, body->radius};
}

/* Where vertex `i` of the pinned side is. */
static mover pin_mover(const stress_cloth *cloth, int i) {
    weft_vec3 at = {cloth->low.x + i * cloth->edge, cloth->high.y, cloth->low.z};
    return (mover){at, weft_add(at, cloth->pull), cloth->pull_time, 0};
}

static double room_for_cloth(const stress_plan *plan) { return 0.03 + 10 * plan->room; }

static int pins_have_room(const stress_plan *plan, const mover *body) {
    for (int k = 0; k < plan->cloth_count; k++)
        for (int i = 0; plan->cloth[k].pin && i <= plan->cloth[k].cells[0]; i++) {
            mover pin = pin_mover(&plan->cloth[k], i);
            if (!stay_apart(body, &pin, room_for_cloth(plan)))
                return 0;
        }
    return 1;
}

/* Checks a body against the ground, the pins and the bodies before it. */
static int body_has_room(const stress_plan *plan, int index) {
    mover body = body_mover(&plan->body[index]);
    double lowest = fmin(body.from.y, body.to.y) - body.radius;
    if (plan->has_plane && lowest < room_for_cloth(plan))
        return 0;
    for (int i = 0; i < index; i++) {
        mover other = body_mover(&plan->body[i]);
        if (!stay_apart(&body, &other, room_for_cloth(plan)))
            return 0;
    }
    return pins_have_room(plan, &body);
}

/* -- bodies -- */

static void place_resting(layout *all, stress_body *body) {
    stress_dice *dice = &all->plan->dice;
    body->at = stress_vector(dice, (weft_vec3){-0.2, 0, -0.2}, (weft_vec3){0.2, 0.25, 0.2});
    all->taken[all->taken_count++] = ball_box(body->at, body->radius);
}

static weft_vec3 random_direction(stress_dice *dice) {
    weft_vec3 d = stress_vector(dice, (weft_vec3){-1, -0.6, -1}, (weft_vec3){1, 0.6, 1});
    double length = weft_length(d);
    return length > 0.1 ? weft_scale(1 / length, d) : (weft_vec3){1, 0, 0};
}

/* Aims at the middle of a cloth, from where the body overlaps nothing. */
static void aim(layout *all, stress_body *body) {
    stress_plan *plan = all->plan;
    stress_dice *dice = &plan->dice;
    const stress_cloth *target = &plan->cloth[stress_int(dice, 0, plan->cloth_count - 1)];
    weft_vec3 middle = weft_scale(0.5, weft_add(target->low, target->high)), along = random_direction(dice);
    double back = 0.1;
    box put;
    do {
        back += 0.05;
        body->at = weft_sub(middle, weft_scale(back, along));
        put = ball_box(body->at, body->radius + 2 * plan->room);
    } while (!is_free(all, &put));
    double length = back + stress_real(dice, -0.05, 0.8), duration = (double)plan->frames / plan->rate;
    double speed = fmax(stress_scale(dice, 0.5, 20), length / duration);
    body->offset = weft_scale(length, along);
    body->time = length / speed;
    body->turn = stress_chance(dice, 0.3) ? stress_real(dice, -360, 360) : 0;
}

/* Bodies that find no path are left out. */
static void place_movers(layout *all, int resting) {
    stress_plan *plan = all->plan;
    int kept = resting;
    for (int i = resting; i < plan->body_count; i++) {
        int found = 0;
        plan->body[kept] = plan->body[i];
        for (int tries = 0; tries < 12 && !found; tries++) {
            aim(all, &plan->body[kept]);
            found = body_has_room(plan, kept);
        }
        if (found)
            all->taken[all->taken_count++] = ball_box(plan->body[kept].at, plan->body[kept].radius);
        kept += found;
    }
    plan->body_count = kept;
}

/* -- pins -- */

/* Pins move only in scenes with one pinned cloth: two could meet. They move up or sideways, because below them hangs
 * their own cloth. */
static void move_pins(stress_plan *plan) {
    stress_dice *dice = &plan->dice;
    stress_cloth *pinned = NULL;
    int count = 0;
    for (int i = 0; i < plan->cloth_count; i++)
        if (plan->cloth[i].pin) {
            pinned = &plan->cloth[i];
            count++;
        }
    if (count != 1 || plan->is_quiet || !stress_chance(dice, 0.5))
        return;
    weft_vec3 along = random_direction(dice);
    double length = stress_real(dice, 0.05, 0.4);
    along.y = fabs(along.y);
    pinned->pull = weft_scale(length, along);
    pinned->pull_time = length / stress_scale(dice, 0.2, 3);
    for (int i = 0; i < plan->body_count; i++) {
        mover body = body_mover(&plan->body[i]);
        if (!pins_have_room(plan, &body))
            pinned->pull = (weft_vec3){0, 0, 0};
    }
}

void stress_plan_place(stress_plan *plan) {
    layout all = {.plan = plan};
    int resting = 0;
    while (resting < plan->body_count && (plan->is_quiet || stress_chance(&plan->dice, 0.5)))
        place_resting(&all, &plan->body[resting++]);
    for (int i = 0; i < plan->cloth_count; i++)
        place_cloth(&all, &plan->cloth[i]);
    place_movers(&all, resting);
    move_pins(plan);
}
