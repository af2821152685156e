/* Edges through triangles: counted, listed and watched. */
#include <math.h>

#include "sim/internal.h"

weft_result sim_audit_cloth(const weft_sim *sim, int32_t index, weft_audit_surface *surface, uint8_t **skip) {
    const sim_cloth *cloth = &sim->cloth[index];
    const weft_mesh *mesh = cloth->mesh;
    *skip = weft_allocate((size_t)mesh->triangle_count, 1);
    if (!*skip)
        return weft_fail_memory("the audit of intersections", (size_t)mesh->triangle_count);
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        (*skip)[i] = cloth->open_face[mesh->triangle_face[i]];
    *surface = (weft_audit_surface){sim->x + cloth->first, mesh->vertex_count, mesh->triangle_count,
                                    (const int32_t(*)[3])mesh->triangle, *skip};
    return weft_ok();
}

/* What a count is to do. Objects are the cloths and then the bodies; pair (cloth, object) has number
 * cloth x objects + object. */
typedef struct counting {
    weft_sim *sim;
    int64_t *pair;           /* crossings of each, or INSIDE; or null */
    weft_crossing *crossing; /* (capacity) */
    int32_t capacity, count;
    weft_intersections *found;
} counting;

enum { INSIDE = -1 };

static int64_t number_of(const weft_sim *sim, int32_t cloth, int32_t object) {
    return (int64_t)cloth * (sim->cloth_count + sim->body_count) + object;
}

static void take_crossings(counting *c, int32_t cloth, int32_t object, const weft_audit_list *list,
                           const weft_audit_surface *a, const weft_audit_surface *b) {
    int32_t cloths = c->sim->cloth_count;
    for (int64_t i = 0; i < list->count; i++) {
        const weft_audit_crossing *from = &list->item[i];
        const int32_t *t = (from->of_b ? a : b)->triangle[from->triangle];
        c->crossing[c->count++] = (weft_crossing){.cloth = cloth,
                                                  .other = object < cloths ? object : WEFT_NONE,
                                                  .body = object < cloths ? WEFT_NONE : object - cloths,
                                                  .edge_of_other = from->of_b,
                                                  .edge = {from->edge[0], from->edge[1]},
                                                  .triangle = {t[0], t[1], t[2]}};
    }
}

/* b is null for a cloth against itself. */
static weft_result count_pair(counting *c, int32_t cloth, int32_t object, const weft_audit_surface *a,
                              const weft_audit_surface *b) {
    int64_t crossings = 0, room = c->capacity - c->count;
    weft_audit_list list = {NULL, room, 0};
    if (room > 0 && !(list.item = weft_allocate((size_t)room, sizeof *list.item)))
        return weft_fail_memory("the audit of intersections", (size_t)room * sizeof *list.item);
    weft_result result = weft_audit_listed(a, b, &list, &crossings);
    if (result.code == WEFT_OK)
        take_crossings(c, cloth, object, &list, a, b ? b : a);
    free(list.item);
    int32_t cloths = c->sim->cloth_count;
    if (c->pair)
        c->pair[number_of(c->sim, cloth, object)] = crossings;
    *(object >= cloths ? &c->found->bodies : object == cloth ? &c->found->self : &c->found->cloths) += crossings;
    return result;
}

/* The solid angle of a triangle seen from p over 4 pi, positive from behind (Van Oosterom, Strackee, IEEE Trans.
 * Biomed. Eng. 30, 1983). */
static double winding(weft_vec3 p, weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    a = weft_sub(a, p), b = weft_sub(b, p), c = weft_sub(c, p);
    double la = weft_length(a), lb = weft_length(b), lc = weft_length(c);
    double around = la * lb * lc + weft_dot(a, b) * lc + weft_dot(b, c) * la + weft_dot(c, a) * lb;
    return atan2(weft_dot(a, weft_cross(b, c)), around) / (2 * acos(-1));
}

static int inside_surface(const weft_body_surface *surface, weft_vec3 p) {
    double sum = 0;
    for (int32_t t = 0; t < surface->triangle_count; t++) {
        const int32_t *v = surface->triangle[t];
        sum += winding(p, surface->position[v[0]], surface->position[v[1]], surface->position[v[2]]);
    }
    return fabs(sum) > 0.9; /* faces may look inwards */
}

