/* Adds a ground, a ball or a box to the scene, and removes it again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "studio/server/fields.h"
#include "studio/server/session.h"
#include "studio/server/tree.h"
#include "weft/vec.h"

enum { MOST_BODIES = 32 };

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

/* Places the body below the cloths. A ground is at height 0, or lower if the cloths reach below that. */
static json_t *place(const room *r, const char *component) {
    char at[128], size[96];
    double reach = 0.2 * r->size, gap = 0.05 * r->size;
    double x = 0.5 * (r->low.x + r->high.x), z = 0.5 * (r->low.z + r->high.z);
    if (strcmp(component, "plane") == 0) {
        snprintf(at, sizeof at, "[0, %.6g, 0]", fmin(0, r->lowest - gap));
        return json_pack("{s:s}", "at", at);
    }
    snprintf(at, sizeof at, "[%.6g, %.6g, %.6g]", x, r->low.y - gap - reach, z);
    if (strcmp(component, "sphere") == 0) {
        snprintf(size, sizeof size, "%.6g", reach);
        return json_pack("{s:s, s:s}", "radius", size, "at", at);
    }
    snprintf(size, sizeof size, "[%.6g, %.6g, %.6g]", 2 * reach, 2 * reach, 2 * reach);
    return json_pack("{s:s, s:s}", "size", size, "at", at);
}

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
        result = studio_session_rebase(session, tree, 1);
    if (result.code != WEFT_OK)
        weft_tree_destroy(tree);
    return result;
}

weft_result studio_session_add_body(studio_session *session, const char *component) {
    static const char *const KINDS[][2] = {{"plane", "ground"}, {"sphere", "ball"}, {"box", "box"}};
    char what[64] = "";
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (strcmp(component, KINDS[i][0]) == 0)
            snprintf(what, sizeof what, "add a %s", KINDS[i][1]);
    if (!what[0])
        return weft_fail(WEFT_BAD_INPUT, "'add' is 'plane', 'sphere' or 'box', not '%.40s'", component);
    if (weft_sim_body_count(session->pane[0].sim) >= MOST_BODIES)
        return weft_fail(WEFT_BAD_INPUT, "there are %d bodies already, which is the maximum", MOST_BODIES);
    room r = measure(session->pane[0].sim);
    json_t *values = place(&r, component);
    weft_result result =
        values ? studio_session_change_bodies(session, component, values) : weft_fail_memory("a body", 64);
    if (result.code == WEFT_OK)
        studio_session_did(session, what, json_pack("[{s:s, s:O}]", "body", component, "values", values));
    json_decref(values);
    return result;
}
