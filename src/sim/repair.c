/* Untangles a start that intersects, before the first step. */
#include <math.h>

#include "body/pose.h"
#include "core/require.h"
#include "sim/internal.h"

enum { MOST_ROUNDS = 400 };

/* Largest elongation, beyond that of the start, that is accepted while intersections remain. An untangled start may be
 * stretched more, because its tension relaxes; tangled cloth cannot relax. */
static const double MOST_STRETCH = 0.3;

/* One round of moves. Arrays have sim->count entries. */
typedef struct effort {
    weft_sim *sim;
    weft_vec3 *move; /* sum of the proposed moves, m */
    double *count;
    double reach;  /* largest move of a vertex by one crossing, m */
    int64_t wrong; /* number of intersections and of vertices inside bodies */
    const weft_vec3 *before;
    weft_vec3 *best; /* positions with the smallest `wrong`: a round may also make it worse */
    int64_t least;
} effort;

/* A fraction of the mean edge, so that contours move by less than a triangle per round. */
static double reach_of(const weft_sim *sim) {
    double sum = 0;
    int64_t count = 0;
    for (int32_t c = 0; c < sim->cloth_count; c++) {
        const weft_mesh *mesh = sim->cloth[c].mesh;
        for (int32_t t = 0; t < mesh->triangle_count; t++, count++)
            sum += weft_distance(mesh->position[mesh->triangle[t][0]], mesh->position[mesh->triangle[t][1]]);
    }
    return count > 0 ? 0.2 * sum / (double)count : 0;
}

/* Moves vertices that are inside a shape straight out, to the distance that contact keeps. */
static void leave_shape(effort *e, const sim_body *body, const weft_pose *pose) {
    weft_sim *sim = e->sim;
    const weft_body_functions *functions = body->component->functions;
    const weft_body_place *place = body->settings;
    double thickness = sim->contact_settings.thickness + place->thickness;
    for (int32_t i = 0; i < sim->count; i++) {
        weft_vec3 normal;
        double distance = pose->scale * functions->distance(body->settings, weft_pose_in(pose, sim->x[i]), &normal);
        if (distance >= thickness || sim->held[i])
            continue;
        e->wrong += distance < 0;
        sim->x[i] = weft_add_scaled(sim->x[i], thickness - distance, weft_pose_turn(pose, normal));
    }
}

static weft_untangle_side part_of(const effort *e, const weft_audit_surface *surface, int32_t first) {
    return (weft_untangle_side){surface, e->move + first, e->count + first};
}

static weft_result part_bodies(effort *e, const weft_untangle_side *cloth) {
    const weft_sim *sim = e->sim;
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_surface own;
        int64_t crossings = 0;
        if (sim_body_away(sim, i, sim->time))
            continue;
        WEFT_TRY(weft_sim_body_surface(sim, i, &own));
        weft_audit_surface surface = {own.position, own.vertex_count, own.triangle_count,
                                      (const int32_t(*)[3])own.triangle, NULL};
        weft_untangle_side body = {&surface, NULL, NULL};
        weft_result result = weft_untangle(cloth, &body, e->reach, &crossings);
        free(own.triangle);
        free(own.position);
        WEFT_TRY(result);
        e->wrong += crossings;
    }
    return weft_ok();
}

static weft_result part_cloth(effort *e, int32_t index) {
    const weft_sim *sim = e->sim;
    weft_audit_surface surface, other;
    uint8_t *skip = NULL;
    int64_t crossings = 0;
    weft_result result = sim_audit_cloth(sim, index, &surface, &skip);
    weft_untangle_side cloth = part_of(e, &surface, sim->cloth[index].first);
    if (result.code == WEFT_OK && sim->contact_settings.self)
        result = weft_untangle(&cloth, NULL, e->reach, &crossings);
    e->wrong += crossings;
    for (int32_t i = index + 1; sim->contact_settings.self && result.code == WEFT_OK && i < sim->cloth_count; i++) {
        uint8_t *skip_other = NULL;
        crossings = 0;
        result = sim_audit_cloth(sim, i, &other, &skip_other);
        weft_untangle_side second = part_of(e, &other, sim->cloth[i].first);
        if (result.code == WEFT_OK)
            result = weft_untangle(&cloth, &second, e->reach, &crossings);
        e->wrong += crossings;
        free(skip_other);
    }
    if (result.code == WEFT_OK)
        result = part_bodies(e, &cloth);
    free(skip);
    return result;
}

static weft_result look(effort *e) {
    weft_sim *sim = e->sim;
    e->wrong = 0;
    memset(e->move, 0, (size_t)sim->count * sizeof *e->move);
    memset(e->count, 0, (size_t)sim->count * sizeof *e->count);
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_view seen = sim_body_view(&sim->body[i]);
        weft_pose pose = weft_body_view_pose(&seen, sim->time);
        if (((const weft_body_functions *)seen.component->functions)->distance && !sim_body_away(sim, i, sim->time))
            leave_shape(e, &sim->body[i], &pose);
    }
    for (int32_t c = 0; c < sim->cloth_count; c++)
        WEFT_TRY(part_cloth(e, c));
    return weft_ok();
}