int weft_sim_inside(const weft_sim *sim, int32_t cloth, int32_t body) {
    weft_body_surface surface;
    weft_vec3 normal, p = sim->x[sim->cloth[cloth].first];
    if (sim_body_away(sim, body, sim->time))
        return 0;
    weft_contact_body seen = sim_body_view(&sim->body[body]);
    const weft_body_functions *functions = seen.component->functions;
    weft_pose pose = weft_contact_body_pose(&seen, sim->time);
    if (functions->distance)
        return functions->distance(sim->body[body].settings, weft_pose_in(&pose, p), &normal) < 0;
    if (weft_sim_body_surface(sim, body, &surface).code != WEFT_OK)
        return 0;
    int inside = inside_surface(&surface, p);
    free(surface.triangle);
    free(surface.position);
    return inside;
}

static weft_result count_bodies(counting *c, int32_t cloth, const weft_audit_surface *surface) {
    const weft_sim *sim = c->sim;
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_surface own;
        if (sim_body_away(sim, i, sim->time))
            continue;
        WEFT_TRY(weft_sim_body_surface(sim, i, &own));
        weft_audit_surface body = {own.position, own.vertex_count, own.triangle_count,
                                   (const int32_t(*)[3])own.triangle, NULL};
        weft_result result = count_pair(c, cloth, sim->cloth_count + i, surface, &body);
        int64_t *pair = c->pair ? &c->pair[number_of(sim, cloth, sim->cloth_count + i)] : NULL;
        if (pair && *pair == 0 && weft_sim_inside(sim, cloth, i))
            *pair = INSIDE;
        free(own.triangle);
        free(own.position);
        WEFT_TRY(result);
    }
    return weft_ok();
}

/* `self`: with itself and the cloths after it. */
static weft_result count_cloth(counting *c, int32_t index, int self) {
    const weft_sim *sim = c->sim;
    weft_audit_surface cloth, other;
    uint8_t *skip = NULL;
    weft_result result = sim_audit_cloth(sim, index, &cloth, &skip);
    if (result.code == WEFT_OK && self)
        result = count_pair(c, index, index, &cloth, NULL);
    for (int32_t i = index + 1; self && result.code == WEFT_OK && i < sim->cloth_count; i++) {
        uint8_t *skip_other = NULL;
        result = sim_audit_cloth(sim, i, &other, &skip_other);
        if (result.code == WEFT_OK)
            result = count_pair(c, index, i, &cloth, &other);
        free(skip_other);
    }
    if (result.code == WEFT_OK)
        result = count_bodies(c, index, &cloth);
    free(skip);
    return result;
}

static weft_result count_all(counting *c, int self) {
    *c->found = (weft_intersections){0};
    for (int32_t i = 0; i < c->sim->cloth_count; i++)
        WEFT_TRY(count_cloth(c, i, self));
    return weft_ok();
}

weft_result weft_sim_crossings(weft_sim *sim, weft_crossing *crossing, int32_t capacity, int32_t *count,
                               weft_intersections *found) {
    counting c = {.sim = sim, .crossing = crossing, .capacity = capacity, .found = found};
    *count = 0;
    *found = (weft_intersections){0};
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(count_all(&c, 1));
    *count = c.count;
    return weft_ok();
}

weft_result weft_sim_intersections(weft_sim *sim, weft_intersections *found) {
    int32_t count;
    return weft_sim_crossings(sim, NULL, 0, &count, found);
}

weft_result sim_count_crossings(weft_sim *sim, int64_t *crossings) {
    weft_intersections found;
    counting c = {.sim = sim, .found = &found};
    WEFT_TRY(count_all(&c, sim->contact_settings.self));
    *crossings = found.self + found.cloths + found.bodies;
    return weft_ok();
}

/* -- watching: a step that begins without intersections and leaves no collision ends without, so they are counted only
 * at the start, when a body appeared or changed, when collisions were left, and as long as there are any -- */

static void keep_event(weft_sim *sim, weft_sim_event event) {
    enum { MOST = sizeof sim->event / sizeof sim->event[0] };
    if (sim->event_count < MOST)
        sim->event[sim->event_count] = event;
    sim->event_count++;
}

/* Objects are the cloths and then the bodies. */
static weft_sim_event event_of(const weft_sim *sim, int32_t cloth, int32_t object) {
    int32_t cloths = sim->cloth_count;
    return (weft_sim_event){.time = sim->time,
                            .cloth = cloth,
                            .other = object < cloths ? object : WEFT_NONE,
                            .body = object < cloths ? WEFT_NONE : object - cloths};
}

