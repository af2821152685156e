/* Pins and drags: the inputs of a step. */
#include <math.h>

#include "core/elementary.h"
#include "core/require.h"
#include "sim/state.h"

weft_pin weft_pin_default(void) {
    return (weft_pin){.release = INFINITY, .key = NULL, .key_count = 0, .axis = {0, 1, 0}, .centre = {0, 0, 0}};
}

static weft_result check_path(const weft_pin *pin, int32_t count) {
    if (!pin->path)
        return weft_ok();
    if (pin->path_count < 1 || !isfinite(pin->path_rate) || !(pin->path_rate > 0) || !isfinite(pin->path_start))
        return weft_fail(WEFT_BAD_INPUT,
                         "pin: a path of %d samples, %g per second, from %g s on: at least 1 is needed, and a finite "
                         "rate above 0",
                         pin->path_count, pin->path_rate, pin->path_start);
    if (pin->key_count > 0)
        return weft_fail(WEFT_BAD_INPUT, "pin: has both keys and a path; one of them is allowed");
    for (int64_t i = 0; i < (int64_t)pin->path_count * count; i++)
        if (!weft_vec3_is_finite(pin->path[i]))
            return weft_fail(WEFT_BAD_INPUT, "pin: sample %d of the path is not finite", (int)(i / count));
    return weft_ok();
}

static weft_result check_pin(const weft_pin *pin) {
    if (isnan(pin->release))
        return weft_fail(WEFT_BAD_INPUT, "pin: the release time is not a number");
    if (pin->key_count < 0 || (pin->key_count > 0 && !pin->key))
        return weft_fail(WEFT_BAD_INPUT, "pin: %d keys without an array of them", pin->key_count);
    if (!isfinite(pin->begin) || (pin->begin > 0 && (pin->start || pin->key_count > 0 || pin->path)))
        return weft_fail(WEFT_BAD_INPUT,
                         "pin: begins at %g s; the time must be finite, and a pin that begins later holds its vertices "
                         "where they are then, without start, keys and path",
                         pin->begin);
    for (int32_t i = 0; i < pin->key_count; i++) {
        const weft_key *key = &pin->key[i];
        if (!isfinite(key->time) || !isfinite(key->angle) || !weft_vec3_is_finite(key->offset))
            return weft_fail(WEFT_BAD_INPUT, "pin: key %d is not finite", i);
        if (i > 0 && key->time <= pin->key[i - 1].time)
            return weft_fail(WEFT_BAD_INPUT, "pin: key %d at %g s does not come after key %d at %g s", i, key->time,
                             i - 1, pin->key[i - 1].time);
    }
    if (!weft_vec3_is_finite(pin->axis) || weft_length(pin->axis) == 0 || !weft_vec3_is_finite(pin->centre))
        return weft_fail(WEFT_BAD_INPUT, "pin: the axis of rotation must be finite and not zero");
    return weft_ok();
}

static void let_go(weft_sim *sim, int32_t vertex) {
    sim->held[vertex] = 0;
    sim->inverse_mass[vertex] = 1 / sim->mass[vertex];
}

static void hold(weft_sim *sim, int32_t vertex, weft_vec3 target) {
    sim->held[vertex] = 1;
    sim->inverse_mass[vertex] = 0;
    sim->target[vertex] = target;
}

static weft_result copy_path(sim_pin *made, const weft_pin *pin, int32_t count) {
    if (!pin->path)
        return weft_ok();
    size_t positions = (size_t)pin->path_count * (size_t)count;
    made->path = weft_allocate(positions, sizeof *made->path);
    made->row = weft_allocate((size_t)count, sizeof *made->row);
    if (!made->path || !made->row)
        return weft_fail_memory("the path of a pin", positions * sizeof *made->path);
    memcpy(made->path, pin->path, positions * sizeof *made->path);
    made->path_width = count;
    for (int32_t i = 0; i < count; i++)
        made->row[i] = i;
    return weft_ok();
}

/* The vertices wait until the pin begins. */
static weft_result make_late(sim_pin *made, int32_t first, const int32_t *vertices) {
    made->late = weft_allocate((size_t)made->count, sizeof *made->late);
    if (!made->late)
        return weft_fail_memory("a pin", (size_t)made->count * sizeof *made->late);
    for (int32_t i = 0; i < made->count; i++)
        made->late[i] = first + vertices[i];
    made->late_count = made->count;
    return weft_ok();
}

