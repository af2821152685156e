/* Counts edges that pass through triangles, between all cloths and bodies, by the audit of contact. */
#include <math.h>

#include "core/elementary.h"
#include "sim/state.h"

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

static int64_t number_of(const weft_sim *sim, int32_t cloth, int32_t object) {
    return (int64_t)cloth * (sim->cloth_count + sim->body_count) + object;
}

static void take_crossings(sim_crossing_count *c, int32_t cloth, int32_t object, const weft_audit_list *list,
                           const weft_audit_surface *a, const weft_audit_surface *b) {
    int32_t cloths = c->sim->cloth_count;
    for (int64_t i = 0; c->crossing && i < list->count; i++) {
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

/* b is null for self-intersections. */
static weft_result count_pair(sim_crossing_count *c, int32_t cloth, int32_t object, const weft_audit_surface *a,
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
    return weft_atan2(weft_dot(a, weft_cross(b, c)), around) / (2 * weft_acos(-1));
}

static int inside_surface(const weft_body_surface *surface, weft_vec3 p) {
    double sum = 0;
    for (int32_t t = 0; t < surface->triangle_count; t++) {
        const int32_t *v = surface->triangle[t];
        sum += winding(p, surface->position[v[0]], surface->position[v[1]], surface->position[v[2]]);
    }
    return fabs(sum) > 0.9; /* the faces may be oriented inwards */
}

/* A vertex of the surface of a cloth. WEFT_NONE when all of it is torn. */
static int32_t surface_vertex(const sim_cloth *cloth) {
    for (int32_t i = 0; i < cloth->mesh->triangle_count; i++)
        if (!cloth->open_face[cloth->mesh->triangle_face[i]])
            return cloth->first + cloth->mesh->triangle[i][0];
    return WEFT_NONE;
}

int weft_sim_inside(const weft_sim *sim, int32_t cloth, int32_t body) {
    weft_body_surface surface;
    weft_vec3 normal;
    int32_t vertex = surface_vertex(&sim->cloth[cloth]);
    if (vertex == WEFT_NONE)
        return 0;
    weft_vec3 p = sim->x[vertex];
    if (sim_body_away(sim, body, sim->time))
        return 0;
    weft_body_view seen = sim_body_view(&sim->body[body]);
    const weft_body_functions *functions = seen.component->functions;
    weft_pose pose = weft_body_view_pose(&seen, sim->time);
    /* between a round shape and its triangles cloth is outside: contact keeps it apart from the triangles */
    if (functions->distance) {
        int inside = functions->distance(sim->body[body].settings, weft_pose_in(&pose, p), &normal) < 0;
        if (!inside || functions->unbounded)
            return inside;
    }
    if (weft_sim_body_surface(sim, body, &surface).code != WEFT_OK)
        return 0;
    int inside = inside_surface(&surface, p);
    free(surface.triangle);
    free(surface.position);
    return inside;
}

static weft_result count_bodies(sim_crossing_count *c, int32_t cloth, const weft_audit_surface *surface) {
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
            *pair = SIM_INSIDE;
        free(own.triangle);
        free(own.position);
        WEFT_TRY(result);
    }
    return weft_ok();
}

typedef struct cloth_box {
    weft_vec3 low, high;
} cloth_box;

static cloth_box box_of(const weft_sim *sim, const sim_cloth *cloth) {
    const weft_vec3 *x = sim->x + cloth->first;
    cloth_box box = {x[0], x[0]};
    for (int32_t i = 1; i < cloth->mesh->vertex_count; i++) {
        box.low = weft_vec3_make(fmin(box.low.x, x[i].x), fmin(box.low.y, x[i].y), fmin(box.low.z, x[i].z));
        box.high = weft_vec3_make(fmax(box.high.x, x[i].x), fmax(box.high.y, x[i].y), fmax(box.high.z, x[i].z));
    }
    return box;
}

static int are_apart(const cloth_box *a, const cloth_box *b) {
    return a->low.x > b->high.x || b->low.x > a->high.x || a->low.y > b->high.y || b->low.y > a->high.y ||
           a->low.z > b->high.z || b->low.z > a->high.z;
}

/* `self`: also count self-intersections and those with later cloths. Boxes make distant cloths cheap. */
static weft_result count_cloth(sim_crossing_count *c, int32_t index, int self, const cloth_box *box) {
    const weft_sim *sim = c->sim;
    weft_audit_surface cloth, other;
    uint8_t *skip = NULL;
    weft_result result = sim_audit_cloth(sim, index, &cloth, &skip);
    if (result.code == WEFT_OK && self)
        result = count_pair(c, index, index, &cloth, NULL);
    for (int32_t i = index + 1; self && result.code == WEFT_OK && i < sim->cloth_count; i++) {
        uint8_t *skip_other = NULL;
        if (are_apart(&box[index], &box[i]))
            continue;
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

weft_result sim_count_all(sim_crossing_count *c, int self) {
    const weft_sim *sim = c->sim;
    *c->found = (weft_intersections){0};
    cloth_box *box = weft_allocate((size_t)sim->cloth_count, sizeof *box);
    if (!box)
        return weft_fail_memory("the audit of intersections", (size_t)sim->cloth_count * sizeof *box);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        box[i] = box_of(sim, &sim->cloth[i]);
    weft_result result = weft_ok();
    for (int32_t i = 0; i < sim->cloth_count && result.code == WEFT_OK; i++)
        result = count_cloth(c, i, self, box);
    free(box);
    return result;
}

weft_result sim_count_crossings(weft_sim *sim, int64_t *crossings) {
    weft_intersections found;
    sim_crossing_count c = {.sim = sim, .found = &found};
    WEFT_TRY(sim_count_all(&c, sim->contact_settings.self));
    *crossings = found.self + found.cloths + found.bodies;
    return weft_ok();
}