static void make_event(weft_sim *sim, int64_t pair, int64_t crossings) {
    int32_t objects = sim->cloth_count + sim->body_count;
    weft_sim_event event = event_of(sim, (int32_t)(pair / objects), (int32_t)(pair % objects));
    event.crossings = crossings == INSIDE ? 0 : crossings;
    keep_event(sim, event);
}

/* *made: how many pairs began to intersect; `quiet`: that they do is not news. */
static weft_result count_now(weft_sim *sim, int quiet, int64_t *made) {
    int64_t pairs = (int64_t)sim->cloth_count * (sim->cloth_count + sim->body_count);
    int64_t *now = weft_allocate((size_t)pairs, sizeof *now);
    if (!now)
        return weft_fail_memory("the audit of intersections", (size_t)pairs * sizeof *now);
    weft_intersections found;
    counting c = {.sim = sim, .pair = now, .found = &found};
    weft_result result = count_all(&c, sim->contact_settings.self);
    if (result.code != WEFT_OK) {
        free(now);
        return result;
    }
    for (int64_t i = 0; i < pairs && !quiet; i++)
        if (now[i] != 0 && !(sim->crossed && sim->crossed_size == pairs && sim->crossed[i] != 0)) {
            make_event(sim, i, now[i]);
            (*made)++;
        }
    free(sim->crossed);
    sim->crossed = now;
    sim->crossed_size = pairs;
    sim->crossed_sum = found.self + found.cloths + found.bodies;
    return weft_ok();
}

/* `made`: events that there are already. */
static weft_result count_and_judge(weft_sim *sim, int quiet, int64_t made, weft_report *report) {
    WEFT_TRY(count_now(sim, quiet, &made));
    if (report->contact.unresolved > 0 && sim->crossed_sum == 0 && made == 0) {
        weft_sim_event event = event_of(sim, report->contact.between[0], report->contact.between[1]);
        event.left = report->contact.unresolved;
        keep_event(sim, event);
        made = 1;
    }
    if (made > 0 && sim->contact_settings.on_intersection == WEFT_STOP)
        report->status = WEFT_STATUS_INTERSECTS;
    report->contact.intersections = sim->crossed_sum;
    return weft_ok();
}

/* Whether a body was not there in the step before; from the state alone, so that a run that is resumed knows too. */
static int appeared(const weft_sim *sim) {
    int any = 0;
    for (int32_t i = 0; i < sim->body_count; i++)
        any |= sim_body_away(sim, i, sim->time - sim->dt_before) && !sim_body_away(sim, i, sim->time);
    return any;
}

static weft_result part_touching(weft_sim *sim, int quiet, int64_t *made) {
    weft_parting done;
    sim_touch first;
    WEFT_TRY(sim_part(sim, &done, &first));
    if (done.left == 0 || quiet)
        return weft_ok();
    weft_sim_event event = event_of(sim, first.cloth, first.object);
    event.touches = done.left;
    keep_event(sim, event);
    *made = 1;
    return weft_ok();
}

weft_result sim_watch_start(weft_sim *sim, weft_report *report) {
    int64_t made = 0;
    if (!sim->contact)
        return weft_ok();
    for (int32_t i = 0; i < sim->body_count && !sim->watch; i++)
        if (sim->body[i].motion.away && !sim_body_away(sim, i, sim->time))
            sim->watch = SIM_WATCH;
    if (sim->step_count == 0 || appeared(sim))
        WEFT_TRY(part_touching(sim, sim->watch == SIM_WATCH_QUIETLY, &made));
    if (!sim->watch && sim->step_count > 0)
        return weft_ok();
    int quiet = sim->watch == SIM_WATCH_QUIETLY;
    sim->watch = 0;
    return count_and_judge(sim, quiet, made, report);
}

weft_result sim_watch_end(weft_sim *sim, weft_report *report) {
    int reason = report->contact.unresolved > 0 || sim->crossed_sum > 0 || sim->contact_settings.audit;
    if (!sim->contact || !reason)
        return weft_ok();
    return count_and_judge(sim, 0, 0, report);
}

int64_t weft_sim_event_count(const weft_sim *sim) { return sim->event_count; }

const weft_sim_event *weft_sim_event_at(const weft_sim *sim, int64_t index) {
    int64_t kept = (int64_t)(sizeof sim->event / sizeof sim->event[0]);
    return index >= 0 && index < sim->event_count && index < kept ? &sim->event[index] : NULL;
}