/* Holds the vertices of a late pin from now on. */
static void begin_pin(weft_sim *sim, sim_pin *pin) {
    sim_fetch_quietly(sim);
    for (int32_t i = 0; i < pin->late_count; i++) {
        pin->vertex[i] = pin->late[i];
        pin->start[i] = sim->x[pin->late[i]];
        if (pin->attachment)
            pin->attachment[i] = sim_attachment_at(sim, pin->pin.body, pin->start[i]);
    }
    pin->count = pin->late_count;
}

weft_result weft_sim_add_pin(weft_sim *sim, int32_t cloth, const weft_pin *pin, const int32_t *vertices,
                             int32_t count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(pin);
    WEFT_REQUIRE_IF(count > 0, vertices);
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(check_pin(pin));
    WEFT_TRY(check_path(pin, count));
    for (int32_t i = 0; i < count; i++) {
        WEFT_TRY(sim_require_vertex(sim, cloth, vertices[i]));
        if (pin->start && !weft_vec3_is_finite(pin->start[i]))
            return weft_fail(WEFT_BAD_INPUT, "pin: the place of vertex %d is not finite", vertices[i]);
    }
    sim_pin *grown = realloc(sim->pin, ((size_t)sim->pin_count + 1) * sizeof *grown);
    if (!grown)
        return weft_fail_memory("pins", ((size_t)sim->pin_count + 1) * sizeof *grown);
    sim->pin = grown;

    sim_pin *made = &sim->pin[sim->pin_count];
    *made = (sim_pin){.pin = *pin, .count = count, .capacity = count, .given = count};
    made->key = weft_allocate((size_t)pin->key_count, sizeof *made->key);
    made->vertex = weft_allocate((size_t)count, sizeof *made->vertex);
    made->start = weft_allocate((size_t)count, sizeof *made->start);
    weft_result copied = copy_path(made, pin, count);
    if (copied.code == WEFT_OK && !(made->key && made->vertex && made->start))
        copied = weft_fail_memory("a pin", (size_t)count * sizeof *made->start);
    for (int32_t i = 0; i < count && copied.code == WEFT_OK; i++) {
        made->vertex[i] = sim->cloth[cloth].first + vertices[i];
        made->start[i] = pin->start ? pin->start[i] : sim->x[made->vertex[i]];
    }
    if (copied.code == WEFT_OK && pin->begin > sim->time)
        copied = make_late(made, sim->cloth[cloth].first, vertices);
    if (copied.code == WEFT_OK && pin->attached)
        copied = sim_attach(sim, made);
    if (copied.code != WEFT_OK) {
        free(made->late);
        free(made->attachment);
        free(made->row);
        free(made->path);
        free(made->start);
        free(made->vertex);
        free(made->key);
        return copied;
    }
    if (pin->key_count > 0)
        memcpy(made->key, pin->key, (size_t)pin->key_count * sizeof *made->key);
    made->pin.key = made->key;
    made->pin.start = made->start;
    made->pin.path = made->path;
    made->pin.axis = weft_normalize(pin->axis);
    if (made->late)
        made->count = made->given = 0;
    sim->pin_count++;
    sim_apply_inputs(sim, 0);
    return weft_ok();
}

const weft_pin *weft_sim_pin(const weft_sim *sim, int32_t index, int32_t *count) {
    if (!sim || index < 0 || index >= sim->pin_count)
        return NULL;
    if (count)
        *count = sim->pin[index].late ? sim->pin[index].late_count : sim->pin[index].given;
    return &sim->pin[index].pin;
}

static void take_out(sim_pin *pin, int32_t vertex) {
    int32_t kept = 0, given = 0, late = 0;
    for (int32_t i = 0; i < pin->late_count; i++)
        if (pin->late[i] != vertex)
            pin->late[late++] = pin->late[i];
    pin->late_count = late;
    for (int32_t i = 0; i < pin->count; i++)
        if (pin->vertex[i] != vertex) {
            if (pin->late && pin->attachment)
                pin->attachment[kept] = pin->attachment[i];
            if (pin->row && i < pin->given)
                pin->row[given] = pin->row[i];
            pin->vertex[kept] = pin->vertex[i];
            pin->start[kept++] = pin->start[i];
            given += i < pin->given;
        }
    pin->count = kept;
    pin->given = given;
}

weft_result weft_sim_unpin(weft_sim *sim, int32_t cloth, const int32_t *vertices, int32_t count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE_IF(count > 0, vertices);
    WEFT_TRY(sim->prepare(sim));
    for (int32_t i = 0; i < count; i++)
        WEFT_TRY(sim_require_vertex(sim, cloth, vertices[i]));
    for (int32_t i = 0; i < count; i++) {
        int32_t vertex = sim->cloth[cloth].first + vertices[i];
        for (int32_t k = 0; k < sim->pin_count; k++)
            take_out(&sim->pin[k], vertex);
        let_go(sim, vertex);
    }
    sim_apply_inputs(sim, 0);
    return weft_ok();
}