static void take_moves(const effort *e) {
    for (int32_t i = 0; i < e->sim->count; i++)
        if (e->count[i] > 0 && !e->sim->held[i])
            e->sim->x[i] = weft_add_scaled(e->sim->x[i], 1 / fmax(e->count[i], 1), e->move[i]);
}

/* Measured before vertices leave shapes. */
static weft_result count_wrong(weft_sim *sim, int64_t *wrong) {
    WEFT_TRY(sim_count_crossings(sim, wrong));
    for (int32_t b = 0; b < sim->body_count; b++) {
        weft_body_view seen = sim_body_view(&sim->body[b]);
        const weft_body_functions *functions = seen.component->functions;
        weft_pose pose = weft_body_view_pose(&seen, sim->time);
        weft_vec3 normal;
        for (int32_t i = 0; functions->distance && !sim_body_away(sim, b, sim->time) && i < sim->count; i++)
            *wrong += !sim->held[i] && functions->distance(seen.settings, weft_pose_in(&pose, sim->x[i]), &normal) < 0;
    }
    return weft_ok();
}

/* Largest elongation of an edge relative to its rest length, or to its initial length if that is larger. */
static double stretch_of(const effort *e) {
    double most = 0;
    for (int32_t c = 0; c < e->sim->cloth_count; c++) {
        const sim_cloth *cloth = &e->sim->cloth[c];
        const weft_mesh *mesh = cloth->mesh;
        const weft_vec3 *x = e->sim->x + cloth->first, *before = e->before + cloth->first;
        for (int32_t t = 0; t < mesh->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                int32_t a = mesh->triangle[t][k], b = mesh->triangle[t][(k + 1) % 3];
                double length =
                    fmax(weft_distance(mesh->position[a], mesh->position[b]), weft_distance(before[a], before[b]));
                most = fmax(most, weft_distance(x[a], x[b]) / length - 1);
            }
    }
    return most;
}

static void keep_best(effort *e) {
    if (e->wrong >= e->least || (e->wrong > 0 && stretch_of(e) > MOST_STRETCH))
        return;
    e->least = e->wrong;
    memcpy(e->best, e->sim->x, (size_t)e->sim->count * sizeof *e->best);
}

/* Takes the best positions found, which may be the initial ones. */
static weft_result untangle(effort *e, weft_repair *repair) {
    WEFT_TRY(count_wrong(e->sim, &e->wrong));
    repair->before = e->wrong;
    keep_best(e);
    while (e->least > 0 && repair->rounds < MOST_ROUNDS) {
        if (repair->rounds > 0)
            take_moves(e);
        WEFT_TRY(look(e));
        keep_best(e);
        repair->rounds++;
    }
    memcpy(e->sim->x, e->best, (size_t)e->sim->count * sizeof *e->best);
    repair->after = e->least;
    repair->stretch = stretch_of(e);
    return weft_ok();
}

/* Reports how far vertices moved, and shifts their previous positions likewise. */
static void settle(weft_sim *sim, const weft_vec3 *before, weft_repair *repair) {
    for (int32_t i = 0; i < sim->count; i++) {
        repair->farthest = fmax(repair->farthest, weft_distance(sim->x[i], before[i]));
        sim_x_before(sim)[i] = weft_add_scaled(sim->x[i], -sim->dt_before, sim->v[i]);
        sim_v_before(sim)[i] = sim->v[i];
    }
    sim->watch = SIM_WATCH;
}

weft_result weft_sim_repair(weft_sim *sim, weft_repair *repair) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(repair);
    *repair = (weft_repair){0};
    WEFT_TRY(weft_sim_prepare(sim));
    effort e = {.sim = sim, .reach = reach_of(sim), .least = INT64_MAX};
    size_t n = (size_t)sim->count;
    weft_vec3 *before = weft_allocate(n, sizeof *before);
    e.move = weft_allocate(n, sizeof *e.move);
    e.count = weft_allocate(n, sizeof *e.count);
    e.best = weft_allocate(n, sizeof *e.best);
    weft_result result = weft_fail_memory("untangling", n * sizeof *before);
    if (before && e.move && e.count && e.best) {
        memcpy(before, sim->x, n * sizeof *before);
        e.before = before;
        result = untangle(&e, repair);
        if (result.code != WEFT_OK)
            memcpy(sim->x, before, n * sizeof *before);
        else
            settle(sim, before, repair);
    }
    free(e.best);
    free(e.count);
    free(e.move);
    free(before);
    sim->repaired = *repair;
    return result;
}

weft_repair weft_sim_repaired(const weft_sim *sim) { return sim->repaired; }
