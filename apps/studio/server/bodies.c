/* Adds a ground, a ball or a box to the scene, and removes it again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"
#include "weft/hooks.h"
#include "weft/vec.h"

enum { MOST_BODIES = 32, MOST_CLOTHS = 32 };

/* Where the cloths begin, and the lowest point that they may swing to. */
typedef struct room {
    weft_vec3 low, high;
    double size; /* m, the longest side */
    double lowest;
} room;

static room measure(const weft_sim *sim) {
    room r = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    double top = -INFINITY;
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++) {
        const weft_mesh *mesh = weft_sim_cloth(sim, i)->mesh;
        const uint8_t *held = weft_sim_held(sim, i);
        for (int32_t v = 0; v < mesh->vertex_count; v++) {
            weft_vec3 x = mesh->position[v];
            r.low = weft_vec3_make(fmin(r.low.x, x.x), fmin(r.low.y, x.y), fmin(r.low.z, x.z));
            r.high = weft_vec3_make(fmax(r.high.x, x.x), fmax(r.high.y, x.y), fmax(r.high.z, x.z));
            top = held[v] ? fmax(top, x.y) : top;
        }
    }
    r.size = fmax(r.high.x - r.low.x, fmax(r.high.y - r.low.y, r.high.z - r.low.z));
    r.lowest = isfinite(top) ? fmin(r.low.y, top - r.size) : r.low.y;
    return r;
}

/* -- where there is room -- */

typedef struct box {
    weft_vec3 low, high;
} box;

/* What is there at the start. */
typedef struct obstacles {
    box solid[MOST_BODIES + MOST_CLOTHS];
    int count;
    double ground; /* m, height of the highest level plane; -INFINITY if there is none */
} obstacles;

static box bound(const weft_vec3 *x, int32_t count) {
    box b = {x[0], x[0]};
    for (int32_t i = 1; i < count; i++) {
        b.low = weft_vec3_make(fmin(b.low.x, x[i].x), fmin(b.low.y, x[i].y), fmin(b.low.z, x[i].z));
        b.high = weft_vec3_make(fmax(b.high.x, x[i].x), fmax(b.high.y, x[i].y), fmax(b.high.z, x[i].z));
    }
    return b;
}

/* A plane has no end, so only its height counts. A slanting plane does not count. */
static weft_result add_body(const weft_sim *sim, int32_t body, obstacles *o) {
    weft_body_surface surface = {0};
    WEFT_TRY(weft_sim_body_surface(sim, body, &surface));
    box b = surface.vertex_count > 0 ? bound(surface.position, surface.vertex_count) : (box){0};
    weft_memory_free(surface.position);
    weft_memory_free(surface.triangle);
    if (strcmp(weft_sim_body_name(sim, body), "plane") != 0)
        o->solid[o->count++] = b;
    else if (b.high.y - b.low.y < 1e-6 * (b.high.x - b.low.x))
        o->ground = fmax(o->ground, b.high.y);
    return weft_ok();
}

static weft_result find_obstacles(const weft_sim *sim, obstacles *o) {
    *o = (obstacles){.ground = -INFINITY};
    for (int32_t i = 0; i < weft_sim_cloth_count(sim) && i < MOST_CLOTHS; i++)
        o->solid[o->count++] = bound(weft_sim_positions(sim, i), weft_sim_cloth(sim, i)->mesh->vertex_count);
    for (int32_t i = 0; i < weft_sim_body_count(sim) && i < MOST_BODIES; i++)
        WEFT_TRY(add_body(sim, i, o));
    return weft_ok();
}

/* Returns whether a cube with this centre and half side meets nothing. */
static int is_free(const obstacles *o, weft_vec3 c, double half) {
    for (int i = 0; i < o->count; i++) {
        const box *b = &o->solid[i];
        if (c.x + half > b->low.x && c.x - half < b->high.x && c.y + half > b->low.y && c.y - half < b->high.y &&
            c.z + half > b->low.z && c.z - half < b->high.z)
            return 0;
    }
    return 1;
}

/* Looks below the middle of the cloths first, then to the sides, farther and farther. `*where` receives words for the
 * place. */