void sim_forget_inputs(weft_sim *sim, int32_t first, int32_t count) {
    int32_t drags = 0;
    for (int32_t p = 0; p < sim->pin_count; p++) {
        sim_pin *pin = &sim->pin[p];
        int32_t kept = 0, given = 0, late = 0;
        for (int32_t i = 0; i < pin->late_count; i++)
            if (pin->late[i] < first || pin->late[i] >= first + count)
                pin->late[late++] = pin->late[i] < first ? pin->late[i] : pin->late[i] - count;
        pin->late_count = late;
        for (int32_t i = 0; i < pin->count; i++) {
            int32_t vertex = pin->vertex[i];
            if (vertex >= first && vertex < first + count)
                continue;
            if (pin->late && pin->attachment)
                pin->attachment[kept] = pin->attachment[i];
            if (pin->row && i < pin->given)
                pin->row[given] = pin->row[i];
            pin->vertex[kept] = vertex < first ? vertex : vertex - count;
            pin->start[kept++] = pin->start[i];
            given += i < pin->given;
        }
        pin->count = kept;
        pin->given = given;
    }
    for (int32_t i = 0; i < sim->drag_count; i++) {
        sim_drag drag = sim->drag[i];
        if (drag.vertex >= first && drag.vertex < first + count)
            continue;
        drag.vertex -= drag.vertex < first ? 0 : count;
        sim->drag[drags++] = drag;
    }
    sim->drag_count = drags;
}

static void lead_on(const weft_sim *sim, sim_drag *drag, weft_vec3 to) {
    static const double LONGEST =
        0.025; /* s; a page reports hands 60 times per second, and users notice a longer lag */
    double since = sim->time - drag->begin;
    *drag = (sim_drag){drag->vertex, 0, sim->x[drag->vertex], to, sim->time, sim->time + fmin(since, LONGEST)};
}

static weft_vec3 place_of(const sim_drag *drag, double time, double dt) {
    if (time + 1.5 * dt >= drag->end) /* better half a step early than one step late */
        return drag->to;
    double part = (time + dt - drag->begin) / (drag->end - drag->begin);
    return weft_add_scaled(drag->from, part, weft_sub(drag->to, drag->from));
}

weft_result weft_sim_drag(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 to) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(sim_require_vertex(sim, cloth, vertex));
    if (!weft_vec3_is_finite(to))
        return weft_fail(WEFT_BAD_INPUT, "drag of vertex %d: the target is not finite", vertex);
    int32_t global = sim->cloth[cloth].first + vertex;
    for (int32_t i = 0; i < sim->drag_count; i++)
        if (sim->drag[i].vertex == global) {
            lead_on(sim, &sim->drag[i], to);
            return weft_ok();
        }
    if (sim->drag_count == sim->drag_capacity) {
        int32_t capacity = sim->drag_capacity ? 2 * sim->drag_capacity : 8;
        sim_drag *grown = realloc(sim->drag, (size_t)capacity * sizeof *grown);
        if (!grown)
            return weft_fail_memory("drags", (size_t)capacity * sizeof *grown);
        sim->drag = grown;
        sim->drag_capacity = capacity;
    }
    sim->drag[sim->drag_count++] = (sim_drag){global, 0, to, to, sim->time, sim->time};
    return weft_ok();
}

weft_result weft_sim_release(weft_sim *sim, int32_t cloth, int32_t vertex) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_vertex(sim, cloth, vertex));
    int32_t global = sim->cloth[cloth].first + vertex;
    for (int32_t i = 0; i < sim->drag_count; i++)
        if (sim->drag[i].vertex == global) {
            sim->drag[i] = sim->drag[--sim->drag_count];
            let_go(sim, global);
            return weft_ok();
        }
    return weft_fail(WEFT_BAD_INPUT, "cloth '%s': vertex %d is not dragged", sim->cloth[cloth].name, vertex);
}

/* Offset and angle at time t, linear between keys and constant outside them. */
static weft_key key_at(const weft_pin *pin, double t) {
    if (pin->key_count == 0)
        return (weft_key){0};
    const weft_key *key = pin->key;
    int32_t last = pin->key_count - 1;
    if (t <= key[0].time)
        return key[0];
    if (t >= key[last].time)
        return key[last];
    int32_t i = 0;
    while (key[i + 1].time < t)
        i++;
    double s = (t - key[i].time) / (key[i + 1].time - key[i].time);
    weft_vec3 way = weft_sub(key[i + 1].offset, key[i].offset);
    return (weft_key){t, weft_add_scaled(key[i].offset, s, way), key[i].angle + s * (key[i + 1].angle - key[i].angle)};
}

/* Rodrigues' rotation about a unit axis. */
static weft_vec3 rotate(weft_vec3 p, weft_vec3 axis, double angle) {
    double c = weft_cos(angle), s = weft_sin(angle);
    weft_vec3 turned = weft_add_scaled(weft_scale(c, p), s, weft_cross(axis, p));
    return weft_add_scaled(turned, (1 - c) * weft_dot(axis, p), axis);
}

static void apply_path(weft_sim *sim, const sim_pin *pin, double end) {
    const weft_pin *p = &pin->pin;
    double sample = fmin(fmax((end - p->path_start) * p->path_rate, 0), p->path_count - 1);
    int64_t whole = (int64_t)sample, next = whole + 1 < p->path_count ? whole + 1 : whole;
    const weft_vec3 *from = pin->path + whole * pin->path_width, *to = pin->path + next * pin->path_width;
    for (int32_t i = 0; i < pin->given; i++) {
        weft_vec3 way = weft_sub(to[pin->row[i]], from[pin->row[i]]);
        hold(sim, pin->vertex[i], weft_add_scaled(from[pin->row[i]], sample - (double)whole, way));
    }
}

static void follow_body(weft_sim *sim, const sim_pin *pin, double end) {
    weft_body_view body = sim_body_view(&sim->body[pin->pin.body]);
    weft_pose pose = weft_body_view_pose(&body, end);
    double frame = weft_body_view_frame(&body, end);
    int32_t count = pin->late ? pin->count : pin->given;
    for (int32_t i = 0; i < count; i++) {
        int32_t row = pin->late ? i : pin->row[i];
        hold(sim, pin->vertex[i], sim_attached_place(&body, &pose, frame, &pin->attachment[row]));
    }
}

static void apply_pin(weft_sim *sim, const sim_pin *pin, double end) {
    if (pin->attachment) {
        follow_body(sim, pin, end);
        return;
    }
    if (pin->path) {
        apply_path(sim, pin, end);
        return;
    }
    weft_key key = key_at(&pin->pin, end);
    for (int32_t i = 0; i < pin->count; i++) {
        weft_vec3 p = pin->start[i];
        if (key.angle != 0)
            p = weft_add(pin->pin.centre, rotate(weft_sub(p, pin->pin.centre), pin->pin.axis, key.angle));
        hold(sim, pin->vertex[i], weft_add(p, key.offset));
    }
}

void sim_shift_pins(weft_sim *sim, int32_t vertex, weft_vec3 way) {
    for (int32_t p = 0; p < sim->pin_count && sim->held[vertex]; p++) {
        sim_pin *pin = &sim->pin[p];
        double angle = key_at(&pin->pin, sim->time).angle;
        for (int32_t i = pin->given; i < pin->count; i++)
            if (pin->vertex[i] == vertex)
                pin->start[i] = weft_add(pin->start[i], rotate(way, pin->pin.axis, -angle));
    }
}

void sim_apply_inputs(weft_sim *sim, double dt) {
    static const double SLACK = 1e-9; /* s, for sums of steps */
    for (int32_t i = 0; i < sim->pin_count; i++)
        if (sim->pin[i].late && sim->pin[i].count == 0 && sim->time >= sim->pin[i].pin.begin - SLACK)
            begin_pin(sim, &sim->pin[i]);
    for (int32_t i = 0; i < sim->pin_count; i++) {
        const sim_pin *pin = &sim->pin[i];
        if (sim->time >= pin->pin.release)
            for (int32_t k = 0; k < pin->count; k++)
                let_go(sim, pin->vertex[k]);
    }
    for (int32_t i = 0; i < sim->pin_count; i++)
        if (sim->time < sim->pin[i].pin.release)
            apply_pin(sim, &sim->pin[i], sim->time + dt);
    for (int32_t i = 0; i < sim->drag_count; i++)
        hold(sim, sim->drag[i].vertex, place_of(&sim->drag[i], sim->time, dt));
}

void sim_refresh_inputs(weft_sim *sim) {
    for (int32_t i = 0; i < sim->count; i++)
        let_go(sim, i);
    sim_apply_inputs(sim, 0);
}