static weft_vec3 find_place(const obstacles *o, const room *r, double half, double gap, const char **where) {
    static const double SIDES[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    enum { MOST_STEPS = 60 };
    weft_vec3 below = {0.5 * (r->low.x + r->high.x), r->low.y - gap - half, 0.5 * (r->low.z + r->high.z)};
    below.y = fmax(below.y, o->ground + half);
    *where = "below the cloth";
    if (is_free(o, below, half))
        return below;
    for (int step = 1; step <= MOST_STEPS; step++)
        for (int side = 0; side < 4; side++) {
            weft_vec3 c = below;
            c.x += 0.5 * half * step * SIDES[side][0];
            c.z += 0.5 * half * step * SIDES[side][1];
            *where = "to the side, because there is no room below the cloth";
            if (is_free(o, c, half + gap))
                return c;
        }
    *where = "below the cloth. It meets what is there, because there is no room nearby";
    return below;
}

/* A ground is at height 0, or lower if the cloths reach below that. */
static json_t *place(const obstacles *o, const room *r, const char *component, const char **where) {
    char at[128], size[96];
    double half = 0.2 * r->size, gap = 0.05 * r->size;
    if (strcmp(component, "plane") == 0) {
        *where = "below the cloth";
        snprintf(at, sizeof at, "[0, %.6g, 0]", fmin(0, r->lowest - gap));
        return json_pack("{s:s}", "at", at);
    }
    weft_vec3 c = find_place(o, r, half, gap, where);
    snprintf(at, sizeof at, "[%.6g, %.6g, %.6g]", c.x, c.y, c.z);
    if (strcmp(component, "sphere") == 0) {
        snprintf(size, sizeof size, "%.6g", half);
        return json_pack("{s:s, s:s}", "radius", size, "at", at);
    }
    snprintf(size, sizeof size, "[%.6g, %.6g, %.6g]", 2 * half, 2 * half, 2 * half);
    return json_pack("{s:s, s:s}", "size", size, "at", at);
}

/* -- the list of bodies in the scene -- */

/* "[1, 2, 3]" becomes a list of texts, because a scene file would have one. */
static weft_result put(weft_tree *tree, weft_value *map, const char *key, const char *text) {
    double n[3];
    if (sscanf(text, "[%lf, %lf, %lf]", &n[0], &n[1], &n[2]) != 3)
        return studio_tree_put_text(tree, map, key, text);
    return studio_tree_put_numbers(tree, map, key, n, 3);
}

static weft_result list_of_bodies(weft_tree *tree, weft_value **list) {
    weft_value *root = weft_tree_root(tree);
    *list = weft_value_find(root, "bodies");
    if (*list && (*list)->kind == WEFT_VALUE_LIST)
        return weft_ok();
    if (*list)
        return weft_fail(WEFT_UNSUPPORTED, "the scene's 'bodies' is not a list, so none can be added");
    weft_value *made = weft_tree_list(tree, "", 0);
    if (!made)
        return weft_fail_memory("bodies", sizeof *made);
    *list = made;
    return weft_value_put(tree, root, "bodies", made);
}

static weft_result append(weft_tree *tree, const char *component, const json_t *values) {
    weft_value *list, *entry = weft_tree_map(tree, "", 0), *map = weft_tree_map(tree, "", 0);
    if (!entry || !map)
        return weft_fail_memory("a body", sizeof *map);
    WEFT_TRY(list_of_bodies(tree, &list));
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)values, key, value) WEFT_TRY(put(tree, map, key, json_string_value(value)));
    WEFT_TRY(weft_value_put(tree, entry, component, map));
    weft_value_append(list, entry);
    return weft_ok();
}

static void drop_last(weft_tree *tree) {
    weft_value *list = weft_value_find(weft_tree_root(tree), "bodies"), *before = NULL;
    if (!list || !list->last)
        return;
    for (weft_value *body = list->first; body != list->last; body = body->next)
        before = body;
    if (before)
        before->next = NULL;
    else
        list->first = NULL;
    list->last = before;
    if (--list->count == 0)
        studio_tree_remove(weft_tree_root(tree), "bodies");
}

weft_result studio_session_change_bodies(studio_session *session, const char *component, const json_t *values) {
    weft_tree *tree;
    WEFT_TRY(studio_tree_copy(session->base, &tree));
    weft_result result = weft_ok();
    if (values)
        result = append(tree, component, values);
    else
        drop_last(tree);
    if (result.code == WEFT_OK)
        result = studio_session_rebase(session, tree, NULL);
    if (result.code != WEFT_OK)
        weft_tree_destroy(tree);
    return result;
}

/* The ground, ball or box for a component; null if it is another one. */
static const char *kind_of(const char *component) {
    static const char *const KINDS[][2] = {{"plane", "ground"}, {"sphere", "ball"}, {"box", "box"}};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (strcmp(component, KINDS[i][0]) == 0)
            return KINDS[i][1];
    return NULL;
}

weft_result studio_session_add_body(studio_session *session, const char *component, json_t *reply) {
    const char *kind = kind_of(component), *where;
    char text[160];
    obstacles around;
    if (!kind)
        return weft_fail(WEFT_BAD_INPUT, "'add' is 'plane', 'sphere' or 'box', not '%.40s'", component);
    if (weft_sim_body_count(session->pane[0].sim) >= MOST_BODIES)
        return weft_fail(WEFT_BAD_INPUT, "there are %d bodies already, which is the maximum", MOST_BODIES);
    WEFT_TRY(studio_session_restart(session, 1)); /* the body comes at the start, so only the start counts */
    WEFT_TRY(find_obstacles(session->pane[0].sim, &around));
    room r = measure(session->pane[0].sim);
    json_t *values = place(&around, &r, component, &where);
    weft_result result =
        values ? studio_session_change_bodies(session, component, values) : weft_fail_memory("a body", 64);
    snprintf(text, sizeof text, "add a %s", kind);
    if (result.code == WEFT_OK)
        studio_session_did(session, text, json_pack("[{s:s, s:O}]", "body", component, "values", values));
    snprintf(text, sizeof text, "The %s is %s.", kind, where);
    json_object_set_new(reply, "notes", json_pack("[s]", text));
    json_decref(values);
    return result;
}
